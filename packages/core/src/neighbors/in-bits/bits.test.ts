import { countIds } from '@scrim/kernels'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numeric } from '../../table/column.js'
import { type Table, table, tableOf } from '../../table/table.js'
import { bitSpace, bitsInColumn, type Pool, poolOf, recordsAsNear, recordsBetween, valuesByNear } from './bits.js'

/** All records of a table as a pool, and bits in common of two of its rows in one column. */
function commonIn(of: Table) {
  const { columns, points, ids } = bitSpace(
    [of],
    of.columns.map(({ name }) => name),
  )
  const pool = poolOf(columns, countIds(ids[0], points))
  const bits = (j: number, row: number, other: number) =>
    bitsInColumn(pool, j, columns[j].codes[ids[0][row]], columns[j].codes[ids[0][other]])
  return { pool, bits }
}

describe('bits in common', () => {
  it('of categories: minus log2 of the share of the level among the others', () => {
    // of the four others of row 0, one has its level a; row 4 is missing like row 3
    const { bits } = commonIn(tableOf('t', { g: ['a', 'a', 'b', null, null] }))
    expect(bits(0, 0, 1)).toBe(2)
    expect(bits(0, 0, 2)).toBe(0)
    expect(bits(0, 3, 4)).toBe(2)
    expect(bits(0, 3, 0)).toBe(0)
  })

  it('of numbers: minus log2 of the share of others that are as near', () => {
    // from 0: 1 (one as near), 10 (two), 20 (three), 100 (four of four)
    const { bits } = commonIn(tableOf('t', { v: [0, 10, 20, 1, 100] }))
    expect(bits(0, 0, 3)).toBe(2)
    expect(bits(0, 0, 1)).toBe(1)
    expect(bits(0, 0, 2)).toBeCloseTo(Math.log2(4 / 3), 15)
    expect(bits(0, 0, 4)).toBe(0)
    // from 10: 1 is 9 away, 0 and 20 are 10 away and count for each other
    expect(bits(0, 1, 3)).toBe(2)
    expect(bits(0, 1, 0)).toBe(bits(0, 1, 2))
    expect(bits(0, 1, 0)).toBeCloseTo(Math.log2(4 / 3), 15)
  })

  it('of missing numbers: as a level; missing and known share nothing', () => {
    const { bits } = commonIn(tableOf('t', { v: [1, 2, null, null, null] }))
    expect(bits(0, 2, 3)).toBe(1)
    expect(bits(0, 2, 0)).toBe(0)
    expect(bits(0, 0, 2)).toBe(0)
    // of the four others one is known
    expect(bits(0, 0, 1)).toBe(2)
  })

  it('takes decimals that are equally far for equally far', () => {
    const { bits } = commonIn(tableOf('t', { v: [0.2, 0.1, 0.3, 0.7, 0.8] }))
    expect(0.3 - 0.2).not.toBe(0.2 - 0.1)
    expect(bits(0, 0, 1)).toBe(1)
    expect(bits(0, 0, 2)).toBe(1)
  })

  it('of infinite numbers is a number', () => {
    const { bits } = commonIn(table('t', [numeric('v', [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 5])]))
    expect(bits(0, 1, 2)).toBeCloseTo(Math.log2(3), 12)
    expect(bits(0, 1, 0)).toBe(0)
  })

  it('of numbers does not depend on unit, origin and direction', () => {
    const values = fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 2, maxLength: 20 })
    const factor = fc.constantFrom(-7.3, -1, 0.1, 1 / 3, 1000)
    fc.assert(
      fc.property(values, factor, fc.constantFrom(0, 0.7, -1234.56), (numbers, a, b) => {
        const one = commonIn(tableOf('t', { v: numbers }))
        const other = commonIn(tableOf('t', { v: numbers.map((value) => a * value + b) }))
        for (let row = 1; row < numbers.length; row++) expect(other.bits(0, 0, row)).toBe(one.bits(0, 0, row))
      }),
    )
  })
})

describe('records as near', () => {
  const pools = fc
    .array(
      fc.oneof(
        fc.integer({ min: -20, max: 20 }),
        fc.integer({ min: -99, max: 99 }).map((value) => value / 70),
      ),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    .map((numbers) => commonIn(tableOf('t', { v: numbers })).pool)

  const parts = ({ columns, below }: Pool) => ({ numbers: columns[0].numbers ?? new Float64Array(), below: below[0] })

  it('are those counted one by one', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        const { numbers, below } = parts(pool)
        for (let x = 1; x <= numbers.length; x++) {
          for (let y = 1; y <= numbers.length; y++) {
            const reach = Math.abs(numbers[y - 1] - numbers[x - 1]) + 1e-9
            let count = 0
            for (let z = 1; z <= numbers.length; z++)
              if (Math.abs(numbers[z - 1] - numbers[x - 1]) <= reach) count += below[z + 1] - below[z]
            expect(recordsAsNear(numbers, below, x, y)).toBe(count)
            expect(recordsBetween(numbers, below, x, y)).toBeLessThanOrEqual(count)
          }
        }
      }),
    )
  })

  it('are the same when all codes are walked at once', () => {
    fc.assert(
      fc.property(pools, (pool) => {
        const { numbers, below } = parts(pool)
        const near = new Float64Array(numbers.length + 1)
        const itself = Float64Array.from({ length: below[below.length - 1] + 1 }, (_, count) => count)
        for (let x = 1; x <= numbers.length; x++) {
          valuesByNear(numbers, below, x, itself, near)
          for (let y = 1; y <= numbers.length; y++) expect(near[y]).toBe(recordsAsNear(numbers, below, x, y))
        }
      }),
    )
  })
})
