import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { chiSquaredUpper } from '../../stats/distributions.js'
import { categorical, valueAt } from '../../table/column.js'
import { columnNames, columnOf, selectRows, type Table, table, tableOf } from '../../table/table.js'
import { synthesize } from '../synthesizer.js'
import { cartSynthesizer } from './synthesizers.js'

const values = (of: Table, name: string) =>
  Array.from({ length: of.rows }, (_, row) => valueAt(columnOf(of, name), row))

const streams = (seed: number) => (purpose: string) => stream(seed, purpose)
const fit = (data: Table, options: object = {}, seed = 1) =>
  cartSynthesizer.fit(data, cartSynthesizer.options.parse(options), streams(seed))

describe('the 1000 records in 16 cells of Latner, Neunhoeffer and Drechsler', () => {
  const CELLS = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1]
  const bits = (bit: number) => CELLS.flatMap((n, cell) => Array.from({ length: n }, () => (cell >> bit) & 1))
  const numbers = { var1: bits(3), var2: bits(2), var3: bits(1), var4: bits(0) }
  const leaves = async (data: Table, options: object = {}) => {
    const { variables } = (await fit(data, options)).describe() as { variables: { leaves: number }[] }
    return variables.map((variable) => variable.leaves)
  }

  it('as numbers: trees with 2, 4 and 8 leaves', async () => {
    const data = tableOf('cells', numbers)
    expect(await leaves(data)).toEqual([0, 2, 4, 8])
    expect(await leaves(data, { minbucket: 67 })).toEqual([0, 2, 4, 8])
    expect(await leaves(data, { minbucket: 68 })).toEqual([0, 2, 4, 7])
    expect(await leaves(data, { minbucket: 200 })).toEqual([0, 2, 2, 2])
    expect(await leaves(data, { cp: 0.01 })).toEqual([0, 1, 2, 4])
  })

  it('as levels: trees with 1, 2 and 6 leaves, because splits that change no prediction are undone', async () => {
    const texts = Object.fromEntries(Object.entries(numbers).map(([name, all]) => [name, all.map(String)]))
    expect(await leaves(tableOf('cells', texts))).toEqual([0, 1, 2, 6])
    expect(await leaves(tableOf('cells', texts), { collapse: 'gain' })).toEqual([0, 2, 4, 8])
  })

  it('as numbers: 2,000 syntheses are multinomial resamples of the cells', async () => {
    const fitted = await fit(tableOf('cells', numbers))
    const syntheses = 2000
    const sums = new Float64Array(16)
    const copies = new Float64Array(5)
    for (let seed = 1; seed <= syntheses; seed++) {
      const made = fitted.sample(1000, streams(seed))
      const [a, b, c, d] = made.columns.map((column) => (column.kind === 'categorical' ? [] : column.values))
      const counts = new Float64Array(16)
      for (let row = 0; row < 1000; row++) counts[8 * a[row] + 4 * b[row] + 2 * c[row] + d[row]]++
      counts.forEach((count, cell) => {
        sums[cell] += count
      })
      copies[Math.min(4, counts[15])]++
    }
    CELLS.forEach((n, cell) => {
      const standardError = Math.sqrt((n * (1 - n / 1000)) / syntheses)
      expect(Math.abs(sums[cell] / syntheses - n)).toBeLessThan(4 * standardError)
    })
    const chances = [0.3677, 0.36806, 0.18403, 0.06128]
    const expected = [...chances, 1 - chances.reduce((x, y) => x + y)].map((p) => p * syntheses)
    const statistic = expected.reduce((sum, e, k) => sum + (copies[k] - e) ** 2 / e, 0)
    expect(chiSquaredUpper(statistic, 4)).toBeGreaterThan(0.001)
  })
})

