import {
  addShares,
  type BinnedColumns,
  descender,
  descendPermuted,
  type ForestResponse,
  type ForestRule,
  type ForestTree,
  forestGrower,
  forestSums,
  math,
  type TreeRows,
} from '@scrim/kernels'
import { z } from 'zod'
import { fixed, precise } from '../print.js'
import { permutation, sampleWithoutReplacement } from '../random/sampling.js'
import { type Stream, stream } from '../random/stream.js'
import { aliasTable, drawCategory, drawExponential } from '../stats/draws.js'
import { mean, variance } from '../stats/sums.js'
import type { Table } from '../table/table.js'
import { cut, type Task, type TaskRunner } from '../tasks/task.js'
import { type Binning, binColumns, type ColumnEncoding, levelsAsGiven, MOST_BINS, treeRows } from './coding/binning.js'
import { rankLevelsByResponse } from './coding/level-order.js'
import { presentClasses, trainingRows } from './coding/training-rows.js'
import {
  classModel,
  type FitContext,
  type Importance,
  type Learner,
  type Model,
  numberModel,
  type Response,
} from './learner.js'

/**
 * Random forest (Breiman 2001), with the rules and defaults of ranger (Wright and Ziegler 2017): each tree is grown on
 * rows drawn with replacement, each node tries mtry = floor(sqrt(columns)) columns drawn anew, numbers are cut half-way
 * between neighbouring values, `<=` goes left, and a node of at most `minNode` draws (10 for classes, 5 for numbers) or
 * with equal responses is a leaf. Classes: Gini; a leaf holds the shares of its draws, the forest their mean over trees
 * (Malley et al. 2012). Numbers: variance; means.
 *
 * Differences from ranger: levels without an order are cut in that of their mean response (Breiman et al. 1984; for more
 * classes see `rankLevelsByResponse`), once for all trees, instead of in that of their codes, so that names do not matter;
 * `categorical: 'order'` is ranger's default. The order knows the responses of all rows, so that where levels have few rows
 * the out-of-bag error is too good. Columns with more than `maxBins` values are cut at quantiles only; missing values are split
 * by the side that gains more (or apart from all others), and go where more draws went if the node had none; levels that
 * training did not see go where more draws went. Case weights are chances of being drawn.
 *
 * Tree t uses only the random stream t, and leaf values lie on a grid on which sums over trees are exact, so the forest
 * and all its numbers have the same bits however the trees are shared out.
 */
/** Fine enough that an attacker loses nothing in files of some thousand records, coarse enough to be fast in large ones. */
const DEFAULT_BINS = 4096

const options = z.object({
  trees: z.number().int().min(1).default(500).describe('how many trees'),
  mtry: z
    .union([z.literal('sqrt'), z.number().int().min(1)])
    .default('sqrt')
    .describe(
      'columns tried at each node: a number, or sqrt for the square root of the number of columns, rounded down',
    ),
  minNode: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('a node of at most so many draws is a leaf; 10 for classes and 5 for numbers if not given'),
  maxDepth: z.number().int().min(0).nullable().default(null).describe('most cuts on the way to a leaf; null for any'),
  replace: z.boolean().default(true).describe('draw rows with replacement'),
  sampleFraction: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe('draws per tree as a share of the rows; 1 with and 0.632 without replacement if not given'),
  categorical: z
    .enum(['target', 'order'])
    .default('target')
    .describe(
      'levels without an order are cut in that of their mean response, which no renaming changes, or in the order of the file (as ranger does)',
    ),
  maxBins: z
    .number()
    .int()
    .min(2)
    .max(MOST_BINS)
    .default(DEFAULT_BINS)
    .describe('a column with more different values is cut at so many quantiles'),
  importance: z
    .enum(['impurity', 'permutation'])
    .default('impurity')
    .describe('fall of the impurity by cuts in a column, or rise of the out-of-bag error when it is permuted (slower)'),
})

export type ForestOptions = z.output<typeof options>

const LEAF_DRAWS = { classes: 10, numbers: 5 }
const SUBSAMPLE = 0.632
/** Progress is reported at least this many times. */
const LEAST_CHUNKS = 20
const PREDICTION_CHUNKS = 4
const SMALLEST_PROBABILITY = 1e-15

