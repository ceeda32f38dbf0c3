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

it('sums each column in the order of the rows, however many are summed at once', () => {
  const rows = 37
  const at = (column: number) => Float64Array.from({ length: rows }, (_, i) => Math.sin(1 + column * rows + i))
  const dense = (column: number): DesignBlock => ({ kind: 'dense', column, values: at(column) })
  const slots = Int32Array.from({ length: rows }, (_, i) => (i % 3 === 0 ? 11 : 6))
  const many: DesignBlock[] = [...[1, 2, 3, 4, 5].map(dense), { kind: 'levels', slots }, ...[7, 8, 9, 10].map(dense)]
  const columns = Array.from({ length: 11 }, (_, j) =>
    j === 0
      ? new Float64Array(rows).fill(1)
      : j === 6
        ? Float64Array.from(slots, (slot) => (slot === 6 ? 1 : 0))
        : at(j),
  )
  const weights = at(20)
  const coefficients = Float64Array.from({ length: 11 }, (_, j) => (j === 3 ? 0 : Math.cos(j)))
  const predictor = new Float64Array(rows)
  designTimes(many, coefficients, predictor)
  for (let i = 0; i < rows; i++) {
    let sum = coefficients[0]
    for (let j = 1; j < 11; j++) if (columns[j][i] !== 0) sum += coefficients[j] * columns[j][i]
    expect(predictor[i]).toBe(sum)
  }
  const sums = new Float64Array(11)
  designTransposeTimes(many, weights, sums)
  const gram = new Float64Array(11 * 11)
  weightedGram(many, weights, 11, gram)
  for (let a = 0; a < 11; a++) {
    let sum = 0
    for (let i = 0; i < rows; i++) sum += columns[a][i] * weights[i]
    expect(sums[a]).toBe(sum)
    for (let b = a; b < 11; b++) {
      let product = 0
      for (let i = 0; i < rows; i++) product += weights[i] * columns[a][i] * columns[b][i]
      expect(gram[a * 11 + b]).toBe(product)
      expect(gram[b * 11 + a]).toBe(product)
    }
  }
})
