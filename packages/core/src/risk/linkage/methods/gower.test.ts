import { describe, expect, it } from 'vitest'
import { categorical, numeric } from '../../../table/column.js'
import { table, tableOf } from '../../../table/table.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
import type { MissingMode } from '../costs/key-costs.js'
import type { GuessRule } from '../matching/guesses.js'
import { sameIdentifier } from '../truth/truth.js'
import { gowerCosts, informationWeights } from './gower.js'

const pooled = (files: ReturnType<typeof together>, missing: MissingMode = 'ignore', weights?: readonly number[]) =>
  gowerCosts(files, { weights: weights ?? files.keys.map(() => 1), missing, span: 'pooled', original: 'query' })

const close = (found: readonly number[], expected: readonly number[], digits = 8) => {
  expect(found.length).toBe(expected.length)
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, digits)
}

async function link(
  query: Parameters<typeof tableOf>[1],
  search: Parameters<typeof tableOf>[1],
  missing?: MissingMode,
) {
  const files = together(tableOf('x', query), tableOf('a', search))
  return score(files, pooled(files, missing))
}

describe('small files', () => {
  it('numbers', async () => {
    const { distance, least, risk } = await link({ age: [20, 40, 60] }, { age: [41, 19, 61] })
    close(distance, [21 / 42, 21 / 42, 1 / 42])
    close(least, [1 / 42, 1 / 42, 1 / 42])
    expect(risk).toEqual([0, 0, 1])
  })

  it('numbers and categories', async () => {
    const { distance, risk } = await link({ age: [20, 30], sex: ['M', 'F'] }, { age: [22, 28], sex: ['M', 'F'] })
    close(distance, [0.1, 0.1])
    expect(risk).toEqual([1, 1])
  })

  it('shares the risk among ties', async () => {
    expect((await link({ age: [20, 40] }, { age: [30, 30] })).risk).toEqual([0.5, 0.5])
    close((await link({ age: [7, 7, 7, 7, 7] }, { age: [7, 7, 7, 7, 7] })).risk, new Array(5).fill(0.2))
    expect((await link({ age: [7] }, { age: [9] })).risk).toEqual([1])
    const { risk } = await link(
      { sex: ['M', 'F', 'M'], job: ['A', 'B', 'B'] },
      { sex: ['M', 'F', 'M'], job: ['A', 'A', 'B'] },
    )
    expect(risk).toEqual([1, 0.5, 1])
  })

  it('finds nobody across blocks', async () => {
    const files = together(tableOf('x', { b: ['p'], age: [1] }), tableOf('a', { b: ['q'], age: [1] }))
    const found = await score(files, pooled(files), { blocks: [['b']] })
    expect(found.risk).toEqual([0])
    expect(found.distance).toEqual([Number.NaN])
  })

  it.each([
    ['ignore', 0],
    ['match', 0],
    ['mismatch', 0.5],
  ] as const)('missing ages: %s', async (missing, expected) => {
    const { distance, risk } = await link(
      { age: [20, 30], sex: ['M', 'F'] },
      { age: [null, null], sex: ['M', 'F'] },
      missing,
    )
    close(distance, [expected, expected])
    expect(risk).toEqual([1, 1])
  })

  it('ordered levels', async () => {
    const levels = { levels: ['low', 'mid', 'high'], ordered: true }
    const files = together(
      table('x', [categorical('edu', ['low', 'high'], levels)]),
      table('a', [categorical('edu', ['low', 'mid'], levels)]),
    )
    const { distance, risk } = await score(files, pooled(files))
    close(distance, [0, 0.5])
    expect(risk).toEqual([1, 1])
  })

  it('the truth by an identifier', async () => {
    const x = tableOf('x', { id: [1, 2], age: [20, 40] })
    const a = tableOf('a', { id: [2, 1], age: [38, 22] })
    const files = together(x, a, ['age'])
    const { risk, distance } = await score(files, pooled(files), { truth: sameIdentifier(x, a, 'id') })
    expect(risk).toEqual([1, 1])
    close(distance, [0.1, 0.1])
  })

  it('numbers released as classes of numbers', async () => {
    const files = together(
      table('x', [categorical('age', ['23', '35', '61'])]),
      table('a', [categorical('age', ['20-29', '30-39', '60+'])]),
    )
    expect(files.keys[0].kind).toBe('classes')
    expect((await score(files, pooled(files))).risk).toEqual([1, 1, 1])
  })

  it('a suppressed value, also among classes of numbers, is missing', async () => {
    const files = together(
      table('x', [categorical('age', ['23', '35', '61']), categorical('sex', ['f', 'm', 'f'])]),
      table('a', [categorical('age', ['20-29', '*', '60+']), categorical('sex', ['*', 'm', 'f'])]),
    )
    expect(files.keys.map(({ kind }) => kind)).toEqual(['classes', 'nominal'])
    expect(files.keys.map(({ search }) => search.includes(-1))).toEqual([true, true])
    const { risk, distance } = await score(files, pooled(files))
    expect(distance).toEqual([0, 0, 0])
    expect(risk[2]).toBe(1)
  })

  it('levels released as coarser ones that they are part of', async () => {
    const parents = { Graz: 'Austria', Linz: 'Austria', Bern: 'Switzerland', Austria: 'Europe', Switzerland: 'Europe' }
    const files = together(
      table('x', [categorical('place', ['Graz', 'Linz', 'Bern', 'Bern'])]),
      table('a', [categorical('place', ['Austria', 'Linz', 'Europe', 'Bern'])]),
      ['place'],
      { hierarchies: { place: parents } },
    )
    expect(files.keys[0].kind).toBe('hierarchy')
    const { risk, distance } = await score(files, pooled(files))
    expect(distance).toEqual([0, 0, 0, 0])
    // Graz may be in Austria or Europe, Linz in Austria, Linz or Europe, Bern in Europe or Bern.
    close(risk, [1 / 2, 1 / 3, 1 / 2, 1 / 2])
  })
})

