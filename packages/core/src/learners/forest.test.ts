import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import type { CategoricalColumn, NumericColumn } from '../table/column.js'
import { categorical, numeric } from '../table/column.js'
import { columnOf, selectRows, type Table, table, tableOf } from '../table/table.js'
import { inline, type TaskRunner } from '../tasks/task.js'
import { reference, referenceJson, referenceTable } from '../testing/reference.js'
import { shuffledRunner } from '../testing/shuffled-runner.js'
import { forest } from './forest.js'
import type { Classes, FitContext, Numbers } from './learner.js'

function context(given: Partial<FitContext> = {}): FitContext {
  const seed = given.seed ?? 1
  return { random: (p, index) => stream(seed, p, index), seed, purpose: 'test', tasks: inline, weights: null, ...given }
}

const numbers = (values: readonly number[]): Numbers => ({ kind: 'numbers', values: Float64Array.from(values) })

function classes(labels: readonly string[], levels = [...new Set(labels)].sort()): Classes {
  return { kind: 'classes', codes: Int32Array.from(labels, (label) => levels.indexOf(label)), levels }
}

/** Every row once, all columns at each node: a forest of one tree that can be followed by hand. */
const oneTree = (more: object = {}) =>
  forest.options.parse({ trees: 1, mtry: 99, minNode: 1, replace: false, sampleFraction: 1, ...more })

describe('one tree', () => {
  it('cuts half-way between the values that separate best', async () => {
    const x = tableOf('x', { x: [1, 2, 4, 8] })
    const model = await forest.fit(x, numbers([0, 0, 10, 10]), oneTree(), context())
    const at = tableOf('at', { x: [2.99, 3, 3.01, -100, 100] })
    expect(Array.from(await model.predict(at))).toEqual([0, 0, 10, 0, 10])
    expect(model.importance).toEqual([{ name: 'x', value: 100 }])
  })

  it('stops at minNode draws and gives shares', async () => {
    const x = tableOf('x', { x: [1, 2, 3, 4, 5] })
    const y = classes(['a', 'a', 'b', 'b', 'b'])
    const whole = await forest.fit(x, y, oneTree({ minNode: 5 }), context())
    expect(Array.from(await whole.predictProbabilities(selectRows(x, [0])))).toEqual([
      expect.closeTo(0.4, 12),
      expect.closeTo(0.6, 12),
    ])
    const split = await forest.fit(x, y, oneTree({ minNode: 4 }), context())
    expect(Array.from(await split.predict(x))).toEqual([0, 0, 1, 1, 1])
  })

  it('splits even where nothing is gained, as ranger does', async () => {
    const x = tableOf('x', { a: [0, 0, 1, 1], b: [0, 1, 0, 1] })
    const model = await forest.fit(x, classes(['n', 'y', 'y', 'n']), oneTree(), context())
    expect(Array.from(await model.predict(x))).toEqual([0, 1, 1, 0])
  })

  it('sends missing values where they gain most, or keeps them apart', async () => {
    const x = tableOf('x', { x: [1, 2, 3, 4, null, null] })
    const right = await forest.fit(x, numbers([0, 0, 9, 9, 9, 9]), oneTree(), context())
    expect(Array.from(await right.predict(x))).toEqual([0, 0, 9, 9, 9, 9])
    const apart = await forest.fit(x, numbers([0, 0, 0, 0, 9, 9]), oneTree(), context())
    expect(Array.from(await apart.predict(x))).toEqual([0, 0, 0, 0, 9, 9])
    const threeClasses = await forest.fit(x, classes(['a', 'a', 'b', 'b', 'c', 'c']), oneTree(), context())
    expect(Array.from(await threeClasses.predict(x))).toEqual([0, 0, 1, 1, 2, 2])
  })

  it('sends what training did not see where more draws went', async () => {
    const levels = ['a', 'b', 'c', 'new']
    const x = table('x', [categorical('g', ['a', 'b', 'b', 'c', 'c'], { levels })])
    const model = await forest.fit(x, numbers([1, 5, 5, 5, 5]), oneTree(), context())
    const at = table('at', [categorical('g', ['a', 'c', 'new', null], { levels })])
    expect(Array.from(await model.predict(at))).toEqual([1, 5, 5, 5])
  })

  it('orders levels by the response, so that one cut separates them', async () => {
    const x = table('x', [categorical('g', ['a', 'b', 'c', 'd'])])
    const y = numbers([0, 9, 0, 9])
    const byTarget = oneTree({ maxDepth: 1 })
    expect(Array.from(await (await forest.fit(x, y, byTarget, context())).predict(x))).toEqual([0, 9, 0, 9])
    const asGiven = await forest.fit(x, y, oneTree({ categorical: 'order', maxDepth: 1 }), context())
    expect(Array.from(await asGiven.predict(x))).not.toEqual([0, 9, 0, 9])
    const three = classes(['p', 'q', 'p', 'r'])
    const model = await forest.fit(x, three, oneTree(), context())
    expect(Array.from(await model.predict(x))).toEqual([0, 1, 0, 2])
  })

  it('finds the same tree as trying everything', async () => {
    await fc.assert(
      fc.asyncProperty(smallTables(), async ({ columns, y, kind }) => {
        const x = table(
          'x',
          columns.map((values, j) => numeric(`x${j}`, values)),
        )
        const response = kind === 'numbers' ? numbers(y) : classes(y.map(String), ['0', '1', '2', '3'].slice(0, kind))
        const model = await forest.fit(x, response, oneTree({ minNode: 2 }), context())
        const order = columnOrder(columns.length)
        const expected = y.map((_, row) => bruteForce(columns, y, kind, order, row))
        const fitted = kind === 'numbers' ? await model.predict(x) : (await model.predictProbabilities(x)).map((p) => p)
        expect(fitted.length).toBe(expected.flat().length)
        for (const [i, value] of expected.flat().entries()) expect(fitted[i]).toBeCloseTo(value, 10)
      }),
      { numRuns: 150 },
    )
  })
})

