import { designTimes } from '@scrim/kernels'
import { describe, expect, it } from 'vitest'
import { categorical, numeric } from '../../table/column.js'
import { table, tableOf } from '../../table/table.js'
import {
  columnVariances,
  contributions,
  designColumns,
  designOf,
  linearPredictor,
  onRawScale,
  standardBlocks,
} from './design-matrix.js'

const levels = ['a', 'b', 'c', 'd']
const training = table('training', [
  numeric('x', [1, 2, null, 10]),
  categorical('g', ['b', 'c', 'b', 'd'], { levels }),
  categorical('h', ['u', null, 'v', 'u']),
  numeric('constant', [7, 7, 7, 7]),
  categorical('always', ['s', 's', 's', 's']),
  numeric('never', [null, null, null, null]),
])
const fresh = table('fresh', [
  numeric('x', [null, 3]),
  categorical('g', ['a', 'd'], { levels }),
  categorical('h', [null, 'v'], { levels: ['u', 'v'] }),
  numeric('constant', [8, null]),
  categorical('always', ['s', null]),
  numeric('never', [1, 2]),
])
const rowsOf = (columns: readonly Float64Array[]) =>
  Array.from(columns[0], (_, i) => columns.map((column) => column[i]))

describe('a design', () => {
  const design = designOf(training)

  it('names its columns as R does and leaves out constant ones', () => {
    expect(design.terms.map(({ name }) => name)).toEqual(['x', 'x(missing)', 'gc', 'gd', 'hv', 'h(missing)'])
    expect(design.dropped).toEqual(['constant', 'always', 'never'])
  })

  it('encodes the training table', () => {
    expect(rowsOf(designColumns(design, training))).toEqual([
      [1, 0, 0, 0, 0, 0],
      [2, 0, 1, 0, 0, 1],
      [2, 1, 0, 0, 1, 0],
      [10, 0, 0, 1, 0, 0],
    ])
  })

  it('takes an unseen level for the reference and a missing number for the median of training', () => {
    expect(rowsOf(designColumns(design, fresh))).toEqual([
      [2, 1, 0, 0, 0, 1],
      [3, 0, 0, 1, 1, 0],
    ])
  })

  it('missing where training had none is as unseen', () => {
    const complete = designOf(tableOf('t', { x: [1, 5, 9], g: ['p', 'q', 'r'] }))
    const gaps = table('gaps', [numeric('x', [null]), categorical('g', [null], { levels: ['p', 'q', 'r'] })])
    expect(rowsOf(designColumns(complete, gaps))).toEqual([[5, 0, 0]])
  })

  it('codes sums to zero', () => {
    const sums = designOf(tableOf('t', { g: ['p', 'q', 'r', 'q'] }), { coding: 'sum' })
    expect(sums.terms.map(({ name }) => name)).toEqual(['gp', 'gq'])
    const table3 = table('n', [categorical('g', ['p', 'q', 'r', null], { levels: ['p', 'q', 'r'] })])
    expect(rowsOf(designColumns(sums, table3))).toEqual([
      [1, 0],
      [0, 1],
      [-1, -1],
      [0, 0],
    ])
    expect([...linearPredictor(sums, table3, Float64Array.of(10, 1, 2))]).toEqual([11, 12, 7, 10])
  })

  it('has the median of rows repeated by weight', () => {
    const [one, two] = [Float64Array.of(1, 1, 1, 3), Float64Array.of(1, 2, 5, 3)].map(
      (weights) => designColumns(designOf(training, { weights }), training)[0][2],
    )
    expect([one, two]).toEqual([10, 6])
  })

  it('predicts without writing columns out', () => {
    const coefficients = Float64Array.of(1, 2, 3, 4, 5, 6, 7)
    for (const rows of [training, fresh]) {
      const columns = designColumns(design, rows)
      const expected = rowsOf(columns).map((row) => row.reduce((total, x, j) => total + x * coefficients[j + 1], 1))
      expect([...linearPredictor(design, rows, coefficients)]).toEqual(expected)
    }
  })

  it('standardises numbers, and coefficients find their way back', () => {
    const standard = standardBlocks(design, training, null)
    const coefficients = Float64Array.of(1, 2, 3, 4, 5, 6, 7)
    const predictor = new Float64Array(4)
    designTimes(standard.blocks, coefficients, predictor)
    const raw = linearPredictor(design, training, onRawScale(coefficients, standard))
    predictor.forEach((value, i) => {
      expect(value).toBeCloseTo(raw[i], 12)
    })
    const variances = columnVariances(standard, Float64Array.of(1, 1, 1, 1))
    const expected = [0, 1, 3 / 16, 3 / 16, 3 / 16, 3 / 16, 3 / 16]
    variances.forEach((variance, j) => {
      expect(variance).toBeCloseTo(expected[j], 14)
    })
  })

  it('measures importance free of units', () => {
    const importance = contributions(design, training, [Float64Array.of(1, 0, 0, 2, 0, 0, 0)], null)
    expect(importance.map(({ name }) => name)).toEqual(['x', 'g', 'h', 'constant', 'always', 'never'])
    expect(importance[1].value).toBeCloseTo(2 * Math.sqrt(3 / 16), 14)
    expect(importance.filter(({ value }) => value === 0)).toHaveLength(5)
  })

  it('refuses more coefficients than products of columns can have', () => {
    const labels = Array.from({ length: 6000 }, (_, i) => `l${i}`)
    expect(() => designOf(tableOf('wide', { g: labels }))).toThrow('would need 5999 coefficients, more than 5000')
  })
})
