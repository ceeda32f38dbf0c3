import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { drawNormal } from '../stats/draws.js'
import { rankCorrelation } from '../stats/samples/ranks.js'
import { columnOf, type Table, tableOf } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
import { shuffling } from './shuffling.js'

function masked(data: Table, options: object = {}, seed = 1) {
  return anonymise(shuffling, data, { seed, options })
}

function values(of: Table, name: string): Float64Array {
  const column = columnOf(of, name)
  return column.kind === 'categorical' ? new Float64Array() : column.values
}

const ascending = (all: Float64Array) => [...all].sort((a, b) => a - b)

/** Two variables that go with age and with each other, and a group that moves the first. */
function people(rows: number): Table {
  const random = stream(7, 'people')
  const age = Array.from({ length: rows }, () => drawNormal(random, 50, 10))
  const group = age.map(() => (random.uniform() < 0.5 ? 'a' : 'b'))
  const income = age.map((a, i) => Math.exp(0.05 * a + (group[i] === 'a' ? 1 : 0) + drawNormal(random) * 0.5))
  const wealth = age.map((a, i) => a + 20 * Math.log(income[i]) + drawNormal(random) * 20)
  return tableOf('people', { age, group, income, wealth })
}

describe('shuffling', () => {
  it('keeps every margin exactly, and rank correlations with the given columns and each other nearly', () => {
    const data = people(2000)
    const { table, description } = masked(data, { variables: ['income', 'wealth'], given: ['age', 'group'] })
    for (const name of ['income', 'wealth'])
      expect(ascending(values(table, name))).toEqual(ascending(values(data, name)))
    const pairs = [
      ['age', 'income'],
      ['age', 'wealth'],
      ['income', 'wealth'],
    ]
    for (const [a, b] of pairs) {
      const [before, after] = [data, table].map((of) => rankCorrelation(values(of, a), values(of, b)) ?? 0)
      expect(before).toBeGreaterThan(0.4)
      expect(Math.abs(after - before)).toBeLessThan(0.05)
    }
    const meanOf = (of: Table, level: number) => {
      const group = columnOf(of, 'group')
      const own = values(of, 'income').filter((_, row) => group.kind === 'categorical' && group.codes[row] === level)
      return own.reduce((a, b) => a + Math.log(b), 0) / own.length
    }
    expect(meanOf(table, 0) - meanOf(table, 1)).toBeCloseTo(meanOf(data, 0) - meanOf(data, 1), 0)
    expect(description.terms).toBe(4)
    for (const { correlation, rSquared } of description.variables) {
      // Who gets what depends on the given columns only: before and after are related through these alone.
      expect(correlation ?? 1).toBeLessThan(rSquared + 0.05)
      expect(correlation ?? 0).toBeGreaterThan(rSquared - 0.1)
    }
  })

  it('deals values out at random when nothing is given', () => {
    const { description, notes } = masked(people(2000), { variables: ['income'], given: [] })
    expect(Math.abs(description.variables[0].correlation ?? 1)).toBeLessThan(0.07)
    expect(notes).toEqual(['no columns are given: relations to all columns that are not shuffled are lost'])
  })

  it('gives each record its value back when the given columns determine it, and says so', () => {
    const x = Array.from({ length: 40 }, (_, i) => (i * 7) % 41)
    const data = tableOf('t', { x, twice: x.map((value) => 2 * value) })
    const { table, notes } = masked(data, { variables: ['x'], given: ['twice'] })
    expect([...values(table, 'x')]).toEqual(x)
    expect(notes).toEqual(['the given columns nearly determine "x": shuffling hides little of it'])
  })

  it('keeps missing values missing, whether shuffled or given, and dates dates', () => {
    const data = tableOf('t', {
      x: [1, null, 3, 4, 5, null, 7, 8, 9, 10],
      s: [null, 2, 1, 5, 4, 3, null, 8, 6, 7],
      g: ['a', 'b', null, 'a', 'b', 'a', 'b', 'a', null, 'b'],
    })
    const { table } = masked(data, { variables: ['x'], given: ['s', 'g'] })
    const after = values(table, 'x')
    expect([...after.keys()].filter((row) => Number.isNaN(after[row]))).toEqual([1, 5])
    expect(ascending(after.filter((value) => !Number.isNaN(value)))).toEqual([1, 3, 4, 5, 7, 8, 9, 10])
  })

  it('takes the keys for given, and other draws for another seed', () => {
    const data = people(50)
    const run = (seed: number) =>
      anonymise(shuffling, data, { seed, roles: { keys: ['group'], numericKeys: ['income', 'wealth'] } })
    expect(run(1).description).toMatchObject({
      given: ['group'],
      variables: [{ variable: 'income' }, { variable: 'wealth' }],
    })
    expect(run(1).table).not.toEqual(run(2).table)
  })

  it('refuses what cannot be done', () => {
    const data = tableOf('t', { x: [1, 2, 3], s: ['a', 'b', 'c'] })
    expect(() => masked(data, { variables: ['x'], given: ['x'] })).toThrow('given: "x" is shuffled itself')
    expect(() => masked(data, { variables: ['x'], given: ['y'] })).toThrow(/given: .*unknown column "y"/)
    expect(() => masked(data, { variables: ['x'], given: ['s'] })).toThrow(/too few for a regression/)
  })
})
