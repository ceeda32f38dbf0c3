import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Stream, stream } from '../random/stream.js'
import { type Column, categorical, numeric } from '../table/column.js'
import { selectRows, type Table, table, tableOf } from '../table/table.js'
import { inline } from '../tasks/task.js'
import {
  type CartOptions,
  type CartTree,
  cart,
  cartImportance,
  cartModel,
  cpTable,
  growCart,
  leafOf,
  leafRows,
  leavesOf,
  presort,
  prune,
} from './cart.js'
import type { FitContext, Response } from './learner.js'

const SYNTHESIS = { minsplit: 15, minbucket: 5, cp: 1e-8 }

describe('small trees that can be checked by hand', () => {
  it('cuts once between two levels of the response', () => {
    const tree = growCart(numbersFrom(1, 20), numbers([...Array(10).fill(0), ...Array(10).fill(1)]), SYNTHESIS)
    expect(leavesOf(tree)).toHaveLength(2)
    expect(tree.threshold[0]).toBe(10.5)
    expect(tree.lessGoesLeft[0]).toBe(1)
  })

  it('does not split fewer rows than minsplit', () => {
    const fewer = growCart(numbersFrom(1, 14), numbers([...Array(7).fill(0), ...Array(7).fill(1)]), SYNTHESIS)
    const enough = growCart(numbersFrom(1, 15), numbers([...Array(7).fill(0), ...Array(8).fill(1)]), SYNTHESIS)
    expect(fewer.nodes).toBe(1)
    expect(enough.nodes).toBe(3)
    expect(enough.threshold[0]).toBe(7.5)
  })

  it('keeps an outlier with its neighbours in a leaf of minbucket rows', () => {
    const values = [...Array(19).keys()].map((k) => k + 1)
    const tree = growCart(numbersFrom(1, 20), numbers([...values, 1000]), SYNTHESIS)
    const donors = Array.from(leavesOf(tree), (leaf) => Array.from(leafRows(tree, leaf), (row) => row + 1))
    expect(donors).toEqual([
      [1, 2, 3, 4, 5, 6, 7],
      [8, 9, 10, 11, 12, 13, 14, 15],
      [16, 17, 18, 19, 20],
    ])
  })

  it('undoes a split that changes no prediction of a class, but not of a number', () => {
    const x = tableOf('x', { x: [...Array(40).fill(0), ...Array(40).fill(1)] })
    const y = [...Array(30).fill(0), ...Array(10).fill(1), ...Array(25).fill(0), ...Array(15).fill(1)]
    const ofNumbers = growCart(x, numbers(y), SYNTHESIS)
    expect(Array.from(ofNumbers.value.subarray(1))).toEqual([0.25, 0.375])
    expect(ofNumbers.complexity[0]).toBeCloseTo(0.0181818, 7)
    for (const cp of [1e-8, 0]) {
      const ofClasses = growCart(x, classes(y), { ...SYNTHESIS, cp })
      expect(ofClasses.nodes).toBe(1)
      expect(ofClasses.counts[1] / ofClasses.weight[0]).toBe(0.3125)
    }
    const kept = growCart(x, classes(y), { ...SYNTHESIS, collapse: 'gain' })
    expect(Array.from(leavesOf(kept), (leaf) => kept.counts[2 * leaf + 1] / kept.weight[leaf])).toEqual([0.25, 0.375])
    expect(kept.complexity[0]).toBeCloseTo(0.0181818, 7)
  })

  it('does not see an exclusive or', () => {
    const a = [...Array(80).keys()].map((k) => k % 2)
    const b = a.map((_, k) => (k >> 1) % 2)
    const y = a.map((bit, k) => bit ^ b[k])
    expect(growCart(tableOf('ab', { a, b }), numbers(y), SYNTHESIS).nodes).toBe(1)
    expect(growCart(tableOf('ab', { a, b }), classes(y), { ...SYNTHESIS, collapse: 'gain' }).nodes).toBe(1)
  })

  it('takes the first of equal columns, also when they are searched in different ways', () => {
    const x = [...Array(1000).keys()].map((k) => (k * 37) % 1000)
    const y = numbers(x.map((value) => value ** 1.5))
    const levels = x.map((value) => `l${String(value).padStart(4, '0')}`)
    for (const twins of [
      { x, twin: x, levels },
      { levels, x },
    ]) {
      expect(new Set(growCart(tableOf('twins', twins), y, SYNTHESIS).variable)).toEqual(new Set([0, -1]))
    }
  })
})

