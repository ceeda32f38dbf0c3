import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { valueAt } from '../../table/column.js'
import { columnOf, type Table, tableOf } from '../../table/table.js'
import { cartSynthesizer } from '../sequential/synthesizers.js'
import { synthesize } from '../synthesizer.js'

const fit = (data: Table, options: object = {}) =>
  cartSynthesizer.fit(data, cartSynthesizer.options.parse(options), (purpose) => stream(1, purpose))
const values = (from: Table, name: string) =>
  Array.from({ length: from.rows }, (_, row) => valueAt(columnOf(from, name), row))

const N = 240
const of = (cell: (row: number) => string | number | null) => Array.from({ length: N }, (_, row) => cell(row))
const data = tableOf('data', {
  region: of((row) => 'nsw'[row % 3]),
  sex: of((row) => (Math.floor(row / 3) % 2 === 0 ? 'f' : 'm')),
  town: of((row) => `${'nsw'[row % 3]}${Math.floor(row / 3) % 27}`),
  income: of((row) => 100 * (row % 3) + (row % 7)),
})

describe('nested', () => {
  const options = { method: { town: 'nested.region' } }

  it('draws within the categories, whatever the number of levels, and predicts nothing', async () => {
    const made = await synthesize(cartSynthesizer, data, { seed: 1, rows: 1000, options })
    const region = values(made, 'region')
    expect(values(made, 'town').every((town, row) => String(town).startsWith(String(region[row])))).toBe(true)
    const { variables, warnings } = (
      await fit(data, { ...options, predictors: { income: ['town', 'region'] } })
    ).describe()
    expect(variables).toContainEqual(
      expect.objectContaining({
        variable: 'town',
        method: 'sample within the categories of region',
        predictors: 1,
        leaves: 3,
      }),
    )
    expect(variables).toContainEqual(expect.objectContaining({ variable: 'income', predictors: 1 }))
    expect(warnings).toEqual(['income: "town" is nested and cannot predict it'])
  })

  it('has the share within the category as its probability', async () => {
    const fitted = await fit(data, { ...options, visitSequence: ['region', 'town'] })
    const asked = tableOf('asked', { region: ['n', 'n'], town: ['n0', 's0'] })
    expect(Array.from(fitted.logProb?.(asked) ?? [], Math.exp)).toEqual([expect.closeTo((1 / 3) * (3 / 80), 12), 0])
  })

  it.each([
    [{ town: 'nested.regions' }, 'method of "town": unknown column "regions"; did you mean "region"?'],
    [{ town: 'nested.income' }, 'method of "town": "income" must be made before it; change the visitSequence'],
    [{ region: 'nested.region' }, 'method of "region": "region" must be made before it'],
  ])('%j is a mistake', async (method, message) => {
    await expect(fit(data, { method, maxFacLevels: 100 })).rejects.toThrow(message)
  })

  it('in a number needs its groups', async () => {
    const visitSequence = ['income', 'town']
    const method = { town: 'nested.income' }
    await expect(fit(data, { visitSequence, method })).rejects.toThrow('"income" is a number and has no categories')
    expect((await fit(data, { visitSequence, method, numToCat: ['income'] })).describe().warnings).toEqual([])
  })
})

describe('satcat', () => {
  it('draws within the combination of all predictors', async () => {
    const fitted = await fit(data, {
      visitSequence: ['region', 'sex', 'income'],
      method: { sex: 'satcat', income: 'satcat' },
    })
    const asked = tableOf('asked', { region: ['n', 'n'], sex: ['f', 'f'], income: [0, 100] })
    const having = values(data, 'income').filter(
      (income, row) => income === 0 && values(data, 'region')[row] === 'n' && values(data, 'sex')[row] === 'f',
    ).length
    expect(Array.from(fitted.logProb?.(asked) ?? [], Math.exp)).toEqual([
      expect.closeTo((1 / 6) * (having / 40), 12),
      0,
    ])
  })

  it('needs a donor for every combination that is made', async () => {
    const holes = tableOf('holes', {
      a: of((row) => (row % 2 === 0 ? 'x' : 'y')),
      b: of((row) => (row % 2 === 0 ? 'p' : row % 4 === 1 ? 'p' : 'q')),
      c: of((row) => row % 5),
    })
    const made = synthesize(cartSynthesizer, holes, { seed: 1, options: { method: { b: 'sample', c: 'satcat' } } })
    await expect(made).rejects.toThrow('method of "c": no original record to draw from has a = x, b = q;')
  })
})

describe('numToCat', () => {
  const rows = Array.from({ length: 300 }, (_, row) => row)
  const numbers = tableOf('numbers', {
    sex: rows.map((row) => (row % 2 === 0 ? 'f' : 'm')),
    age: rows.map((row) => (row % 10 === 9 ? null : row % 10 === 8 ? -8 : 20 + (row % 50))),
    health: rows.map((row) => (row % 50 < 25 ? 'good' : 'bad')),
  })
  const options = { numToCat: ['age'], catGroups: { age: 4 }, contNa: { age: [-8] } }

  it('makes groups, codes and missing apart, and draws the number within its group', async () => {
    const fitted = await fit(numbers, { ...options, visitSequence: ['age'] })
    expect(fitted.describe().variables).toMatchObject([
      { variable: 'age', part: 'value', method: 'sample of all values, number drawn within its group' },
    ])
    const ages = [-8, null, 20, 21, 38, 19]
    // 40 different ages, six records each; in groups of ten, 240 records of 300 in all.
    expect(Array.from(fitted.logProb?.(tableOf('asked', { age: ages })) ?? [], Math.exp)).toEqual(
      [0.1, 0.1, 0.02, 0.02, 0, 0].map((p) => expect.closeTo(p, 12)),
    )
    const made = values(fitted.sample(2000, (purpose) => stream(2, purpose)) as Table, 'age')
    const known = new Set(values(numbers, 'age'))
    expect(made.every((age) => known.has(age))).toBe(true)
  })

  it('lets the groups predict', async () => {
    const made = await synthesize(cartSynthesizer, numbers, {
      seed: 1,
      rows: 2000,
      options: { ...options, catGroups: 10, collapse: 'gain' },
    })
    const age = values(made, 'age')
    const bad = values(made, 'health').filter((_, row) => Number(age[row]) >= 60)
    expect(bad.length).toBeGreaterThan(100)
    expect(bad.every((health) => health === 'bad')).toBe(true)
  })

  it.each([
    [{ numToCat: ['sex'] }, 'numToCat: "sex" has levels, not numbers'],
    [{ numToCat: ['ages'] }, 'numToCat: unknown column "ages"; did you mean "age"?'],
    [{ numToCat: ['age'], smoothing: { age: 'density' } }, 'smoothing: "age" is made as levels'],
    [{ numToCat: ['age'], rules: { age: { when: "sex == 'f'", value: 30 } } }, 'rules of "age": it is made in groups'],
  ])('%j is a mistake', async (wrong, message) => {
    await expect(fit(numbers, wrong)).rejects.toThrow(message)
  })

  it('a rule can make it missing', async () => {
    const rules = { age: { when: "sex == 'f'", value: null } }
    const made = await synthesize(cartSynthesizer, numbers, { seed: 1, options: { numToCat: ['age'], rules } })
    expect(values(made, 'age').every((age, row) => (values(made, 'sex')[row] === 'f') <= (age === null))).toBe(true)
  })
})
