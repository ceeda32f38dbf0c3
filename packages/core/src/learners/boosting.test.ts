import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { type CategoricalColumn, type Column, categorical, numeric } from '../table/column.js'
import { columnOf, selectRows, type Table, table, tableOf } from '../table/table.js'
import { inline } from '../tasks/task.js'
import { reference, referenceTable } from '../testing/reference.js'
import { shuffledRunner } from '../testing/shuffled-runner.js'
import { boosting } from './boosting.js'
import type { Classes, FitContext, Numbers } from './learner.js'

function context(given: Partial<FitContext> = {}): FitContext {
  const seed = given.seed ?? 1
  return { random: (p, index) => stream(seed, p, index), seed, purpose: 'test', tasks: inline, weights: null, ...given }
}

const numbers = (values: readonly number[]): Numbers => ({ kind: 'numbers', values: Float64Array.from(values) })

function classes(labels: readonly string[], levels = [...new Set(labels)].sort()): Classes {
  return { kind: 'classes', codes: Int32Array.from(labels, (label) => levels.indexOf(label)), levels }
}

const parse = (given: object = {}) => boosting.options.parse(given)

describe('one round by hand', () => {
  it('squared error: leaves are eta times the sum of responses / (rows + lambda)', async () => {
    const x = tableOf('x', { x: [1, 2, 3, 4] })
    const model = await boosting.fit(x, numbers([1, 1, 5, 7]), parse({ rounds: 1, maxDepth: 1 }), context())
    // Margins 0: g = -y, h = 1. Cut at 2.5: G_L = -2, G_R = -12.
    expect(Array.from(await model.predict(tableOf('at', { x: [2.5, 2.6] })))).toEqual([
      expect.closeTo((0.3 * 2) / 3, 12),
      expect.closeTo((0.3 * 12) / 3, 12),
    ])
    expect(model.importance[0].value).toBeCloseTo(4 / 3 + 144 / 3 - 196 / 5, 9)
  })

  it('logistic: gradient p - y, Hessian p (1 - p)', async () => {
    const x = tableOf('x', { x: [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2] })
    const y = classes('nnnnnyyyyyyn'.split(''))
    const model = await boosting.fit(x, y, parse({ rounds: 1 }), context())
    // Left: G = 5 / 2 - 1 / 2 = 2, H = 6 / 4; right G = -2.
    const margin = (0.3 * 2) / (1.5 + 1)
    const probabilities = await model.predictProbabilities(tableOf('at', { x: [1, 2] }))
    expect(probabilities[1]).toBeCloseTo(1 / (1 + Math.exp(margin)), 12)
    expect(probabilities[3]).toBeCloseTo(1 / (1 + Math.exp(-margin)), 12)
  })

  it('softmax: one tree per class, Hessian 2 p (1 - p)', async () => {
    const x = tableOf('x', { x: [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3] })
    const y = classes('aaaabbbbcccc'.split(''))
    const model = await boosting.fit(x, y, parse({ rounds: 1, minChildWeight: 0 }), context())
    // p = 1/3: own rows G = 4 (1/3 - 1), others G = 4 / 3 per value; H = 4 * 2 * 2/9 per value.
    const leaf = (G: number, H: number) => (-0.3 * G) / (H + 1)
    const H = 16 / 9
    // Class a: cut after 1, and what is right of it is not worth a cut.
    const margins = [leaf(-8 / 3, H), leaf(4 / 3, H), leaf(4 / 3, H)]
    const first = Array.from(await model.predictProbabilities(selectRows(x, [0])))
    const rest = leaf(8 / 3, 2 * H)
    const exps = [margins[0], margins[1], rest].map(Math.exp)
    expect(first).toEqual(exps.map((e) => expect.closeTo(e / (exps[0] + exps[1] + exps[2]), 10)))
  })

  it('weights multiply gradients and Hessians; a weight of 2 is a row twice', async () => {
    const x = tableOf('x', { x: [1, 2, 3, 4, 5] })
    const y = numbers([1, 4, 2, 8, 5])
    const weighted = await boosting.fit(
      x,
      y,
      parse({ rounds: 7 }),
      context({ weights: Float64Array.of(1, 2, 1, 0, 2) }),
    )
    const rows = [0, 1, 1, 2, 4, 4]
    const repeated = await boosting.fit(
      selectRows(x, rows),
      numbers(rows.map((row) => y.values[row])),
      parse({ rounds: 7 }),
      context(),
    )
    const expected = await repeated.predict(x)
    for (const [row, value] of (await weighted.predict(x)).entries()) expect(value).toBeCloseTo(expected[row], 10)
  })

  it('undoes splits that gain less than gamma, and keeps the side weights above minChildWeight', async () => {
    const x = tableOf('x', { x: [1, 2, 3, 4] })
    const y = numbers([1, 1, 5, 7])
    const flat = await boosting.fit(x, y, parse({ rounds: 1, gamma: 100 }), context())
    expect(new Set(await flat.predict(x)).size).toBe(1)
    expect((await flat.predict(x))[0]).toBeCloseTo((0.3 * 14) / 5, 12)
    const halves = await boosting.fit(x, y, parse({ rounds: 1, minChildWeight: 2 }), context())
    expect(new Set(await halves.predict(x)).size).toBe(2)
    const shrunk = await boosting.fit(x, y, parse({ rounds: 1, alpha: 20 }), context())
    expect(Array.from(await shrunk.predict(x))).toEqual([0, 0, 0, 0])
  })
})

