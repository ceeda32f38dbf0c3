import { expect, it } from 'vitest'
import { accurateDot, addScaled, addScaledAccurately, dot } from './vectors.js'

it('multiplies and adds between positions', () => {
  const a = Float64Array.of(1, 2, 3, 4, 5, 6, 7)
  expect(dot(a, a)).toBe(140)
  expect(dot(a, a, 1, 6)).toBe(90)
  expect(dot(a, a, 3, 3)).toBe(0)
  const y = Float64Array.of(1, 1, 1)
  addScaled(2, Float64Array.of(1, 2, 3), y, 1)
  expect([...y]).toEqual([1, 5, 7])
})

it('keeps what ordinary sums of products lose', () => {
  const a = Float64Array.of(1e16, 1, -1e16, 2 ** 27 + 1)
  const b = Float64Array.of(1, 1, 1, 2 ** 27 - 1)
  expect(accurateDot(a, b)).toBe(2 ** 54)
  expect(accurateDot(Float64Array.of(1 + 2 ** -30, -1), Float64Array.of(1 - 2 ** -30, 1))).toBe(-(2 ** -60))
  const total = Float64Array.of(1e16)
  const lost = Float64Array.of(0)
  for (const x of [1, 1, -1e16]) addScaledAccurately(1, Float64Array.of(x), total, lost)
  expect(total[0] + lost[0]).toBe(2)
})
