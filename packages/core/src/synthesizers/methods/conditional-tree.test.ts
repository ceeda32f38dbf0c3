import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { categorical, numeric } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import { ctreeSynthesizer } from '../sequential/synthesizers.js'
import { type ConditionalNode, growConditionalTree, independence, type Variate } from './conditional-tree.js'

const scores = (values: readonly number[]): Variate => ({ values: Float64Array.from(values), levels: null })
const levels = (codes: readonly number[], count: number): Variate => ({
  values: Float64Array.from(codes),
  levels: count,
})
const all = ({ values }: Variate) => Int32Array.from(values.keys())
const statistic = (x: Variate, y: Variate) => independence(x, y, all(x))

describe('the statistic of independence', () => {
  it('two numbers: (n - 1) r²', () => {
    // r² of (1, 2, 3, 4) and (1, 3, 2, 4) is 0.64.
    expect(statistic(scores([1, 2, 3, 4]), scores([1, 3, 2, 4]))).toEqual({
      statistic: expect.closeTo(3 * 0.64, 12),
      df: 1,
    })
  })

  it('a number and levels: (n - 1) times the share of squares between levels', () => {
    // Means 1.5 and 3.5 around 2.5: 4 of 5 lie between.
    const found = { statistic: expect.closeTo(3 * 0.8, 12), df: 1 }
    expect(statistic(scores([1, 2, 3, 4]), levels([0, 0, 2, 2], 3))).toEqual(found)
    expect(statistic(levels([0, 0, 2, 2], 3), scores([1, 2, 3, 4]))).toEqual(found)
  })

  it("levels and levels: (n - 1) / n times Pearson's", () => {
    // Counts 3, 1 / 1, 3: Pearson's statistic is 2.
    const x = levels([0, 0, 0, 0, 1, 1, 1, 1], 2)
    expect(statistic(x, levels([0, 0, 0, 1, 0, 1, 1, 1], 2))).toEqual({
      statistic: expect.closeTo((7 / 8) * 2, 12),
      df: 1,
    })
  })

  it('what does not vary is no evidence', () => {
    expect(statistic(scores([1, 1, 1]), scores([1, 2, 3]))).toEqual({ statistic: 0, df: 0 })
    expect(statistic(levels([0, 0, 0], 2), levels([0, 1, 1], 2)).df).toBe(0)
  })
})

const N = 120
const of = (cell: (i: number) => number) => Array.from({ length: N }, (_, i) => cell(i))
const x = scores(of((i) => (i * 37) % 101))
const f = levels(
  of((i) => (i * i) % 5),
  5,
)
const g = levels(
  of((i) => Math.floor(i / 7) % 3),
  3,
)
const y = scores(of((i) => x.values[i] / 10 + (g.values[i] === 1 ? 6 : 0) + ((i * 13) % 17)))
const k = levels(
  of((i) => (x.values[i] > 60 ? 0 : g.values[i] === 2 ? 1 : 2)),
  3,
)
const control = { minbucket: 5, mincriterion: 0.9 }

/** Predictor, statistic and criterion of the splits, in the order of party's print. */
function splits(node: ConditionalNode): [number, string, string][] {
  if ('leaf' in node) return []
  return [
    [node.predictor, node.statistic.toFixed(3), node.criterion.toFixed(3)],
    ...splits(node.left),
    ...splits(node.right),
  ]
}

describe('the trees of party 1.3 with minbucket 5 and mincriterion 0.9', () => {
  it.each([
    ['x', x, 28.520068331759, 84.4587404756],
    ['f', f, 0.108827930173, 1.68807958346],
    ['g', g, 16.461488184057, 73.00966183575],
  ])('statistic of %s', (_, predictor, ofNumber, ofLevels) => {
    expect(statistic(predictor, y).statistic).toBeCloseTo(ofNumber, 10)
    expect(statistic(predictor, k).statistic).toBeCloseTo(ofLevels, 10)
  })

  it('of a number', () => {
    const { root, size } = growConditionalTree(y, [x, f, g], control)
    expect(splits(root).map(([predictor, value]) => [predictor, value])).toEqual([
      [0, '28.520'],
      [2, expect.stringMatching(/^13\.27/)],
      [0, expect.stringMatching(/^7\.176/)],
      [1, expect.stringMatching(/^11\.275/)],
    ])
    expect(Array.from(size).sort((a, b) => a - b)).toEqual([13, 16, 26, 27, 38])
  })

  it('of levels', () => {
    const { root, size } = growConditionalTree(k, [x, f, g], control)
    expect(splits(root).map(([predictor]) => predictor)).toEqual([0, 2])
    expect(Array.from(size).sort((a, b) => a - b)).toEqual([22, 46, 52])
  })
})

describe('what is not split', () => {
  const step = (n: number) => scores(Array.from({ length: n }, (_, i) => (i < n / 2 ? 0 : 1)))
  const up = (n: number) => scores(Array.from({ length: n }, (_, i) => i))
  const leaves = (n: number, more: object = {}) =>
    growConditionalTree(step(n), [up(n)], { ...control, ...more }).size.length

  it('nodes of fewer than 20 records', () => {
    expect([leaves(19), leaves(20)]).toEqual([1, 2])
  })

  it('where nothing is significant', () => {
    expect(leaves(40, { mincriterion: 1 })).toBe(1)
    const noise = scores(of((i) => (i * 7919) % 113))
    expect(growConditionalTree(noise, [f, g], { ...control, mincriterion: 0.999 }).size.length).toBe(1)
  })

  it('into sides of fewer than minbucket, or of 1 % and one record', () => {
    const late = (n: number, last: number) =>
      scores(Array.from({ length: n }, (_, i) => (i < n - last ? Math.sin(i) / 1000 : 100)))
    const smallest = (n: number, last: number) => {
      const { root, size } = growConditionalTree(late(n, last), [up(n)], { ...control, mincriterion: 0.5 })
      return 'leaf' in root ? 0 : Math.min(size[0], size[size.length - 1])
    }
    // As party: 5 of 24 with minbucket 5; 16, 11 and 12 of 1500, 950 and 1050, whatever minbucket.
    expect([smallest(24, 3), smallest(24, 7)]).toEqual([5, 7])
    expect([smallest(1500, 3), smallest(950, 3), smallest(1050, 3)]).toEqual([16, 11, 12])
  })
})

it('makes donors of the leaves: probabilities are their shares', async () => {
  const data: Table = table('data', [
    numeric('x', x.values),
    categorical(
      'k',
      Array.from(k.values, (code) => ['hi', 'lo', 'mid'][code]),
    ),
  ])
  const options = ctreeSynthesizer.options.parse({})
  const fitted = await ctreeSynthesizer.fit(data, options, (purpose) => stream(1, purpose))
  expect(fitted.describe().variables).toMatchObject([{}, { method: 'conditional inference tree' }])
  const asked = table('asked', [numeric('x', [x.values[0]]), categorical('k', ['hi'])])
  // x = 0 lies on the side of the 74 records up to 60, and none of them is "hi".
  expect(fitted.logProb?.(asked)).toEqual(Float64Array.of(Number.NEGATIVE_INFINITY))
})