export interface ForestModel extends Model {
  readonly outOfBag: OutOfBag
  readonly trees: readonly ForestTree[]
  /**
   * The leaf that each row falls into, for each tree: rows x trees, row after row. The proximity of two rows is the
   * share of trees in which they have the same leaf; give blocks of rows to keep memory in bounds.
   */
  leaves(features: Table): Int32Array
}

/** How well rows are predicted by the trees they were not drawn for. */
export interface OutOfBag {
  /** Numbers: one per row. Classes: rows x levels. NaN for rows that every tree has drawn, or that have no weight. */
  readonly predictions: Float64Array
  /** Rows with a prediction. The errors below are their weighted means; null where there is none, or another kind. */
  readonly rows: number
  /** Half the sum over classes of (p_k - 1{y = k})^2; for two classes (1 - p_y)^2, which ranger reports. */
  readonly brier: number | null
  /** -log p_y, with p_y at least 1e-15. */
  readonly logLoss: number | null
  readonly meanSquaredError: number | null
  /** 1 - mean squared error / variance of the response. */
  readonly rSquared: number | null
}

export const forest = {
  id: 'rf',
  title: 'Random forest',
  responses: ['classes', 'numbers'],
  options,
  async fit(training: Table, wanted: Response, chosen: ForestOptions, context: FitContext): Promise<ForestModel> {
    const { features, response, weights } = trainingRows(training, wanted, context.weights)
    const target = forestTarget(response, chosen.trees)
    const binning = binColumns(features, target.values.length, chosen.maxBins, (column) =>
      chosen.categorical === 'order' || column.ordered
        ? levelsAsGiven(column)
        : rankLevelsByResponse(column, response, weights),
    )
    const shared = growth(features, binning, target, response.kind, chosen, weights, context)
    const chunks = await context.tasks.map(
      growTrees,
      shared,
      cut(chosen.trees, Math.max(LEAST_CHUNKS, PREDICTION_CHUNKS * context.tasks.threads)),
      { progress: context.progress, signal: context.signal },
    )
    const trees = chunks.flatMap((chunk) => chunk.trees)
    const outOfBag = scoreOutOfBag(chunks, target, wanted, context.weights, weights)
    return {
      ...forestModel(trees, target, binning.encodings, wanted, context.tasks),
      outOfBag,
      trees,
      importance: meanImportance(chunks, binning.encodings),
      notes: notes(chosen, shared, trees, outOfBag),
    }
  },
} satisfies Learner<typeof options>

/** The response as trees see it. */
interface ForestTarget extends ForestResponse {
  /** Code of each class in the levels of the response; none for numbers. */
  readonly codes: Int32Array
  /** Subtracted from numbers, so that sums of squares do not cancel. */
  readonly centre: number
}

function forestTarget(response: Response, trees: number): ForestTarget {
  if (response.kind === 'classes') {
    const codes = presentClasses(response)
    const place = new Int32Array(response.levels.length)
    for (const [k, code] of codes.entries()) place[code] = k
    const values = new Float64Array(response.codes).map((code) => place[code])
    return { values, classes: codes.length, codes, centre: 0, grid: exactGrid(1, trees) }
  }
  const centre = mean(response.values) ?? 0
  const values = response.values.map((value) => value - centre)
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return { values, classes: 0, codes: new Int32Array(0), centre, grid: exactGrid(largest, trees) }
}

/** A power of two such that sums of `count` of its multiples of up to `largest` are exact. */
function exactGrid(largest: number, count: number): number {
  const magnitude = largest > 0 ? Math.ceil(math.log2(largest)) : 0
  return 2 ** (magnitude + Math.ceil(math.log2(count)) - 52)
}

interface Growth {
  readonly data: BinnedColumns
  readonly response: ForestResponse
  readonly rule: ForestRule
  readonly draws: number
  readonly replace: boolean
  readonly weights: Float64Array | null
  readonly seed: number
  readonly purpose: string
  /** The rows again, as finished trees read them; only for permutation importance. */
  readonly rows: TreeRows | null
}

