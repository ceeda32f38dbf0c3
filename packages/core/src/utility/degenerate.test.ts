import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { type Json, nonFinitePath } from '../json.js'
import type { AnyMeasure } from '../measure.js'
import { measures } from '../measures.js'
import { stream } from '../random/stream.js'
import { type Column, categorical, numeric } from '../table/column.js'
import { release } from '../table/release.js'
import { selectRows, type Table, table } from '../table/table.js'

/**
 * Columns that hold nothing, or nothing that varies, beside ordinary ones: every measure of utility gives a number or says why
 * not. (Whole files like that, and single records, are in the battery of all measures.)
 */
const ROWS = 40

function people(name: string, index: number, rows = ROWS): Table {
  const random = stream(8, 'degenerate', index)
  const draw = <T>(make: () => T) => Array.from({ length: rows }, make)
  const age = draw(() => 20 + random.below(50))
  return table(name, [
    numeric('age', age),
    categorical(
      'sex',
      draw(() => 'fm'[random.below(2)]),
    ),
    categorical(
      'region',
      draw(() => ['north', 'south', 'west'][random.below(3)]),
    ),
    numeric(
      'income',
      age.map((years) => 100 * years + random.below(2000)),
    ),
  ])
}

const [original, released] = [people('original', 0), people('released', 1)]

function changed(of: Table, change: Readonly<Record<string, (rows: number) => Column>>): Table {
  return table(
    of.name,
    of.columns.map((column) => change[column.name]?.(of.rows) ?? column),
  )
}

const same = {
  age: (rows: number) => numeric('age', Array(rows).fill(30)),
  sex: (rows: number) => categorical('sex', Array(rows).fill('f')),
}
const missing = {
  age: (rows: number) => numeric('age', Array(rows).fill(null)),
  sex: (rows: number) => categorical('sex', Array(rows).fill(null)),
}
const CASES: Readonly<Record<string, readonly [Table, Table]>> = {
  'columns that are constant in both files': [changed(original, same), changed(released, same)],
  'columns that the release made constant': [original, changed(released, same)],
  'columns that only the release varies': [changed(original, same), released],
  'columns missing in both files': [changed(original, missing), changed(released, missing)],
  'columns missing in the release': [original, changed(released, missing)],
  'columns missing in the original': [changed(original, missing), released],
}

const utilities = measures.filter(({ role }) => role === 'utility')
const rules = { name: 'rules', text: 'income >= 2500\nincome < 3000 => region != "west"' }

async function find(measure: AnyMeasure, [x, y]: readonly [Table, Table]) {
  const paired = measure.needs.includes('paired rows') ? ({ type: 'perturbed' } as const) : {}
  const subject = release({ original: x, released: y, keys: ['region'], target: 'income', rules, ...paired })
  return (await measure.run(subject, { resamples: 0 })).releases[0]
}

describe.each(Object.entries(CASES))('%s', (_, files) => {
  it.each(utilities.map((one) => [one.id, one] as const))('%s has a number, or a reason', async (_id, measure) => {
    const finding = await find(measure, files)
    expect(['ok', 'not applicable']).toContain(finding.status)
    expect(nonFinitePath(finding as unknown as Json)).toBeUndefined()
    expect(finding.sentence).not.toMatch(/NaN|undefined|Infinity|null/)
    if (finding.value === null) expect(finding.reason).toBeTruthy()
  })
})

it('a column that is missing in one file only is the largest difference in missing values', async () => {
  const missingness = utilities.find(({ id }) => id === 'missingness')
  if (missingness === undefined) throw new Error('no such measure')
  expect((await find(missingness, CASES['columns missing in the release'])).value).toBe(1)
  expect((await find(missingness, CASES['columns missing in both files'])).value).toBe(0)
})

it('an empty file, and one with an infinite number, are refused by name', () => {
  expect(() => release({ original, released: selectRows(released, []) })).toThrow(UserError)
  expect(() => release({ original, released: selectRows(released, []) })).toThrow('released')
  const infinite = changed(released, { age: (rows) => numeric('age', Array(rows).fill(Number.POSITIVE_INFINITY)) })
  expect(() => release({ original, released: infinite })).toThrow('"age" of released has Infinity in row 1')
})

describe('more than a thousand levels', () => {
  const jobs = (name: string, index: number) => {
    const random = stream(8, 'jobs', index)
    const rows = 1500
    const job = Array.from(
      { length: rows },
      (_, k) => `job ${k % 3 === 0 ? random.below(20) : 20 + random.below(2000)}`,
    )
    return table(name, [categorical('job', job), people(name, index, rows).columns[1]])
  }
  const files = [jobs('original', 0), jobs('released', 1)] as const
  const counted = ['tables', 'cross-table', 'contingency-fidelity', 'hellinger', 'chisq-gof', 'total-variation', 'jsd']
  it.each([...counted, 'means-frequencies', 'ci-proximity'])(
    '%s takes the rare ones together, and says so',
    async (id) => {
      const measure = utilities.find((one) => one.id === id)
      if (measure === undefined) throw new Error(`no measure ${id}`)
      const subject = release({ original: files[0], released: files[1] })
      const { status, warnings } = (await measure.run(subject, { resamples: 0 })).releases[0]
      expect(status).toBe('ok')
      expect(warnings.join()).toMatch(/"job" has 1,\d{3} levels; those with fewer than 5 records/)
    },
  )
})
