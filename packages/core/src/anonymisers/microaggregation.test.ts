import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { mean } from '../stats/sums.js'
import { numeric } from '../table/column.js'
import { columnOf, type Table, table, tableOf } from '../table/table.js'
import { groupByMdav } from './groups/mdav.js'
import { pointsOf } from './groups/points.js'
import { anonymise } from './method/anonymiser.js'
import { microaggregation } from './microaggregation.js'

function masked(data: Table, options: object = {}) {
  return anonymise(microaggregation, data, { seed: 1, options })
}

function values(of: Table, name: string): number[] {
  const column = columnOf(of, name)
  return column.kind === 'categorical' ? [] : [...column.values]
}

const i = Array.from({ length: 40 }, (_, k) => k)
const FORTY = tableOf('t', {
  a: i.map((k) => (k * 37 + 11) % 101),
  b: i.map((k) => ((k * 53 + 7) % 97) / 10),
  c: i.map((k) => ((k * k * 29 + 3) % 89) * 100),
})

describe('microaggregation by mdav', () => {
  it('groups one variable around the farthest record', () => {
    const { table: result, description } = masked(tableOf('t', { x: [1, 2, 3, 10, 11, 12, 20] }))
    const high = 43 / 3
    expect(values(result, 'x')).toEqual([4, 4, 4, 4, high, high, high])
    expect(description).toMatchObject({ groups: 2, smallestGroup: 3, largestGroup: 4, leftOut: 0, thinMeans: 0 })
  })

  it('is one group with fewer than 2k records', () => {
    expect(values(masked(tableOf('t', { x: [1, 2, 3, 4, 10] })).table, 'x')).toEqual([4, 4, 4, 4, 4])
  })

  it('gives the means of sdcMicro 5.8.2 for several variables', () => {
    const data = tableOf('t', {
      a: [3, 14, 15, 92, 65, 35, 89, 79, 32, 38, 46, 26, 43],
      b: [2.7, 1.8, 2.8, 1.8, 2.8, 4.5, 9.0, 4.5, 2.3, 5.3, 6.0, 2.8, 7.4],
    })
    const { table: result } = masked(data)
    const a = [
      10.666667, 10.666667, 10.666667, 78.666667, 78.666667, 32.75, 59.333333, 78.666667, 32.75, 32.75, 59.333333,
      32.75, 59.333333,
    ]
    const b = [
      2.433333, 2.433333, 2.433333, 3.033333, 3.033333, 3.725, 7.466667, 3.033333, 3.725, 3.725, 7.466667, 3.725,
      7.466667,
    ]
    for (const [row, value] of values(result, 'a').entries()) expect(value).toBeCloseTo(a[row], 6)
    for (const [row, value] of values(result, 'b').entries()) expect(value).toBeCloseTo(b[row], 6)
    const pairs = [2.75, 2.3, 2.3, 2.3, 2.3, 4.033333, 8.2, 5.25, 4.033333, 4.033333, 5.25, 2.75, 8.2]
    for (const [row, value] of values(masked(data, { k: 2 }).table, 'b').entries())
      expect(value).toBeCloseTo(pairs[row], 6)
  })

  it('gives the means of sdcMicro 5.8.2 for forty records and three variables', () => {
    const { table: result } = masked(FORTY, { k: 4 })
    expect(values(result, 'a').map((value) => Number(value.toFixed(4)))).toEqual(SDCMICRO_A)
    expect(values(result, 'c').map((value) => Number(value.toFixed(4)))).toEqual(SDCMICRO_C)
  })

  it('takes the first of equally far records', () => {
    // -2 and 2 are equally far from the mean: -2 is taken, with its two nearest.
    expect(values(masked(tableOf('t', { x: [-2, -1, 0, 0, 1, 2] })).table, 'x')).toEqual([-1, -1, -1, 1, 1, 1])
  })

  it('keeps missing values, leaves them out of distance and mean, and tells of thin means', () => {
    const {
      table: result,
      description,
      notes,
    } = masked(tableOf('t', { x: [1, 2, 3, 11, 12, 13, null], y: [null, 1, null, 5, 6, 7, null] }))
    expect(values(result, 'x')).toEqual([2, 2, 2, 12, 12, 12, Number.NaN])
    expect(values(result, 'y')).toEqual([Number.NaN, 1, Number.NaN, 6, 6, 6, Number.NaN])
    expect(description).toMatchObject({ groups: 2, leftOut: 1, thinMeans: 1 })
    expect(notes).toHaveLength(1)
  })

  it('does not mind a constant variable, and does not let it decide', () => {
    const { table: result } = masked(tableOf('t', { x: [1, 2, 3, 11, 12, 13], c: [5, 5, 5, 5, 5, 5] }))
    expect(values(result, 'x')).toEqual([2, 2, 2, 12, 12, 12])
    expect(values(result, 'c')).toEqual([5, 5, 5, 5, 5, 5])
  })

  it('standardises unless told not to', () => {
    const data = tableOf('t', { small: [0, 0, 1, 1], large: [100, 160, 101, 161] })
    expect(values(masked(data, { k: 2, standardise: false }).table, 'large')).toEqual([100.5, 160.5, 100.5, 160.5])
    const { table: result } = masked(tableOf('t', { small: [0, 0.1, 9, 9.1], large: [100, 150, 105, 155] }), { k: 2 })
    expect(values(result, 'small')).toEqual([0.05, 0.05, 9.05, 9.05])
  })

  it('has medians and rounding', () => {
    expect(values(masked(tableOf('t', { x: [1, 2, 9] }), { measure: 'median' }).table, 'x')).toEqual([2, 2, 2])
    expect(values(masked(tableOf('t', { x: [1, 2, 4] }), { round: true }).table, 'x')).toEqual([2, 2, 2])
  })

  it('refuses fewer records than k, k below 2 and columns that are not numbers', () => {
    expect(() => masked(tableOf('t', { x: [1] }))).toThrow(UserError)
    expect(() => masked(tableOf('t', { x: [1, 2, 3] }), { k: 1 })).toThrow(UserError)
    expect(() => masked(tableOf('t', { x: ['a', 'b', 'c'] }))).toThrow(/no column of t is numeric/)
    expect(() => masked(tableOf('t', { x: [1, 2, 3] }), { variables: ['y'] })).toThrow(/unknown column "y"/)
  })

  it('makes groups of k to 2k - 1 records and keeps the mean of every variable', () => {
    const cell = fc.integer({ min: -50, max: 50 })
    const property = fc.property(
      fc.array(fc.tuple(cell, cell), { minLength: 5, maxLength: 60 }),
      fc.integer({ min: 2, max: 5 }),
      (cells, k) => {
        const data = tableOf('t', { a: cells.map(([a]) => a), b: cells.map(([, b]) => b) })
        const columns = [numeric('a', values(data, 'a')), numeric('b', values(data, 'b'))]
        const rows = Int32Array.from(cells.keys())
        const groups = groupByMdav(pointsOf(columns, rows, true), k, { progress: () => {}, signal: undefined })
        expect(groups.flatMap((group) => [...group]).sort((a, b) => a - b)).toEqual([...rows])
        for (const { length } of groups) {
          expect(length).toBeGreaterThanOrEqual(k)
          expect(length).toBeLessThan(2 * k)
        }
        const { table: result } = masked(data, { k })
        for (const name of ['a', 'b']) expect(mean(values(result, name))).toBeCloseTo(mean(values(data, name)) ?? 0, 9)
      },
    )
    fc.assert(property)
  })

  it('does not use the seed', () => {
    const data = table('t', [numeric('x', [5, 1, 4, 2, 8, 9, 3])])
    expect(anonymise(microaggregation, data, { seed: 1 })).toEqual(anonymise(microaggregation, data, { seed: 2 }))
  })
})