function growth(
  features: Table,
  binning: Binning,
  target: ForestTarget,
  kind: Response['kind'],
  chosen: ForestOptions,
  weights: Float64Array | null,
  { seed, purpose, outOfBag = true }: FitContext,
): Growth {
  const { rows, columns } = binning.data
  const mtry = chosen.mtry === 'sqrt' ? Math.floor(Math.sqrt(columns)) : chosen.mtry
  const fraction = chosen.sampleFraction ?? (chosen.replace ? 1 : SUBSAMPLE)
  return {
    data: binning.data,
    response: { values: target.values, classes: target.classes, grid: target.grid },
    rule: {
      mtry: Math.max(1, Math.min(mtry, columns)),
      minNode: chosen.minNode ?? LEAF_DRAWS[kind],
      maxDepth: chosen.maxDepth ?? Number.MAX_SAFE_INTEGER,
      outOfBag: outOfBag || chosen.importance === 'permutation',
    },
    draws: Math.max(1, Math.floor(rows * fraction)),
    replace: chosen.replace,
    weights,
    seed,
    purpose,
    rows: chosen.importance === 'permutation' ? treeRows(features, binning.encodings) : null,
  }
}

interface Chunk {
  readonly trees: readonly ForestTree[]
  /** Sums over the trees of the chunk, as `forestSums`, but only over rows that a tree has not drawn; and how many trees. */
  readonly sums: Float64Array
  readonly counts: Int32Array
  /** Importance of each column, tree after tree; for permutations NaN where a tree has no rows to say. */
  readonly importance: Float64Array
}

export const growTrees: Task<Growth, { readonly from: number; readonly to: number }, Chunk> = {
  name: 'learners/grow-trees',
  run(shared, { from, to }) {
    const { data, response, rule } = shared
    const width = response.classes > 2 ? response.classes : 1
    const sums = new Float64Array(data.rows * width)
    const counts = new Int32Array(data.rows)
    const importance = new Float64Array((to - from) * data.columns)
    const grow = forestGrower(data, response, rule)
    const draw = rowDrawer(shared)
    const trees: ForestTree[] = []
    for (let t = from; t < to; t++) {
      const random = stream(shared.seed, `${shared.purpose}/tree`, t)
      const { tree, outOfBag, outOfBagLeaf, decrease } = grow(draw(random), random)
      trees.push(tree)
      if (width > 1) addAllShares(tree, outOfBagLeaf, outOfBag, width, sums, counts)
      else addValues(tree.value, outOfBagLeaf, outOfBag, sums, counts)
      const gains =
        shared.rows === null ? decrease : permutationImportance(shared, shared.rows, tree, outOfBag, outOfBagLeaf, t)
      importance.set(gains, (t - from) * data.columns)
    }
    return { trees, sums, counts, importance }
  },
}

/** Hot. */
function addValues(
  values: Float64Array,
  leaves: Int32Array,
  rows: Int32Array,
  sums: Float64Array,
  counts: Int32Array,
): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    sums[row] += values[leaves[i]]
    counts[row]++
  }
}

function addAllShares(
  tree: ForestTree,
  leaves: Int32Array,
  rows: Int32Array,
  classes: number,
  sums: Float64Array,
  counts: Int32Array,
): void {
  for (let i = 0; i < rows.length; i++) {
    addShares(tree, leaves[i], sums, rows[i] * classes)
    counts[rows[i]]++
  }
}

/** How often each row is drawn for a tree; the array is filled anew by every call. */
function rowDrawer({ data, draws, replace, weights }: Growth): (random: Stream) => Int32Array {
  const times = new Int32Array(data.rows)
  if (!replace) {
    return (random) => {
      times.fill(0)
      const rows =
        weights === null
          ? sampleWithoutReplacement(random, data.rows, draws)
          : weightedWithoutReplacement(random, weights, draws)
      for (const row of rows) times[row] = 1
      return times
    }
  }
  if (weights === null) {
    return (random) => {
      times.fill(0)
      random.countBelow(times, draws)
      return times
    }
  }
  const table = aliasTable(weights)
  return (random) => {
    times.fill(0)
    for (let i = 0; i < draws; i++) times[drawCategory(random, table)]++
    return times
  }
}

/** Efraimidis and Spirakis (2006): the rows with the smallest exponential waiting times at rates equal to the weights. */
function weightedWithoutReplacement(random: Stream, weights: Float64Array, draws: number): Int32Array {
  const waiting = weights.map((weight) => drawExponential(random, weight))
  const order = Int32Array.from(weights.keys()).sort((a, b) => waiting[a] - waiting[b] || a - b)
  return order.subarray(0, draws)
}

