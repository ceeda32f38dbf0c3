import { describe, expect, it } from 'vitest'
import { byCodes, countBelow, countUpTo, firstWhere, largestFirst } from './sorted.js'

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

describe('largest first', () => {
  const weights = Array.from({ length: 40 }, (_, k) => (k % 7) / 10)
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
  const [once, again] = [sum(weights), sum(weights.toReversed())]

  it('keeps the order given where values differ by how they were added up', () => {
    expect(once).not.toBe(again)
    expect(largestFirst([again, 1, once, 20], (size) => size)).toEqual([20, again, once, 1])
    expect(largestFirst([once, 1, again, 20], (size) => size)).toEqual([20, once, again, 1])
    expect(largestFirst(['b', 'a'], (name) => (name === 'a' ? once - again : 0))).toEqual(['b', 'a'])
  })

  it('has what is infinite first', () => {
    const endless = Number.POSITIVE_INFINITY
    expect(largestFirst([3, endless, -1, endless, 2], (size) => size)).toEqual([endless, endless, 3, 2, -1])
  })
})

it('orders rows by their codes, column after column', () => {
  const columns = [{ codes: Int32Array.of(1, 0, 1, -1) }, { codes: Int32Array.of(2, 5, 0, 7) }]
  expect([0, 1, 2, 3].sort(byCodes(columns))).toEqual([3, 1, 2, 0])
  expect([1, 0].sort(byCodes([{ codes: Int32Array.of(4, 4) }]))).toEqual([1, 0])
})
