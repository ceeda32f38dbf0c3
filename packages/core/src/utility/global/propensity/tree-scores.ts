import { type CartNodes, type CartWorkspace, growCartNodes } from '@scrim/kernels'
import { growCart, leafRows, leavesOf, MOST_DEPTH, presort } from '../../../learners/cart.js'
import { forest } from '../../../learners/forest.js'
import { fitContext, type Response } from '../../../learners/learner.js'
import type { Context } from '../../../measure.js'
import { permutation } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { median } from '../../../stats/quantile.js'
import { type Column, categorical, countMissing, isMissing, MISSING_CODE } from '../../../table/column.js'
import { type Table, table } from '../../../table/table.js'
import { cut, type Task } from '../../../tasks/task.js'

/**
 * Propensity scores by a tree or a forest, which find combinations that nobody thought of.
 *
 *   cart    the share of released records in the leaf, of the records that the tree was grown on, as synthpop's utility.gen
 *           (cp 1e-3) and riskutility's pMSE (cp 1e-8) have it
 *   forest  the mean over trees that have not seen the record, grown until leaves are pure, as randomForest in riskutility
 *
 * Neither has degrees of freedom, and both tell files apart that do not differ: a tree because it is grown on the same
 * records, a forest because its scores scatter. What that amounts to is found by permuting the labels and fitting again.
 */
export interface TreeOptions {
  readonly cp: number
  /** Fewest records of a leaf, and of a node that is split. */
  readonly minbucket: number
  readonly minsplit: number
}

/** rpart's minsplit where only minbucket is given, as in synthpop's utility.gen. */
export const splitFrom = (minbucket: number): number => 3 * minbucket

/** Missing as a level, or as a column of its own beside a number that is filled by the median. */
export function treeFeatures(pooled: Table): Table {
  return table(
    pooled.name,
    pooled.columns.flatMap((column): Column[] => {
      if (countMissing(column) === 0) return [column]
      if (column.kind === 'categorical') {
        const codes = column.codes.map((code) => (code === MISSING_CODE ? column.levels.length : code))
        return [{ ...column, codes, levels: [...column.levels, '(missing)'] }]
      }
      const fill = median(column.values.filter((value) => !Number.isNaN(value))) ?? 0
      const labels = Array.from(column.values, (_, row) => (isMissing(column, row) ? 'yes' : 'no'))
      return [
        { ...column, values: column.values.map((value) => (Number.isNaN(value) ? fill : value)) },
        categorical(`${column.name} (missing)`, labels),
      ]
    }),
  )
}

const labelsOf = (originals: number, rows: number): Int32Array =>
  Int32Array.from({ length: rows }, (_, row) => (row < originals ? 0 : 1))
const asResponse = (codes: Int32Array): Response => ({ kind: 'classes', codes, levels: ['original', 'released'] })

export function cartScores(features: Table, originals: number, options: TreeOptions) {
  return treeScores(features, labelsOf(originals, features.rows), options)
}

function treeScores(features: Table, labels: Int32Array, options: TreeOptions) {
  const tree = growCart(features, asResponse(labels), options)
  const scores = new Float64Array(features.rows)
  const leaves = leavesOf(tree)
  for (const leaf of leaves) {
    const rows = leafRows(tree, leaf)
    let released = 0
    for (const row of rows) released += labels[row]
    for (const row of rows) scores[row] = released / rows.length
  }
  const gains = new Float64Array(features.columns.length)
  for (let node = 0; node < tree.nodes; node++)
    if (tree.variable[node] >= 0) gains[tree.variable[node]] += tree.improve[node]
  const importance = features.columns.map(({ name }, j) => ({ name, value: gains[j] }))
  return { scores, leaves: leaves.length, importance }
}

interface Permutations extends TreeOptions {
  readonly features: Table
  readonly originals: number
  readonly seed: number
  readonly purpose: string
}

/** pMSE of trees on permuted labels. Columns are sorted and cut into cells once for all of them. */
export const permutedCart: Task<Permutations, { readonly from: number; readonly to: number }, Float64Array> = {
  name: 'utility/permuted-cart',
  run({ features, originals, seed, purpose, cp, minbucket, minsplit }, { from, to }) {
    const columns = presort(features)
    const workspace: CartWorkspace = {}
    const control = { cp, minbucket, minsplit, maxDepth: MOST_DEPTH, collapse: 'risk' } as const
    const labels = labelsOf(originals, features.rows)
    const codes = new Int32Array(labels.length)
    return Float64Array.from({ length: to - from }, (_, k) => {
      const order = permutation(stream(seed, purpose, from + k), labels.length)
      for (let row = 0; row < codes.length; row++) codes[row] = labels[order[row]]
      const response = { kind: 'classes', codes, classes: 2 } as const
      return leafMeanSquare(growCartNodes({ columns, response, weights: null, workspace }, control), originals)
    })
  },
}

/** Σ over leaves of n (share - c)² / N: what the records of a leaf have in common is counted once. */
function leafMeanSquare({ nodes, variable, n, counts }: CartNodes, originals: number): number {
  const c = 1 - originals / n[0]
  let sum = 0
  for (let node = 0; node < nodes; node++)
    if (variable[node] < 0) sum += n[node] * (counts[2 * node + 1] / n[node] - c) ** 2
  return sum / n[0]
}

export async function permutedCartPmse(
  features: Table,
  originals: number,
  options: TreeOptions,
  permutations: number,
  { tasks, seed, signal, progress }: Context,
): Promise<number[]> {
  const shared = { ...options, features, originals, seed, purpose: 'pmse/permuted labels' }
  const chunks = await tasks.map(permutedCart, shared, cut(permutations, 4 * tasks.threads), { signal, progress })
  return chunks.flatMap((chunk) => [...chunk])
}

/** Out-of-bag shares of released records; c for a record that every tree has seen. */
export async function forestScores(
  features: Table,
  originals: number,
  trees: number,
  context: Context,
  draw: number | null = null,
) {
  const labels = labelsOf(originals, features.rows)
  const used =
    draw === null
      ? labels
      : permutation(context.random('permuted labels', draw), labels.length).map((row) => labels[row])
  const options = forest.options.parse({ trees, minNode: 1 })
  const fitted = await forest.fit(
    features,
    asResponse(used),
    options,
    fitContext({ ...context, progress: undefined }, `pmse/forest ${draw ?? 'observed'}`),
  )
  const c = 1 - originals / features.rows
  const scores = Float64Array.from({ length: features.rows }, (_, row) => {
    const score = fitted.outOfBag.predictions[2 * row + 1]
    return Number.isNaN(score) ? c : score
  })
  return { scores, leaves: 0, importance: fitted.importance }
}