describe('the sixteen cells of the strong-attacker game', () => {
  const counts = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1]
  const records = counts.flatMap((count, cell) =>
    Array.from({ length: count }, () => [cell >> 3, (cell >> 2) & 1, (cell >> 1) & 1, cell & 1]),
  )
  const variable = (j: number) => records.map((record) => record[j])
  const leaves = (j: number, asFactors: boolean, { minbucket, cp }: { minbucket: number; cp: number }) => {
    const columns = [0, 1, 2, 3].slice(0, j).map((i) => {
      const values = variable(i)
      return asFactors ? categorical(`v${i}`, values.map(String)) : numeric(`v${i}`, values)
    })
    const response = asFactors ? classes(variable(j)) : numbers(variable(j))
    return leavesOf(growCart(table('cells', columns), response, { minsplit: 3 * minbucket, minbucket, cp })).length
  }
  const sequence = (asFactors: boolean, how: { minbucket: number; cp: number }) =>
    [1, 2, 3].map((j) => leaves(j, asFactors, how))

  it('coded as numbers: every combination is a leaf', () => {
    expect(sequence(false, { minbucket: 5, cp: 1e-8 })).toEqual([2, 4, 8])
  })

  it('coded as factors: 1, 2 and 6 leaves', () => {
    expect(sequence(true, { minbucket: 5, cp: 1e-8 })).toEqual([1, 2, 6])
  })

  it.each([
    [1, [2, 4, 8]],
    [67, [2, 4, 8]],
    [68, [2, 4, 7]],
    [75, [2, 4, 7]],
    [100, [2, 4, 4]],
    [200, [2, 2, 2]],
  ])('minbucket %i', (minbucket, expected) => {
    expect(sequence(false, { minbucket, cp: 1e-8 })).toEqual(expected)
  })

  it.each([
    [1e-4, [2, 4, 8]],
    [0.001, [2, 3, 7]],
    [0.005, [1, 3, 4]],
    [0.01, [1, 2, 4]],
    [0.02, [1, 1, 1]],
    [0.05, [1, 1, 1]],
  ])('cp %f', (cp, expected) => {
    expect(sequence(false, { minbucket: 5, cp })).toEqual(expected)
  })

  it('the first complexity of the last tree lies just below 0.02', () => {
    const features = tableOf('cells', { a: variable(0), b: variable(1), c: variable(2) })
    expect(cpTable(growCart(features, numbers(variable(3)), SYNTHESIS))[0].cp).toBeCloseTo(0.0191985, 7)
  })
})

describe('against a search of everything', () => {
  /** Levels ordered by the mean hold the best bipartition of all only where no side can be too small. */
  it.each(['numbers', 'two classes', 'three classes'] as const)('%s: no split of a node gains more', (kind) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.boolean(), fc.boolean(), (seed, weighted, missing) => {
        const random = stream(seed, 'cart-test')
        const rows = 8 + random.below(30)
        const features = randomTable(random, rows, missing ? 0.15 : 0)
        const response = randomResponse(random, features, kind)
        const weights = weighted ? Float64Array.from({ length: rows }, () => 0.2 + random.uniform()) : null
        const minbucket = kind === 'three classes' ? 1 + random.below(4) : 1
        const tree = growCart(features, response, { minsplit: 2 * minbucket, minbucket, cp: 0.001 }, { weights })
        for (let node = 0; node < tree.nodes; node++) {
          if (tree.variable[node] < 0) continue
          const best = bestGain(features, response, weights, leafRows(tree, node), minbucket)
          expect(Math.abs(tree.improve[node] - best)).toBeLessThan(1e-9 * (1 + best))
        }
        checkRows(tree, features)
      }),
      { numRuns: 150 },
    )
  })

  it.each([40, 9000])('the same leaves as growing everything and undoing what does not pay, %i rows', (rows) => {
    for (let seed = 1; seed <= (rows > 1000 ? 1 : 40); seed++) {
      const random = stream(seed, 'cart-test')
      const features = randomTable(random, rows, 0)
      const response = randomResponse(random, features, 'numbers')
      const minbucket = rows > 1000 ? 200 : 3
      const tree = growCart(features, response, { minsplit: 3 * minbucket, minbucket, cp: 1e-8 })
      const all = [...Array(rows).keys()]
      const expected = simpleLeaves(features, response, all, minbucket, 1e-8 * tree.risk[0]).leaves
      const leaves = Array.from(leavesOf(tree), (leaf) => Array.from(leafRows(tree, leaf)))
      const byFirst = (a: readonly number[], b: readonly number[]) => a[0] - b[0]
      expect(leaves.sort(byFirst)).toEqual(expected.sort(byFirst))
    }
  })

  it('many levels and classes: the principal component finds pure groups', () => {
    const groups = [...Array(400).keys()].map((k) => (k * 7) % 20)
    const tree = growCart(
      table('many', [
        categorical(
          'g',
          groups.map((g) => `l${String(g).padStart(2, '0')}`),
        ),
      ]),
      classes(groups.map((g) => g % 3)),
      { minsplit: 6, minbucket: 2, cp: 0 },
    )
    expect(leavesOf(tree)).toHaveLength(3)
    expect(Array.from(leavesOf(tree), (leaf) => tree.risk[leaf])).toEqual([0, 0, 0])
  })
})

