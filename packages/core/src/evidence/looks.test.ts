import { expect, it } from 'vitest'
import { wilson } from '../stats/intervals.js'
import { BOUNDS_LEVEL } from '../stats/levels.js'
import { errorOfMean, evidenceOf, lookAtOutsiders, tally } from './looks.js'

const rest = { everything: { value: 0.8, se: null, what: 'the original itself' } }

it('a share against that of outsiders: score test, Newcombe’s bounds', () => {
  const { value, controls, effect } = lookAtOutsiders(tally(0.5, 200), tally(0.3, 100), rest)
  expect(value).toBe(0.5)
  expect(controls.fair).toMatchObject({ value: 0.3, se: Math.sqrt(0.21 / 100), basis: 'outsiders' })
  // z = 0.2 / √(0.4333 · 0.5667 · (1/200 + 1/100)) = 3.295
  expect(effect.p).toBeCloseTo(0.00049, 5)
  expect([effect.lower, effect.upper].map((bound) => Number(bound.toFixed(3)))).toEqual([0.101, 0.29])
})

it('ten outsiders of whom none is hit leave the bounds wide', () => {
  const { effect } = lookAtOutsiders(tally(0.2, 1000), tally(0, 10), rest)
  expect(effect.lower).toBeLessThan(0)
  expect(lookAtOutsiders(tally(1 + 1e-16, 7.3), tally(1, 10), rest).effect.value).toBe(0)
})

it('a mean of zeros has the error of Wilson’s bound of 0 of n', () => {
  const upper = wilson(0, 10, BOUNDS_LEVEL)?.upper ?? 0
  expect(1.6448536269514722 * errorOfMean(0, 10)).toBeCloseTo(upper, 12)
  expect(errorOfMean(0.04, 1e6)).toBeCloseTo(0.2, 6)
})

it('the first look is the headline’s, and without any there is a reason', () => {
  const look = lookAtOutsiders(tally(0.5, 200), tally(0.3, 100), rest)
  expect(evidenceOf([look, look], rest, 'nobody')).toEqual({
    controls: look.controls,
    effect: look.effect,
    looks: [look],
  })
  expect(evidenceOf([], rest, 'nobody')).toEqual({ controls: rest, notAssessed: 'nobody' })
})
