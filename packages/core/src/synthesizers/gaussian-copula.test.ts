import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { drawNormal } from '../stats/draws.js'
import { type Table, tableOf } from '../table/table.js'
import { gaussianCopula } from './gaussian-copula.js'
import { synthesize } from './synthesizer.js'

const fit = (data: Table, options: object = {}) => gaussianCopula.fit(data, gaussianCopula.options.parse(options))
const numbers = (of: Table, name: string) => {
  const column = of.columns.find((one) => one.name === name)
  return column === undefined || column.kind === 'categorical' ? new Float64Array() : column.values
}
const correlation = (x: Float64Array, y: Float64Array) => {
  const center = (v: Float64Array) => {
    const mean = v.reduce((a, b) => a + b, 0) / v.length
    return v.map((value) => value - mean)
  }
  const product = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, row) => sum + value * b[row], 0)
  const [a, b] = [center(x), center(y)]
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

/** Records of 2 x 2 x 2 cells, the last fastest. */
const cells = (counts: readonly number[]) => {
  const cell = counts.flatMap((n, k) => Array.from({ length: n }, () => k))
  return tableOf('cells', {
    a: cell.map((k) => (k < 4 ? 'no' : 'yes')),
    b: cell.map((k) => (k >> 1) & 1),
    c: cell.map((k) => (k % 2 === 0 ? 'no' : 'yes')),
  })
}

describe('probabilities of records are those of normal orthants', () => {
  it('two variables: 1/4 + asin(r) / 2π', () => {
    const data = tableOf('two', {
      a: [...Array(50).fill('no'), ...Array(50).fill('yes')],
      b: Array.from({ length: 100 }, (_, k) => (k % 50 < 30 ? 0 : 1) ^ (k < 50 ? 0 : 1)),
    })
    const logs = fit(data, { points: 4000 }).logProb?.(tableOf('asked', { a: ['no', 'no'], b: [0, 1] })) ?? []
    const tail = Math.asin(0.2) / (2 * Math.PI)
    expect(Math.exp(logs[0])).toBeCloseTo(0.25 + tail, 4)
    expect(Math.exp(logs[1])).toBeCloseTo(0.25 - tail, 4)
  })

  it('three variables: 1/8 + (asin(r12) + asin(r13) + asin(r23)) / 4π', () => {
    // a agrees with b in 60, with c in 70, b with c in 50 of 100 records, and all are split into halves.
    const data = cells([20, 10, 15, 5, 5, 15, 10, 20])
    const signs = [0.2, 0.4, 0].reduce((sum, r) => sum + Math.asin(r), 0)
    const [all] = fit(data, { points: 4000 }).logProb?.(tableOf('asked', { a: ['no'], b: [0], c: ['no'] })) ?? []
    expect(Math.exp(all)).toBeCloseTo(1 / 8 + signs / (4 * Math.PI), 4)
  })
})

it('keeps margins and the correlation of normal scores', async () => {
  const random = stream(1, 'normal')
  const x = Float64Array.from({ length: 2000 }, () => drawNormal(random))
  const y = x.map((value) => 0.7 * value + Math.sqrt(1 - 0.49) * drawNormal(random))
  const data = tableOf('pair', { x: Array.from(x), y: Array.from(y, (value) => Math.exp(value)) })
  const made = await synthesize(gaussianCopula, data, { seed: 1, rows: 20_000 })
  const logs = numbers(made, 'y').map(Math.log)
  expect(Math.abs(correlation(numbers(made, 'x'), logs) - correlation(x, y))).toBeLessThan(0.02)
  const original = new Set(numbers(data, 'y'))
  expect(numbers(made, 'y').every((value) => original.has(value))).toBe(true)
})

it('shrinks where variables repeat each other, and where asked', async () => {
  const rows = Array.from({ length: 300 }, (_, k) => (k * 7) % 101)
  const twins = tableOf('twins', {
    a: rows,
    b: rows.map((value) => 500 - value),
    c: rows.map((value) => value * value),
  })
  const { shrinkage } = fit(twins).describe()
  expect(shrinkage).toBeGreaterThan(0)
  expect(shrinkage).toBeLessThan(1e-5)
  const made = await synthesize(gaussianCopula, twins, { seed: 1 })
  expect(correlation(numbers(made, 'a'), numbers(made, 'b'))).toBeLessThan(-0.999)
  const apart = await synthesize(gaussianCopula, twins, { seed: 1, rows: 5000, options: { shrink: 1 } })
  expect(Math.abs(correlation(numbers(apart, 'a'), numbers(apart, 'b')))).toBeLessThan(0.06)
})

it('refuses a table without records', () => {
  expect(() => fit(tableOf('none', { a: [] }))).toThrow('none has no records to learn from')
})
