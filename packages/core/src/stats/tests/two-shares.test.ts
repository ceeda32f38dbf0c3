import { expect, it } from 'vitest'
import { fisherMidP } from './two-shares.js'

it("Fisher's test, half of the observed table counted", () => {
  // Of 8 cups, 4 with milk first; 3 of 4 guessed: tables 1/70, 16/70, 36/70, 16/70, 1/70.
  expect(fisherMidP(3, 4, 1, 4)).toBeCloseTo((1 + 1 + (16 + 16) / 2) / 70, 12)
  expect(fisherMidP(4, 4, 0, 4)).toBeCloseTo(1 / 70, 12)
  expect(fisherMidP(0, 10, 0, 20)).toBe(0.5)
  expect(fisherMidP(5, 10, 5, 10)).toBeGreaterThan(0.6)
  expect(fisherMidP(0, 1000, 30, 1000)).toBeLessThan(1e-8)
})
