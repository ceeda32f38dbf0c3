import { expect, it } from 'vitest'
import { bandOf, gini } from './summary.js'

it('Gini', () => {
  expect(gini(Float64Array.of(0, 0, 1, 1))).toBeCloseTo(0.5, 12)
  expect(gini(Float64Array.of(0, 0.5, 1))).toBeCloseTo(0.4444, 4)
  expect(gini(Float64Array.of(0, 0, 0, 1))).toBeCloseTo(0.75, 12)
  expect(gini(Float64Array.of(0.3, 0.3))).toBeCloseTo(0, 12)
  expect(gini(Float64Array.of(0, 0))).toBe(0)
})

it('bands', () => {
  expect([0, 0.05, 0.1, 0.2, 0.5, 0.51, 1 - 1e-12, 1].map(bandOf)).toEqual([0, 0, 1, 2, 3, 4, 5, 5])
})
