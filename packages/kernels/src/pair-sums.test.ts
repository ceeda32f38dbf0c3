import { describe, expect, it } from 'vitest'
import { addPairSums, type MixedRows, type PairFunction } from './pair-sums.js'

const records: MixedRows = {
  rows: 5,
  numbers: 2,
  values: Float64Array.of(0, 1, 2, 0, 1, 1, 3, 5, 0.5, 2),
  categories: 1,
  codes: Int32Array.of(0, 1, 1, 0, 2),
  weights: Float64Array.of(1, 2, 1, 0.5, 1),
}
const SPLIT = 2

function simple(f: (square: number) => number): number[] {
  const sums = [0, 0, 0]
  for (let i = 0; i < records.rows; i++)
    for (let j = i + 1; j < records.rows; j++) {
      const gap = (k: number) => records.values[2 * i + k] - records.values[2 * j + k]
      const square = gap(0) ** 2 + gap(1) ** 2 + (records.codes[i] === records.codes[j] ? 0 : 1)
      sums[j < SPLIT ? 0 : i < SPLIT ? 1 : 2] += records.weights[i] * records.weights[j] * f(square)
    }
  return sums
}

function found(of: PairFunction, size: number): number[] {
  const sums = new Float64Array(size)
  addPairSums(records, SPLIT, { from: 0, to: 2 }, of, 1.5, sums)
  addPairSums(records, SPLIT, { from: 2, to: 5 }, of, 1.5, sums)
  return [...sums]
}

describe('sums over pairs', () => {
  const close = (values: number[], expected: number[]) =>
    values.forEach((value, k) => {
      expect(value).toBeCloseTo(expected[k], 12)
    })
  it('adds distances', () => close(found('distance', 3), simple(Math.sqrt)))
  it('adds Gaussian kernels at three scales', () =>
    close(
      found('gaussian', 9),
      [0.75, 1.5, 3].flatMap((sigma) => simple((square) => Math.exp(-square / (2 * sigma ** 2)))),
    ))
  it('adds rational quadratic kernels at three scales', () =>
    close(
      found('rational quadratic', 9),
      [0.75, 1.5, 3].flatMap((sigma) => simple((square) => 1 / (1 + square / (2 * sigma ** 2)))),
    ))
  it('is the same however the work is cut', () => {
    const whole = new Float64Array(3)
    addPairSums(records, SPLIT, { from: 0, to: 5 }, 'distance', 1, whole)
    expect([...whole]).toEqual(found('distance', 3))
  })
})