/**
 * How much the error on rows that a tree has not drawn rises when a column is permuted among them (Breiman 2001). The
 * error of a row is (1 - p_y)^2 for classes, as in ranger, and the squared error for numbers.
 */
function permutationImportance(
  { response, seed, purpose }: Growth,
  data: TreeRows,
  tree: ForestTree,
  rows: Int32Array,
  leaves: Int32Array,
  t: number,
): Float64Array {
  const rise = new Float64Array(data.columns)
  if (rows.length === 0) return rise.fill(Number.NaN)
  const random = stream(seed, `${purpose}/permutation`, t)
  const used = new Set(Array.from(tree.split).flatMap((split) => (split < 0 ? [] : [split >> 3])))
  const nodes = new Int32Array(rows.length)
  const plain = meanError(tree, leaves, rows, response)
  for (let column = 0; column < data.columns; column++) {
    const donors = permutation(random, rows.length).map((i) => rows[i])
    if (!used.has(column)) continue
    descendPermuted(tree, data, rows, donors, column, nodes)
    rise[column] = meanError(tree, nodes, rows, response) - plain
  }
  return rise
}

function meanError(tree: ForestTree, nodes: Int32Array, rows: Int32Array, { values, classes }: ForestResponse): number {
  const shares = new Float64Array(classes)
  let sum = 0
  for (let i = 0; i < rows.length; i++) {
    const value = tree.value[nodes[i]]
    const actual = values[rows[i]]
    let error = actual - value
    if (classes > 2) {
      shares.fill(0)
      addShares(tree, nodes[i], shares, 0)
      error = 1 - shares[actual]
    }
    sum += error * error
  }
  return sum / rows.length
}

function meanImportance(chunks: readonly Chunk[], encodings: readonly ColumnEncoding[]): Importance[] {
  const columns = encodings.length
  const sums = new Float64Array(columns)
  let trees = 0
  for (const { importance } of chunks) {
    for (let at = 0; at < importance.length; at += columns) {
      if (Number.isNaN(importance[at])) continue
      trees++
      for (let j = 0; j < columns; j++) sums[j] += importance[at + j]
    }
  }
  return encodings.map(({ name }, j) => ({ name, value: trees === 0 ? 0 : sums[j] / trees }))
}

interface Prediction {
  readonly data: TreeRows
  readonly classes: number
}

export const predictTrees: Task<Prediction, readonly ForestTree[], Float64Array> = {
  name: 'learners/predict-trees',
  run: ({ data, classes }, trees) => forestSums(trees, data, classes),
}

function forestModel(
  trees: readonly ForestTree[],
  target: ForestTarget,
  encodings: readonly ColumnEncoding[],
  response: Response,
  tasks: TaskRunner,
): Pick<ForestModel, 'predict' | 'predictProbabilities' | 'leaves'> {
  async function sums(features: Table): Promise<Float64Array> {
    const data = treeRows(features, encodings)
    const items = cut(trees.length, PREDICTION_CHUNKS * tasks.threads).map(({ from, to }) => trees.slice(from, to))
    return total(await tasks.map(predictTrees, { data, classes: target.classes }, items))
  }

  const predicting =
    response.kind === 'numbers'
      ? numberModel('a forest', async (features) =>
          (await sums(features)).map((sum) => sum / trees.length + target.centre),
        )
      : classModel(response.levels.length, async (features) =>
          probabilities(await sums(features), (_row) => trees.length, target, response.levels.length),
        )
  return {
    ...predicting,
    leaves(features) {
      const data = treeRows(features, encodings)
      const descend = descender(trees, data)
      const leaves = new Int32Array(data.rows * trees.length)
      for (const [t, tree] of trees.entries()) {
        const nodes = descend(tree)
        for (let row = 0; row < data.rows; row++) leaves[row * trees.length + t] = tree.child[nodes[row]]
      }
      return leaves
    },
  }
}

function total(parts: readonly Float64Array[]): Float64Array {
  const sums = parts[0].slice()
  for (const part of parts.slice(1)) for (let i = 0; i < sums.length; i++) sums[i] += part[i]
  return sums
}

