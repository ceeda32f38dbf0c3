import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json.js'
import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import { stream } from '../random/stream.js'
import { attribution } from '../risk/attribution/attribution.js'
import { kAnonymity } from '../risk/frequency/k-anonymity.js'
import { tCloseness } from '../risk/frequency/t-closeness.js'
import { storedInMemory } from '../stored/stored-table.js'
import { countsFor } from '../table/release.js'
import { columnOf, type Table, table, tableOf } from '../table/table.js'
import type { CaseInput } from './case.js'
import { openCase } from './open-case.js'
import { withCounts } from './with-counts.js'

/** People whose income goes with their age; the released ones are others of the same kind. */
function people(name: string, rows: number, seed: number): Table {
  const random = stream(seed, 'people')
  const each = Array.from({ length: rows }, () => [2, 11, 37, 3, 1009].map((values) => random.below(values)))
  return tableOf(name, {
    sex: each.map(([sex, isMissing]) => (sex === 0 ? 'm' : isMissing === 0 ? null : 'f')),
    age: each.map(([, , age]) => 20 + age),
    income: each.map(([, , age, more]) => `${Math.floor(age / 10) + more}`),
    shoes: each.map(([, , , , shoes]) => shoes),
  })
}

const original = people('original', 900, 1)
const released = people('released', 700, 2)
const said: CaseInput = { keys: ['sex', 'age'], target: 'income', type: 'synthetic' }

async function sampled(given: CaseInput, records: number, most = 1000) {
  const [first, second] = await Promise.all(
    [original, released].map(async (data) => {
      const stored = storedInMemory(data)
      return { stored, table: await stored.sample(records, 1) }
    }),
  )
  const opened = openCase(given, { original: first.table, released: second.table })
  return withCounts(opened, { original: first, released: [second] }, most)
}

/** Numbers to so many digits: sums over people run in another order. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(11)) : each,
    ),
  )
}

/** What does not rest on draws, and is not about single records or all columns. */
function comparable({ releases: [finding], original: ofOriginal }: Result) {
  const { effect, details, leakage, sample, looks = [], ...others } = finding
  const { selfSupported, selfSupportedInHoldout, ...counted } = withoutChance(details ?? {})
  return rounded({
    ...others,
    ...leakage,
    effect: { ...effect, p: 0 },
    p: 0,
    people: 0,
    looks: looks.map((look) => ({ ...look, people: 0 })),
    ...counted,
    selfSupported: { ...Object(selfSupported), fullRecords: 0 },
    selfSupportedInHoldout: { ...Object(selfSupportedInHoldout), fullRecords: 0 },
    ofOriginal: withoutChance(ofOriginal?.details ?? {}),
  })
}

/** What t-closeness has of random classes. */
function withoutChance({ meanExpected, meanExcess, maxExcess, bySize, ...details }: JsonObject): JsonObject {
  return { ...details, bySize: Array.isArray(bySize) ? bySize.map((band) => ({ ...Object(band), expected: 0 })) : null }
}

/** The same people with weights, and a key that is missing now and then. */
function weighted(data: Table): Table {
  const shoes = columnOf(data, 'shoes')
  const weights = shoes.kind === 'numeric' ? shoes.values.map((n) => 1 + (n % 3)) : new Float64Array(data.rows)
  return table(data.name, [...data.columns, { kind: 'numeric', name: 'w', values: weights }])
}

/** Each in all records, and in counts of all beside a sample. */
async function bothWays(
  said: CaseInput,
  tables: Readonly<Record<'original' | 'released', Table>> & { holdout?: Table; population?: Table },
) {
  const parts = Object.fromEntries(
    await Promise.all(
      Object.entries(tables).map(async ([role, data]) => {
        const stored = storedInMemory(data)
        return [role, { stored, table: await stored.sample(150, 1) }] as const
      }),
    ),
  )
  const samples = Object.fromEntries(Object.entries(parts).map(([role, part]) => [role, part.table]))
  const { original, released, holdout, population } = parts
  const opened = openCase(said, { ...samples, original: original.table, released: released.table })
  const { release } = await withCounts(opened, { original, released: [released], holdout, population }, 5000)
  return { whole: openCase(said, tables).release, release }
}

