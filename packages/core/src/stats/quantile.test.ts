import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interquartileRange, mad, median, quantile, quantileSorted, quantiles } from './quantile.js'

const x = Float64Array.of(3.1, -2, 7.5, 7.5, 0, 11.25, 4)

describe('quantile', () => {
  it('is that of R, bit for bit', () => {
    const probabilities = [0, 0.025, 0.1, 0.25, 0.5, 0.9, 0.975, 1]
    const expected = [-2, -1.7000000000000002, -0.7999999999999998, 1.55, 4, 9, 10.6875, 11.25]
    expect(quantiles(x, probabilities)).toEqual(expected)
    expect(probabilities.map((p) => quantile(x, p))).toEqual(expected)
    expect(probabilities.map((p) => quantileSorted(x.toSorted(), p))).toEqual(expected)
  })

  it('leaves its input as it was', () => {
    const values = Float64Array.of(3, 1, 2)
    expect(median(values)).toBe(2)
    expect([...values]).toEqual([3, 1, 2])
  })

  it('of one value is that value, of none null', () => {
    expect(quantiles([7], [0, 0.3, 1])).toEqual([7, 7, 7])
    expect(quantile([], 0.5)).toBeNull()
    expect(quantiles([], [0.5])).toBeNull()
    expect(quantileSorted([], 0.5)).toBeNull()
    expect(median([])).toBeNull()
  })

  it('bears infinite values', () => {
    expect(quantile([-Infinity, -Infinity, 1, Infinity, Infinity], 0.1)).toBe(-Infinity)
    expect(quantile([-Infinity, -Infinity, 1, Infinity, Infinity], 0.9)).toBe(Infinity)
  })

  it('refuses what is no probability', () => {
    expect(() => quantile(x, 1.5)).toThrow('a probability cannot be 1.5')
    expect(() => quantile(x, Number.NaN)).toThrow(RangeError)
  })

  it('lies within the values and grows with the probability', () => {
    const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 })
    const probability = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(values, probability, probability, (numbers, p, q) => {
        const [low, high] = quantiles(numbers, [Math.min(p, q), Math.max(p, q)]) ?? []
        const slack = 1e-6
        expect(low).toBeLessThanOrEqual(high + slack)
        expect(low).toBeGreaterThanOrEqual(Math.min(...numbers) - slack)
        expect(high).toBeLessThanOrEqual(Math.max(...numbers) + slack)
      }),
    )
  })
})

describe('mad', () => {
  it('is that of R, with and without the factor for a normal', () => {
    expect(mad(x)).toBeCloseTo(5.1891, 14)
    expect(mad(x, 1)).toBe(3.5)
  })

  it('of one value is 0, of none null', () => {
    expect(mad([3])).toBe(0)
    expect(mad([])).toBeNull()
  })
})

it('takes the range between the quartiles', () => {
  expect(interquartileRange(Float64Array.of(1, 2, 3, 4, 5))).toBe(2)
  expect(interquartileRange(new Float64Array())).toBe(0)
})