describe('rows, leaves and values that were not there', () => {
  const features = table('f', [
    categorical('g', labels('aaaaaaaabbbbbbbbbbbbcccccccc', 'abcd'), { levels: ['a', 'b', 'c', 'd'] }),
  ])
  const y = numbers([...Array(8).fill(0), ...Array(12).fill(5), ...Array(8).fill(0.5)])
  const tree = growCart(features, y, { minsplit: 10, minbucket: 4 })

  it('a level that did not occur goes where more rows went', () => {
    expect(Array.from(tree.levelSide.subarray(0, 4))).toEqual([-1, 1, -1, 0])
    const unseen = table('new', [categorical('g', ['d', null, 'b'], { levels: ['a', 'b', 'c', 'd'] })])
    expect(Array.from(leafOf(tree, unseen))).toEqual([1, 1, 2])
  })

  it('between two children of equal weight the left one, or a coin', () => {
    const even = growCart(tableOf('x', { x: [1, 1, 1, 2, 2, 2] }), numbers([0, 0, 0, 1, 1, 1]), { minsplit: 2 })
    const missing = table('new', [numeric('x', Array(1000).fill(null))])
    expect(new Set(leafOf(even, missing))).toEqual(new Set([1]))
    const tossed = leafOf(even, missing, stream(1, 'coin')).reduce((right, leaf) => right + (leaf === 2 ? 1 : 0), 0)
    expect(Math.abs(tossed - 500)).toBeLessThan(60)
  })

  it('cuts between neighbouring doubles and infinities', async () => {
    const x = [
      ...Array(5).fill(-Infinity),
      ...Array(5).fill(1),
      ...Array(5).fill(1 + Number.EPSILON),
      ...Array(5).fill(Infinity),
    ]
    const response = numbers(x.map((value) => Math.sign(value) * (value > 1 ? (value === Infinity ? 9 : 5) : 1)))
    const grown = growCart(tableOf('x', { x }), response, { minsplit: 2, minbucket: 1, cp: 0 })
    expect(leavesOf(grown)).toHaveLength(4)
    expect(await cartModel(grown).predict(tableOf('x', { x }))).toEqual(
      response.kind === 'numbers' ? response.values : null,
    )
  })

  it('importance is what the splits of a column gained', () => {
    expect(cartImportance(tree)).toEqual([{ name: 'g', value: tree.improve[0] }])
    expect(tree.improve[0]).toBeCloseTo(tree.risk[0] - tree.risk[1] - tree.risk[2], 9)
  })
})

