import { expect, it } from 'vitest'
import { countLetters, lettersWidth, titledWithin } from './letters.js'

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

it('breaks a title that is wider than its place, and its subtitle', () => {
  const spec = { title: { text: 'Records behind each output', subtitle: 'few', offset: 3 }, mark: 'bar' }
  expect(titledWithin(spec, 100)).toEqual({
    title: { text: ['Records', 'behind each', 'output'], subtitle: ['few'], offset: 3 },
    mark: 'bar',
  })
  expect(titledWithin({ title: 'Records behind' }, 90)).toEqual({
    title: { text: ['Records', 'behind'], subtitle: [] },
  })
  expect(titledWithin({ title: 'Records' }, 90)).toEqual({ title: 'Records' })
})
