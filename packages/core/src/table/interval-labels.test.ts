import { expect, it } from 'vitest'
import { overlap, rangeOf } from './interval-labels.js'

it('reads classes of numbers as recoding writes them', () => {
  expect(
    ['23', '20-29', '20–29', '[20,30)', '(0.5; 1]', '-5 to 5', '<20', '<=20', '65+', '>65', '>= 65'].map(rangeOf),
  ).toEqual([
    { low: 23, high: 23 },
    { low: 20, high: 29 },
    { low: 20, high: 29 },
    { low: 20, high: 30, open: 'high' },
    { low: 0.5, high: 1, open: 'low' },
    { low: -5, high: 5 },
    { low: Number.NEGATIVE_INFINITY, high: 20, open: 'high' },
    { low: Number.NEGATIVE_INFINITY, high: 20 },
    { low: 65, high: Number.POSITIVE_INFINITY },
    { low: 65, high: Number.POSITIVE_INFINITY, open: 'low' },
    { low: 65, high: Number.POSITIVE_INFINITY },
  ])
  expect(['male', '30-20', 'A1', ''].map(rangeOf)).toEqual([null, null, null, null])
})

it.each([
  ['23', '20-29', true],
  ['35', '20-29', false],
  ['80', '65+', true],
  ['30', '[20,30)', false],
  ['30', '[20,30]', true],
  ['20-29', '30-39', false],
  ['20-30', '30-40', false],
  ['[20,30)', '[30,40)', false],
  ['20-29', '15-24', true],
  ['<20', '20-29', false],
])('%s and %s may be the same number: %s', (a, b, same) => {
  const [x, y] = [rangeOf(a), rangeOf(b)]
  if (x === null || y === null) throw new Error('not read as ranges')
  expect([overlap(x, y), overlap(y, x)]).toEqual([same, same])
})
