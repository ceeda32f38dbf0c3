import { expect, it } from 'vitest'
import { countLetters, lettersWidth } from './letters.js'

it('knows narrow letters from wide ones', () => {
  expect(lettersWidth('ill')).toBeLessThan(0.4 * lettersWidth('MMM'))
  expect(lettersWidth('')).toBe(0)
})

it('takes over from the guess of who draws', () => {
  const vega = { textMetrics: { width: (_: { text?: unknown; fontSize?: number; limit?: number }, __?: unknown) => 0 } }
  countLetters(vega)
  const { width } = vega.textMetrics
  expect(width({ text: 'little', fontSize: 10 })).toBeCloseTo(23.2)
  expect(width({ text: 'little', fontSize: 10 }, 'MW')).toBeCloseTo(19)
  expect(width({ text: 'a long name', fontSize: 10, limit: 40 })).toBe(40)
  expect(width({})).toBe(0)
})