describe('ends of the range', () => {
  const options: Partial<CartOptions> = { minsplit: 2, minbucket: 1, cp: 0 }

  it.each([
    ['one row', tableOf('f', { x: [1] }), numbers([3])],
    ['one row of a class', tableOf('f', { x: [1] }), classes([0])],
    ['a constant response', numbersFrom(1, 30), numbers(Array(30).fill(2.5))],
    [
      'one class of three',
      numbersFrom(1, 30),
      { kind: 'classes', codes: new Int32Array(30).fill(1), levels: ['a', 'b', 'c'] },
    ],
    [
      'constant columns',
      tableOf('f', { x: Array(30).fill(1), g: Array(30).fill('a') }),
      numbers([...Array(30).keys()]),
    ],
    [
      'nothing but missing values',
      table('f', [numeric('x', Array(30).fill(null)), categorical('g', Array(30).fill(null))]),
      numbers([...Array(30).keys()]),
    ],
    ['no columns', { name: 'f', columns: [], rows: 30 }, numbers([...Array(30).keys()])],
  ] as readonly (readonly [string, Table, Response])[])('%s: the root alone', async (_, features, response) => {
    const tree = growCart(features, response, options)
    expect(tree.nodes).toBe(1)
    expect(cpTable(tree)).toHaveLength(1)
    const model = cartModel(tree)
    expect(Array.from(await model.predict(features)).every((value) => value === tree.value[0])).toBe(true)
    if (response.kind === 'classes') {
      const shares = await model.predictProbabilities(features)
      expect(Array.from(shares.subarray(0, tree.classes)).reduce((a, b) => a + b)).toBe(1)
    }
  })

  it('no rows are refused', () => {
    expect(() => growCart(tableOf('f', { x: [] }), numbers([]))).toThrow('no rows')
  })

  it('depth 0 is the root, depth 1 one split', () => {
    const y = numbers([...Array(30).keys()])
    expect(growCart(numbersFrom(1, 30), y, { ...options, maxDepth: 0 }).nodes).toBe(1)
    expect(growCart(numbersFrom(1, 30), y, { ...options, maxDepth: 1 }).nodes).toBe(3)
  })

  it('a weight counts as that many rows, but not for minbucket', () => {
    const x = [1, 2, 3, 4, 5, 6, 7, 8]
    const y = [1, 3, 2, 4, 8, 6, 9, 7]
    const weights = Float64Array.of(1, 2, 3, 1, 2, 1, 3, 1)
    const repeated = x.flatMap((_, k) => Array<number>(weights[k]).fill(k))
    const weighted = growCart(tableOf('f', { x }), numbers(y), options, { weights })
    const longer = growCart(tableOf('f', { x: repeated.map((k) => x[k]) }), numbers(repeated.map((k) => y[k])), options)
    expect(weighted.number).toEqual(longer.number)
    expect(weighted.threshold).toEqual(longer.threshold)
    for (let node = 0; node < longer.nodes; node++) {
      expect(weighted.weight[node]).toBe(longer.n[node])
      expect(weighted.risk[node]).toBeCloseTo(longer.risk[node], 10)
    }
  })
})

describe('the fitted tree', () => {
  const random = stream(3, 'cart-test')
  const features = randomTable(random, 12_000, 0.05)
  const response = randomResponse(random, features, 'three classes')

  it('is a plain value', () => {
    const tree = growCart(features, response, SYNTHESIS)
    expect(structuredClone(tree)).toEqual(tree)
  })

  it('is the same from columns sorted before', () => {
    const presorted = presort(features)
    const once = growCart(features, response, SYNTHESIS, { presorted })
    expect(growCart(features, response, SYNTHESIS, { presorted })).toEqual(once)
    expect(growCart(features, response, SYNTHESIS)).toEqual(once)
  })

  it('drops each training row into the leaf that holds it, also when pruned', () => {
    const tree = growCart(features, response, { ...SYNTHESIS, collapse: 'gain' })
    expect(tree.nodes).toBeGreaterThan(1000)
    checkRows(tree, features)
    const smaller = prune(tree, 1e-3)
    expect(smaller.nodes).toBeLessThan(tree.nodes)
    checkRows(smaller, features)
    expect(growCart(features, response, { ...SYNTHESIS, collapse: 'gain', pruneTo: 1e-3 })).toEqual(smaller)
  })

  it('ordered levels are cut like numbers', () => {
    const labels = [...Array(40).keys()].map((k) => 'abcd'[k % 4])
    const ordered = table('o', [categorical('g', labels, { ordered: true })])
    const tree = growCart(ordered, numbers(labels.map((label) => (label === 'b' ? 1 : 0))), { minsplit: 2 })
    expect(tree.threshold[0]).toBe(1.5)
    expect(Array.from(leafOf(tree, selectRows(ordered, [0, 1, 2]))).map((leaf) => tree.value[leaf])).toEqual([0, 1, 0])
  })

  it('fits as a learner, leaving out rows of weight 0', async () => {
    const weights = Float64Array.from({ length: features.rows }, (_, row) => row % 2)
    const odd = [...Array(features.rows).keys()].filter((row) => row % 2 === 1)
    const context: FitContext = {
      random: (purpose, index) => stream(1, purpose, index),
      seed: 1,
      purpose: 'test',
      tasks: inline,
      weights,
    }
    const half: Response =
      response.kind === 'classes'
        ? { ...response, codes: Int32Array.from(odd, (row) => response.codes[row]) }
        : response
    const model = await cart.fit(features, response, cart.options.parse({}), context)
    const other = await cart.fit(selectRows(features, odd), half, cart.options.parse({}), { ...context, weights: null })
    expect(await model.predictProbabilities(features)).toEqual(await other.predictProbabilities(features))
    expect(model.notes).toEqual(other.notes)
  })
})

