import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { mean, variance } from '../../stats/sums.js'
import { categorical, numeric, valueAt } from '../../table/column.js'
import { columnOf, type Table, table, tableOf } from '../../table/table.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { synthesize, synthesizeSets } from '../synthesizer.js'
import { cartSynthesizer } from './synthesizers.js'

const values = (from: Table, name: string) =>
  Array.from({ length: from.rows }, (_, row) => valueAt(columnOf(from, name), row))
const streams = (seed: number) => (purpose: string) => stream(seed, purpose)
const fit = (data: Table, options: object = {}, seed = 1) =>
  cartSynthesizer.fit(data, cartSynthesizer.options.parse(options), streams(seed))
const make = (data: Table, options: object = {}, rows = data.rows) =>
  synthesize(cartSynthesizer, data, { seed: 1, rows, options })
const methods = async (data: Table, options: object = {}) => {
  const { variables } = (await fit(data, options)).describe() as { variables: { variable: string; method: string }[] }
  return Object.fromEntries(variables.map(({ variable, method }) => [variable, method]))
}

describe('probabilities in the 16 cells of Latner, Neunhoeffer and Drechsler', () => {
  const CELLS = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1]
  const bits = (of: readonly number[], bit: number) =>
    of.flatMap((n, cell) => Array.from({ length: n }, () => (cell >> bit) & 1))
  const cellTable = (of: readonly number[]) =>
    tableOf('cells', { var1: bits(of, 3), var2: bits(of, 2), var3: bits(of, 1), var4: bits(of, 0) })
  const data = cellTable(CELLS)
  const each = cellTable(CELLS.map(() => 1))
  const expected = async (options: object = {}) => {
    const logs = (await fit(data, options)).logProb?.(each) ?? new Float64Array()
    return Array.from(logs, (log) => 1000 * Math.exp(log))
  }

  it('numbers: a resample of the cells', async () => {
    ;(await expected()).forEach((count, cell) => {
      expect(count).toBeCloseTo(CELLS[cell], 9)
    })
  })

  it('levels (minNumLevels 5): 26.394 copies of the lonely record', async () => {
    expect((await expected({ minNumLevels: 5 }))[15]).toBeCloseTo(26.394, 3)
  })

  it.each([
    [{ minbucket: 67 }, 1],
    [{ minbucket: 68 }, 19.803],
    [{ minbucket: 75 }, 19.803],
    [{ minbucket: 100 }, 19.803],
    [{ minbucket: 200 }, 34.545],
    [{ cp: 1e-4 }, 1],
    [{ cp: 0.005 }, 1.072],
    [{ cp: 0.01 }, 1.333],
    [{ cp: 0.02 }, 45.937],
    [{ cp: 0.05 }, 45.937],
  ])('%j: %d copies of it', async (options, copies) => {
    expect((await expected(options))[15]).toBeCloseTo(copies, 3)
  })

  it('minbucket 75: the cells 1100 to 1111', async () => {
    const [a, b, c, d] = (await expected({ minbucket: 75 })).slice(12)
    expect([a, b, c, d].map((count) => count.toFixed(3))).toEqual(['95.803', '40.197', '47.197', '19.803'])
  })

  it('proper: twice the variance of its copies, and none of it in about 53 %', async () => {
    const { sets } = await synthesizeSets(cartSynthesizer, data, { seed: 1, sets: 600, options: { proper: true } })
    const copies = sets.map((set) => {
      const [a, b, c, d] = set.columns.map((column) =>
        column.kind === 'categorical' ? new Float64Array() : column.values,
      )
      return a.filter((_, row) => a[row] + b[row] + c[row] + d[row] === 4).length
    })
    expect(mean(copies)).toBeGreaterThan(0.77)
    expect(mean(copies)).toBeLessThan(1.23)
    expect(variance(copies)).toBeGreaterThan(1.4)
    expect(variance(copies)).toBeLessThan(2.7)
    const none = copies.filter((n) => n === 0).length / 600
    expect(Math.abs(none - 0.5315)).toBeLessThan(0.07)
  })
})

