import { expect, it } from 'vitest'
import { countBelow, countUpTo, firstWhere } from './sorted.js'

const ascending = Float64Array.of(1, 2, 2, 5)

it.each([
  [0, 0, 0],
  [1, 0, 1],
  [2, 1, 3],
  [3, 3, 3],
  [5, 3, 4],
  [6, 4, 4],
])('of 1, 2, 2, 5 there are as many below %d, and as many up to it, as one counts', (limit, below, upTo) => {
  expect(countBelow(ascending, limit)).toBe(below)
  expect(countUpTo(ascending, limit)).toBe(upTo)
  expect(firstWhere(0, 4, (place) => ascending[place] >= limit)).toBe(below)
})

it('looks between two places only', () => {
  expect(countBelow(ascending, 2, 2)).toBe(2)
  expect(countUpTo(ascending, 9, 1, 3)).toBe(3)
  expect(firstWhere(3, 3, () => true)).toBe(3)
})
