import { expect, it } from 'vitest'
import { multinomialLogit } from './multinomial-logit.js'

/** 10, 20 and 30 of 60 in three classes. */
const classes = Int32Array.from({ length: 60 }, (_, k) => (k < 10 ? 0 : k < 30 ? 1 : 2))
const ones = new Float64Array(60).fill(1)

it('an intercept alone gives the log odds of the classes, with the errors of their counts', () => {
  const fit = multinomialLogit([ones], classes, 3, null)
  expect(fit?.coefficients.map(([value]) => value)).toEqual([
    expect.closeTo(Math.log(2), 8),
    expect.closeTo(Math.log(3), 8),
  ])
  expect(fit?.standardErrors[1][0]).toBeCloseTo(Math.sqrt(1 / 10 + 1 / 30), 8)
  expect(fit?.logLikelihood).toBeCloseTo(10 * Math.log(1 / 6) + 20 * Math.log(1 / 3) + 30 * Math.log(1 / 2), 8)
})

it('weights count records, and a ridge pulls to 0', () => {
  const twice = multinomialLogit([ones], classes, 3, new Float64Array(60).fill(2))
  expect(twice?.standardErrors[0][0]).toBeCloseTo(Math.sqrt((1 / 10 + 1 / 20) / 2), 8)
  const pulled = multinomialLogit([ones], classes, 3, null, 100)
  expect(pulled?.coefficients[1][0]).toBeLessThan(Math.log(3) / 2)
})

it('columns that depend on each other have no fit', () => {
  expect(multinomialLogit([ones, ones], classes, 3, null)).toBeNull()
})
