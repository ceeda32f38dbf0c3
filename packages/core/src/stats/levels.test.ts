import { expect, it } from 'vitest'
import { newcombe, wilson } from './intervals.js'
import { BOUND_LEVEL, BOUNDS_LEVEL, INTERVAL_ENDS, INTERVAL_LEVEL, SIGNIFICANCE } from './levels.js'

it('an interval leaves as much on either side', () => {
  const [lower, upper] = INTERVAL_ENDS
  expect(upper - lower).toBeCloseTo(INTERVAL_LEVEL, 12)
  expect(lower).toBeCloseTo(1 - upper, 12)
})

it('the end of a two-sided interval is the one-sided bound that leaves the level of a test', () => {
  expect((1 - BOUNDS_LEVEL) / 2).toBeCloseTo(SIGNIFICANCE, 12)
  expect(BOUND_LEVEL).toBeCloseTo(1 - SIGNIFICANCE, 12)
  expect(wilson(7, 20)?.level).toBe(INTERVAL_LEVEL)
  expect(newcombe(7, 20, 3, 20)?.level).toBe(INTERVAL_LEVEL)
})
