import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { stream } from '../random/stream.js'
import { drawNormal } from '../stats/draws.js'
import { mean, standardDeviation } from '../stats/sums.js'
import { numeric } from '../table/column.js'
import { columnOf, type Table, table, tableOf } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
import { noise, semidefiniteRoot } from './noise.js'

function masked(data: Table, options: object = {}, seed = 1) {
  return anonymise(noise, data, { seed, options })
}

function values(of: Table, name: string): Float64Array {
  const column = columnOf(of, name)
  return column.kind === 'categorical' ? new Float64Array() : column.values
}

function correlation(a: Float64Array, b: Float64Array): number {
  const centreA = mean(a) ?? 0
  const centreB = mean(b) ?? 0
  const covariance = a.reduce((total, value, i) => total + (value - centreA) * (b[i] - centreB), 0) / (a.length - 1)
  return covariance / ((standardDeviation(a) ?? 1) * (standardDeviation(b) ?? 1))
}

const N = 20_000

/** Correlation 0.8, means 50 and -3, standard deviations 10 and 2. */
function correlated(): Table {
  const random = stream(9, 'test')
  const x = Float64Array.from({ length: N }, () => drawNormal(random))
  const y = x.map((value) => 0.8 * value + 0.6 * drawNormal(random))
  return table('t', [
    numeric(
      'x',
      x.map((value) => 50 + 10 * value),
    ),
    numeric(
      'y',
      y.map((value) => 2 * value - 3),
    ),
  ])
}

