import { expect, it } from 'vitest'
import { type DesignBlock, designTimes, designTransposeTimes, weightedGram } from './design-products.js'

const WIDTH = 6
const blocks: DesignBlock[] = [
  { kind: 'dense', column: 1, values: Float64Array.of(1, -2, 3, 0.5, 4) },
  { kind: 'levels', slots: Int32Array.of(2, 6, 3, 2, 6) },
  { kind: 'dense', column: 4, values: Float64Array.of(0, 1, 1, 2, -3) },
  { kind: 'levels', slots: Int32Array.of(5, 5, 6, 6, 5) },
]
/** The same matrix written out. */
const written = [
  [1, 1, 1, 0, 0, 1],
  [1, -2, 0, 0, 1, 1],
  [1, 3, 0, 1, 1, 0],
  [1, 0.5, 1, 0, 2, 0],
  [1, 4, 0, 0, -3, 1],
]
const v = Float64Array.of(1, 2, 0.5, 3, 4)

it('equals the products with the matrix written out', () => {
  const coefficients = Float64Array.of(10, 1, 2, 3, 4, 5)
  const predictor = new Float64Array(5)
  designTimes(blocks, coefficients, predictor)
  expect([...predictor]).toEqual(written.map((row) => row.reduce((total, x, j) => total + x * coefficients[j], 0)))
  const sums = new Float64Array(WIDTH)
  designTransposeTimes(blocks, v, sums)
  const column = (j: number) => written.reduce((total, row, i) => total + v[i] * row[j], 0)
  expect([...sums]).toEqual([0, 1, 2, 3, 4, 5].map(column))
  const gram = new Float64Array(WIDTH * WIDTH)
  weightedGram(blocks, v, WIDTH, gram)
  for (let a = 0; a < WIDTH; a++)
    for (let b = 0; b < WIDTH; b++)
      expect(gram[a * WIDTH + b]).toBe(written.reduce((total, row, i) => total + v[i] * row[a] * row[b], 0))
})