function numbers(values: readonly number[]): Response {
  return { kind: 'numbers', values: Float64Array.from(values) }
}

function classes(codes: readonly number[]): Response {
  const count = Math.max(...codes) + 1
  return { kind: 'classes', codes: Int32Array.from(codes), levels: [...Array(count).keys()].map((k) => `class ${k}`) }
}

function numbersFrom(first: number, last: number): Table {
  return tableOf('x', { x: Array.from({ length: last - first + 1 }, (_, k) => first + k) })
}

function labels(text: string, known: string): string[] {
  return [...text].filter((label) => known.includes(label))
}

/** Two continuous columns, a coarse one, and levels. */
function randomTable(random: Stream, rows: number, missing: number): Table {
  const cells = <T>(draw: () => T) => Array.from({ length: rows }, () => (random.uniform() < missing ? null : draw()))
  return table('random', [
    numeric('a', cells(random.uniform)),
    categorical(
      'g',
      cells(() => 'pqrstu'[random.below(6)]),
      { levels: [...'pqrstu'] },
    ),
    numeric(
      'few',
      cells(() => random.below(5)),
    ),
    numeric('b', cells(random.uniform)),
  ])
}

function randomResponse(random: Stream, features: Table, kind: 'numbers' | 'two classes' | 'three classes'): Response {
  const signal = (column: Column, row: number) =>
    column.kind === 'categorical'
      ? (column.codes[row] % 3) / 2
      : Number.isNaN(column.values[row])
        ? 0
        : column.values[row]
  const scores = Array.from({ length: features.rows }, (_, row) =>
    features.columns.reduce((sum, column) => sum + signal(column, row), 2 * random.uniform()),
  )
  if (kind === 'numbers') return numbers(scores)
  const count = kind === 'two classes' ? 2 : 3
  const codes = scores.map((score) => Math.max(0, Math.min(count - 1, Math.floor(score * 0.8 + random.uniform()) - 1)))
  return { kind: 'classes', codes: Int32Array.from(codes), levels: ['x', 'y', 'z'].slice(0, count) }
}

/** Every training row falls into the leaf that lists it, and the leaves list each row once. */
function checkRows(tree: CartTree, features: Table): void {
  const leaf = leafOf(tree, features)
  let listed = 0
  for (const node of leavesOf(tree)) {
    const rows = leafRows(tree, node)
    listed += rows.length
    expect(rows).toEqual(rows.toSorted())
    for (const row of rows) expect(leaf[row]).toBe(node)
  }
  expect(listed).toBe(features.rows)
}

/** The largest gain of all splits of some rows: all thresholds, all bipartitions of levels. */
function bestGain(
  features: Table,
  response: Response,
  weights: Float64Array | null,
  rows: ArrayLike<number>,
  minbucket: number,
): number {
  const gains = features.columns.flatMap((column) => {
    const present = Array.from(rows).filter((row) => codeOf(column, row) !== null)
    return bipartitions(column, present).flatMap((isLeft) => {
      const left = present.filter((row) => isLeft(row))
      const right = present.filter((row) => !isLeft(row))
      if (left.length < minbucket || right.length < minbucket) return []
      return [present, left, right].map((part) => impurity(response, weights, part)).reduce((gain, part) => gain - part)
    })
  })
  return Math.max(0, ...gains)
}

function codeOf(column: Column, row: number): number | null {
  const value = column.kind === 'categorical' ? column.codes[row] : column.values[row]
  return Number.isNaN(value) || (column.kind === 'categorical' && value < 0) ? null : value
}

function bipartitions(column: Column, rows: readonly number[]): ((row: number) => boolean)[] {
  const code = (row: number) => codeOf(column, row) ?? 0
  const values = [...new Set(rows.map(code))].sort((a, b) => a - b)
  if (column.kind !== 'categorical') return values.slice(1).map((cut) => (row) => code(row) < cut)
  return Array.from({ length: 2 ** Math.max(0, values.length - 1) - 1 }, (_, k) => (row) => {
    return (((k + 1) >> values.indexOf(code(row))) & 1) === 1
  })
}

