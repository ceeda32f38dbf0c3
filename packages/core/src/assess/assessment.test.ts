import { describe, expect, it } from 'vitest'
import { THREATS } from '../evidence/threats.js'
import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import { permutation } from '../random/sampling.js'
import { type Stream, stream } from '../random/stream.js'
import { independentMarginals } from '../synthesizers/independent.js'
import { cartSynthesizer } from '../synthesizers/sequential/synthesizers.js'
import { synthesize } from '../synthesizers/synthesizer.js'
import { type Column, categorical, numeric } from '../table/column.js'
import { type ReleaseInput, release } from '../table/release.js'
import { selectRows, type Table, table } from '../table/table.js'
import { describeReference, referenceTable } from '../testing/reference.js'
import { type AssessOptions, assess } from './assess.js'
import { type Assessment, assessmentSchema, conclude } from './assessment.js'

const EDUCATION = ['low', 'middle', 'high']

function people(name: string, rows: number, random: Stream): Table {
  const draw = <T>(make: () => T) => Array.from({ length: rows }, make)
  const age = draw(() => 20 + 5 * random.below(12))
  const education = draw(() => random.below(3))
  return table(name, [
    categorical(
      'sex',
      draw(() => 'fm'[random.below(2)]),
      { levels: ['f', 'm'] },
    ),
    numeric('age', age),
    categorical(
      'education',
      education.map((one) => EDUCATION[one]),
      { levels: EDUCATION },
    ),
    numeric(
      'income',
      age.map((years, k) => Math.round((20 + years / 2 + 15 * education[k]) * (50 + 100 * random.uniform()))),
    ),
    categorical(
      'ill',
      age.map((years) => (random.below(100) < years ? 'yes' : 'no')),
      { levels: ['no', 'yes'] },
    ),
  ])
}

const original = people('original', 400, stream(1, 'original'))
const honest = people('honest', 400, stream(1, 'honest'))
const holdout = people('holdout', 400, stream(1, 'holdout'))
const usual = { original, keys: ['sex', 'age', 'education'], target: 'ill' }

async function answer(input: ReleaseInput, how: AssessOptions = { profile: 'quick' }): Promise<Assessment> {
  const built = release(input)
  const results: Result[] = []
  for await (const result of assess(built, how)) results.push(result)
  return conclude(built, results, measures)
}

const levels = ({ releases }: Assessment, k = 0) =>
  Object.fromEntries(releases[k].threats.map(({ threat, level }) => [threat, level]))

describe('the answer', () => {
  it('is what the published schema says, with every threat once', async () => {
    const found = await answer({ ...usual, released: honest, holdout })
    expect(assessmentSchema.parse(JSON.parse(JSON.stringify(found)))).toEqual(found)
    expect(found.releases[0].threats.map(({ threat }) => threat).sort()).toEqual([...THREATS].sort())
    for (const { level, leakage, interval, decidedBy, reason } of found.releases[0].threats) {
      if (level === 'NOT ASSESSED') expect([leakage, decidedBy, typeof reason?.code]).toEqual([null, null, 'string'])
      else {
        expect(interval?.lower).toBeLessThanOrEqual(leakage ?? Number.NaN)
        expect(interval?.upper).toBeGreaterThanOrEqual(leakage ?? Number.NaN)
      }
    }
  })

  it('of the original itself is HIGH for every threat that can be tested, for any number of outsiders', async () => {
    for (const outsiders of [0, 1, 3, 10, 40, 400]) {
      const rows = Array.from({ length: outsiders }, (_, row) => row)
      const found = await answer({
        ...usual,
        released: original,
        ...(outsiders === 0 ? {} : { holdout: selectRows(holdout, rows) }),
      })
      const assessed = found.releases[0].threats.filter(({ level }) => level !== 'NOT ASSESSED')
      expect(
        assessed.map(({ threat, level }) => [threat, level]),
        `${outsiders} outsiders`,
      ).toEqual(assessed.map(({ threat }) => [threat, 'HIGH']))
      expect(assessed.map(({ threat }) => threat)).toEqual(
        expect.arrayContaining(['attribute', 'memorisation', 'memorisation-tail']),
      )
      expect(found.releases[0].verdict.level).toBe('HIGH')
    }
  })

  it('of a perturbed copy that changes nothing is HIGH for identity too', async () => {
    const { threats } = (await answer({ ...usual, released: original, type: 'perturbed' })).releases[0]
    expect(threats.find(({ threat }) => threat === 'identity')?.level).toBe('HIGH')
  })

  it('of an honest sample is LOW, and names what was not tested and what would settle it', async () => {
    const found = await answer({ ...usual, released: honest })
    const [{ verdict, threats }] = found.releases
    expect(verdict.level).toBe('LOW')
    expect(verdict.sentence).toContain('Not tested: membership, singling out, linkability')
    for (const open of ['membership', 'singling-out', 'linkability'])
      expect(threats.find(({ threat }) => threat === open)?.settles, open).toEqual({ code: 'holdout' })
  })

  it('does not rest on a holdout that was used for the release', async () => {
    const found = await answer({ ...usual, released: holdout, holdout })
    const { threats } = found.releases[0]
    const of = (threat: string) => threats.find((each) => each.threat === threat)
    for (const threat of ['membership', 'linkability'])
      expect(of(threat)).toMatchObject({ level: 'NOT ASSESSED', reason: { code: 'used-holdout' }, settles: null })
    expect(of('singling-out')?.level).toBe('NOT ASSESSED')
    expect(levels(found).attribute).not.toBe('NOT ASSESSED')
  })
})