it('a level that a node has not seen goes to either of two equal children: the probability is their mean', async () => {
  const rows = (n: number, of: (k: number) => string) => Array.from({ length: n }, (_, k) => of(k))
  const data = tableOf('coin', {
    x: [...rows(20, (k) => (k < 10 ? 'a' : 'b')), ...rows(20, () => 'c')],
    u: [...rows(20, () => 'one'), ...rows(20, () => 'two')],
    y: [...rows(20, (k) => (k < 10 ? 'q' : 'p')), ...rows(20, () => 'r')],
  })
  const fitted = await fit(data, { visitSequence: ['u', 'x', 'y'], predictors: { x: [], y: ['u', 'x'] } })
  const asked = tableOf('asked', { u: ['one', 'one', 'one'], x: ['c', 'c', 'c'], y: ['p', 'q', 'r'] })
  // P(u = one) P(x = c) is a quarter; in the node of u = one the level c is unknown, a and b have ten records each.
  expect(Array.from(fitted.logProb?.(asked) ?? [], Math.exp)).toEqual(
    [0.125, 0.125, 0].map((p) => expect.closeTo(p, 12)),
  )
})

const N = 500
const of = (cell: (row: number) => string | number | null) => Array.from({ length: N }, (_, row) => cell(row))
const people = tableOf('people', {
  age: of((row) => 10 + ((row * 7) % 60)),
  marital: of((row) => (10 + ((row * 7) % 60) < 18 ? 'SINGLE' : ['SINGLE', 'MARRIED', 'WIDOWED'][row % 3])),
  income: of((row) => (row % 5 === 0 ? -8 : row % 7 === 0 ? 0 : row % 11 === 0 ? null : 500 + ((row * 17) % 90) * 10)),
})

describe('special values of numbers', () => {
  it('are made by themselves, with their share', async () => {
    const options = { contNa: { income: [-8] }, semicont: { income: [0] } }
    const fitted = await fit(people, options)
    const { variables } = fitted.describe() as { variables: { variable: string; part: string; donors: number }[] }
    expect(variables.filter(({ variable }) => variable === 'income').map(({ part }) => part)).toEqual([
      'special',
      'value',
    ])
    const income = values(await make(people, { ...options, smoothing: 'density' }, 4000), 'income')
    for (const special of [-8, 0, null]) {
      const share = (from: readonly unknown[]) => from.filter((value) => value === special).length / from.length
      expect(Math.abs(share(income) - share(values(people, 'income')))).toBeLessThan(0.03)
    }
    const regular = income.filter((value) => value !== null && value !== -8 && value !== 0).map(Number)
    expect(Math.min(...regular)).toBeGreaterThanOrEqual(500)
  })

  it('belong to numbers', async () => {
    await expect(fit(people, { contNa: { marital: [1] } })).rejects.toThrow('contNa: "marital" has levels, not numbers')
    await expect(fit(people, { semicont: { incom: [1] } })).rejects.toThrow('did you mean "income"?')
  })
})

