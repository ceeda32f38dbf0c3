import { expect, it } from 'vitest'
import { errorOf, excessOf, isIncluded, isReproduced, reproduced, worstElement } from './statistic.js'

const aims = {
  targets: Float64Array.of(1, 2),
  halfUnits: Float64Array.of(0.5, 0.05),
  scales: Float64Array.of(2, 1),
  weights: Float64Array.of(1, 3),
}

it('errors by hand', () => {
  // (5 - 1) / 2 squared, and 3 times (2.5 - 2) squared.
  expect(errorOf([5, 2.5], aims)).toBe(4 + 0.75)
  expect(worstElement([5, 2.5], aims)).toBe(0)
  expect(worstElement([1, 9], aims)).toBe(1)
})

it('counts only what sticks out of the printed digit', () => {
  expect(excessOf([1.4, 2.04], aims)).toBe(0)
  // One whole unit is two half units: 2 - 0.9.
  expect(excessOf([2, 2], aims)).toBeCloseTo(1.1 ** 2, 12)
  expect(reproduced([1.5, 2.06], aims)).toBe(1)
  expect([isReproduced(0.125, 0.12, 0.005), isReproduced(0.1251, 0.12, 0.005)]).toEqual([true, false])
})

it('is about the records of its filter in which nothing is missing', () => {
  const allowed = [{ variable: 0, codes: Uint8Array.of(1, 0) }]
  const joint = { by: [{ variable: 1, stride: 1 }], holds: Uint8Array.of(0, 1) }
  const records = Uint8Array.of(0, 1, 1, 1, 0, 0)
  expect([0, 2, 4].map((at) => isIncluded({ allowed, joint }, records, at))).toEqual([true, false, false])
  expect(isIncluded({ allowed: [], joint: null }, records, 4)).toBe(true)
})
