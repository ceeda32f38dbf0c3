import { expect, it } from 'vitest'
import { riskiestFirst, scoreMeaning, scoreText } from './record-scores.js'

const measure = {
  records: {
    cap: { meaning: 'share of guesses that are right', riskier: 'higher' },
    'distance*': { meaning: 'to the nearest record', riskier: 'lower' },
    part: { meaning: 'where it was', riskier: null },
  },
} as const

it('says what a score means, also of a family of scores', () => {
  expect(scoreText(measure, 'cap')).toBe('cap: share of guesses that are right; higher is riskier')
  expect(scoreMeaning(measure, 'distance-2')?.meaning).toBe('to the nearest record')
  expect([scoreText(measure, 'part'), scoreText(measure, 'other')]).toEqual(['part: where it was', 'other'])
})

it('sorts the riskiest first, equals as they come and unknown ones last', () => {
  expect(riskiestFirst(measure, { cap: Float64Array.of(0.1, Number.NaN, 0.9, 0.1) })).toEqual([2, 0, 3, 1])
  expect(riskiestFirst(measure, { part: Float64Array.of(3, 1) })).toEqual([0, 1])
})