describe('ten people', () => {
  const files = together(TEN, TEN_RELEASED)

  it('ignore', async () => {
    const { distance, risk, least, rank } = await score(files, pooled(files))
    close(
      distance,
      [
        0.010407906, 0.012195122, 0.269028595, 0.137195122, 0.016505467, 0.022603028, 0.021551724, 0.016260163,
        0.029436501, 0.143292683,
      ],
    )
    expect(risk).toEqual([1, 1, 0, 1, 1, 1, 1, 1, 1, 1])
    expect(least[2]).toBeCloseTo(0.170836838, 9)
    expect(rank[2]).toBe(5)
  })

  it('match, mismatch and weights', async () => {
    const match = await score(files, pooled(files, 'match'))
    expect(match.distance[7]).toBeCloseTo(0.012195122, 9)
    expect(meanOf(match.risk)).toBeCloseTo(0.9, 12)
    const mismatch = await score(files, pooled(files, 'mismatch'))
    expect(mismatch.distance[7]).toBeCloseTo(0.262195122, 9)
    expect(mismatch.rank[7]).toBe(6)
    expect(meanOf(mismatch.risk)).toBeCloseTo(0.8, 12)
    const weighted = await score(files, pooled(files, 'ignore', [2, 1, 1, 1]))
    expect(weighted.distance[2]).toBeCloseTo(0.220100925, 9)
    expect(weighted.rank[2]).toBe(4)
    expect(meanOf(weighted.risk)).toBeCloseTo(0.9, 12)
  })

  it('the other way round, and in blocks', async () => {
    const back = together(TEN_RELEASED, TEN)
    const reverse = await score(back, pooled(back))
    expect(reverse.risk.flatMap((risk, row) => (risk === 0 ? [row + 1] : []))).toEqual([3, 4, 10])
    const blocked = await score(files, pooled(files), { blocks: [['sex']] })
    expect(blocked.risk.flatMap((risk, row) => (risk === 0 ? [row + 1] : []))).toEqual([3, 8])
    const either = await score(files, pooled(files), { blocks: [['sex'], ['edu']] })
    expect(either.distance.every((one) => !Number.isNaN(one))).toBe(true)
  })

  it('larger guess sets', async () => {
    const costs = pooled(files)
    const mean = async (rule: Partial<GuessRule>) => meanOf((await score(files, costs, { rule })).risk)
    for (const [k, uniform, softmax, harmonic] of [
      [1, 0.9, 0.9, 0.9],
      [2, 0.45, 0.79271737, 0.6],
      [3, 0.3, 0.62592879, 0.49090909],
    ]) {
      expect(await mean({ strategy: 'topk', k })).toBeCloseTo(uniform, 8)
      expect(await mean({ strategy: 'topk', k, weighting: 'softmax' })).toBeCloseTo(softmax, 8)
      expect(await mean({ strategy: 'topk', k, weighting: 'harmonic' })).toBeCloseTo(harmonic, 8)
    }
    expect(await mean({ strategy: 'threshold', threshold: 0.1 })).toBeCloseTo(0.53333333, 8)
  })

  it('two coarse keys', async () => {
    const two = together(TEN, TEN_RELEASED, ['sex', 'edu'])
    close((await score(two, pooled(two))).risk, [1, 0.2, 0, 0.25, 0.5, 1, 0.5, 0.2, 0.5, 0])
    expect(meanOf((await score(two, pooled(two, 'match'))).risk)).toBeCloseTo(0.41, 12)
    expect(meanOf((await score(two, pooled(two, 'mismatch'))).risk)).toBeCloseTo(0.45, 12)
  })

  it('without one key each', async () => {
    for (const [left, expected] of [
      ['age', 0.8],
      ['inc', 0.8],
      ['sex', 0.9],
      ['edu', 0.9],
    ] as const) {
      const rest = together(
        TEN,
        TEN_RELEASED,
        ['age', 'inc', 'sex', 'edu'].filter((name) => name !== left),
      )
      expect(meanOf((await score(rest, pooled(rest))).risk)).toBeCloseTo(expected, 12)
    }
  })

  it('one fully suppressed record hides everybody when missing values are ignored, and nobody as expected', async () => {
    const blank = (name: string) =>
      name === 'age' || name === 'inc'
        ? numeric(name, [null])
        : categorical(name, [null], { levels: name === 'edu' ? ['1', '2', '3'] : ['f', 'm'], ordered: name === 'edu' })
    const padded = table(
      'padded',
      TEN_RELEASED.columns.map((column) =>
        column.kind === 'categorical'
          ? { ...column, codes: Int32Array.of(...column.codes, -1) }
          : { ...column, values: Float64Array.of(...column.values, ...(blank(column.name) as typeof column).values) },
      ),
    )
    const ten = Array.from({ length: 10 }, (_, k) => k)
    const truth = { start: Int32Array.of(...ten, 10), rows: Int32Array.from(ten) }
    const with11 = together(TEN, padded)
    const mean = async (missing: MissingMode) => meanOf((await score(with11, pooled(with11, missing), { truth })).risk)
    expect(await mean('ignore')).toBe(0)
    expect(await mean('mismatch')).toBeCloseTo(0.8, 12)
    expect(await mean('expected')).toBeCloseTo(0.8, 12)
    expect(meanOf((await score(files, pooled(files, 'expected'))).risk)).toBeCloseTo(0.8, 12)
  })

  it('weights by information', () => {
    close(informationWeights(files, 'query'), [3.307, 3.307, 0.986, 1.57], 3)
  })
})

it('does not depend on the order of the released rows', async () => {
  const files = together(TEN, TEN_RELEASED)
  const before = (await score(files, pooled(files, 'expected'))).risk
  const order = [3, 9, 0, 7, 1, 8, 2, 6, 5, 4]
  const shuffled = table(
    'shuffled',
    TEN_RELEASED.columns.map((column) =>
      column.kind === 'categorical'
        ? { ...column, codes: Int32Array.from(order, (k) => column.codes[k]) }
        : { ...column, values: Float64Array.from(order, (k) => column.values[k]) },
    ),
  )
  const again = together(TEN, shuffled)
  const rows = Int32Array.from(TEN.columns[0].kind === 'numeric' ? order.map((_, i) => order.indexOf(i)) : [])
  const truth = { start: Int32Array.from({ length: 11 }, (_, k) => k), rows }
  expect((await score(again, pooled(again, 'expected'), { truth })).risk).toEqual(before)
})