/** Different roots, whose sums differ, so that gains tie only when the halves are the same or mirrored. */
function smallTables() {
  return fc
    .record({ rows: fc.integer({ min: 1, max: 9 }), kind: fc.constantFrom<'numbers' | 2 | 3>('numbers', 2, 3) })
    .chain(({ rows, kind }) =>
      fc.record({
        kind: fc.constant(kind),
        columns: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: rows, maxLength: rows }), {
          minLength: 1,
          maxLength: 1,
        }),
        y:
          kind === 'numbers'
            ? fc
                .uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: rows, maxLength: rows })
                .map((values) => values.map((v) => Math.sqrt(v + 0.37)))
            : fc.array(fc.integer({ min: 0, max: kind - 1 }), { minLength: rows, maxLength: rows }),
      }),
    )
}

const columnOrder = (columns: number) => Array.from({ length: columns }, (_, j) => j)

/** Prediction for one row of the tree that the definition gives: a class distribution, or one number. */
function bruteForce(
  columns: readonly (readonly number[])[],
  y: readonly number[],
  kind: 'numbers' | 2 | 3,
  order: readonly number[],
  row: number,
): number[] {
  const mean = (rows: readonly number[]) => rows.reduce((sum, r) => sum + y[r], 0) / rows.length
  const share = (rows: readonly number[], k: number) => rows.filter((r) => y[r] === k).length / rows.length
  const levels = kind === 'numbers' ? [] : columnOrder(kind)
  const impurity = (rows: readonly number[]) =>
    kind === 'numbers'
      ? rows.reduce((sum, r) => sum + (y[r] - mean(rows)) ** 2, 0)
      : rows.length * levels.reduce((sum, k) => sum + share(rows, k) * (1 - share(rows, k)), 0)
  let rows = y.map((_, r) => r)
  for (;;) {
    if (rows.length <= 2 || rows.every((r) => y[r] === y[rows[0]])) break
    let best: { score: number; left: number[]; right: number[] } | undefined
    for (const j of order) {
      const values = [...new Set(rows.map((r) => columns[j][r]))].sort((a, b) => a - b)
      for (const value of values.slice(0, -1)) {
        const left = rows.filter((r) => columns[j][r] <= value)
        const right = rows.filter((r) => columns[j][r] > value)
        const score = -impurity(left) - impurity(right)
        if (best === undefined || score > best.score + 1e-9) best = { score, left, right }
      }
    }
    if (best === undefined) break
    rows = best.left.includes(row) ? best.left : best.right
  }
  return kind === 'numbers' ? [mean(rows)] : levels.map((k) => share(rows, k))
}

/** Three numbers, two of them with signal, and a level. */
function simulated(rows: number, seed = 3): { features: Table; y: number[] } {
  const random = stream(seed, 'forest test')
  const draw = () => Array.from({ length: rows }, () => random.uniform())
  const [a, b, c] = [draw(), draw(), draw()]
  const g = a.map(() => random.below(4))
  const y = a.map((value, i) => 3 * value + (b[i] > 0.5 ? 1 : 0) + (g[i] % 2) + 0.3 * random.uniform())
  const features = table('x', [numeric('a', a), numeric('b', b), numeric('c', c), categorical('g', g.map(String))])
  return { features, y }
}

