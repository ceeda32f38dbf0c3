import { expect, it } from 'vitest'
import { accused, bestTest, epsilonLowerBound, largestEpsilonBound } from './epsilon.js'

const counts = (truePositives: number, withPerson: number, falsePositives: number, withoutPerson: number) => ({
  truePositives,
  withPerson,
  falsePositives,
  withoutPerson,
})

it('50 of 50 against none of 50: the bounds are 0.025^(1/50) and 1 less it', () => {
  const least = 0.025 ** (1 / 50)
  expect(least).toBeCloseTo(0.928878, 6)
  expect(epsilonLowerBound(counts(50, 50, 0, 50))).toBeCloseTo(Math.log(least / (1 - least)), 9)
  expect(largestEpsilonBound(50, 50)).toBeCloseTo(2.5696, 3)
})

it('takes delta off the power', () => {
  const least = 0.025 ** (1 / 50)
  expect(epsilonLowerBound(counts(50, 50, 0, 50), 0.1)).toBeCloseTo(Math.log((least - 0.1) / (1 - least)), 9)
})

it('equal rates say nothing', () => {
  expect(epsilonLowerBound(counts(10, 50, 10, 50))).toBe(0)
  expect(epsilonLowerBound(counts(0, 50, 0, 50))).toBe(0)
})

it('looks at those who are not accused as well', () => {
  // Nobody with the person goes unaccused, half of those without do: TPR 1, FPR 1/2 in 40 each.
  const least = 0.025 ** (1 / 40)
  const found = epsilonLowerBound(counts(40, 40, 20, 40))
  // R: binom.test(20, 40)$conf.int[2] = 0.661982186
  expect(found).toBeCloseTo(Math.log((1 - 0.661982186) / (1 - least)), 5)
})

it('finds the cut and the side', () => {
  const inside = Float64Array.from({ length: 30 }, (_, k) => -k - 1)
  const outside = Float64Array.from({ length: 30 }, (_, k) => k)
  const { test, bound } = bestTest(inside, outside)
  expect(test).toEqual({ cut: 0, side: 'below' })
  expect(accused(test, inside, outside)).toEqual(counts(30, 30, 0, 30))
  expect(bound).toBe(largestEpsilonBound(30, 30))
})
