import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mean, standardDeviation, sum, total, variance, weightedMean } from './sums.js'

const x = Float64Array.of(3.1, -2, 7.5, 7.5, 0, 11.25, 4)

describe('sum', () => {
  it('keeps what plain addition loses', () => {
    expect(sum([1, 1e100, 1, -1e100])).toBe(2)
    expect(sum(new Float64Array(10).fill(0.1))).toBe(1)
  })

  it('of nothing is 0, of infinity infinite', () => {
    expect(sum([])).toBe(0)
    expect(sum([1, Infinity, 2])).toBe(Infinity)
    expect(sum([Infinity, -Infinity])).toBeNaN()
  })
})

describe('moments', () => {
  it('are those of R', () => {
    expect(mean(x)).toBeCloseTo(4.478571428571429, 14)
    expect(variance(x)).toBeCloseTo(21.378214285714286, 13)
    expect(standardDeviation(x)).toBeCloseTo(4.623658106490389, 14)
    expect(weightedMean(x, [1, 2, 0, 0.5, 3, 1, 1])).toBeCloseTo(2.1294117647058823, 14)
  })

  it('of too few values are null', () => {
    expect(mean([])).toBeNull()
    expect(mean([5])).toBe(5)
    expect(variance([])).toBeNull()
    expect(variance([5])).toBeNull()
    expect(standardDeviation([5])).toBeNull()
    expect(weightedMean([], [])).toBeNull()
    expect(weightedMean([1, 2], [0, 0])).toBeNull()
  })

  it('refuses weights of another length', () => {
    expect(() => weightedMean([1, 2], [1])).toThrow('2 values but 1 weights')
  })

  it('variance does not care where zero is', () => {
    expect(variance([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16])).toBe(30)
  })

  it('mean of equal values is that value and their variance 0', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: 2, max: 200 }), (value, n) => {
        const values = new Float64Array(n).fill(value)
        expect(mean(values)).toBeCloseTo(value, 9)
        expect(variance(values)).toBeCloseTo(0, 9)
      }),
    )
  })
})

it('adds up counts', () => {
  expect(total(Int32Array.of(3, 0, 4))).toBe(7)
  expect(total([])).toBe(0)
})
