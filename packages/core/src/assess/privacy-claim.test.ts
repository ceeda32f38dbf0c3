import { describe, expect, it } from 'vitest'
import { openCase } from '../case/open-case.js'
import { stream } from '../random/stream.js'
import { selectRows, type Table, tableOf } from '../table/table.js'
import { assessCase } from './run.js'

function people(seed: number): Table {
  const random = stream(seed, 'people')
  const of = <Value>(one: () => Value) => Array.from({ length: 120 }, one)
  return tableOf('people', {
    age: of(() => 20 + random.below(60)),
    income: of(() => 1000 + random.below(4000)),
    region: of(() => 'abcd'[random.below(4)]),
  })
}

const [original, holdout, others] = [1, 2, 3].map(people)
const quick = { type: 'synthetic', measures: 'membership-audit' } as const
const shuffled = selectRows(
  original,
  Array.from({ length: 120 }, (_, row) => (row + 7) % 120),
)

describe('a stated epsilon', () => {
  it('is broken by a release that copies people, and the sentence says so first', async () => {
    const opened = openCase({ ...quick, epsilon: 1 }, { original, released: shuffled, holdout })
    const [{ claim, verdict }] = (await assessCase(opened)).assessment.releases
    expect(claim).toMatchObject({ epsilon: 1, delta: 0, verdict: 'broken' })
    expect(claim?.audit?.bound).toBeGreaterThan(1)
    expect(verdict.sentence).toMatch(
      /^The claim of differential privacy is broken: epsilon 1 was stated, and epsilon is at least \d\.\d\d \(confidence 95/,
    )
  })

  it('is not contradicted by other people, which proves nothing', async () => {
    const opened = openCase({ ...quick, epsilon: 0.5, delta: 1e-6 }, { original, released: others, holdout })
    const [{ claim, verdict }] = (await assessCase(opened)).assessment.releases
    expect(claim).toMatchObject({ epsilon: 0.5, delta: 1e-6, verdict: 'not contradicted' })
    expect(verdict.sentence).toContain('Stated was epsilon 0.5, delta 0.000001; this release alone shows')
    expect(verdict.sentence).toContain('which does not prove the claim.')
  })

  it('is not checked without people outside', async () => {
    const opened = openCase({ ...quick, measures: 'shared-information', epsilon: 1 }, { original, released: others })
    const [{ claim, verdict }] = (await assessCase(opened)).assessment.releases
    expect(claim).toMatchObject({ verdict: 'not checked', audit: null })
    expect(verdict.sentence).toContain('Stated was epsilon 1, which was not checked')
  })

  it('changes nothing else, and nothing at all where none is stated', async () => {
    const of = async (input: object) =>
      (await assessCase(openCase({ ...quick, ...input }, { original, released: shuffled, holdout }))).assessment
    const [without, stated] = [await of({}), await of({ epsilon: 1 })]
    expect(without.releases[0]).not.toHaveProperty('claim')
    const { claim: _, verdict, ...rest } = stated.releases[0]
    expect({ ...rest, verdict: { ...verdict, sentence: '' } }).toEqual({
      ...without.releases[0],
      verdict: { ...without.releases[0].verdict, sentence: '' },
    })
  })

  it.each([
    [{ epsilon: 0 }, /epsilon/],
    [{ epsilon: 1, delta: 1 }, /delta/],
  ])('%j is a mistake', (wrong, message) => {
    expect(() => openCase({ ...quick, ...wrong }, { original, released: others, holdout })).toThrow(message)
  })

  it('delta alone says nothing', () => {
    const opened = openCase({ ...quick, delta: 0.1 }, { original, released: others, holdout })
    expect(() => assessCase(opened)).toThrow('delta is stated without epsilon')
  })
})
