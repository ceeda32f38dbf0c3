import { descender } from './descent.js'
import type { ForestResponse } from './forest-cuts.js'
import { wasmForestGrower } from './forest-growth.js'
import { plainForestGrower } from './plain-forest.js'
import type { BinnedColumns, Tree, TreeRows } from './tree.js'

/**
 * Growing one tree of a random forest (Breiman 2001; rules as in ranger, Wright and Ziegler 2017): at each node `mtry`
 * columns are drawn, and the cut that lowers the impurity most is taken, even when it lowers it by nothing. A node is a
 * leaf when it holds at most `minNode` draws, when its responses are all equal, or when no drawn column has two values.
 * Missing values go to the side that lowers the impurity more, or stay on a side of their own; where the node has none,
 * they will go where more draws went.
 */
export interface ForestRule {
  readonly mtry: number
  readonly minNode: number
  readonly maxDepth: number
  /** Whether rows that a tree has not drawn are sent down to its leaves too. */
  readonly outOfBag: boolean
}

/**
 * The `value` of a leaf is its mean for numbers and the share of class 1 for two classes. For several classes leaf l
 * has the classes and shares at start[l] to start[l + 1] - 1; there are none otherwise.
 */
export interface ForestTree extends Tree {
  readonly start: Int32Array
  readonly classes: Uint16Array
  readonly shares: Float64Array
}

export interface GrownTree {
  readonly tree: ForestTree
  /** The rows that were not drawn, and the leaf of each, as a node. Valid until the next tree is grown. */
  readonly outOfBag: Int32Array
  readonly outOfBagLeaf: Int32Array
  /** How much each column lowered the impurity, summed over its cuts. */
  readonly decrease: Float64Array
}

/** Where a tree has its random numbers from. */
export interface Random {
  /** A whole number in [0, 2^32). */
  readonly uint32: () => number
  /** A whole number in [0, n), of one such number or more as Lemire's method wants them. */
  readonly below: (n: number) => number
}

/** Grows a tree on rows drawn so many times each. It may take more random numbers than it needs. */
export type Grow = (draws: Int32Array, random: Random) => GrownTree

/** In WebAssembly, or in plain TypeScript, which gives the same bits. A grower is to be used up before the next one is asked for. */
export function forestGrower(data: BinnedColumns, response: ForestResponse, rule: ForestRule): Grow {
  return wasmForestGrower(data, response, rule) ?? plainForestGrower(data, response, rule)
}

/** What is copied for the kernel stays small beside a large table. */
const ROWS_AT_ONCE = 2 ** 17

function rowsFrom({ columns, values, unseen }: TreeRows, from: number, to: number): TreeRows {
  return {
    rows: to - from,
    columns,
    values: values.subarray(from * columns, to * columns),
    unseen: unseen?.subarray(from * columns, to * columns) ?? null,
  }
}

/**
 * Sums over trees of what they predict for each row: numbers or the share of class 1, one per row; for several classes
 * one per row and class. Exact, since all leaf values are multiples of one power of two.
 */
export function forestSums(trees: readonly ForestTree[], data: TreeRows, classes: number): Float64Array {
  const width = classes > 2 ? classes : 1
  const sums = new Float64Array(data.rows * width)
  for (let from = 0; from < data.rows; from += ROWS_AT_ONCE) {
    const block = rowsFrom(data, from, Math.min(data.rows, from + ROWS_AT_ONCE))
    const descend = descender(trees, block)
    for (const tree of trees) {
      const nodes = descend(tree)
      if (width === 1) {
        const { value } = tree
        for (let row = 0; row < block.rows; row++) sums[from + row] += value[nodes[row]]
      } else for (let row = 0; row < block.rows; row++) addShares(tree, nodes[row], sums, (from + row) * width)
    }
  }
  return sums
}

/** Adds the class shares of a leaf to `sums` at `at`. */
export function addShares(tree: ForestTree, node: number, sums: Float64Array, at: number): void {
  const leaf = tree.child[node]
  const end = tree.start[leaf + 1]
  for (let i = tree.start[leaf]; i < end; i++) sums[at + tree.classes[i]] += tree.shares[i]
}