describe('rules', () => {
  it('set what they say, learn from the others, and report who breaks them', async () => {
    const rules = {
      marital: { when: 'age < 18', value: 'SINGLE' },
      income: [{ when: "marital == 'WIDOWED'", value: null }],
    }
    const made = await make(people, { rules }, 3000)
    const [age, marital, income] = ['age', 'marital', 'income'].map((name) => values(made, name))
    expect(age.every((years, row) => Number(years) >= 18 || marital[row] === 'SINGLE')).toBe(true)
    expect(marital.every((state, row) => state !== 'WIDOWED' || income[row] === null)).toBe(true)
    const { warnings } = (await fit(people, { rules })).describe() as { warnings: string[] }
    const widowed = values(people, 'marital').filter(
      (state, row) => state === 'WIDOWED' && values(people, 'income')[row] !== null,
    )
    expect(warnings).toEqual([`income: ${widowed.length} original records break the rule "marital == 'WIDOWED'"`])
  })

  it('the later of two that hold counts', async () => {
    const rules = {
      marital: [
        { when: 'age < 30', value: 'SINGLE' },
        { when: 'age < 20', value: 'WIDOWED' },
      ],
    }
    const made = await make(people, { rules })
    const [age, marital] = ['age', 'marital'].map((name) => values(made, name))
    expect(age.every((years, row) => Number(years) >= 20 || marital[row] === 'WIDOWED')).toBe(true)
  })

  it('are part of the probability', async () => {
    const rules = { marital: { when: 'age < 18', value: 'SINGLE' } }
    const fitted = await fit(people, { rules, visitSequence: ['age', 'marital'] })
    const asked = tableOf('asked', { age: [17, 17], marital: ['SINGLE', 'MARRIED'] })
    const [single, married] = fitted.logProb?.(asked) ?? []
    expect(single).toBeGreaterThan(Number.NEGATIVE_INFINITY)
    expect(married).toBe(Number.NEGATIVE_INFINITY)
  })

  it.each([
    [
      { marital: { when: 'ages < 18', value: 'SINGLE' } },
      'rules of "marital": unknown column "ages"; did you mean "age"?',
    ],
    [{ marital: { when: 'age < 18', value: 'SINGEL' } }, 'unknown level of "marital" "SINGEL"; did you mean "SINGLE"?'],
    [{ marital: { when: 'income < 18', value: 'SINGLE' } }, '"income" must be made before "marital"'],
    [{ marital: { when: 'marital == 1', value: 'SINGLE' } }, 'unknown level of "marital" "1"'],
    [{ marital: { when: "age < 'x'", value: 'SINGLE' } }, '"age" is a number, "x" is not'],
    [{ marital: { when: 'age <', value: 'SINGLE' } }, 'expected a number or a text in quotes at the end in "age <"'],
    [{ marital: { when: 'age < 18 age', value: 'SINGLE' } }, 'unexpected "age" in "age < 18 age"'],
    [{ marital: { when: '', value: 'SINGLE' } }, 'there is no condition'],
    [{ income: { when: "marital < 'SINGLE'", value: 0 } }, 'the levels of "marital" have no order'],
    [{ income: { when: 'age < 18', value: 'none' } }, '"income" is a number, "none" is not'],
    [{ incomes: { when: 'age < 18', value: 1 } }, 'rules: unknown column "incomes"; did you mean "income"?'],
  ])('%j is a mistake', async (rules, message) => {
    await expect(fit(people, { rules })).rejects.toThrow(message)
  })
})

describe('methods', () => {
  it('one for each variable', async () => {
    expect(await methods(people, { method: { income: 'normrank', marital: 'polyreg' } })).toMatchObject({
      age: 'sample of all values',
      marital: 'multinomial regression',
      income: 'normal regression of ranks',
    })
    expect(await methods(people, { method: 'parametric' })).toMatchObject({ marital: 'multinomial regression' })
    expect(await methods(people, { method: 'sample' })).toMatchObject({ income: 'sample of all values' })
  })

  it.each([
    [{ marital: 'norm' }, 'method of "marital": norm makes numbers, and this variable has levels'],
    [{ marital: 'logreg' }, 'logreg makes two levels, and this variable has 3; polyreg makes more'],
    [{ marital: 'polr' }, 'those of this variable have no order'],
    [{ income: 'polyreg' }, 'polyreg makes levels, and this variable is a number'],
    [{ income: 'lognorm' }, 'method of "income": lognorm needs numbers of 0 or more'],
    [{ income: 'magic' }, 'method of "income": unknown method "magic"'],
    [{ wage: 'cart' }, 'method: unknown column "wage"'],
  ])('%j is impossible', async (method, message) => {
    await expect(fit(people, { method })).rejects.toThrow(message)
  })

  it('all impossible ones are told at once', async () => {
    const method = { marital: 'norm', income: 'logreg' }
    await expect(fit(people, { method })).rejects.toThrow(/marital.*\n.*income/)
  })

  it('keep leaves a variable as it is and wants as many records', async () => {
    const made = await make(people, { method: { marital: 'keep' } })
    expect(values(made, 'marital')).toEqual(values(people, 'marital'))
    await expect(make(people, { method: { marital: '' } }, 10)).rejects.toThrow(
      '"marital" is kept as in the original, so there must be 500 records, not 10',
    )
  })

  it('a twin of an earlier variable is copied from it', async () => {
    const twins = tableOf('twins', { a: of((row) => (row * 7) % 91), b: of((row) => 500 - 3 * ((row * 7) % 91)) })
    expect((await methods(twins)).b).toBe('copied from a')
    const made = await make(twins)
    const a = values(made, 'a')
    expect(values(made, 'b').every((value, row) => value === 500 - 3 * Number(a[row]))).toBe(true)
  })
})

