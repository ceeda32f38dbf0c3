import { expect, it } from 'vitest'
import { aimsFor, asPrinted, spreadOf } from './aims.js'

const value = (number: number, decimals: number, precision: number, standardError: number | null = null) => ({
  output: 'o',
  element: 'e',
  statistic: 'mean',
  value: number,
  decimals,
  precision,
  standardError,
})

it('takes numbers as printed: by their decimals, or by the base that counts are rounded to', () => {
  expect(asPrinted(value(1.2345, 2, 0.005))).toBe(1.23)
  expect(asPrinted(value(15, 0, 2.5))).toBe(15)
})

it('divides differences by the standard error, by a hundredth without one, never by less than half a digit', () => {
  const numbers = [value(10, 1, 0.05, 2), value(10, 1, 0.05), value(1, 1, 0.05)]
  expect([...aimsFor(numbers, 'se', 1).scales]).toEqual([2, 0.1, 0.05])
  expect([...aimsFor(numbers, 'raw', 1).scales]).toEqual([1, 1, 1])
  expect([...aimsFor(numbers, 'print', 1).scales]).toEqual([0.05, 0.05, 0.05])
})

it('the spread of what a variable can be: 1, 3 and missing vary by 1 around 2', () => {
  expect(spreadOf(Float64Array.of(1, 3, Number.NaN))).toEqual({ centre: 2, spread: 1 })
  expect(spreadOf(Float64Array.of(7, 7)).spread).toBe(1)
})
