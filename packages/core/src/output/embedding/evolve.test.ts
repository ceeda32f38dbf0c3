import { expect, it } from 'vitest'
import { embedOptions } from './embed.js'
import { mutationRate } from './evolve.js'

it('O7: fewer and fewer cells are mutated', () => {
  const options = embedOptions.parse({})
  const phases = Array.from({ length: 8 }, (_, k) => k * options.phase)
  const cells = phases.map((generation) => 50_357 * 7 * mutationRate(options, generation))
  expect(cells.map((value) => Number(value.toPrecision(2)))).toEqual([1800, 590, 200, 65, 22, 7.3, 2.4, 0.81])
  expect(Math.round(cells[0])).toBe(1762)
})