const thirds = (y: readonly number[]) => classes(y.map((value) => (value < 1.5 ? 'low' : value < 3 ? 'mid' : 'high')))

describe('a forest', () => {
  it('has the same bits on any number of threads', async () => {
    const { features, y } = simulated(120)
    for (const response of [numbers(y), thirds(y), classes(y.map((value) => (value < 2 ? 'low' : 'high')))]) {
      const options = forest.options.parse({ trees: 37, importance: 'permutation', maxBins: 32 })
      const weights = Float64Array.from(y, (value) => 1 + Math.floor(value))
      const on = async (tasks: TaskRunner) => {
        const model = await forest.fit(features, response, options, context({ tasks, weights }))
        const predicted =
          response.kind === 'classes' ? await model.predictProbabilities(features) : await model.predict(features)
        return { predicted, outOfBag: model.outOfBag, importance: model.importance, trees: model.trees }
      }
      const one = await on(inline)
      expect(await on(shuffledRunner(4))).toEqual(one)
      expect(await on(shuffledRunner(9))).toEqual(one)
    }
  })

  it('has the same trees where nobody asks about rows that were not drawn', async () => {
    const { features, y } = simulated(120)
    const options = forest.options.parse({ trees: 20 })
    const fit = (outOfBag: boolean) => forest.fit(features, thirds(y), options, { ...context(), outOfBag })
    const [asked, silent] = [await fit(true), await fit(false)]
    expect(silent.trees).toEqual(asked.trees)
    expect(silent.importance).toEqual(asked.importance)
    expect([asked.outOfBag.rows, silent.outOfBag.rows]).toEqual([120, 0])
  })

  it('gives probabilities that sum to 1, also for classes that do not occur', async () => {
    const { features, y } = simulated(150)
    const response = { ...thirds(y), levels: ['high', 'low', 'mid', 'never'] }
    const model = await forest.fit(features, response, forest.options.parse({ trees: 20 }), context())
    const probabilities = await model.predictProbabilities(features)
    for (let row = 0; row < features.rows; row++) {
      const own = probabilities.subarray(4 * row, 4 * row + 4)
      expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
      expect(own[3]).toBe(0)
    }
  })

  it('sees only the order of numbers', async () => {
    const { features, y } = simulated(200)
    const bent = table(
      'x',
      features.columns.map((column) =>
        column.kind === 'numeric'
          ? numeric(
              column.name,
              column.values.map((value) => Math.exp(5 * value)),
            )
          : column,
      ),
    )
    const options = forest.options.parse({ trees: 25, replace: false, sampleFraction: 1 })
    const plain = await forest.fit(features, numbers(y), options, context())
    const other = await forest.fit(bent, numbers(y), options, context())
    expect(await other.predict(bent)).toEqual(await plain.predict(features))
    expect(other.importance).toEqual(plain.importance)
  })

  it('scores rows out of bag as it predicts new rows', async () => {
    const { features, y } = simulated(300)
    const last = Float64Array.from(y, (_, row) => (row < 200 ? 1 : 1e-300))
    for (const response of [numbers(y), thirds(y)]) {
      const options = forest.options.parse({ trees: 10, maxBins: 300 })
      const model = await forest.fit(features, response, options, context({ weights: last }))
      const width = response.kind === 'classes' ? 3 : 1
      const predicted =
        response.kind === 'classes' ? await model.predictProbabilities(features) : await model.predict(features)
      const outOfBag = model.outOfBag.predictions.subarray(200 * width)
      for (const [i, p] of predicted.subarray(200 * width).entries()) expect(outOfBag[i]).toBeCloseTo(p, 12)
    }
  })

  it('numbers the leaves of each tree, for proximities', async () => {
    const x = tableOf('x', { x: [1, 2, 4, 8] })
    const model = await forest.fit(x, numbers([0, 0, 10, 10]), { ...oneTree(), trees: 2 }, context())
    const leaves = model.leaves(tableOf('at', { x: [0, 1.5, 9] }))
    expect(Array.from(leaves)).toEqual([0, 0, 0, 0, 1, 1])
  })

  it('ranks columns by what they tell', async () => {
    const { features, y } = simulated(400)
    for (const importance of ['impurity', 'permutation'] as const) {
      const model = await forest.fit(
        features,
        numbers(y),
        forest.options.parse({ trees: 60, importance, mtry: 2 }),
        context(),
      )
      const values = Object.fromEntries(model.importance.map(({ name, value }) => [name, value]))
      expect(values.a).toBeGreaterThan(values.b)
      expect(values.b).toBeGreaterThan(values.c)
      if (importance === 'permutation') expect(Math.abs(values.c)).toBeLessThan(values.b / 10)
    }
  })

  it('draws rows by their weights', async () => {
    const { features, y } = simulated(150)
    const twice = selectRows(features, [...y.keys(), ...y.keys()])
    const weights = Float64Array.from(y, (_, row) => (row % 3 === 0 ? 0 : 1))
    const kept = Array.from(y.keys()).filter((row) => weights[row] > 0)
    const options = forest.options.parse({ trees: 400, mtry: 2 })
    const weighted = await forest.fit(features, numbers(y), options, context({ weights }))
    const without = await forest.fit(selectRows(features, kept), numbers(kept.map((row) => y[row])), options, context())
    const predictions = await weighted.predict(features)
    expect(Array.from(weighted.outOfBag.predictions).filter(Number.isNaN)).toHaveLength(50)
    const close = (a: Float64Array, b: Float64Array, tolerance: number) =>
      expect(Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0) / a.length)).toBeLessThan(tolerance)
    close(predictions, await without.predict(features), 0.06)
    const heavy = Float64Array.from([...y, ...y], (_, row) => (row < y.length ? 1 : 1e-9))
    const once = await forest.fit(
      twice,
      numbers([...y, ...y]),
      { ...options, sampleFraction: 0.5 },
      context({ weights: heavy }),
    )
    close(
      await once.predict(features),
      await (await forest.fit(features, numbers(y), options, context())).predict(features),
      0.06,
    )
  })

  it('works on one row, one class, constant columns and missing columns', async () => {
    const one = tableOf('x', { a: [1], b: ['u'] })
    const options = forest.options.parse({ trees: 3 })
    expect(Array.from(await (await forest.fit(one, numbers([7]), options, context())).predict(one))).toEqual([7])
    const same = await forest.fit(one, classes(['k']), options, context())
    expect(Array.from(await same.predictProbabilities(one))).toEqual([1])
    expect(same.outOfBag.brier).toBeNull()
    const dull = tableOf('x', { a: [1, 1, 1], b: [null, null, null] })
    const model = await forest.fit(dull, classes(['p', 'q', 'p']), options, context())
    expect((await model.predictProbabilities(dull)).every((p) => p >= 0 && p <= 1)).toBe(true)
  })

  it('keeps its precision far from zero', async () => {
    const { features, y } = simulated(200)
    const options = forest.options.parse({ trees: 20 })
    const near = await (await forest.fit(features, numbers(y), options, context())).predict(features)
    const far = await (await forest.fit(features, numbers(y.map((v) => v + 1e9)), options, context())).predict(features)
    const squares = near.reduce((sum, value, row) => sum + (far[row] - 1e9 - value) ** 2, 0)
    expect(Math.sqrt(squares / 200)).toBeLessThan(0.02)
  })
})