describe('microaggregation by sorting', () => {
  it('sorts and cuts each variable on its own; the last group has what is left', () => {
    const data = tableOf('t', { x: [1, 2, 3, 10, 11, 12, 20], y: [7, 6, 5, 4, 3, 2, null] })
    const { table: result, description } = masked(data, { method: 'one-dimensional' })
    expect(values(result, 'x')).toEqual([2, 2, 2, 13.25, 13.25, 13.25, 13.25])
    expect(values(result, 'y')).toEqual([6, 6, 6, 3, 3, 3, Number.NaN])
    expect(description).toMatchObject({ groups: 4, smallestGroup: 3, largestGroup: 4, thinMeans: 0, leftOut: 0 })
  })

  it('gives the means of sdcMicro 5.8.2 for one dimension and for the first component', () => {
    const shown = (method: string, name: string) =>
      values(masked(FORTY, { k: 4, method }).table, name).map((value) => Number(value.toFixed(4)))
    expect(shown('one-dimensional', 'b')).toEqual(SDCMICRO_ONE_DIMENSION_B)
    expect(shown('single-axis', 'a')).toEqual(SDCMICRO_COMPONENT_A)
    expect(shown('single-axis', 'b')).toEqual(SDCMICRO_COMPONENT_B)
  })

  it('puts records along the diagonal into groups along the diagonal', () => {
    const data = tableOf('t', { x: [5, 1, 3, 6, 2, 4], y: [50, 10, 30, 60, 20, 40] })
    const { table: result } = masked(data, { method: 'single-axis' })
    expect(values(result, 'x')).toEqual([5, 2, 2, 5, 2, 5])
    expect(values(result, 'y')).toEqual([50, 20, 20, 50, 20, 50])
  })
})

