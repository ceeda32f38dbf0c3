import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { tableOf } from '../../table/table.js'
import { releaseFeatures } from './features.js'

const known = tableOf('known', {
  sex: ['f', 'm', 'f', 'm', 'f'],
  age: [30, 40, 50, 60, 90],
})
/** Has no level of its own: f is code 0, m is code 1 here too. */
const released = tableOf('released', { sex: ['f', 'f', 'm', 'f'], age: [90, 85, 90, 40] })

it('queries are shares of released records that agree with the person', () => {
  const { names, of } = releaseFeatures(known, 4, 60, stream(1, 'test'))
  const { queries } = of(released)
  const share = (name: string) => queries[names.queries.indexOf(name)]
  expect(share('sex')).toBe(0.75)
  expect(share('age')).toBe(0.5)
  // The nearest tenth of the four others is 60, 30 years away.
  expect(share('age near')).toBe(0.75)
  expect(share('sex & age')).toBe(0.25)
  expect(share('sex & age near')).toBe(0.5)
  expect(new Set(names.queries)).toEqual(new Set(['sex', 'age', 'age near', 'sex & age', 'sex & age near']))
})

it('histograms have all levels, groups of numbers, and missing', () => {
  const { names, of } = releaseFeatures(known, 4, 1, stream(1, 'test'))
  const { histogram } = of(released)
  expect(Array.from(histogram.subarray(0, 3))).toEqual([0.75, 0.25, 0])
  expect(histogram).toHaveLength(3 + 11)
  expect(names.histogram).toHaveLength(14)
  expect(histogram.reduce((sum, share) => sum + share, 0)).toBe(2)
})

it('correlations are of numbers and of whether the level is the own one', () => {
  const { names, of } = releaseFeatures(known, 4, 1, stream(1, 'test'))
  expect(names.correlations).toEqual(['sex with age'])
  // Of (1, 90), (1, 85), (0, 90), (1, 40): covariance -18.333/4, sums of squares 0.75 and 1768.75.
  expect(of(released).correlations[0]).toBeCloseTo(-13.75 / Math.sqrt(0.75 * 1768.75), 9)
})

it('correlations are over the records that have both', () => {
  const gaps = tableOf('gaps', { sex: ['f', 'm', 'f'], age: [90, null, 40] })
  // The one person of 'm' has no age, so that 'f' alone is left.
  expect(releaseFeatures(known, 4, 1, stream(1, 'test')).of(gaps).correlations[0]).toBe(0)
  const two = tableOf('two', { x: [1, 2, null, 4], y: [2, 1, 9, null] })
  const { of } = releaseFeatures(tableOf('numbers', { x: [1, 2, 3], y: [3, 2, 1] }), 0, 1, stream(1, 'test'))
  expect(of(two).correlations[0]).toBeCloseTo(-1, 12)
  expect(of(two).histogram[10]).toBe(1 / 4)
})

it('counts over more than 32 records as well', () => {
  const { names, of } = releaseFeatures(known, 0, 30, stream(2, 'test'))
  const long = tableOf('long', {
    sex: Array.from({ length: 70 }, (_, row) => (row % 7 === 0 ? 'f' : 'm')),
    age: Array.from({ length: 70 }, () => 30),
  })
  const levels = { ...long, columns: [{ ...long.columns[0] }, long.columns[1]] }
  // Codes of `long` are f 0, m 1, as in `known`.
  expect(of(levels).queries[names.queries.indexOf('sex')]).toBe(10 / 70)
})
