import fc from 'fast-check'
import { expect, it } from 'vitest'
import { codeNumbers } from './number-codes.js'

const numbers = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(Number.NaN, -0, 0, 0.5, 1e300, -1e300, 2 ** 53, Number.POSITIVE_INFINITY),
  fc.double(),
)

it('gives each number its rank among the distinct ones, whole or not', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.oneof(numbers, fc.integer({ min: 0, max: 9 })))), (raw) => {
      const { codes, numbers: distinct } = codeNumbers(raw.map((values) => Float64Array.from(values)))
      const present = raw.flat().filter((value) => !Number.isNaN(value))
      const expected = [...new Set(present)].map((value) => value + 0).sort((a, b) => a - b)
      expect([...distinct]).toEqual(expected)
      expect([...codes]).toEqual(raw.flat().map((value) => (Number.isNaN(value) ? -1 : expected.indexOf(value + 0))))
    }),
  )
})

it('keeps up with many distinct numbers', () => {
  const values = Float64Array.from({ length: 20_000 }, (_, k) => ((k * 7919) % 20_000) / 8)
  const { codes, numbers: distinct } = codeNumbers([values, values])
  expect(distinct).toEqual(Float64Array.from({ length: 20_000 }, (_, k) => k / 8))
  expect(codes.every((code, row) => distinct[code] === values[row % 20_000])).toBe(true)
})