/** Squared error or Gini impurity, by their definitions. */
function impurity(response: Response, weights: Float64Array | null, rows: readonly number[]): number {
  const weight = (row: number) => (weights === null ? 1 : weights[row])
  const total = rows.reduce((sum, row) => sum + weight(row), 0)
  if (response.kind === 'numbers') {
    const mean = rows.reduce((sum, row) => sum + weight(row) * response.values[row], 0) / total
    return rows.reduce((sum, row) => sum + weight(row) * (response.values[row] - mean) ** 2, 0)
  }
  return response.levels
    .map((_, k) => rows.reduce((sum, row) => sum + (response.codes[row] === k ? weight(row) : 0), 0) / total)
    .reduce((sum, share) => sum + total * share * (1 - share), 0)
}

/** Grows as far as possible, then keeps a branch only if its risk and alpha per split are less than the node's risk. */
function simpleLeaves(
  features: Table,
  response: Response,
  rows: readonly number[],
  minbucket: number,
  alpha: number,
): { leaves: number[][]; risk: number } {
  const risk = impurity(response, null, rows)
  const leaf = { leaves: [[...rows]], risk }
  if (rows.length < 3 * minbucket || response.kind !== 'numbers') return leaf
  let best = { gain: 0, left: [] as number[], right: [] as number[] }
  for (const column of features.columns) {
    const order = orderForCuts(column, response.values, rows)
    let sum = 0
    const total = rows.reduce((all, row) => all + response.values[row], 0)
    for (let k = 1; k < order.length; k++) {
      sum += response.values[order[k - 1]]
      if (codeOf(column, order[k]) === codeOf(column, order[k - 1])) continue
      if (k < minbucket || order.length - k < minbucket) continue
      const gain = sum ** 2 / k + (total - sum) ** 2 / (order.length - k) - total ** 2 / order.length
      if (gain > best.gain * (1 + 1e-9)) best = { gain, left: order.slice(0, k), right: order.slice(k) }
    }
  }
  if (best.gain <= 0) return leaf
  const ascending = (some: readonly number[]) => some.toSorted((a, b) => a - b)
  const left = simpleLeaves(features, response, ascending(best.left), minbucket, alpha)
  const right = simpleLeaves(features, response, ascending(best.right), minbucket, alpha)
  const leaves = [...left.leaves, ...right.leaves]
  const branchRisk = left.risk + right.risk
  return risk > branchRisk + alpha * (leaves.length - 1) ? { leaves, risk: branchRisk } : leaf
}

/** By value, or by the mean response of the level. */
function orderForCuts(column: Column, y: Float64Array, rows: readonly number[]): number[] {
  const key = new Map<number, number>()
  for (const code of new Set(rows.map((row) => codeOf(column, row) ?? 0))) {
    const same = column.kind === 'categorical' ? rows.filter((row) => codeOf(column, row) === code) : []
    key.set(code, same.length === 0 ? code : same.reduce((sum, row) => sum + y[row], 0) / same.length)
  }
  const place = (row: number) => key.get(codeOf(column, row) ?? 0) ?? 0
  return rows.toSorted((a, b) => place(a) - place(b))
}

it('finds the same tree of two classes with weights of 1, which take another way', () => {
  const random = stream(4, 'two classes')
  const rows = 600
  const maybe = <T>(value: T) => (random.uniform() < 0.1 ? null : value)
  const data = tableOf('data', {
    age: Array.from({ length: rows }, () => maybe(random.below(70))),
    income: Array.from({ length: rows }, () => maybe(random.uniform())),
    region: Array.from({ length: rows }, () => maybe('abcdefghij'[random.below(10)])),
    sex: Array.from({ length: rows }, () => 'fm'[random.below(2)]),
  })
  const codes = Int32Array.from({ length: rows }, () => random.below(2))
  const response: Response = { kind: 'classes', codes, levels: ['no', 'yes'] }
  const options = { cp: 0, minbucket: 4, minsplit: 12 }
  const tree = growCart(data, response, options)
  expect(tree.nodes).toBeGreaterThan(20)
  expect(tree).toEqual(growCart(data, response, options, { weights: new Float64Array(rows).fill(1) }))
})
