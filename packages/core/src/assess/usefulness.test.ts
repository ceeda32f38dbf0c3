import { expect, it } from 'vitest'
import type { AnyMeasure, Result } from '../measure.js'
import { measures } from '../measures.js'
import { stream } from '../random/stream.js'
import { release } from '../table/release.js'
import { selectRows, tableOf } from '../table/table.js'
import { describeReference, referenceTable } from '../testing/reference.js'
import { assess, chooseMeasures } from './assess.js'
import { conclude } from './assessment.js'
import { usefulnessOf } from './usefulness.js'

/** A finding with nothing but what the score reads. */
function found(id: string, scale: 'joint' | 'marginal' | null, places: readonly (number | null)[], fraction = 0.5) {
  const targets = places.map((place, k) => ({
    name: 'release',
    target: places.length > 1 ? `t${k}` : null,
    status: 'ok',
    value: 0.1,
    sentence: 'said',
    controls: { honest: { value: 0.05, se: null, what: 'honest' } },
    utility: { scale, place, ratio: 2, equivalent: { fraction }, test: null, reasons: [] },
    details: {},
  }))
  const measure = { id, title: id, unit: 'distance', orientation: 'distance', role: 'utility' }
  const result = { measure: id, status: 'ok', releases: [{ ...targets[0], ...(places.length > 1 ? { targets } : {}) }] }
  return { measure: measure as unknown as AnyMeasure, result: result as unknown as Result }
}

it('is the smaller of two means; places are cut off, measures count once whatever their targets', () => {
  const utility = usefulnessOf(0, [
    found('a', 'joint', [1.7]),
    found('b', 'joint', [0.2, 0.4]),
    found('c', 'marginal', [0.9], 0.2),
    found('d', null, [0], 0.01),
  ])
  expect(utility).toMatchObject({ level: 'USABLE', relations: 0.65, columns: 0.9, score: 0.65 })
  expect(utility?.samples).toEqual({
    smallest: { measure: 'c', fraction: 0.2 },
    largest: { measure: 'b', fraction: 0.5 },
  })
  expect(utility?.sentence).toContain('relations')
})

it.each([
  [-2, 'POOR', 0],
  [0.3, 'LIMITED', 0.3],
  [0.6, 'USABLE', 0.6],
  [1.2, 'FAITHFUL', 1],
] as const)('a place of %d is %s', (place, level, score) => {
  expect(usefulnessOf(0, [found('a', 'joint', [place])])).toMatchObject({ level, score })
})

it('a good word names the measures and columns that it does not cover', () => {
  const apart = found('a', 'joint', [1])
  Object.assign(apart.result.releases[0].utility ?? {}, { test: { p: 1e-5 } })
  const alike = found('b', 'marginal', [1])
  Object.assign(alike.result.releases[0].utility ?? {}, { test: { p: 0.4 } })
  const tables = found('tables', null, [1])
  const variables = [
    { name: 'income', oneWay: 63.6 },
    { name: 'sex', oneWay: 1.2 },
  ]
  Object.assign(tables.result.releases[0], { details: { variables, tables: [] } })
  expect(usefulnessOf(0, [apart, alike, tables])).toMatchObject({
    level: 'FAITHFUL',
    sentence:
      'close to what an honest sample of the same size would give; but 1 of 2 tests tells it apart from another sample at p < 0.001 (a), column income is 63.6 times as far off as chance',
  })
  expect(usefulnessOf(0, [alike])?.sentence).not.toContain('but')
})

it('says what was made coarser', () => {
  const coarser = [{ column: 'age', original: 60, released: 6 }]
  expect(usefulnessOf(0, [found('a', 'joint', [0.6])], { coarser })).toMatchObject({
    coarser,
    sentence: expect.stringMatching(/; coarser: age \(60 values, now 6\), and the detail that is lost is counted$/),
  })
  const onCoarserScale = { columns: ['age'], score: 0.97 }
  const both = usefulnessOf(0, [found('a', 'joint', [0.6])], { coarser, onCoarserScale, notCompared: ['name'] })
  expect(both?.sentence).toMatch(/ is counted; beside an original as coarse in age it is 97 %; not compared: name$/)
})

it('without a place there is no score, without measures there is nothing', () => {
  expect(usefulnessOf(0, [found('a', 'joint', [null])])).toMatchObject({ level: 'NOT ASSESSED', score: null })
  expect(usefulnessOf(0, [])).toBeNull()
})

const people = (name: string, index: number) => {
  const random = stream(4, 'people', index)
  const x = Array.from({ length: 120 }, () => random.below(5))
  return tableOf(name, {
    x,
    y: x.map((value) => value + random.below(2)),
    g: x.map((value) => (value > 2 ? 'a' : 'b')),
  })
}

it('risk is the same with utility and without it', async () => {
  const original = people('original', 0)
  const given = release({ original, released: people('released', 1), keys: ['x'], target: 'g' })
  const run = async (side?: 'risk') => {
    const results: Result[] = []
    for await (const result of assess(given, {
      measures: ['attribution', ...(side === 'risk' ? [] : ['pmse', 'tables'])],
    }))
      results.push(result)
    return conclude(given, results, measures).releases[0]
  }
  const [both, alone] = [await run(), await run('risk')]
  expect({ ...both, utility: null }).toEqual(alone)
  expect(both.utility?.measures.map(({ measure }) => measure)).toEqual(['pmse', 'tables'])
  expect(both.utility?.worstPairs.length).toBeGreaterThan(0)
})

it('sides choose measures; the quick profile has no utility', () => {
  const given = release({ original: people('original', 0), released: selectRows(people('released', 1), [0, 1, 2]) })
  const roles = (how: Parameters<typeof chooseMeasures>[1]) =>
    new Set(chooseMeasures(given, how).map(({ role }) => role === 'utility'))
  expect(roles({ profile: 'quick' })).toEqual(new Set([false]))
  expect(roles({ side: 'risk', profile: 'full' })).toEqual(new Set([false]))
  expect(roles({ side: 'utility', profile: 'full' })).toEqual(new Set([true]))
  expect(roles({})).toEqual(new Set([true, false]))
})

describeReference('the case study', async () => {
  const original = await referenceTable('golden', 'vignette', 'case-original.csv')
  const levelOf = async (file: string) => {
    const given = release({ original, released: await referenceTable('golden', 'vignette', file) })
    const results: Result[] = []
    for await (const result of assess(given, { measures: ['pmse'] })) results.push(result)
    return conclude(given, results, measures).releases[0].utility
  }

  it('independent columns keep nothing of relations, the others nearly all', async () => {
    const [a, b, c] = await Promise.all(
      ['case-a-independent.csv', 'case-b-bootstrap-noise.csv', 'case-c-near-copy.csv'].map(levelOf),
    )
    expect(a).toMatchObject({ level: 'POOR' })
    expect(b).toMatchObject({ level: 'FAITHFUL' })
    expect(c).toMatchObject({ level: 'FAITHFUL', score: 1 })
    expect(a?.relations).toBeLessThan(0.15)
    expect(b?.relations).toBeGreaterThan(0.85)
  })
})
