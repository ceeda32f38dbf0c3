import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { mean, variance } from '../../stats/sums.js'
import { valueAt } from '../../table/column.js'
import { columnOf, type Table, tableOf, tableOfRows } from '../../table/table.js'
import type { FittedSynthesizer } from '../synthesizer.js'
import { synthesize, synthesizeSets } from '../synthesizer.js'
import { catallDirichletSynthesizer, catallSynthesizer } from './catall.js'

const streams = (seed: number) => (purpose: string) => stream(seed, purpose)
const catall = (data: Table, options: object = {}, seed = 1) =>
  catallSynthesizer.fit(data, catallSynthesizer.options.parse(options), streams(seed))
const dirichlet = (data: Table, options: object = {}, seed = 1) =>
  catallDirichletSynthesizer.fit(data, catallDirichletSynthesizer.options.parse(options), streams(seed))
const probabilities = (fitted: FittedSynthesizer, records: Table) =>
  Array.from(fitted.logProb?.(records) ?? [], Math.exp)
const values = (from: Table, name: string) =>
  Array.from({ length: from.rows }, (_, row) => valueAt(columnOf(from, name), row))

/** The 16 cells 0000 ... 1111 of Latner, Neunhoeffer and Drechsler, and three of their releases (Table A.1). */
const ORIGINAL = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1]
const RELEASED = {
  1: [68, 60, 77, 70, 73, 60, 58, 72, 77, 69, 50, 61, 79, 65, 60, 1],
  2: [66, 53, 71, 51, 63, 77, 68, 91, 84, 66, 54, 59, 77, 52, 68, 0],
  4: [73, 56, 71, 68, 54, 66, 61, 81, 73, 68, 51, 71, 83, 57, 64, 3],
}
const bits = (of: readonly number[], bit: number) =>
  of.flatMap((n, cell) => Array.from({ length: n }, () => (cell >> bit) & 1))
const cellTable = (of: readonly number[]) =>
  tableOf('cells', { var1: bits(of, 3), var2: bits(of, 2), var3: bits(of, 1), var4: bits(of, 0) })
/** The original with its lonely record 1111 replaced by one of another cell. */
const world = (cell: number) => cellTable(ORIGINAL.map((n, c) => n - (c === 15 ? 1 : 0) + (c === cell ? 1 : 0)))

/** Posterior probability of 1111, all cells alike before. */
function posterior(logLikelihood: (cell: number) => number): number {
  const logs = ORIGINAL.map((_, cell) => logLikelihood(cell))
  const top = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - top))
  return weights[15] / weights.reduce((sum, weight) => sum + weight, 0)
}

describe('the attack on the 16 cells', () => {
  it.each([
    [1, 0.29534],
    [2, 0.023981],
    [4, 0.99183],
  ] as const)('catall, release %d: posterior %d of the lonely record', (release, expected) => {
    const records = cellTable(RELEASED[release])
    const found = posterior((cell) =>
      (catall(world(cell)).logProb?.(records) ?? new Float64Array()).reduce((sum, log) => sum + log, 0),
    )
    expect(Math.abs(found - expected)).toBeLessThan(expected > 0.1 ? 5.1e-6 : 5.1e-7)
  })

  it.each([
    [1e-4, [0.99701, 0.032272, 0.999]],
    [0.1, [0.26838, 0.032295, 0.5087]],
    [1, [0.062923, 0.032506, 0.11856]],
    [5, [0.0398, 0.033409, 0.052446]],
  ])('catall-dirichlet, a = %d', (a, expected) => {
    const found = ([1, 2, 4] as const).map((release) => {
      const records = cellTable(RELEASED[release])
      return posterior((cell) => dirichlet(world(cell), { a }).logProbOfSet?.(records) ?? 0)
    })
    found.forEach((value, k) => {
      expect(Math.abs(value - expected[k])).toBeLessThan(expected[k] > 0.1 ? 5.1e-6 : 5.1e-7)
    })
  })
})

