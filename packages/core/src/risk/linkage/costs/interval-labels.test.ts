import { expect, it } from 'vitest'
import { gapBetween, rangeOf } from './interval-labels.js'

it('reads classes of numbers as recoding writes them', () => {
  expect(['23', '20-29', '20–29', '[20,30)', '(0.5; 1]', '-5 to 5', '<20', '65+', '>= 65'].map(rangeOf)).toEqual([
    { low: 23, high: 23 },
    { low: 20, high: 29 },
    { low: 20, high: 29 },
    { low: 20, high: 30 },
    { low: 0.5, high: 1 },
    { low: -5, high: 5 },
    { low: Number.NEGATIVE_INFINITY, high: 20 },
    { low: 65, high: Number.POSITIVE_INFINITY },
    { low: 65, high: Number.POSITIVE_INFINITY },
  ])
  expect(['male', '30-20', 'A1', ''].map(rangeOf)).toEqual([null, null, null, null])
})

it('measures the gap between ranges', () => {
  const range = (low: number, high: number) => ({ low, high })
  expect(gapBetween(range(23, 23), range(20, 29))).toBe(0)
  expect(gapBetween(range(35, 35), range(20, 29))).toBe(6)
  expect(gapBetween(range(15, 15), range(20, 29))).toBe(5)
  expect(gapBetween(range(80, 80), range(65, Number.POSITIVE_INFINITY))).toBe(0)
})