describe.skipIf(reference() === undefined)('beside ranger 0.14.1, 2,000 trees', () => {
  interface Golden {
    readonly forest: {
      readonly binary_oob_brier: number
      readonly regression_oob_mse: number
      readonly regression_oob_r2: number
    }
  }

  it('has the same out-of-bag error within Monte Carlo error', async () => {
    const data = await referenceTable('golden', 'learners', 'data.csv')
    const golden = (referenceJson('golden', 'learners', 'models.json') as Golden).forest
    const features = table(
      'x',
      ['x1', 'x2', 'x3', 'g', 'h'].map((name) => columnOf(data, name)),
    )
    const { codes, levels } = columnOf(data, 'b') as CategoricalColumn
    const { values } = columnOf(data, 'y') as NumericColumn
    const options = forest.options.parse({ trees: 2000, maxBins: 400, categorical: 'order' })
    const binary = await forest.fit(features, { kind: 'classes', codes, levels }, options, context())
    const regression = await forest.fit(features, { kind: 'numbers', values }, options, context())
    expect(Math.abs((binary.outOfBag.brier ?? 0) / golden.binary_oob_brier - 1)).toBeLessThan(0.01)
    expect(Math.abs((regression.outOfBag.meanSquaredError ?? 0) / golden.regression_oob_mse - 1)).toBeLessThan(0.02)
    expect(regression.outOfBag.rSquared).toBeCloseTo(golden.regression_oob_r2, 2)
  })
})
