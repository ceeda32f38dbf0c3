import { type Column, columnNames, columnOf, mean, median, standardDeviation, type Table, valueAt } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { simulateHealth } from './health.js'

const DRAWS = 200_000
/** Three standard errors of a share at 200,000 draws is at most 0.0034; the facts are printed to three digits. */
const SHARE_TOLERANCE = 0.005

const populations = new Map<number, Table>()

function population(kappa: number): Table {
  const known = populations.get(kappa) ?? simulateHealth({ n: DRAWS, kappa, seed: 20_240 })
  populations.set(kappa, known)
  return known
}

function numbers(of: Table, name: string): Float64Array {
  const column = columnOf(of, name)
  if (column.kind === 'categorical') throw new Error(`${name} is categorical`)
  return column.values
}

function shares(of: Table, name: string): Record<string, number> {
  const column = columnOf(of, name)
  if (column.kind !== 'categorical') throw new Error(`${name} is not categorical`)
  return Object.fromEntries(
    column.levels.map((level, code) => [level, column.codes.filter((each) => each === code).length / of.rows]),
  )
}

function expectShares(of: Table, name: string, expected: Record<string, number>): void {
  const found = shares(of, name)
  expect(Object.keys(found)).toEqual(Object.keys(expected))
  for (const [level, share] of Object.entries(expected)) {
    expect(Math.abs(found[level] - share), `${level}: ${found[level]}`).toBeLessThan(SHARE_TOLERANCE)
  }
}

describe('the population of the RAPID paper', () => {
  it.each([
    [0, 0.6686, 0.14918, 0.18221],
    [1, 0.666, 0.137, 0.196],
    [5, 0.592, 0.109, 0.299],
    [10, 0.56, 0.096, 0.343],
    [100, 0.515, 0.114, 0.372],
  ])('has the disease shares of kappa = %d', (kappa, healthy, diabetic, hypertensive) => {
    expectShares(population(kappa), 'disease_status', { healthy, diabetic, hypertensive })
  })

  it('has the education shares', () => {
    expectShares(population(0), 'education', { low: 0.382, medium: 0.376, high: 0.242 })
    expectShares(population(10), 'education', { low: 0.371, medium: 0.411, high: 0.218 })
  })

  it('has slightly more men the stronger the relations', () => {
    for (const [kappa, male] of [
      [0, 0.5],
      [1, 0.53],
      [10, 0.54],
    ]) {
      expect(shares(population(kappa), 'gender').male).toBeCloseTo(male, 1.5)
    }
  })

  it('has the median incomes', () => {
    expect(median(numbers(population(0), 'income'))).toBeGreaterThan(21_800)
    expect(median(numbers(population(0), 'income'))).toBeLessThan(22_250)
    expect(Math.abs((median(numbers(population(10), 'income')) ?? 0) - 26_800)).toBeLessThan(300)
  })

  it('has the ages of the text by default, and those behind the figures', () => {
    const text = numbers(population(10), 'age')
    expect(mean(text)).toBeCloseTo(45.4, 0.9)
    expect(standardDeviation(text)).toBeCloseTo(11.5, 0.9)
    const figures = numbers(simulateHealth({ n: DRAWS, kappa: 10, seed: 1, age: 'figures' }), 'age')
    expect(mean(figures)).toBeCloseTo(46.2, 0.9)
    expect(standardDeviation(figures)).toBeCloseTo(13.7, 0.9)
    expect(Math.min(...figures.slice(0, 50_000))).toBeGreaterThanOrEqual(18)
    expect(Math.max(...figures.slice(0, 50_000))).toBeLessThanOrEqual(90)
  })

  it('has a health score between 0 and 100', () => {
    const scores = numbers(simulateHealth({ n: 10_000, kappa: 100, seed: 3 }), 'health_score')
    expect(scores.every((score) => score > 0 && score < 100)).toBe(true)
  })
})

describe('simulateHealth', () => {
  it('has the columns in the order in which they are synthesised, without the status', () => {
    const people = simulateHealth({ n: 5, kappa: 10, seed: 1 })
    expect(columnNames(people)).toEqual(['gender', 'age', 'education', 'income', 'health_score', 'disease_status'])
    expect(people.rows).toBe(5)
  })

  it('gives the same people for the same seed and others for another', () => {
    const values = (column: Column) => Array.from({ length: 20 }, (_, row) => valueAt(column, row))
    const people = (seed: number) => simulateHealth({ n: 20, kappa: 1, seed }).columns.map(values)
    expect(people(7)).toEqual(people(7))
    expect(people(7)).not.toEqual(people(8))
  })

  it('survives relations so strong that the odds overflow', () => {
    const people = simulateHealth({ n: 1000, kappa: 1e6, seed: 1 })
    expect(Object.values(shares(people, 'disease_status')).every((share) => share > 0.05)).toBe(true)
  })

  it('tells every wrong option at once', () => {
    const wrong = () => simulateHealth({ n: 1, kappa: -1, seed: 1 })
    expect(wrong).toThrow('n must be a whole number from 2 to 100000000, but it is 1')
    expect(wrong).toThrow('kappa must be 0 or larger, but it is -1')
  })
})