describe('catall', () => {
  const small = tableOfRows(
    'small',
    ['a', 'b'],
    [
      ['x', 1],
      ['x', 1],
      ['y', 2],
      ['x', 2],
    ],
  )
  const cells = tableOf('cells', { a: ['x', 'x', 'y', 'y'], b: [1, 2, 1, 2] })

  it('adds priorn over all cells: (n + priorn / C) / (N + priorn)', () => {
    expect(probabilities(catall(small), cells)).toEqual([2.25 / 5, 1.25 / 5, 0.25 / 5, 1.25 / 5].map(near))
    expect(probabilities(catall(small, { priorn: 0 }), cells)).toEqual([0.5, 0.25, 0, 0.25].map(near))
  })

  it('makes nothing in structural zeros', async () => {
    const options = { structuralZeros: ["a == 'y' & b < 2"] }
    expect(probabilities(catall(small, options), cells)).toEqual(
      [2 + 1 / 3, 1 + 1 / 3, 0, 1 + 1 / 3].map((n) => near(n / 5)),
    )
    const made = await synthesize(catallSynthesizer, small, {
      seed: 1,
      rows: 500,
      options: { ...options, priorn: 100 },
    })
    expect(values(made, 'a').some((a, row) => a === 'y' && values(made, 'b')[row] === 1)).toBe(false)
    const strict = catall(small, { structuralZeros: ["a == 'x' & b == 2"] })
    expect(strict.describe().warnings).toEqual(['1 original record in structural zeros left out'])
    expect(probabilities(strict, cells)[1]).toBe(0)
  })

  it.each([
    [{ structuralZeros: ['c == 1'] }, 'structuralZeros: unknown column "c"'],
    [{ structuralZeros: ['b > 0'] }, 'no cell with an original record is left'],
    [{ structuralZeros: ['b == 1'], minNumLevels: 1 }, 'structuralZeros: "b" is made in groups; raise minNumLevels'],
    [{ contNa: { a: [1] } }, 'contNa: small has no numeric column "a"'],
  ])('%j is a mistake', (options, message) => {
    expect(() => catall(small, options)).toThrow(message)
  })

  it('draws numbers with many values within their quantile group, codes apart', () => {
    const rows = Array.from({ length: 100 }, (_, k) => k)
    const data = tableOf('many', {
      sex: rows.map((k) => (k < 50 ? 'f' : 'm')),
      income: rows.map((k) => (k < 10 ? -8 : k)),
    })
    const fitted = catall(data, { priorn: 0, contNa: { income: [-8] } })
    expect(fitted.describe().variables).toMatchObject([{ levels: 2 }, { levels: 6 }])
    // 10 to 99 in five groups of 18: 28 to 45 is the second one, and all of it is female.
    expect(probabilities(fitted, tableOf('asked', { sex: ['f', 'f', 'f', 'm'], income: [-8, 30, 30.5, 30] }))).toEqual(
      [0.1, 0.18 / 18, 0, 0].map(near),
    )
  })

  it('has room for more cells than could be held', async () => {
    const wide = tableOf(
      'wide',
      Object.fromEntries(
        Array.from({ length: 11 }, (_, j) => [`v${j}`, Array.from({ length: 60 }, (_, k) => (k * (j + 1)) % 20)]),
      ),
    )
    expect(catall(wide).describe()).toMatchObject({ occupiedCells: 20 })
    expect(() => dirichlet(wide)).toThrow('catall-dirichlet can hold 10,000,000 cells')
    expect((await synthesize(catallSynthesizer, wide, { seed: 1 })).rows).toBe(60)
  })
})

describe('noise on the counts', () => {
  const data = cellTable(ORIGINAL)

  it('says what is private, in the report', () => {
    const { warnings, scale, sensitivity } = catall(data, {
      noise: 'laplace',
      epsilon: 0.5,
      neighbours: 'replace',
    }).describe()
    expect({ scale, sensitivity }).toEqual({ scale: 4, sensitivity: 2 })
    expect(warnings).toEqual([
      'the counts of "var1", "var2", "var3", "var4" are private (epsilon 0.5 for each synthesis, neighbours replace, sensitivity 2); their levels, numbers drawn within groups and other columns are not',
    ])
  })

  it.each(['laplace', 'discrete-gaussian'])('%s: moves counts, and not below 0', (noise) => {
    const each = cellTable(ORIGINAL.map(() => 1))
    const last = Array.from({ length: 300 }, (_, seed) =>
      probabilities(catall(data, { noise, epsilon: 0.2 }, seed), each),
    )
    expect(last.some((chances) => chances[15] === 0)).toBe(true)
    expect(last.every((chances) => Math.abs(chances.reduce((sum, p) => sum + p, 0) - 1) < 1e-9)).toBe(true)
    expect(new Set(last.map((chances) => chances[0])).size).toBeGreaterThan(250)
  })

  it('is drawn anew for every synthesis', async () => {
    const how = { seed: 1, sets: 2, options: { noise: 'laplace', epsilon: 0.01 } }
    const { sets } = await synthesizeSets(catallSynthesizer, data, how)
    expect(sets[0]).not.toEqual(sets[1])
    expect(catallSynthesizer.fitsAnew(catallSynthesizer.options.parse({ noise: 'laplace' }))).toBe(true)
    expect(catallSynthesizer.fitsAnew(catallSynthesizer.options.parse({}))).toBe(false)
  })
})

it('catall-dirichlet: copies of the lonely record vary as Dirichlet-multinomial counts do', async () => {
  const { sets } = await synthesizeSets(catallDirichletSynthesizer, cellTable(ORIGINAL), {
    seed: 1,
    sets: 500,
    options: { a: 1 },
  })
  const copies = sets.map((set) => {
    const [a, b, c, d] = set.columns.map((column) => (column.kind === 'numeric' ? column.values : new Float64Array()))
    return a.filter((_, row) => a[row] + b[row] + c[row] + d[row] === 4).length
  })
  // n p = 1000 · 2/1016, variance n p (1 - p) (n + A) / (1 + A) with A = 1016.
  const p = 2 / 1016
  expect(Math.abs((mean(copies) ?? 0) - 1000 * p)).toBeLessThan(0.36)
  expect(Math.abs((variance(copies) ?? 0) / ((1000 * p * (1 - p) * 2016) / 1017) - 1)).toBeLessThan(0.35)
})

function near(value: number): unknown {
  return expect.closeTo(value, 12)
}
