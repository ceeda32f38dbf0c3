import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jaro, jaroWinkler, mostAlike } from './jaro-winkler.js'

it.each([
  ['MARTHA', 'MARHTA', 0.94444444, 0.96111111],
  ['DWAYNE', 'DUANE', 0.82222222, 0.84],
  ['DIXON', 'DICKSONX', 0.76666667, 0.81333333],
  ['JELLYFISH', 'SMELLYFISH', 0.8962963, 0.8962963],
  ['SMITH', 'SMYTH', 0.86666667, 0.89333333],
  ['ABC', 'XYZ', 0, 0],
])('%s and %s', (a, b, expectedJaro, expected) => {
  expect(jaro(a, b)).toBeCloseTo(expectedJaro, 8)
  expect(jaroWinkler(a, b)).toBeCloseTo(expected, 8)
})

it('is symmetric, from 0 to 1, and never beyond what the lengths allow', () => {
  const text = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(jaroWinkler(a, a)).toBe(1)
      expect(jaroWinkler(a, b)).toBeLessThanOrEqual(mostAlike(a.length, b.length) + 1e-12)
      expect(jaroWinkler(a, b)).toBeGreaterThanOrEqual(0)
    }),
  )
})
