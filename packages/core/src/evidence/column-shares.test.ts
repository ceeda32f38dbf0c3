import { expect, it } from 'vitest'
import { columnShare } from './column-shares.js'

it('is the mean difference over the people known with and without the column, in points of the leakage', () => {
  const added = [1, 1, 0, 0, Number.NaN]
  const without = [1, 0, 0, 0, 1]
  // Mean difference 1/4, spreads √(3/4) and 1, so the reach is 1.645 · 0.1 · √0.75 / 0.5.
  const found = columnShare('age', added, without, { se: 0.1 }, 0.5)
  expect(found).toMatchObject({ column: 'age', share: 0.5 })
  expect((found?.upper ?? 0) - 0.5).toBeCloseTo((1.6448536 * 0.1 * Math.sqrt(0.75)) / 0.5, 6)
  expect(0.5 - (found?.lower ?? 0)).toBeCloseTo((found?.upper ?? 0) - 0.5, 12)
})

it('is exactly nothing for a column that changes nothing, and unknown without people or a scale', () => {
  expect(columnShare('sex', [1, 0, 1], [1, 0, 1], { se: 0.1 }, 0.5)).toEqual({
    column: 'sex',
    share: 0,
    lower: 0,
    upper: 0,
  })
  expect(columnShare('sex', [Number.NaN], [1], { se: 0.1 }, 0.5)).toBeNull()
  expect(columnShare('sex', [1, 0], [0, 0], { se: 0.1 }, 0)).toBeNull()
  expect(columnShare('sex', [1, 0], [0, 0], { se: null }, 1)).toBeNull()
})