describe('noise', () => {
  it('adds independent noise of the given size', () => {
    const data = correlated()
    const { table: result, description } = masked(data, { noise: 50 })
    const e = ['x', 'y'].map((name) => values(result, name).map((value, row) => value - values(data, name)[row]))
    expect(mean(e[0])).toBeCloseTo(0, 0)
    expect((standardDeviation(e[0]) ?? 0) / (standardDeviation(values(data, 'x')) ?? 1)).toBeCloseTo(0.5, 1)
    expect((standardDeviation(e[1]) ?? 0) / (standardDeviation(values(data, 'y')) ?? 1)).toBeCloseTo(0.5, 1)
    expect(Math.abs(correlation(e[0], e[1]))).toBeLessThan(0.03)
    expect(description).toMatchObject({ method: 'additive', variables: [{ variable: 'x' }, { variable: 'y' }] })
  })

  it('keeps correlations with correlated noise, whose variances are noise percent of the data', () => {
    const data = correlated()
    const { table: result } = masked(data, { method: 'correlated', noise: 150 })
    expect(correlation(values(result, 'x'), values(result, 'y'))).toBeCloseTo(
      correlation(values(data, 'x'), values(data, 'y')),
      1,
    )
    const growth = ((standardDeviation(values(result, 'x')) ?? 0) / (standardDeviation(values(data, 'x')) ?? 1)) ** 2
    expect(growth).toBeGreaterThan(2.4)
    expect(growth).toBeLessThan(2.6)
  })

  it('keeps means, variances and correlations with correlated2', () => {
    const data = correlated()
    const { table: result } = masked(data, { method: 'correlated2', delta: 0.6 })
    for (const name of ['x', 'y']) {
      const ratio = (standardDeviation(values(result, name)) ?? 0) / (standardDeviation(values(data, name)) ?? 1)
      expect(Math.abs(ratio - 1)).toBeLessThan(0.02)
    }
    expect(Math.abs((mean(values(result, 'x')) ?? 0) - (mean(values(data, 'x')) ?? 0))).toBeLessThan(0.2)
    expect(
      Math.abs(
        correlation(values(result, 'x'), values(result, 'y')) - correlation(values(data, 'x'), values(data, 'y')),
      ),
    ).toBeLessThan(0.02)
    expect(Math.abs(correlation(values(result, 'x'), values(data, 'x')) - 0.8)).toBeLessThan(0.02)
  })

  it('moves a linear relation with itself: noise of determined variables is determined', () => {
    const x = Float64Array.from({ length: 100 }, (_, k) => k)
    const data = table('t', [
      numeric('x', x),
      numeric(
        'y',
        x.map((value) => 2 * value + 1),
      ),
    ])
    const { table: result } = masked(data, { method: 'correlated' })
    for (const [row, value] of values(result, 'x').entries())
      expect(values(result, 'y')[row]).toBeCloseTo(2 * value + 1, 8)
  })

  it('leaves constants, missing values and one row as they are', () => {
    const data = tableOf('t', { c: [4, 4, 4], x: [1, null, 3], e: [null, null, null] })
    for (const method of ['additive', 'correlated', 'correlated2']) {
      const { table: result, notes } = masked(data, { method })
      expect([...values(result, 'c')]).toEqual([4, 4, 4])
      expect([...values(result, 'x')].map(Number.isNaN)).toEqual([false, true, false])
      expect([...values(result, 'e')].every(Number.isNaN)).toBe(true)
      expect(notes).toEqual(['no noise in "c", "e": the values do not vary'])
      expect([...values(masked(tableOf('t', { x: [5] }), { method }).table, 'x')]).toEqual([5])
    }
  })

  it('keeps the step of the values, also where a few are off it', () => {
    const incomes = Array.from({ length: 100 }, (_, k) => (k === 7 ? 1234 : 500 * (k % 13)))
    const { table: noised } = masked(table('t', [numeric('x', incomes)]), { round: 'step', noise: 50 })
    const moved = values(noised, 'x').filter((value, k) => value !== incomes[k])
    expect(moved.length).toBeGreaterThan(50)
    for (const value of values(noised, 'x')) expect(value % 500).toBeCloseTo(0, 9)
  })

  it('rounds to the decimals of the column when asked to', () => {
    const data = tableOf('t', { x: [1.25, 3.5, 9.75, 2] })
    for (const value of values(masked(data, { round: true, noise: 100 }).table, 'x'))
      expect(Number(value.toFixed(2))).toBe(value)
  })

  it('keeps whole days whole', () => {
    const born = {
      kind: 'date' as const,
      name: 'born',
      unit: 'day' as const,
      values: Float64Array.of(0, 500, 1000, Number.NaN),
    }
    const after = values(masked(table('t', [born]), { noise: 100 }).table, 'born')
    expect([...after].map(Number.isInteger)).toEqual([true, true, true, false])
    expect([...after.slice(0, 3)]).not.toEqual([0, 500, 1000])
  })

  it('gives a variable the same noise whatever the others are, and other noise for another seed', () => {
    const data = correlated()
    const alone = masked(data, { variables: ['y'] })
    expect(values(alone.table, 'y')).toEqual(values(masked(data).table, 'y'))
    expect(columnOf(alone.table, 'x')).toBe(columnOf(data, 'x'))
    expect(values(masked(data, {}, 2).table, 'y')).not.toEqual(values(alone.table, 'y'))
  })

  it('masks numeric keys only when keys are given, never the weight unasked', () => {
    const data = tableOf('t', { age: [1, 2, 3], income: [4, 5, 6], w: [1, 2, 1] })
    const changed = (roles: object) => anonymise(noise, data, { seed: 1, roles }).changed?.map(({ column }) => column)
    expect(changed({ numericKeys: ['income'], weight: 'w' })).toEqual(['income'])
    expect(changed({ weight: 'w' })).toEqual(['age', 'income'])
  })

  it('refuses bad options', () => {
    const data = tableOf('t', { x: [1, 2] })
    expect(() => masked(data, { noise: -1 })).toThrow(UserError)
    expect(() => masked(data, { delta: 1 })).toThrow(UserError)
    expect(() => masked(data, { method: 'gauss' })).toThrow(UserError)
    expect(() => masked(data, { variables: [] })).toThrow(/no column is named/)
  })
})

it('takes the root of a matrix, singular or not', () => {
  expect(
    semidefiniteRoot([
      [4, 2],
      [2, 5],
    ]),
  ).toEqual([
    [2, 0],
    [1, 2],
  ])
  expect(
    semidefiniteRoot([
      [1, 1],
      [1, 1],
    ]),
  ).toEqual([
    [1, 0],
    [1, 0],
  ])
})
