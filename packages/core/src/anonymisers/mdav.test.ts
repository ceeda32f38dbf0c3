import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { mean } from '../stats/sums.js'
import { numeric } from '../table/column.js'
import { columnOf, type Table, table, tableOf } from '../table/table.js'
import { anonymise } from './anonymiser.js'
import { groupByMdav, mdav } from './mdav.js'

function masked(data: Table, options: object = {}) {
  return anonymise(mdav, data, { seed: 1, options })
}

function values(of: Table, name: string): number[] {
  const column = columnOf(of, name)
  return column.kind === 'categorical' ? [] : [...column.values]
}

describe('mdav', () => {
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
    const i = Array.from({ length: 40 }, (_, k) => k)
    const data = tableOf('t', {
      a: i.map((k) => (k * 37 + 11) % 101),
      b: i.map((k) => ((k * 53 + 7) % 97) / 10),
      c: i.map((k) => ((k * k * 29 + 3) % 89) * 100),
    })
    const { table: result } = masked(data, { k: 4 })
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
      (rows, k) => {
        const data = tableOf('t', { a: rows.map(([a]) => a), b: rows.map(([, b]) => b) })
        const columns = [numeric('a', values(data, 'a')), numeric('b', values(data, 'b'))]
        const { groupOf, sizes } = groupByMdav(
          columns,
          { k, standardise: true },
          { progress: () => {}, signal: undefined },
        )
        expect(sizes.reduce((total, size) => total + size, 0)).toBe(rows.length)
        for (const [group, size] of sizes.entries()) {
          expect(groupOf.filter((one) => one === group)).toHaveLength(size)
          expect(size).toBeGreaterThanOrEqual(k)
          expect(size).toBeLessThan(2 * k)
        }
        const { table: result } = masked(data, { k })
        for (const name of ['a', 'b']) expect(mean(values(result, name))).toBeCloseTo(mean(values(data, name)) ?? 0, 9)
      },
    )
    fc.assert(property)
  })

  it('does not use the seed', () => {
    const data = table('t', [numeric('x', [5, 1, 4, 2, 8, 9, 3])])
    expect(anonymise(mdav, data, { seed: 1 })).toEqual(anonymise(mdav, data, { seed: 2 }))
  })
})

/** microaggregation(x, aggr = 4, method = "mdav")$mx */
const SDCMICRO_A = [
  26.5, 61, 83.5, 30.75, 51.5, 85.5, 18, 61, 18, 36.25, 85.5, 26.5, 30.75, 83.5, 30.75, 79.25, 85.5, 26.5, 85.5, 10,
  51.5, 79.25, 18, 61, 79.25, 30.75, 51.5, 10, 36.25, 61, 36.25, 26.5, 79.25, 18, 36.25, 83.5, 10, 83.5, 10, 51.5,
]
const SDCMICRO_C = [
  1925, 1850, 1650, 7800, 3475, 4125, 7275, 1850, 7275, 4275, 4125, 1925, 7800, 1650, 7800, 5550, 4125, 1925, 4125,
  4700, 3475, 5550, 7275, 1850, 5550, 7800, 3475, 4700, 4275, 1850, 4275, 1925, 5550, 7275, 4275, 1650, 4700, 1650,
  4700, 3475,
]