describe('columns', () => {
  const levels = ['a', 'b', 'c', 'd', 'new']
  const g = (labels: readonly (string | null)[]) => table('x', [categorical('g', labels, { levels })])
  const labels = [...'aabbbccdd']
  const y = numbers([...'aabbbccdd'].map((label) => (label === 'a' || label === 'c' ? 0 : 10)))

  it('splits sets of levels at once, and sends unseen levels to the larger side', async () => {
    const model = await boosting.fit(g(labels), y, parse({ rounds: 1, maxDepth: 1, smoothing: 0 }), context())
    const right = (0.3 * 50) / 6
    const predicted = Array.from(await model.predict(g(['a', 'b', 'c', 'd', 'new', null])))
    expect(predicted).toEqual([0, right, 0, right, right, right].map((value) => expect.closeTo(value, 10)))
  })

  it('splits off one level at a time with onehot, never the first, and unseen levels are none of them', async () => {
    const model = await boosting.fit(g(labels), y, parse({ rounds: 1, maxDepth: 1, categorical: 'onehot' }), context())
    const [a, b, c, d, unseen, missing] = await model.predict(g(['a', 'b', 'c', 'd', 'new', null]))
    // Without a or without c gains the same; a is the reference level.
    expect(c).toBe(0)
    expect(a).toBeCloseTo((0.3 * 50) / 8, 10)
    expect([b, d, unseen, missing]).toEqual([a, a, a, a])
  })

  it('learns where missing values go', async () => {
    const x = tableOf('x', { x: [1, 1, 2, 2, null, null] })
    const left = await boosting.fit(x, numbers([9, 9, 0, 0, 9, 9]), parse({ rounds: 1, maxDepth: 1 }), context())
    const [one, , two, , none] = await left.predict(x)
    expect(none).toBe(one)
    expect(two).not.toBe(one)
    const apart = await boosting.fit(x, numbers([0, 0, 0, 0, 9, 9]), parse({ rounds: 1, maxDepth: 1 }), context())
    const [p, , q, , r] = await apart.predict(x)
    expect(p).toBe(q)
    expect(r).toBeGreaterThan(1)
  })

  it('works on one row, one class, constant columns and absent classes', async () => {
    const one = tableOf('x', { a: [1], b: ['u'] })
    const single = await boosting.fit(one, classes(['k']), parse(), context())
    expect(Array.from(await single.predictProbabilities(one))).toEqual([1])
    expect((await (await boosting.fit(one, numbers([7]), parse(), context())).predict(one))[0]).toBeCloseTo(7, 1)
    const three = tableOf('x', { a: [1, 1, 1, 2], b: [null, null, null, null] })
    const model = await boosting.fit(three, classes([...'ppqq'], ['p', 'never', 'q']), parse(), context())
    const probabilities = await model.predictProbabilities(three)
    for (let row = 0; row < 4; row++) {
      expect(probabilities[3 * row + 1]).toBe(0)
      expect(probabilities[3 * row] + probabilities[3 * row + 2]).toBeCloseTo(1, 12)
    }
  })
})

