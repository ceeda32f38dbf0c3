import { describe, expect, it } from 'vitest'
import type { Result } from '../measure.js'
import { attribution } from '../risk/attribution/attribution.js'
import { kAnonymity } from '../risk/frequency/k-anonymity.js'
import { storedInMemory } from '../stored/stored-table.js'
import { countsFor } from '../table/release.js'
import { columnOf, type Table, table, tableOf } from '../table/table.js'
import type { CaseInput } from './case.js'
import { openCase } from './open-case.js'
import { withCounts } from './with-counts.js'

/** People whose income goes with their age; the released ones are others of the same kind. */
function people(name: string, rows: number, first: number): Table {
  const numbers = Array.from({ length: rows }, (_, row) => (first + row) * 7919)
  return tableOf(name, {
    sex: numbers.map((n) => (n % 2 === 0 ? 'm' : n % 11 === 0 ? null : 'f')),
    age: numbers.map((n) => 20 + (n % 37)),
    income: numbers.map((n) => `${Math.floor((n % 37) / 10) + ((n >> 3) % 3)}`),
    shoes: numbers.map((n) => n % 101),
  })
}

const original = people('original', 900, 0)
const released = people('released', 700, 5000)
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
function comparable({ releases: [finding] }: Result) {
  const { effect, details, leakage, sample, ...others } = finding
  const { selfSupported, ...counted } = details ?? {}
  return rounded({
    ...others,
    ...leakage,
    effect: { ...effect, p: 0 },
    p: 0,
    people: 0,
    ...counted,
    selfSupported: { ...Object(selfSupported), fullRecords: 0 },
  })
}

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

  it('is that of all where numbers are grouped, and records are weighted', async () => {
    const weighted = (data: Table) =>
      table(
        data.name,
        [...data.columns, { ...columnOf(data, 'shoes'), name: 'w' }].map((column) =>
          column.name === 'w' && column.kind === 'numeric'
            ? { ...column, values: column.values.map((n) => 1 + (n % 3)) }
            : column,
        ),
      )
    const asked: CaseInput = { ...said, target: 'shoes', group: { age: '4' }, weight: 'w' }
    const parts = await Promise.all(
      [original, released].map(async (data) => {
        const stored = storedInMemory(weighted(data))
        return { stored, table: await stored.sample(150, 1) }
      }),
    )
    const opened = openCase(asked, { original: parts[0].table, released: parts[1].table })
    const { release } = await withCounts(opened, { original: parts[0], released: [parts[1]] }, 5000)
    const whole = openCase(asked, { original: weighted(original), released: weighted(released) }).release
    expect(comparable(await attribution(release))).toEqual(comparable(await attribution(whole)))
  })

  it('says what was looked at, and measures of records say it too', async () => {
    const { release } = await sampled(said, 200)
    expect(release.sample).toEqual({ original: { records: 200, of: 900 }, released: [{ records: 200, of: 700 }] })
    expect(release.notes.map(({ internal }) => internal)).toContain(
      'released: a sample of 200 of 700 records was looked at; what depends on the counts of keys and target alone is of all records',
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