describe('the answer does not change with', () => {
  const numbers = ({ releases }: Assessment, k = 0) =>
    releases[k].threats.map(({ threat, level, leakage }) => [
      threat,
      level,
      leakage === null ? null : Number(leakage.toFixed(9)),
    ])
  const map = (of: Table, change: (column: Column) => Column) => table(of.name, of.columns.map(change))
  const renamed = (column: Column): Column =>
    column.kind === 'categorical' ? { ...column, levels: column.levels.map((level) => `~${level}`) } : column
  const constant = (of: Table) => table(of.name, [...of.columns, categorical('country', Array(of.rows).fill('x'))])
  const cart = () => synthesize(cartSynthesizer, original, { seed: 3 })

  it('a further release', async () => {
    const released = await cart()
    const alone = await answer({ ...usual, released })
    const both = await answer({ ...usual, released: [released, honest] })
    expect(numbers(both)).toEqual(numbers(alone))
    expect(both.syntheses?.worst).toBe(released.name)
  })

  it('further measures', async () => {
    const released = await cart()
    const quick = await answer({ ...usual, released })
    const standard = await answer({ ...usual, released }, { profile: 'standard' })
    expect(numbers(standard)).toEqual(numbers(quick))
  })

  it('the order of rows and columns, the names of levels, or a constant column', async () => {
    const released = await cart()
    const expected = numbers(await answer({ ...usual, released }))
    const order = permutation(stream(9, 'order'), released.rows)
    expect(numbers(await answer({ ...usual, released: selectRows(released, order) }))).toEqual(expected)
    expect(
      numbers(
        await answer({
          ...usual,
          original: table('o', original.columns.toReversed()),
          released: table('r', released.columns.toReversed()),
        }),
      ),
    ).toEqual(expected)
    expect(
      numbers(await answer({ ...usual, original: map(original, renamed), released: map(released, renamed) })),
    ).toEqual(expected)
    expect(numbers(await answer({ ...usual, original: constant(original), released: constant(released) }))).toEqual(
      expected,
    )
  })
})

it('several targets are questions of their own, worst first', async () => {
  const found = await answer({ ...usual, released: original, target: ['ill', 'income'] })
  const attribute = found.releases[0].threats.filter(({ threat }) => threat === 'attribute')
  expect(attribute.map(({ target }) => target).sort()).toEqual(['ill', 'income'])
})

it('a measure that is not run leaves its threat open, and never votes otherwise', async () => {
  const found = await answer({ ...usual, released: original }, { measures: ['disco'] })
  expect(found.releases[0].verdict.level).toBe('NOT ASSESSED')
  expect(found.releases[0].threats.find(({ threat }) => threat === 'attribute')?.reason).toEqual({
    code: 'not-run',
    measure: 'attribution',
  })
})

it('what was not tested says first what somebody can do about it', async () => {
  const found = await answer(
    { ...usual, released: honest, type: 'unknown' },
    { measures: ['shared-identifiers', 'reidentification'] },
  )
  expect(found.releases[0].threats.find(({ threat }) => threat === 'identity')?.reason).toEqual({
    code: 'needs',
    needs: ['paired rows'],
  })
})

describeReference('the case study of section 8.4', () => {
  it.each([
    ['a-independent', 'LOW'],
    ['b-bootstrap-noise', 'MODERATE'],
    ['c-near-copy', 'HIGH'],
  ])('%s is %s', async (name, level) => {
    const file = (of: string) => referenceTable(`golden/vignette/case-${of}.csv`)
    const found = await answer({
      original: await file('original'),
      released: await file(name),
      keys: ['age_group', 'sex', 'education', 'region'],
      target: 'income',
      type: 'synthetic',
    })
    expect(found.releases[0].verdict.level).toBe(level)
  })
})

it('independent marginals show nothing', async () => {
  const found = await answer({ ...usual, released: independentMarginals(original, { seed: 4 }) })
  expect(found.releases[0].verdict.level).toBe('LOW')
  expect(Math.abs(found.releases[0].threats.find(({ threat }) => threat === 'attribute')?.exposure ?? 0)).toBeLessThan(
    0.3,
  )
})

describe('structure', () => {
  const told = async (type: 'perturbed' | 'synthetic') => {
    const { releases } = await answer({ ...usual, released: honest, type }, { measures: ['k-anonymity'] })
    const identity = releases[0].threats.find(({ threat }) => threat === 'identity')
    return { behind: identity?.structure.map(({ measure }) => measure), beside: releases[0].structure.length }
  }

  it('stands behind the identity threat of a perturbed release, whose records are still people', async () => {
    expect(await told('perturbed')).toEqual({ behind: ['k-anonymity'], beside: 0 })
  })

  it('is a fact about a synthetic file', async () => {
    expect(await told('synthetic')).toEqual({ behind: [], beside: 1 })
  })
})