it('predictors: those named, and none that comes later', async () => {
  const { variables, warnings } = (
    await fit(people, { predictors: { income: ['age'], marital: ['income'] } })
  ).describe() as {
    variables: { variable: string; predictors: number }[]
    warnings: string[]
  }
  expect(variables.map(({ variable, predictors }) => [variable, predictors])).toEqual([
    ['age', 0],
    ['marital', 0],
    ['income', 1],
    ['income', 1],
  ])
  expect(warnings).toEqual(['marital: "income" is made later and cannot predict it'])
  await expect(fit(people, { predictors: { income: ['income'] } })).rejects.toThrow('it cannot predict itself')
})

it('too many levels are refused where they would predict or be predicted', async () => {
  const many = table('many', [
    categorical('name', of((row) => `n${row % 80}`).map(String)),
    ...tableOf('rest', { y: of((row) => row % 9) }).columns,
  ])
  await expect(fit(many)).rejects.toThrow('"name" has 80 levels, more than 60')
  expect(await methods(many, { predictors: { y: [] } })).toMatchObject({ y: 'sample of all values' })
  expect(await methods(many, { maxFacLevels: 80 })).toMatchObject({ y: 'regression tree' })
})

it('says when there are few records', async () => {
  const few = tableOf('few', { x: [1, 2, 3, 4], y: ['a', 'b', 'a', 'b'] })
  const { warnings } = (await fit(few)).describe() as { warnings: string[] }
  expect(warnings).toEqual(['4 records are few for 2 variables: at least 120 are advised'])
})

it('grows the trees of large tables on any thread, with the same bits', async () => {
  const rows = 120_000
  const random = stream(3, 'large')
  const a = Float64Array.from({ length: rows }, () => random.below(50))
  const b = a.map((value) => value + random.below(20))
  const large = table('large', [
    numeric('a', a),
    numeric('b', b),
    numeric(
      'c',
      b.map((value) => value % 7),
    ),
  ])
  const here = await synthesize(cartSynthesizer, large, { seed: 1, rows: 1000 })
  const elsewhere = await synthesize(cartSynthesizer, large, { seed: 1, rows: 1000, tasks: shuffledRunner(3) })
  expect(elsewhere).toEqual(here)
})

describe('smoothing', () => {
  const two = tableOf('two', {
    sex: of((row) => (row % 2 === 0 ? 'f' : 'm')),
    age: of((row) => 20 + ((row * 7) % 31) + (row % 2)),
  })

  it.each(['cart', 'normrank', 'rf', 'sample'])('density: probabilities of %s sum to 1', async (age) => {
    const fitted = await fit(two, { smoothing: 'density', method: { age } })
    const ages = Array.from({ length: 80 }, (_, k) => 10 + k)
    const asked = tableOf('asked', {
      sex: ages.flatMap(() => ['f', 'm']),
      age: ages.flatMap((years) => [years, years]),
    })
    const total = Array.from(fitted.logProb?.(asked) ?? [], Math.exp).reduce((sum, p) => sum + p, 0)
    expect(total).toBeCloseTo(1, 6)
  })

  it('by rank has no probability; it stays in the range and is for numbers', async () => {
    for (const smoothing of ['rmean', 'spline']) {
      expect((await fit(two, { smoothing: { age: smoothing } })).logProb).toBeUndefined()
      const made = values(await make(two, { smoothing }), 'age').map(Number)
      expect(made.every((years) => Number.isInteger(years) && years >= 20 && years <= 51)).toBe(true)
    }
    await expect(fit(two, { smoothing: { sex: 'density' } })).rejects.toThrow('smoothing: "sex" is made as levels')
  })
})