/** Rows x levels from sums over `trees(row)` trees; NaN where that is none. */
function probabilities(
  sums: Float64Array,
  trees: (row: number) => number,
  { classes, codes }: ForestTarget,
  levels: number,
): Float64Array {
  const rows = classes > 2 ? sums.length / classes : sums.length
  const shares = new Float64Array(rows * levels)
  for (let row = 0; row < rows; row++) {
    const count = trees(row)
    if (count === 0) shares.fill(Number.NaN, row * levels, (row + 1) * levels)
    else if (classes > 2)
      for (let k = 0; k < classes; k++) shares[row * levels + codes[k]] = sums[row * classes + k] / count
    else {
      const second = classes === 2 ? sums[row] / count : 0
      shares[row * levels + codes[0]] = 1 - second
      if (classes === 2) shares[row * levels + codes[1]] = second
    }
  }
  return shares
}

/** Rows of weight 0 had been left out and get no prediction. */
function scoreOutOfBag(
  chunks: readonly Chunk[],
  target: ForestTarget,
  response: Response,
  weightsOfAll: Float64Array | null,
  weights: Float64Array | null,
): OutOfBag {
  const sums = total(chunks.map((chunk) => chunk.sums))
  const counts = new Int32Array(target.values.length)
  for (const chunk of chunks) for (let row = 0; row < counts.length; row++) counts[row] += chunk.counts[row]
  const levels = response.kind === 'classes' ? response.levels.length : 1
  const predictions =
    response.kind === 'classes'
      ? probabilities(sums, (row) => counts[row], target, levels)
      : sums.map((sum, row) => (counts[row] === 0 ? Number.NaN : sum / counts[row] + target.centre))
  const errors = meanErrors(predictions, counts, target, levels, weights)
  const scattered =
    weightsOfAll === null || counts.length === weightsOfAll.length
      ? predictions
      : scatter(predictions, weightsOfAll, levels)
  const rows = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0)
  if (rows === 0)
    return { predictions: scattered, rows, brier: null, logLoss: null, meanSquaredError: null, rSquared: null }
  if (response.kind === 'classes') {
    const { squared, logLoss } = errors
    return { predictions: scattered, rows, brier: squared / 2, logLoss, meanSquaredError: null, rSquared: null }
  }
  const spread = variance(target.values) ?? 0
  return {
    predictions: scattered,
    rows,
    brier: null,
    logLoss: null,
    meanSquaredError: errors.squared,
    rSquared: spread > 0 ? 1 - errors.squared / spread : null,
  }
}

function meanErrors(
  predictions: Float64Array,
  counts: Int32Array,
  { values, classes, codes, centre }: ForestTarget,
  levels: number,
  weights: Float64Array | null,
): { squared: number; logLoss: number } {
  let weight = 0
  let squared = 0
  let logLoss = 0
  for (let row = 0; row < counts.length; row++) {
    if (counts[row] === 0) continue
    const w = weights === null ? 1 : weights[row]
    weight += w
    if (classes === 0) {
      squared += w * (predictions[row] - centre - values[row]) ** 2
      continue
    }
    const actual = codes[values[row]]
    for (let k = 0; k < levels; k++) squared += w * (predictions[row * levels + k] - (k === actual ? 1 : 0)) ** 2
    logLoss -= w * math.log(Math.max(predictions[row * levels + actual], SMALLEST_PROBABILITY))
  }
  return { squared: squared / weight, logLoss: logLoss / weight }
}

function scatter(predictions: Float64Array, weights: Float64Array, width: number): Float64Array {
  const all = new Float64Array(weights.length * width).fill(Number.NaN)
  let from = 0
  for (let row = 0; row < weights.length; row++) {
    if (!(weights[row] > 0)) continue
    all.set(predictions.subarray(from, from + width), row * width)
    from += width
  }
  return all
}

function notes(chosen: ForestOptions, { rule }: Growth, trees: readonly ForestTree[], outOfBag: OutOfBag): string[] {
  const leaves = trees.reduce((sum, tree) => sum + (tree.split.length + 1) / 2, 0) / trees.length
  const { brier, meanSquaredError } = outOfBag
  return [
    `${chosen.trees} trees with ${fixed(leaves, 0)} leaves on average, ${rule.mtry} columns tried at each node`,
    ...(brier === null ? [] : [`out-of-bag Brier score ${precise(brier, 4)}`]),
    ...(meanSquaredError === null ? [] : [`out-of-bag mean squared error ${precise(meanSquaredError, 4)}`]),
  ]
}
