import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ascendingOrder, rankColumn, rankCompiled } from './order.js'

const { NaN: missing, POSITIVE_INFINITY: infinity } = Number

describe('ascendingOrder', () => {
  it('sorts rows by their numbers and leaves out NaN', () => {
    const values = Float64Array.of(3, missing, -2, infinity, 0, -infinity, 3, -2.5, 5e-324)
    expect(Array.from(ascendingOrder(values))).toEqual([5, 7, 2, 4, 8, 0, 6, 3])
  })

  it('is what sorting by comparison gives', () => {
    const anyNumber = fc.oneof(fc.double(), fc.integer({ min: -5, max: 5 }))
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 300 }), (numbers) => {
        const values = Float64Array.from(numbers, (value) => value + 0)
        const rows = Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]))
        const sorted = rows.sort((a, b) => (values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b))
        expect(Array.from(ascendingOrder(values))).toEqual(sorted)
      }),
    )
  })

  it('sorts numbers that differ in their last bits alone, few or many', () => {
    const near = fc.integer({ min: -200, max: 200 }).map((steps) => 1 + steps * 2 ** -52)
    const oneInTen = fc.oneof({ arbitrary: fc.double({ noNaN: true }), weight: 9 }, { arbitrary: near, weight: 1 })
    for (const number of [near, oneInTen])
      fc.assert(
        fc.property(fc.array(number, { maxLength: 300 }), (numbers) => {
          const values = Float64Array.from(numbers, (value) => value + 0)
          const sorted = Array.from(values.keys()).sort((a, b) => values[a] - values[b] || a - b)
          expect(Array.from(ascendingOrder(values))).toEqual(sorted)
        }),
      )
  })

  it('sorts a part of a larger buffer', () => {
    const values = Float64Array.of(9, 9, 3, 1, 2).subarray(2)
    expect(Array.from(ascendingOrder(values))).toEqual([1, 2, 0])
  })
})

describe('rankColumn', () => {
  it('gives equal numbers one rank, -0 and 0 too, and NaN none', () => {
    const { rank, distinct, order } = rankColumn(Float64Array.of(7, 0, missing, -0, 7, -1))
    expect(Array.from(rank)).toEqual([2, 1, -1, 1, 2, 0])
    expect(Array.from(distinct, Math.abs)).toEqual([1, 0, 7])
    expect(Array.from(order)).toEqual([5, 3, 1, 0, 4])
  })

  it('is the same in WebAssembly and in plain code', () => {
    const anyNumber = fc.oneof(fc.double(), fc.integer({ min: -5, max: 5 }), fc.constantFrom(-0, infinity, -infinity))
    fc.assert(
      fc.property(fc.array(anyNumber, { maxLength: 300 }), (numbers) => {
        const values = Float64Array.from(numbers)
        expect(rankCompiled(values)).toEqual(rankColumn(values, () => null))
      }),
    )
  })

  it('takes a column without values', () => {
    expect(rankColumn(Float64Array.of(missing, missing)).order).toHaveLength(0)
    expect(rankColumn(new Float64Array(0)).distinct).toHaveLength(0)
  })
})