const SCENES = {
  'of synthetic records': [said, { original, released }],
  'with weights, classes of numbers and people outside': [
    { ...said, target: 'shoes', group: { age: '4' }, weight: 'w' },
    { original: weighted(original), released: weighted(released), holdout: people('outside', 400, 3) },
  ],
  'of perturbed records, with a population': [
    { ...said, type: 'perturbed' },
    { original, released: people('released', 900, 2), population: people('population', 3000, 4) },
  ],
} as const

describe.each(Object.entries(SCENES))('measures of counts %s', (_, [asked, tables]) => {
  const ofCounts = measures.filter((measure) => measure.isOfCounts !== undefined)
  it.each(ofCounts.map((measure) => [measure.id, measure] as const))('%s says the same', async (_id, measure) => {
    const { whole, release } = await bothWays(asked, tables)
    const less = measure.id === 'population-uniqueness' ? { bootstrap: 4 } : {}
    const counted = await measure.run(release, less)
    expect(counted.releases[0].status).toBe('ok')
    expect(counted.releases[0].sample).toBeUndefined()
    expect(comparable(counted)).toEqual(comparable(await measure.run(whole, less)))
  })
})

it.each([0, 1, 2])('t-closeness expects of counts what it expects of records, scene %i', async (scene) => {
  const [asked, tables] = Object.values(SCENES)[scene]
  const { whole, release } = await bothWays(asked, tables)
  const [counted, records] = await Promise.all(
    [release, whole].map(async (files) => (await tCloseness(files)).releases[0]),
  )
  const [here, there] = [counted, records].map(({ details }) => details?.meanExpected ?? Number.NaN)
  expect(there).toBeGreaterThan(0.03)
  expect(Math.abs(here / there - 1)).toBeLessThan(0.02)
})

describe('a Case of samples', () => {
  it('has the counts of all records, so that attribution is that of all', async () => {
    const { release } = await sampled(said, 200)
    expect(release.original.rows).toBe(200)
    const whole = await attribution(openCase(said, { original, released }).release)
    const counted = await attribution(release)
    expect(comparable(counted)).toEqual(comparable(whole))
    expect(counted.releases[0].sample).toBeUndefined()
    expect(counted.releases[0].effect?.p).toBeCloseTo(whole.releases[0].effect?.p ?? -1, 1)
  })

  it('says what was looked at, and measures of records say it too', async () => {
    const { release } = await sampled(said, 200)
    expect(release.sample).toEqual({ original: { records: 200, of: 900 }, released: [{ records: 200, of: 700 }] })
    expect(release.notes.map(({ internal }) => internal)).toContain(
      'released: a sample of 200 of 700 records was looked at; what depends on counts alone is of all records',
    )
  })

  it('has no counts where there are too many combinations, or there is no key', async () => {
    const { release } = await sampled(said, 200, 50)
    expect(countsFor(release, 'income')).toBeUndefined()
    expect(release.notes[2].internal).toBe(
      'sex, age, income: more than 50 combinations in original: only the sample is looked at',
    )
    const { releases } = await attribution(release)
    expect(releases[0].sample).toEqual({ records: 200, of: 700 })
    const withoutKeys = await sampled({ ...said, keys: [] }, 200)
    expect(countsFor(withoutKeys.release, '')).toBeUndefined()
  })

  it('keeps them for this release only: what is made of it is asked about by itself', async () => {
    const { release } = await sampled(said, 200)
    expect(countsFor(release, 'income')?.countedBy).toEqual(['sex', 'age', 'income'])
    expect(countsFor({ ...release }, 'income')).toBeUndefined()
    expect((await kAnonymity({ ...release })).releases[0].sample).toEqual({ records: 200, of: 700 })
  })
})
