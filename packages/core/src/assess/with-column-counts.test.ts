import { describe, expect, it } from 'vitest'
import type { CaseInput } from '../case/case.js'
import { openCase } from '../case/open-case.js'
import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import { stream } from '../random/stream.js'
import { storedInMemory } from '../stored/stored-table.js'
import { type Table, tableOf } from '../table/table.js'
import { withColumnCounts } from './with-column-counts.js'

/** People whose income goes with their age, and whose weight is one of three; a value is missing now and then. */
function people(name: string, rows: number, seed: number): Table {
  const random = stream(seed, 'people')
  const each = Array.from({ length: rows }, () => {
    const [sex, region, age, more, some, other, third] = [2, 5, 60, 400, 23, 17, 3].map((values) =>
      random.below(values),
    )
    return {
      sex,
      region,
      age,
      income: (age * 20 + more) / 8,
      noIncome: some === 0,
      noRegion: other === 0,
      w: third + 1,
    }
  })
  return tableOf(name, {
    sex: each.map(({ sex }) => (sex === 0 ? 'm' : 'f')),
    region: each.map(({ region, noRegion }) => (noRegion ? null : `region ${region}`)),
    age: each.map(({ age }) => 20 + age),
    income: each.map(({ income, noIncome }) => (noIncome ? null : income)),
    w: each.map(({ w }) => w),
  })
}

const original = people('original', 1200, 1)
const released = people('released', 1000, 2)
const ofColumns = measures.filter((measure) => measure.countedColumns !== undefined)

async function counted(said: CaseInput, tables: { original: Table; released: Table }, sample = 200, most = 1e5) {
  const parts = await Promise.all(
    [tables.original, tables.released].map(async (data) => {
      const stored = storedInMemory(data)
      return { stored, table: await stored.sample(sample, 1) }
    }),
  )
  const [first, second] = parts
  const opened = openCase(said, { original: first.table, released: second.table })
  const sample_ = {
    original: { records: sample, of: tables.original.rows },
    released: [{ records: sample, of: tables.released.rows }],
  }
  const ids = ofColumns.map(({ id }) => id)
  return withColumnCounts(
    { ...opened, release: { ...opened.release, sample: sample_ } },
    { original: first, released: [second] },
    ids,
    most,
  )
}

/** Numbers to so many digits: sums run in another order. What controls are drawn by is another order of records too. */
function comparable({ releases: [finding] }: Result) {
  const { controls: _, utility, exposure: _e, leakage: _l, ...rest } = finding
  return JSON.parse(
    JSON.stringify({ ...rest, test: utility?.test }, (_, each) =>
      typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(9)) : each,
    ),
  )
}

const SCENES = {
  'of records': [{}, { original, released }],
  'of records with weights': [{ weight: 'w' }, { original, released }],
} as const

describe.each(Object.entries(SCENES))('measures of counted columns %s', (_, [asked, tables]) => {
  it.each(ofColumns.map((measure) => [measure.id, measure] as const))('%s says the same', async (_id, measure) => {
    const { release } = await counted({ type: 'synthetic', ...asked }, tables)
    const byCounts = await measure.run(release, { resamples: 2 })
    expect(byCounts.releases[0].sample).toBeUndefined()
    const whole = await measure.run(openCase({ type: 'synthetic', ...asked }, tables).release, { resamples: 2 })
    expect(comparable(byCounts)).toEqual(comparable(whole))
  })
})
