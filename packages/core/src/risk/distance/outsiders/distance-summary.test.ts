import { expect, it } from 'vitest'
import { limitsUpTo, sharesWithin, summarise } from './distance-summary.js'

const DISTANCES = Float64Array.of(0, 0.005, 0.01, 0.03, 0.07, 0.12, 0.25, 0.5)

it('counts the distances up to each limit', () => {
  expect(sharesWithin(DISTANCES, [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3])).toEqual([
    1 / 8,
    3 / 8,
    3 / 8,
    4 / 8,
    5 / 8,
    6 / 8,
    6 / 8,
    7 / 8,
  ])
})

it('takes a sum that rounding put above the limit for equal to it, but not above 0', () => {
  expect(sharesWithin(Float64Array.of(0.1 + 0.2, 0.4), [0.3])).toEqual([0.5])
  expect(sharesWithin(Float64Array.of(0, 1e-12), [0])).toEqual([0.5])
})

it('summarises', () => {
  const { mean, median, sd, quantiles, identical } = summarise(Float64Array.of(3, 0, 1, 2, 4))
  expect({ mean, median, identical }).toEqual({ mean: 2, median: 2, identical: 1 })
  expect(sd).toBeCloseTo(Math.sqrt(2.5), 12)
  expect(quantiles).toMatchObject({ 0: 0, 25: 1, 50: 2, 75: 3, 95: 3.8, 100: 4 })
  expect(summarise(Float64Array.of(7)).sd).toBeNull()
})

it('goes from 0 to the largest distance', () => {
  expect(limitsUpTo(4, Float64Array.of(1, 2), Float64Array.of(0, 8))).toEqual([0, 2, 4, 6, 8])
})