describe('microaggregation within clusters', () => {
  it('never joins clusters that lie far apart, and keeps groups of k to 2k - 1', () => {
    const x = [0, 1, 2, 3, 4, 5, 6, 1000, 1001, 1002, 1003, 1004]
    for (const seed of [1, 2, 3]) {
      const { table: result, description } = anonymise(microaggregation, tableOf('t', { x }), {
        seed,
        options: { method: 'clustered', clusters: 2, k: 4 },
      })
      expect(values(result, 'x')).toEqual(x.map((value) => (value < 500 ? 3 : 1002)))
      expect(description).toMatchObject({ groups: 2, smallestGroup: 5, largestGroup: 7 })
    }
  })

  it('dissolves clusters of fewer than k, keeps means, and is MDAV with one cluster', () => {
    const far = tableOf('t', { x: [0, 1, 2, 3, 900] })
    const options = { method: 'clustered', clusters: 2, k: 2 }
    for (const seed of [1, 2, 3])
      expect(anonymise(microaggregation, far, { seed, options }).description).toMatchObject({ smallestGroup: 2 })
    const { table: result } = masked(FORTY, { method: 'clustered', clusters: 4 })
    for (const name of ['a', 'b', 'c'])
      expect(mean(values(result, name))).toBeCloseTo(mean(values(FORTY, name)) ?? 0, 9)
    expect(masked(FORTY, { method: 'clustered', clusters: 1 }).table).toEqual(masked(FORTY).table)
  })
})

describe('microaggregation in strata', () => {
  it('is what each stratum alone would give', () => {
    const x = [1, 20, 2, 30, 3, 40, 9, 50]
    const s = ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b']
    for (const method of ['mdav', 'one-dimensional', 'single-axis']) {
      const { table: result, description } = masked(tableOf('t', { x, s }), { k: 2, strata: ['s'], method })
      for (const name of ['a', 'b']) {
        const own = (all: number[]) => all.filter((_, row) => s[row] === name)
        expect(own(values(result, 'x'))).toEqual(
          values(masked(tableOf('t', { x: own(x) }), { k: 2, method }).table, 'x'),
        )
      }
      expect(description).toMatchObject({ strata: 2, groups: 4 })
    }
  })

  it('refuses a stratum with fewer than k values, and a stratum that is averaged itself', () => {
    const data = tableOf('t', { x: [1, 2, 3, 4], s: ['a', 'a', 'a', 'b'] })
    expect(() => masked(data, { strata: ['s'] })).toThrow(
      'microaggregation needs at least k = 3 records with values, the stratum b has 1',
    )
    expect(() => masked(data, { strata: ['x'] })).toThrow('"x" cannot be averaged within its own strata')
  })
})

/** microaggregation(x, aggr = 4, method = "mdav")$mx, then "onedims" and "pca". */
const SDCMICRO_A = [
  26.5, 61, 83.5, 30.75, 51.5, 85.5, 18, 61, 18, 36.25, 85.5, 26.5, 30.75, 83.5, 30.75, 79.25, 85.5, 26.5, 85.5, 10,
  51.5, 79.25, 18, 61, 79.25, 30.75, 51.5, 10, 36.25, 61, 36.25, 26.5, 79.25, 18, 36.25, 83.5, 10, 83.5, 10, 51.5,
]
const SDCMICRO_C = [
  1925, 1850, 1650, 7800, 3475, 4125, 7275, 1850, 7275, 4275, 4125, 1925, 7800, 1650, 7800, 5550, 4125, 1925, 4125,
  4700, 3475, 5550, 7275, 1850, 5550, 7800, 3475, 4700, 4275, 1850, 4275, 1925, 5550, 7275, 4275, 1650, 4700, 1650,
  4700, 3475,
]
const SDCMICRO_ONE_DIMENSION_B = [
  0.4, 6.15, 1.3, 7.05, 2.2, 7.95, 3.1, 9, 4, 9, 5.1, 0.4, 6.15, 1.3, 7.05, 2.2, 7.95, 3.1, 9, 4, 0.4, 5.1, 1.3, 6.15,
  2.2, 7.05, 3.1, 7.95, 4, 9, 5.1, 0.4, 5.1, 1.3, 6.15, 2.2, 7.05, 3.1, 7.95, 4,
]
const SDCMICRO_COMPONENT_A = [
  45, 66, 68.5, 12.25, 70.25, 86, 28.75, 68.5, 12.25, 30.5, 66, 30.5, 20.25, 86, 12.25, 70.25, 70.25, 45, 54.75, 20.25,
  45, 54.75, 28.75, 66, 45, 28.75, 70.25, 12.25, 54.75, 68.5, 30.5, 68.5, 66, 20.25, 30.5, 86, 54.75, 86, 20.25, 28.75,
]
const SDCMICRO_COMPONENT_B = [
  1.5, 5.7, 4.825, 6.55, 3.925, 3.55, 3.775, 4.825, 6.55, 5.3, 5.7, 5.3, 4.9, 3.55, 6.55, 3.925, 3.925, 1.5, 6.225, 4.9,
  1.5, 6.225, 3.775, 5.7, 1.5, 3.775, 3.925, 6.55, 6.225, 4.825, 5.3, 4.825, 5.7, 4.9, 5.3, 3.55, 6.225, 3.55, 4.9,
  3.775,
]
