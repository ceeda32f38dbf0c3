import {
  type CartColumn,
  type CartNodes,
  cutBranches,
  growCartNodes,
  leafFrom,
  math,
  rankColumn,
  reachedNodes,
} from '@scrim/kernels'
import { z } from 'zod'
import { count } from '../print.js'
import type { Stream } from '../random/stream.js'
import { type Column, MISSING_CODE } from '../table/column.js'
import type { Table } from '../table/table.js'
import type { Task } from '../tasks/task.js'
import { trainingRows } from './coding/training-rows.js'
import type { FitContext, Importance, Learner, Model, Response } from './learner.js'

/**
 * Classification and regression trees (Breiman, Friedman, Olshen and Stone 1984), equal to R's rpart wherever no two
 * splits gain the same. Numbers: the split that lessens the squared error most; classes: the Gini impurity. Of splits
 * whose gains agree to a relative 1e-9 the first column's smallest cut is taken (rpart leaves that to rounding).
 *
 * Numbers, dates and ordered levels are cut half-way between neighbouring values. Unordered levels are ordered by the
 * mean response, or by class share for two classes, which finds the best of all partitions; for more classes all
 * partitions of up to 12 levels are tried, and above that the cuts along the first principal component of class shares.
 *
 * Missing values: a split is judged on the rows that have a value. Rows that have none, and levels that did not occur in
 * the node, go to the child of larger weight (the left one of equals). That is rpart without surrogate splits; rows all
 * of whose columns are missing are not left out. A tree is blind to effects that show only in combination (exclusive
 * or): it takes a step only if that step alone gains.
 */
export const MOST_DEPTH = 30

const options = z.object({
  minsplit: z.number().int().min(2).default(20).describe('fewest rows of a node that is split'),
  minbucket: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('fewest rows of a leaf; null for a third of minsplit, rounded'),
  cp: z
    .number()
    .min(0)
    .default(0.01)
    .describe('a split must lessen the risk by this share of the risk of the root, or it is undone'),
  maxDepth: z.number().int().min(0).max(MOST_DEPTH).default(MOST_DEPTH).describe('most splits on the way to a leaf'),
  collapse: z
    .enum(['risk', 'gain'])
    .default('risk')
    .describe(
      'classes: what cp is a share of; risk (wrong predictions, as rpart) undoes splits that change no prediction, gain (Gini impurity) keeps them',
    ),
  pruneTo: z
    .number()
    .min(0)
    .nullable()
    .default(null)
    .describe('after growing with cp, cut branches of this complexity or less; null for none'),
})

export type CartOptions = z.output<typeof options>

export const cart: Learner<typeof options> = {
  id: 'cart',
  title: 'Classification and regression tree',
  responses: ['classes', 'numbers'],
  options,
  async fit(features, response, chosen, { weights, tasks, progress, signal }: FitContext) {
    const training = trainingRows(features, response, weights)
    const [tree] = await tasks.map(growCartTask, { ...training, options: chosen }, [null], { progress, signal })
    return cartModel(tree)
  },
}

/**
 * A fitted tree: arrays over its nodes (see `CartNodes`; root, then left branch, then right branch), with plain values
 * only. `variable` counts the columns of `features`.
 */
export interface CartTree extends CartNodes {
  readonly response: Response['kind']
  /** Names of the classes; none for numbers. */
  readonly levels: readonly string[]
  readonly features: readonly CartFeature[]
  /** The smallest complexity of its splits: what it was grown with or pruned to. */
  readonly cp: number
}

interface CartFeature {
  readonly name: string
  /** Unordered levels; none where the feature is compared with a threshold (ordered levels count from 0). */
  readonly levels: readonly string[] | null
}

export interface CartGiven {
  /** Case weights; minsplit and minbucket count rows all the same. */
  readonly weights?: Float64Array | null
  /** What `presort` made of the same features, when several trees grow on them. */
  readonly presorted?: readonly CartColumn[]
}

/** Grows a tree. Deterministic: equal inputs give equal trees, bit by bit. */
export function growCart(
  features: Table,
  response: Response,
  chosen: Partial<CartOptions> = {},
  given: CartGiven = {},
): CartTree {
  return growTree(features, response, options.parse(chosen), given)
}

/** With all options, which are taken as they are. */
export function growTree(
  features: Table,
  response: Response,
  { minsplit, minbucket, cp, maxDepth, collapse, pruneTo }: CartOptions,
  { weights = null, presorted = presort(features) }: CartGiven = {},
): CartTree {
  if ((response.kind === 'classes' ? response.codes : response.values).length === 0) {
    throw new Error('no rows to learn from')
  }
  const nodes = growCartNodes(
    {
      columns: presorted,
      response:
        response.kind === 'numbers'
          ? { kind: 'numbers', values: response.values }
          : { kind: 'classes', codes: response.codes, classes: response.levels.length },
      weights,
    },
    { minsplit, minbucket: minbucket ?? Math.max(1, Math.round(minsplit / 3)), cp, maxDepth, collapse },
  )
  const tree: CartTree = {
    ...nodes,
    response: response.kind,
    levels: response.kind === 'classes' ? response.levels : [],
    features: features.columns.map((column) => ({
      name: column.name,
      levels: column.kind === 'categorical' && !column.ordered ? column.levels : null,
    })),
    cp,
  }
  return pruneTo === null ? tree : prune(tree, pruneTo)
}

interface CartWork {
  readonly features: Table
  readonly response: Response
  readonly weights: Float64Array | null
  readonly options: CartOptions
}