function simulated(rows: number, seed = 3): { features: Table; y: number[] } {
  const random = stream(seed, 'boosting test')
  const draw = () => Array.from({ length: rows }, () => random.uniform())
  const [a, b, c] = [draw(), draw(), draw()]
  const g = a.map(() => random.below(6))
  const y = a.map((value, i) => 3 * value + (b[i] > 0.5 ? 1 : 0) + (g[i] % 2) + random.uniform())
  const features = table('x', [numeric('a', a), numeric('b', b), numeric('c', c), categorical('g', g.map(String))])
  return { features, y }
}

const thirds = (y: readonly number[]) => classes(y.map((value) => (value < 2 ? 'low' : value < 3.5 ? 'mid' : 'high')))

describe('boosting', () => {
  it('lowers the loss on training rows in every round', async () => {
    const { features, y } = simulated(200)
    const response = thirds(y)
    let last = Math.log(3)
    for (const rounds of [1, 2, 5, 10, 30]) {
      const model = await boosting.fit(features, response, parse({ rounds }), context())
      const p = await model.predictProbabilities(features)
      const loss = response.codes.reduce((sum, code, row) => sum - Math.log(p[3 * row + code]), 0) / 200
      expect(loss).toBeLessThan(last)
      last = loss
    }
  })

  it('has the same bits wherever it runs, and whatever the order of rows', async () => {
    const { features, y } = simulated(150)
    const elsewhere = shuffledRunner(4)
    const options = parse({ rounds: 15, rowFraction: 0.7, columnFraction: 0.6, earlyStopping: 5 })
    const here = await boosting.fit(features, thirds(y), options, context())
    const there = await boosting.fit(features, thirds(y), options, context({ tasks: elsewhere }))
    expect(await there.predictProbabilities(features)).toEqual(await here.predictProbabilities(features))
    expect(there.holdoutLoss).toEqual(here.holdoutLoss)
    const backwards = Array.from(y.keys()).reverse()
    const plain = await boosting.fit(features, numbers(y), parse({ rounds: 10 }), context())
    const reversed = await boosting.fit(
      selectRows(features, backwards),
      numbers(backwards.map((row) => y[row])),
      parse({ rounds: 10 }),
      context(),
    )
    expect(await reversed.predict(features)).toEqual(await plain.predict(features))
  })

  it('stops early and keeps the rounds that were best on the rows held out', async () => {
    const { features, y } = simulated(300)
    const options = parse({ rounds: 500, earlyStopping: 10, eta: 0.5 })
    const model = await boosting.fit(features, numbers(y), options, context())
    const best = model.holdoutLoss.indexOf(Math.min(...model.holdoutLoss))
    expect(model.rounds).toBe(best + 1)
    expect(model.holdoutLoss).toHaveLength(best + 11)
    expect(model.rounds).toBeLessThan(500)
  })

  it('starts from the prior if asked to', async () => {
    const { features, y } = simulated(100)
    const model = await boosting.fit(features, numbers(y), parse({ rounds: 1, base: 'prior', gamma: 1e9 }), context())
    const mean = y.reduce((sum, value) => sum + value, 0) / 100
    expect((await model.predict(features))[0]).toBeCloseTo(mean, 10)
    const shares = await boosting.fit(features, thirds(y), parse({ rounds: 1, base: 'prior', gamma: 1e9 }), context())
    const codes = thirds(y).codes
    const p = await shares.predictProbabilities(features)
    for (const k of [0, 1, 2]) expect(p[k]).toBeCloseTo(codes.filter((code) => code === k).length / 100, 10)
  })
})

