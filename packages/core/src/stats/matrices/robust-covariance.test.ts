import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { robustCovariance } from './robust-covariance.js'

const AGE = [23, 25, 31, 34, 38, 41, 47, 52, 58, 64]
const INCOME = [18, 22, 30, 28, 45, 39, 52, 41, 75, 33]

const close = (found: ArrayLike<number> | undefined, expected: readonly number[], digits: number) => {
  for (const [k, value] of expected.entries()) expect(found?.[k]).toBeCloseTo(value, digits)
}

/** L L', row after row. */
function product(lower: Float64Array): number[] {
  return [lower[0] ** 2, lower[0] * lower[2], lower[0] * lower[2], lower[2] ** 2 + lower[3] ** 2]
}

/** Covariance of these records, divided by their number less one. */
function covarianceOf(columns: readonly (readonly number[])[], rows: ArrayLike<number>): number[] {
  const parts = columns.map((column) => Array.from(rows, (row) => column[row]))
  const means = parts.map((part) => part.reduce((a, b) => a + b, 0) / part.length)
  return [0, 1].flatMap((i) =>
    [0, 1].map((j) => {
      const products = parts[i].map((value, k) => (value - means[i]) * (parts[j][k] - means[j]))
      return products.reduce((a, b) => a + b, 0) / (products.length - 1)
    }),
  )
}

const determinant = ([a, b, c, d]: readonly number[]) => a * d - b * c
const fitted = (columns: readonly (readonly number[])[], share?: number) =>
  robustCovariance(
    columns.map((column) => Float64Array.from(column)),
    stream(1, 'starts'),
    'consistency',
    share,
  )

it('ten people: the six of the least determinant, and the seven within reach of them', () => {
  const found = fitted([AGE, INCOME])
  expect(Array.from(found?.majority ?? [])).toEqual([0, 1, 2, 3, 5, 6])
  const raw = covarianceOf([AGE, INCOME], found?.majority ?? [])
  close(raw, [85.5, 111.5, 111.5, 152.7], 10)
  expect(determinant(raw)).toBeCloseTo(623.6, 8)
  expect(Array.from(found?.within ?? [])).toEqual([0, 1, 2, 3, 4, 5, 6])
  close(found?.centre, [34.142857, 33.428571], 6)
  close(product(found?.lower ?? new Float64Array(4)), [81.888408, 112.20868, 112.20868, 169.29915], 4)
})

it('two rich people more change nothing but who is within reach', () => {
  const columns = [
    [...AGE, 30, 35],
    [...INCOME, 200, 220],
  ]
  const found = fitted(columns)
  expect(Array.from(found?.majority ?? [])).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(determinant(covarianceOf(columns, found?.majority ?? []))).toBeCloseTo(1043.4484, 4)
  expect(Array.from(found?.within ?? [])).toEqual([0, 1, 2, 3, 4, 5, 6, 8])
})

it('needs a larger majority where the usual one lies in a plane', () => {
  const zeros = (count: number) => new Array<number>(count).fill(0)
  const columns = [[...zeros(12), 3, 5, 8, 2, 9, 4, 7, 6], Array.from({ length: 20 }, (_, k) => (7 * k) % 20)]
  expect(fitted(columns)?.singular).toBe(true)
  const wider = fitted(columns, 0.75)
  expect(wider?.singular).toBe(false)
  expect(wider?.majority.length).toBe(15)
})