export const growCartTask: Task<CartWork, null, CartTree> = {
  name: 'learners/grow-cart',
  run: ({ features, response, weights, options: chosen }) => growTree(features, response, chosen, { weights }),
}

/** Each numeric column sorted: most of what a tree on many rows has to do only once for all trees on these features. */
export function presort(features: Table): CartColumn[] {
  return features.columns.map((column) =>
    column.kind === 'categorical' && !column.ordered
      ? { kind: 'leveled', codes: column.codes, levels: column.levels.length }
      : rankColumn(orderedValues(column)),
  )
}

/** Numbers as they are, ordered levels by their codes. */
function orderedValues(column: Column): Float64Array {
  if (column.kind !== 'categorical') return column.values
  return Float64Array.from(column.codes, (code) => (code === MISSING_CODE ? Number.NaN : code))
}

/**
 * The leaf that each row falls into, as an index of the tree's nodes. A value that is missing or did not occur where the
 * node was split goes to the heavier child; between two of equal weight to the left one, or by a coin if `random` is
 * given.
 */
export function leafOf(tree: CartTree, features: Table, random?: Stream): Int32Array {
  const columns = features.columns.map((column, j) =>
    tree.features[j].levels !== null && column.kind === 'categorical' ? column.codes : orderedValues(column),
  )
  const { nodes, undecided } = reachedNodes(tree, columns, features.rows)
  if (undecided > 0) {
    for (let row = 0; row < nodes.length; row++) {
      while (tree.variable[nodes[row]] >= 0) {
        const goesRight = random !== undefined && random.below(2) === 1
        nodes[row] = leafFrom(tree, columns, row, (goesRight ? tree.right : tree.left)[nodes[row]])
      }
    }
  }
  return nodes
}

/** The rows of the training data in a node, ascending if it is a leaf: its donors. A view, not a copy. */
export function leafRows(tree: CartTree, node: number): Int32Array {
  return tree.rows.subarray(tree.start[node], tree.start[node] + tree.n[node])
}

/** The nodes that are leaves, from left to right. */
export function leavesOf(tree: CartTree): Int32Array {
  return Int32Array.from(tree.variable.keys()).filter((node) => tree.variable[node] < 0)
}

/** The tree without the splits whose complexity is `cp` or less. */
export function prune(tree: CartTree, cp: number): CartTree {
  return { ...tree, ...cutBranches(tree, (node) => tree.complexity[node] <= cp), cp: Math.max(tree.cp, cp) }
}

export interface CartSize {
  /** The tree is the best one for costs per split from here up to the `cp` of the row before. */
  readonly cp: number
  readonly splits: number
  /** Risk of the leaves as a share of the root's. */
  readonly relativeError: number
}

/** The sequence of trees that pruning goes through, the root alone first; rpart's table of complexities. */
export function cpTable(tree: CartTree): CartSize[] {
  const { variable, complexity } = tree
  const inner = Array.from(variable.keys()).filter((node) => variable[node] >= 0)
  const costs = [...new Set(inner.map((node) => complexity[node]))].sort((a, b) => b - a)
  const sizes = costs.map((cp) => sizeAt(tree, cp, (node) => complexity[node] <= cp))
  if (inner.length === 0) return [{ cp: complexity[0], splits: 0, relativeError: 1 }]
  return [...sizes, sizeAt(tree, tree.cp, () => false)]
}

function sizeAt(
  { nodes, variable, left, right, risk }: CartTree,
  cp: number,
  isCut: (node: number) => boolean,
): CartSize {
  const reached = new Uint8Array(nodes)
  reached[0] = 1
  let splits = 0
  let error = 0
  for (let node = 0; node < nodes; node++) {
    if (reached[node] === 0) continue
    if (variable[node] < 0 || isCut(node)) error += risk[node]
    else {
      splits++
      reached[left[node]] = 1
      reached[right[node]] = 1
    }
  }
  return { cp, splits, relativeError: error / risk[0] }
}

/** By feature: the sum of what its splits lessened squared error or Gini impurity by. No credit for surrogates. */
export function cartImportance(tree: CartTree): Importance[] {
  const sums = new Float64Array(tree.features.length)
  for (let node = 0; node < tree.nodes; node++) {
    if (tree.variable[node] >= 0) sums[tree.variable[node]] += tree.improve[node]
  }
  return tree.features.map(({ name }, j) => ({ name, value: sums[j] }))
}

/** A tree as a model: the mean of the leaf, or its class shares. */
export function cartModel(tree: CartTree): Model {
  return {
    async predict(features) {
      return Float64Array.from(leafOf(tree, features), (leaf) => tree.value[leaf])
    },
    async predictProbabilities(features) {
      if (tree.response !== 'classes') throw new Error('a tree of numbers has no class probabilities')
      const { classes, counts, weight } = tree
      const probabilities = new Float64Array(features.rows * classes)
      for (const [row, leaf] of leafOf(tree, features).entries()) {
        for (let k = 0; k < classes; k++) probabilities[row * classes + k] = counts[leaf * classes + k] / weight[leaf]
      }
      return probabilities
    },
    importance: cartImportance(tree),
    notes: [`${count(leavesOf(tree).length, 'leaf', 'leaves')}, depth ${depthOf(tree)}`],
  }
}

/** Node k of a tree is floor(log2 k) splits below the root. */
function depthOf(tree: CartTree): number {
  let deepest = 1
  for (const number of tree.number) deepest = Math.max(deepest, number)
  return Math.floor(math.log2(deepest))
}