/** Boosting by the definition: every cut of every column tried on the rows themselves. Two classes, numbers only. */
function exactGreedy(columns: readonly Float64Array[], y: readonly number[], rounds: number, depth: number): number[] {
  const margins = y.map(() => 0)
  for (let round = 0; round < rounds; round++) {
    const p = margins.map((margin) => 1 / (1 + Math.exp(-margin)))
    const G = (rows: readonly number[]) => rows.reduce((sum, row) => sum + p[row] - y[row], 0)
    const H = (rows: readonly number[]) => rows.reduce((sum, row) => sum + p[row] * (1 - p[row]), 0)
    const score = (rows: readonly number[]) => G(rows) ** 2 / (H(rows) + 1)
    const grow = (rows: readonly number[], left: number): void => {
      let best: { gain: number; left: number[]; right: number[] } = { gain: 1e-6, left: [], right: [] }
      for (const values of left > 0 ? columns : []) {
        for (const value of new Set(rows.map((row) => values[row]))) {
          const low = rows.filter((row) => values[row] <= value)
          const high = rows.filter((row) => values[row] > value)
          if (H(low) < 1 || H(high) < 1) continue
          const gain = score(low) + score(high) - score(rows)
          if (gain > best.gain) best = { gain, left: low, right: high }
        }
      }
      if (best.left.length > 0) {
        grow(best.left, left - 1)
        grow(best.right, left - 1)
      } else {
        const step = (-0.3 * G(rows)) / (H(rows) + 1)
        for (const row of rows) margins[row] += step
      }
    }
    grow(
      y.map((_, row) => row),
      depth,
    )
  }
  return margins
}

it('equals boosting by trying every cut', async () => {
  const { features, y } = simulated(80)
  const numeric = features.columns.flatMap((column) => (column.kind === 'numeric' ? [column] : []))
  const labels = y.map((value) => (value > 2.8 ? 1 : 0))
  const expected = exactGreedy(
    numeric.map((column) => column.values),
    labels,
    6,
    3,
  )
  const model = await boosting.fit(
    table('x', numeric),
    classes(labels.map(String)),
    parse({ rounds: 6, maxDepth: 3 }),
    context(),
  )
  const p = await model.predictProbabilities(table('x', numeric))
  for (const [row, margin] of expected.entries()) expect(p[2 * row + 1]).toBeCloseTo(1 / (1 + Math.exp(-margin)), 8)
})

describe.skipIf(reference() === undefined)('on Adult', () => {
  it('predicts held-out people as well with sets of levels as with dummies', async () => {
    const sample = await referenceTable('data', 'adult', 'adults_control.csv')
    const income = columnOf(sample, 'income') as CategoricalColumn
    const features = table(
      'x',
      sample.columns.filter((column: Column) => column.name !== 'income'),
    )
    const train = Array.from({ length: 6000 }, (_, row) => row)
    const test = Array.from({ length: sample.rows - 6000 }, (_, row) => row + 6000)
    const response: Classes = { kind: 'classes', codes: income.codes.slice(0, 6000), levels: income.levels }
    const logLoss = async (given: object) => {
      const model = await boosting.fit(selectRows(features, train), response, parse(given), context())
      const p = await model.predictProbabilities(selectRows(features, test))
      return test.reduce((sum, row, i) => sum - Math.log(p[2 * i + income.codes[row]]), 0) / test.length
    }
    const native = await logLoss({ eta: 0.1 })
    const dummies = await logLoss({ eta: 0.1, categorical: 'onehot' })
    expect(native).toBeLessThan(0.31)
    expect(Math.abs(native / dummies - 1)).toBeLessThan(0.03)
  })
})
