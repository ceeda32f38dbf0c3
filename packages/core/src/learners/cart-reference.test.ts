import { describe, expect, it } from 'vitest'
import type { CategoricalColumn, NumericColumn } from '../table/column.js'
import { columnOf, selectRows, type Table, table } from '../table/table.js'
import { reference, referenceJson, referenceTable } from '../testing/reference.js'
import { type CartTree, cartModel, growCart } from './cart.js'
import type { Response } from './learner.js'

interface RpartNode {
  readonly node: number
  readonly n: number
  readonly weight: number
  readonly deviance: number
  readonly yval: number
  readonly complexity: number
  readonly counts?: readonly number[]
  readonly variable?: string
  readonly improve?: number
  readonly threshold?: number
  readonly lessGoes?: 'left' | 'right'
  readonly left?: string | readonly string[]
  readonly right?: string | readonly string[]
}

interface RpartCase {
  readonly formula: string
  readonly minbucket: number
  readonly minsplit: number
  readonly cp: number
  readonly leaves: number
  readonly tree: readonly RpartNode[]
  readonly predictions_first10: readonly (number | readonly number[])[]
}

const DIGITS = 1e-9

describe.skipIf(reference() === undefined)('cart beside rpart 4.1.19', async () => {
  if (reference() === undefined) return
  const data = await referenceTable('golden', 'learners', 'data.csv')
  const cases = Object.entries(referenceJson('golden', 'learners', 'rpart-4.1.19.json') as Record<string, RpartCase>)

  it('has six trees to compare', () => expect(cases).toHaveLength(6))

  describe.each(cases)('%s', (_, expected) => {
    const [target, predictors] = expected.formula.split(' ~ ')
    const features = table(
      'features',
      predictors.split('+').map((name) => columnOf(data, name)),
    )
    const { minsplit, minbucket, cp } = expected
    const tree = growCart(features, responseOf(data, target), { minsplit, minbucket, cp })

    it('grows the same tree, node by node', () => {
      expect(Array.from(tree.number)).toEqual(expected.tree.map(({ node }) => node))
      for (const [node, one] of expected.tree.entries()) {
        expect(tree.n[node]).toBe(one.n)
        expect(tree.weight[node]).toBe(one.weight)
        expect(relative(tree.risk[node], one.deviance)).toBeLessThan(DIGITS)
        expect(relative(tree.complexity[node], one.complexity)).toBeLessThan(DIGITS)
        expect(relative(tree.value[node] + (tree.response === 'classes' ? 1 : 0), one.yval)).toBeLessThan(DIGITS)
        if (one.counts !== undefined) expect(countsOf(tree, node)).toEqual(one.counts)
        expect(splitOf(tree, node)).toEqual(rpartSplit(one))
        if (one.variable === undefined) continue
        const improve = tree.response === 'numbers' ? tree.improve[node] / tree.risk[node] : tree.improve[node]
        expect(relative(improve, one.improve ?? 0)).toBeLessThan(DIGITS)
        if (one.threshold !== undefined) expect(relative(tree.threshold[node], one.threshold)).toBeLessThan(DIGITS)
      }
      expect(expected.leaves).toBe((tree.nodes + 1) / 2)
    })

    it('predicts the same', async () => {
      const first = selectRows(features, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      const model = cartModel(tree)
      const predicted =
        tree.response === 'numbers' ? await model.predict(first) : await model.predictProbabilities(first)
      const wanted = expected.predictions_first10.flat()
      expect(predicted).toHaveLength(wanted.length)
      for (const [k, value] of wanted.entries()) expect(predicted[k]).toBeCloseTo(value, 11)
    })
  })
})

function responseOf(data: Table, name: string): Response {
  const column = columnOf(data, name) as NumericColumn | CategoricalColumn
  return column.kind === 'numeric'
    ? { kind: 'numbers', values: column.values }
    : { kind: 'classes', codes: column.codes, levels: column.levels }
}

function countsOf(tree: CartTree, node: number): number[] {
  return Array.from(tree.counts.subarray(node * tree.classes, (node + 1) * tree.classes))
}

interface Split {
  readonly variable?: string | undefined
  readonly lessGoes?: string | undefined
  readonly left?: readonly string[] | undefined
  readonly right?: readonly string[] | undefined
}

function splitOf(tree: CartTree, node: number): Split {
  if (tree.variable[node] < 0) return {}
  const { name, levels } = tree.features[tree.variable[node]]
  if (levels === null) return { variable: name, lessGoes: tree.lessGoesLeft[node] === 1 ? 'left' : 'right' }
  const side = (wanted: number) => levels.filter((_, k) => tree.levelSide[tree.levelStart[node] + k] === wanted)
  return { variable: name, left: side(-1), right: side(1) }
}

function rpartSplit({ variable, lessGoes, left, right }: RpartNode): Split {
  if (variable === undefined) return {}
  if (lessGoes !== undefined) return { variable, lessGoes }
  return { variable, left: [left ?? []].flat(), right: [right ?? []].flat() }
}

function relative(value: number, expected: number): number {
  return Math.abs(value - expected) / Math.max(Math.abs(expected), 1e-6)
}
