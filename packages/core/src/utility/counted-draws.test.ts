import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { type Column, categorical, numeric } from '../table/column.js'
import { type CountedRecords, countedBy, recordsIn, setKey, type Table, table } from '../table/table.js'
import { drawnCounts, nothingCounts, sameCounts } from './counted-draws.js'

const random = (purpose: string) => stream(1, purpose)
const key = (columns: readonly string[]) => setKey({ columns, as: 'values' })
const counts = (columns: readonly Column[], times: readonly number[]) =>
  table('counts', columns, Int32Array.from(times))

/** 60,000 women and 20,000 men, and 20,000 of whom it is not known. */
const sexes = counts([categorical('sex', ['f', 'm', null])], [60_000, 20_000, 20_000])
/** Weight 3 for a quarter of the women, 1 for all others. */
const weighted = counts([categorical('sex', ['f', 'f', 'm']), numeric('w', [1, 3, 1])], [300, 100, 400])
const ages = counts([numeric('age', [null, 20, 30, 70])], [1000, 1000, 1000, 1000])
/** Old men and young women alone. */
const both = counts([categorical('sex', ['f', 'm']), categorical('old', ['no', 'yes'])], [50_000, 50_000])

const of = (name: readonly string[], counted: Table): CountedRecords => ({
  records: recordsIn(counted),
  by: { [key(name)]: counted },
})
const timesOf = ({ by }: CountedRecords, columns: readonly string[]) => Array.from(by[key(columns)].times ?? [])
const valuesOf = ({ by }: CountedRecords, column: string) => {
  const [{ kind, ...found }] = by[key([column])].columns
  return kind === 'categorical' && 'codes' in found
    ? Array.from(found.codes)
    : 'values' in found
      ? [...found.values]
      : []
}

describe('records drawn from counts', () => {
  it('are as many as asked for, each value within a few standard deviations', () => {
    const drawn = drawnCounts(of(['sex'], sexes), () => null, { records: 10_000, has: () => true, random })
    expect(drawn.records).toBe(10_000)
    const [women, men, unknown] = timesOf(drawn, ['sex'])
    expect(women + men + unknown).toBe(10_000)
    for (const [times, share] of [
      [women, 0.6],
      [men, 0.2],
      [unknown, 0.2],
    ])
      expect(Math.abs(times - 10_000 * share)).toBeLessThan(4 * Math.sqrt(10_000 * share * (1 - share)))
  })

  it('are drawn by weight where the drawn file has none, and then without it', () => {
    const weights = Float64Array.of(1, 3, 1)
    const drawn = drawnCounts(of(['sex'], weighted), () => weights, {
      records: 100_000,
      has: (name) => name !== 'w',
      random,
    })
    const [{ columns }] = Object.values(drawn.by)
    expect(columns.map(({ name }) => name)).toEqual(['sex'])
    const [light, heavy, men] = timesOf(drawn, ['sex'])
    expect((light + heavy) / 100_000).toBeCloseTo(0.6, 1)
    expect(men / 100_000).toBeCloseTo(0.4, 1)
  })

  it('are all of them where nothing is drawn', () => {
    const same = sameCounts(of(['sex'], weighted), (name) => name !== 'w')
    expect(timesOf(same, ['sex'])).toEqual([300, 100, 400])
  })
})

describe('a file that keeps nothing', () => {
  const drawn = (columns: readonly string[], counted: Table, kind: 'uniform' | 'independent', records: number) =>
    nothingCounts(of(columns, counted), kind, 'w', { records, random })

  it('has levels equally often, missing among them', () => {
    const times = timesOf(drawn(['sex'], sexes, 'uniform', 90_000), ['sex'])
    for (const each of times) expect(Math.abs(each - 30_000)).toBeLessThan(4 * Math.sqrt(20_000))
  })

  it('has numbers anywhere between the least and the greatest, missing as often as they are', () => {
    const made = drawn(['age'], ages, 'uniform', 1_000_000)
    const [values, times] = [valuesOf(made, 'age'), timesOf(made, ['age'])]
    expect(times.reduce((sum, each) => sum + each, 0)).toBe(1_000_000)
    expect(values[0]).toBeNaN()
    expect(times[0] / 1_000_000).toBeCloseTo(0.25, 2)
    const known = values.slice(1)
    expect(Math.min(...known.slice(0, 5))).toBeGreaterThan(20)
    expect(known[known.length - 1]).toBeLessThan(70)
    const below45 = times.slice(1).reduce((sum, each, k) => sum + (known[k] < 45 ? each : 0), 0)
    expect(below45 / 750_000).toBeCloseTo(0.5, 2)
  })

  it('has columns that do not go together', () => {
    const times = timesOf(drawn(['sex', 'old'], both, 'independent', 100_000), ['sex', 'old'])
    expect(times).toHaveLength(4)
    for (const each of times) expect(Math.abs(each - 25_000)).toBeLessThan(4 * Math.sqrt(100_000 * 0.25 * 0.75))
  })

  it('has few of many combinations where it has few records', () => {
    const levels = Array.from({ length: 2000 }, (_, k) => `level ${k}`)
    const many = counts([categorical('a', levels), categorical('b', levels)], new Array(2000).fill(1))
    const made = drawn(['a', 'b'], many, 'independent', 50)
    expect(timesOf(made, ['a', 'b']).reduce((sum, each) => sum + each, 0)).toBe(50)
    expect(recordsIn(countedBy({ ...many, counted: made }, ['a', 'b']))).toBe(50)
  })
})
