import { expect, it } from 'vitest'
import { componentsOf } from './components.js'

it('principal components by hand: one direction has all the variance', () => {
  // Points on a line with slope 1/2 through (2, 1): the first axis is (2, 1) / √5.
  const found = componentsOf([
    [0, 0],
    [2, 1],
    [4, 2],
  ])
  const root = Math.sqrt(5)
  expect(found?.explained[0]).toBeCloseTo(1, 12)
  expect(found?.loadings.map(([first]) => first)).toEqual([expect.closeTo(2 / root, 12), expect.closeTo(1 / root, 12)])
  expect(found?.scores.map(([first]) => first)).toEqual([
    expect.closeTo(-root, 12),
    expect.closeTo(0, 12),
    expect.closeTo(root, 12),
  ])
})

it('has none where candidates do not differ', () => {
  expect(
    componentsOf([
      [1, 2],
      [1, 2],
    ]),
  ).toBeNull()
})
