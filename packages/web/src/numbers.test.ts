import { expect, it } from 'vitest'
import { range, roughly, share, sizeText } from './numbers.js'

it('keeps signs and units with their numbers', () => {
  expect([share(0.1234), share(null), roughly(0.505)]).toEqual(['12.3\u00a0%', '–', '51\u00a0%'])
  expect(range({ lower: 0.624, upper: 0.712 })).toBe('62 to 72\u00a0%')
  expect([0, 999, 43_210, 200_000_000, 3e9].map(sizeText)).toEqual([
    '0\u00a0bytes',
    '999\u00a0bytes',
    '43.2\u00a0kB',
    '200\u00a0MB',
    '3.0\u00a0GB',
  ])
})