it('draws from the donors of the leaf only, each equally often', async () => {
  const y = [...Array.from({ length: 19 }, (_, k) => k + 1), 1000]
  const fitted = await fit(tableOf('outlier', { x: y.map((_, k) => k + 1), y }))
  const made = fitted.sample(20_000, streams(1))
  const [x, drawn] = [values(made, 'x'), values(made, 'y')]
  const donors = (from: number, to: number) =>
    [...new Set(drawn.filter((_, row) => Number(x[row]) > from && Number(x[row]) < to))].sort(
      (a, b) => Number(a) - Number(b),
    )
  expect(donors(0, 7.5)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(donors(7.5, 15.5)).toEqual([8, 9, 10, 11, 12, 13, 14, 15])
  expect(donors(15.5, 21)).toEqual([16, 17, 18, 19, 1000])
  expect(drawn.filter((value) => value === 1000).length / 20_000).toBeCloseTo(1 / 20, 2)
})

const people = tableOf('people', {
  sex: Array.from({ length: 300 }, (_, k) => (k % 11 === 0 ? null : k % 2 === 0 ? 'f' : 'm')),
  age: Array.from({ length: 300 }, (_, k) => 20 + ((k * 37) % 60)),
  income: Array.from({ length: 300 }, (_, k) => (k % 2 === 0 ? null : 1000 + 13 * k)),
  job: Array.from({ length: 300 }, (_, k) => (k % 2 === 0 ? null : 'yes')),
})

it('makes the same records for the same seed, others for another, and as many as asked for', async () => {
  const once = await synthesize(cartSynthesizer, people, { seed: 3 })
  expect(await synthesize(cartSynthesizer, people, { seed: 3 })).toEqual(once)
  expect(await synthesize(cartSynthesizer, people, { seed: 4 })).not.toEqual(once)
  expect(once.rows).toBe(300)
  expect((await synthesize(cartSynthesizer, people, { seed: 3, rows: 17 })).rows).toBe(17)
})

it('visits variables in the order asked for, leaves the others out, and gives the columns in the order of the table', async () => {
  const { variables } = (await fit(people, { visitSequence: ['income', 'sex'] })).describe() as {
    variables: { variable: string; part: string; method: string }[]
  }
  expect(variables.map(({ variable, part, method }) => [variable, part, method])).toEqual([
    ['income', 'special', 'sample of all values'],
    ['income', 'value', 'sample of all values'],
    ['sex', 'value', 'classification tree'],
  ])
  const made = await synthesize(cartSynthesizer, people, { seed: 1, options: { visitSequence: ['income', 'sex'] } })
  expect(columnNames(made)).toEqual(['sex', 'income'])
  await expect(fit(people, { visitSequence: ['sexx', 'age', 'age'] })).rejects.toThrow(
    'visitSequence: unknown column "sexx"; did you mean "sex"?\nvisitSequence: "age" is named twice',
  )
})

describe('missing values', () => {
  it('keep their shares and their relation to other variables', async () => {
    const made = await synthesize(cartSynthesizer, people, { seed: 1, rows: 5000 })
    const [sex, income, job] = ['sex', 'income', 'job'].map((name) => values(made, name))
    expect(sex.filter((value) => value === null).length / 5000).toBeCloseTo(1 / 11, 1)
    expect(income.filter((value) => value === null).length / 5000).toBeCloseTo(0.5, 1)
    expect(job.every((value, row) => (value === null) === (income[row] === null))).toBe(true)
    expect(columnOf(made, 'sex')).toMatchObject({ levels: ['f', 'm'] })
  })

  it('a column without any value stays so; the others are made', async () => {
    const empty = tableOf('empty', {
      x: Array.from({ length: 30 }, () => null),
      y: Array.from({ length: 30 }, (_, k) => k),
    })
    for (const visitSequence of [
      ['x', 'y'],
      ['y', 'x'],
    ]) {
      const made = await synthesize(cartSynthesizer, empty, { seed: 1, options: { visitSequence } })
      expect(new Set(values(made, 'x'))).toEqual(new Set([null]))
      expect(values(made, 'y').every((value) => typeof value === 'number')).toBe(true)
    }
  })

  it('every synthetic value is an original one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.option(fc.integer({ min: 0, max: 4 })),
            fc.option(fc.constantFrom('a', 'b', 'c')),
            fc.option(fc.integer({ min: 0, max: 4 })),
          ),
          { minLength: 1, maxLength: 40 },
        ),
        fc.integer({ min: 1, max: 3 }),
        async (rows, minbucket) => {
          const data = table('random', [
            ...tableOf('n', { x: rows.map(([x]) => x), z: rows.map(([, , z]) => z) }).columns,
            categorical(
              'y',
              rows.map(([, y]) => y),
              { levels: ['a', 'b', 'c', 'never'], ordered: true },
            ),
          ])
          const made = (await fit(data, { minbucket })).sample(50, streams(1))
          for (const name of ['x', 'y', 'z']) {
            const original = new Set(values(data, name))
            expect(values(made, name).every((value) => original.has(value))).toBe(true)
          }
        },
      ),
    )
  })
})

it('refuses a table without records', async () => {
  await expect(fit(selectRows(people, []))).rejects.toThrow('people has no records to learn from')
})
