import { expect, it } from 'vitest'
import { embedOptions } from './embed.js'
import { expectedMutations } from './evolve.js'

it('O7: fewer and fewer cells are mutated', () => {
  const cells = expectedMutations(50_357 * 7, embedOptions.parse({}))
  expect(cells.map((value) => Number(value.toPrecision(2)))).toEqual([1800, 590, 200, 65, 22, 7.3, 2.4, 0.81])
  expect(Math.round(cells[0])).toBe(1762)
})
