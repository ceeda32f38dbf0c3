import {
  addBoosted,
  type BinnedColumns,
  type BoostedTree,
  type BoostingRule,
  boostingGrower,
  math,
  roundToGrid,
  type SplitKind,
} from '@scrim/kernels'
import { z } from 'zod'
import { sampleWithoutReplacement, split } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { sharesOfLogs } from '../stats/log-scale.js'
import { weightedMean } from '../stats/sums.js'
import type { Table } from '../table/table.js'
import { cut, type Task } from '../tasks/task.js'
import {
  type Binning,
  BYTE_BINS,
  binColumns,
  type ColumnEncoding,
  levelsAsGiven,
  MOST_BINS,
  treeRows,
} from './coding/binning.js'
import { ranksByAppearance } from './coding/level-order.js'
import { presentClasses, trainingRows } from './coding/training-rows.js'
import { classModel, type FitContext, type Learner, type Model, numberModel, type Response } from './learner.js'

/**
 * Gradient boosting of trees (Friedman 2001), in the second-order form and with the defaults of xgboost (Chen and
 * Guestrin 2016): 100 rounds, eta 0.3, depth 6, lambda 1. Losses: squared error for numbers, logistic for two classes,
 * softmax with one tree per class and round for more, with gradient p - 1{y = k} and Hessian p (1 - p), for softmax
 * 2 p (1 - p). Margins start at 0. Case weights multiply gradient and Hessian.
 *
 * Splits are found on histograms; a column with at most `maxBins` values loses nothing. Categorical columns are split as
 * sets of levels, ordered in each node by G / (H + smoothing), and their gain is penalised by smoothing too, as LightGBM
 * does (Ke et al. 2017; its cat_smooth and cat_l2, both 10); `onehot` splits off one level at a time instead, without
 * more penalty, as xgboost does on dummies with the first level as reference. Ordered levels are cut as
 * numbers. Missing values go to the side that gains more (with `onehot`, to the others). Where a node had none, and for
 * levels that it did not see, it is the side that got more rows.
 *
 * Gradients are rounded to a grid on which sums are exact (about 1e-10 of the largest gradient for a million rows), so
 * the model does not depend on the order of additions.
 */
const options = z.object({
  rounds: z.number().int().min(1).default(100).describe('how many rounds, or the most with early stopping'),
  eta: z.number().gt(0).max(1).default(0.3).describe('share of each tree that is added'),
  maxDepth: z.number().int().min(1).max(30).default(6).describe('most splits on the way to a leaf'),
  minChildWeight: z.number().min(0).default(1).describe('least sum of Hessians on each side of a split'),
  lambda: z.number().min(0).default(1).describe('squared penalty on leaf values'),
  alpha: z.number().min(0).default(0).describe('absolute penalty on leaf values'),
  gamma: z.number().min(0).default(0).describe('splits that gain less are undone, from the leaves up'),
  rowFraction: z.number().gt(0).max(1).default(1).describe('share of the rows drawn for each round'),
  columnFraction: z.number().gt(0).max(1).default(1).describe('share of the columns drawn for each tree'),
  base: z
    .enum(['zero', 'prior'])
    .default('zero')
    .describe('margins start at 0, or at the mean or the class shares of training'),
  earlyStopping: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'stop when the loss on rows held out has not fallen for so many rounds, and keep the best; null for never',
    ),
  holdoutFraction: z.number().gt(0).lt(1).default(0.2).describe('share of the rows held out for early stopping'),
  categorical: z
    .enum(['native', 'onehot'])
    .default('native')
    .describe('split sets of levels, or one level at a time as on dummies'),
  smoothing: z
    .number()
    .min(0)
    .default(10)
    .describe('added to H when levels are ordered by G / H, and to lambda in the gain of such splits'),
  maxBins: z
    .number()
    .int()
    .min(2)
    .max(MOST_BINS)
    .default(BYTE_BINS)
    .describe('a column with more different values is cut at so many quantiles'),
})

export type BoostingOptions = z.output<typeof options>

/** Rounds are run in so many pieces, between which progress is reported and a cancelled run stops. */
const PIECES = 10

export interface BoostingModel extends Model {
  /** Rounds kept. */
  readonly rounds: number
  /** Mean loss on the rows held out, after each round; empty without early stopping. */
  readonly holdoutLoss: readonly number[]
}

export const boosting = {
  id: 'gbm',
  title: 'Gradient boosting',
  responses: ['classes', 'numbers'],
  options,
  async fit(training: Table, wanted: Response, chosen: BoostingOptions, context: FitContext): Promise<BoostingModel> {
    const { features, response, weights } = trainingRows(training, wanted, context.weights)
    const target = boostingTarget(response, weights, chosen.base)
    const binning = binColumns(features, target.values.length, chosen.maxBins, (column) =>
      chosen.categorical === 'onehot' || column.ordered
        ? levelsAsGiven(column)
        : ranksByAppearance(column.codes, column.levels.length),
    )
    const shared = boost(features, binning, target, chosen, weights, context)
    const boosted = await runRounds(shared, chosen, context)
    return {
      ...boostingModel(boosted.trees, target, binning.encodings, wanted),
      rounds: boosted.rounds,
      holdoutLoss: boosted.holdoutLoss,
      importance: binning.encodings.map(({ name }, j) => ({
        name,
        value: boosted.trees.reduce((sum, { gain }) => sum + gain[j], 0),
      })),
      notes: [`${boosted.rounds} rounds of ${target.margins} tree${target.margins === 1 ? '' : 's'}`],
    }
  },
} satisfies Learner<typeof options>

type Loss = 'squared' | 'logistic' | 'softmax'

interface BoostingTarget {
  readonly loss: Loss
  /** The number, or the class as a number from 0 on. */
  readonly values: Float64Array
  /** Margins per row: 1, or one per class for softmax; 0 when there is one class only and nothing to learn. */
  readonly margins: number
  readonly base: Float64Array
  /** Code of each class in the levels of the response; none for numbers. */
  readonly codes: Int32Array
}

function boostingTarget(
  response: Response,
  weights: Float64Array | null,
  base: BoostingOptions['base'],
): BoostingTarget {
  if (response.kind === 'numbers') {
    const { values } = response
    const average = weightedMean(values, weights ?? new Float64Array(values.length).fill(1)) ?? 0
    const start = Float64Array.of(base === 'prior' ? average : 0)
    return { loss: 'squared', values, margins: 1, base: start, codes: new Int32Array(0) }
  }
  const place = ranksByAppearance(response.codes, response.levels.length)
  const codes = presentClasses(response).sort((a, b) => place[a] - place[b])
  const values = Float64Array.from(response.codes, (code) => place[code])
  const logs = new Float64Array(codes.length)
  for (let row = 0; row < values.length; row++) logs[values[row]] += weights === null ? 1 : weights[row]
  for (let k = 0; k < logs.length; k++) logs[k] = base === 'prior' ? math.log(logs[k]) : 0
  if (codes.length > 2) return { loss: 'softmax', values, margins: codes.length, base: centred(logs), codes }
  const margins = codes.length - 1
  return { loss: 'logistic', values, margins, base: logs.slice(1).map((log) => log - logs[0]), codes }
}

function centred(values: Float64Array): Float64Array {
  const largest = Math.max(...values)
  return values.map((value) => value - largest)
}

interface Boost {
  readonly data: BinnedColumns
  readonly target: BoostingTarget
  readonly rule: BoostingRule
  readonly weights: Float64Array | null
  /** Rows to learn from, and rows held out. */
  readonly learning: Int32Array
  readonly heldOut: Int32Array
  readonly rowFraction: number
  readonly columnFraction: number
  readonly seed: number
  readonly purpose: string
}

function boost(
  features: Table,
  { data, encodings }: Binning,
  target: BoostingTarget,
  chosen: BoostingOptions,
  weights: Float64Array | null,
  { seed, purpose, random }: FitContext,
): Boost {
  const { eta, maxDepth, minChildWeight, lambda, alpha, gamma, smoothing, rowFraction, columnFraction } = chosen
  const splits = features.columns.map((column, j): SplitKind => {
    if (column.kind !== 'categorical') return 'cut'
    if (chosen.categorical === 'onehot') return encodings[j].ranks?.[0] === 0 ? 'one-but-first' : 'one'
    return column.ordered ? 'cut' : 'set'
  })
  const held = chosen.earlyStopping === null ? 0 : chosen.holdoutFraction
  const { chosen: heldOut, rest } = split(random('holdout'), data.rows, held)
  const learning = rest.length > 0 ? rest : heldOut
  return {
    data,
    target,
    rule: { eta, maxDepth, minChildWeight, lambda, alpha, gamma, smoothing, splits },
    weights,
    learning,
    heldOut: rest.length > 0 ? heldOut : new Int32Array(0),
    rowFraction,
    columnFraction,
    seed,
    purpose,
  }
}

/** Rounds depend on each other, so the pieces run one after the other, each where the last one ended. */
async function runRounds(shared: Boost, chosen: BoostingOptions, context: FitContext) {
  const { rows } = shared.data
  const { margins: width, base } = shared.target
  let margins = new Float64Array(rows * width)
  for (let at = 0; at < margins.length; at++) margins[at] = base[Math.floor(at / rows)]
  const trees: BoostedTree[] = []
  const holdoutLoss: number[] = []
  const patience = shared.heldOut.length === 0 ? null : chosen.earlyStopping
  let bestRound = 0
  for (const { from, to } of width === 0 ? [] : cut(chosen.rounds, PIECES)) {
    const [piece] = await context.tasks.map(boostRounds, shared, [{ from, to, margins }], { signal: context.signal })
    margins = piece.margins
    trees.push(...piece.trees)
    for (const loss of piece.losses) {
      holdoutLoss.push(loss)
      if (loss < holdoutLoss[bestRound]) bestRound = holdoutLoss.length - 1
      if (patience !== null && holdoutLoss.length - 1 - bestRound >= patience) break
    }
    context.progress?.(to, chosen.rounds)
    if (patience !== null && holdoutLoss.length - 1 - bestRound >= patience) break
  }
  const rounds = patience === null ? (width === 0 ? 0 : chosen.rounds) : bestRound + 1
  return { trees: trees.slice(0, rounds * width), rounds, holdoutLoss: patience === null ? [] : holdoutLoss }
}

interface Piece {
  readonly from: number
  readonly to: number
  /** Margin after margin, each over all rows. */
  readonly margins: Float64Array<ArrayBuffer>
}

interface PieceOutput {
  readonly trees: readonly BoostedTree[]
  readonly margins: Float64Array<ArrayBuffer>
  /** Mean loss on the rows held out after each round. */
  readonly losses: readonly number[]
}

export const boostRounds: Task<Boost, Piece, PieceOutput> = {
  name: 'learners/boost-rounds',
  run(shared, { from, to, margins: before }) {
    const { data, target, learning, heldOut, seed, purpose } = shared
    const n = data.rows
    const grow = boostingGrower(data, shared.rule)
    const margins = before.slice()
    const gradients = Array.from({ length: target.margins }, () => new Float64Array(n))
    const hessians = Array.from({ length: target.margins }, () => new Float64Array(n))
    const trees: BoostedTree[] = []
    const losses: number[] = []
    for (let round = from; round < to; round++) {
      const random = stream(seed, `${purpose}/round`, round)
      const drawn = shared.rowFraction < 1 ? Math.max(1, Math.floor(learning.length * shared.rowFraction)) : null
      const inRound = new Uint8Array(n)
      if (drawn === null) for (const row of learning) inRound[row] = 1
      else for (const i of sampleWithoutReplacement(random, learning.length, drawn)) inRound[learning[i]] = 1
      computeGradients(shared, margins, gradients, hessians)
      for (let k = 0; k < target.margins; k++) {
        const rows = rowsWhere(inRound, 1)
        const others = rowsWhere(inRound, 0)
        const count = Math.max(1, Math.round(data.columns * shared.columnFraction))
        const columns =
          count >= data.columns
            ? Int32Array.from({ length: data.columns }, (_, j) => j)
            : sampleWithoutReplacement(random, data.columns, count).sort()
        roundToGrid(gradients[k], false)
        roundToGrid(hessians[k], true)
        trees.push(grow(gradients[k], hessians[k], rows, others, columns, margins.subarray(k * n, (k + 1) * n)))
      }
      if (heldOut.length > 0) losses.push(meanLoss(shared, margins, heldOut))
    }
    return { trees, margins, losses }
  },
}

function rowsWhere(marks: Uint8Array, mark: number): Int32Array {
  let count = 0
  for (let row = 0; row < marks.length; row++) if (marks[row] === mark) count++
  const rows = new Int32Array(count)
  for (let row = 0, at = 0; row < marks.length; row++) if (marks[row] === mark) rows[at++] = row
  return rows
}

/** Hessians are kept above this, as in xgboost, so that a sure row still counts as one. */
const LEAST_HESSIAN = 1e-16

function computeGradients(
  { data, target, weights }: Boost,
  margins: Float64Array,
  gradients: readonly Float64Array[],
  hessians: readonly Float64Array[],
): void {
  const { loss, values } = target
  const n = data.rows
  const p = new Float64Array(target.margins)
  for (let row = 0; row < n; row++) {
    const w = weights === null ? 1 : weights[row]
    if (loss === 'squared') {
      gradients[0][row] = w * (margins[row] - values[row])
      hessians[0][row] = w
    } else if (loss === 'logistic') {
      const q = sigmoid(margins[row])
      gradients[0][row] = w * (q - values[row])
      hessians[0][row] = w * Math.max(q * (1 - q), LEAST_HESSIAN)
    } else {
      for (let k = 0; k < p.length; k++) p[k] = margins[k * n + row]
      sharesOfLogs(p)
      for (let k = 0; k < p.length; k++) {
        gradients[k][row] = w * (p[k] - (values[row] === k ? 1 : 0))
        hessians[k][row] = w * Math.max(2 * p[k] * (1 - p[k]), LEAST_HESSIAN)
      }
    }
  }
}

function sigmoid(margin: number): number {
  return 1 / (1 + math.exp(-margin))
}

/** Squared error, or minus the logarithm of the probability of the true class. */
function meanLoss({ data, target, weights }: Boost, margins: Float64Array, rows: Int32Array): number {
  const p = new Float64Array(target.margins)
  let sum = 0
  let weight = 0
  for (const row of rows) {
    const w = weights === null ? 1 : weights[row]
    const y = target.values[row]
    weight += w
    if (target.loss === 'squared') sum += w * (margins[row] - y) ** 2
    else if (target.loss === 'logistic') sum += w * logOnePlusExp(y === 1 ? -margins[row] : margins[row])
    else {
      for (let k = 0; k < p.length; k++) p[k] = margins[k * data.rows + row]
      const ofClass = p[y]
      const largest = Math.max(...p)
      sum += w * (largest + math.log(p.reduce((total, margin) => total + math.exp(margin - largest), 0)) - ofClass)
    }
  }
  return sum / weight
}

function logOnePlusExp(x: number): number {
  return x > 0 ? x + math.log1p(math.exp(-x)) : math.log1p(math.exp(x))
}

function boostingModel(
  trees: readonly BoostedTree[],
  target: BoostingTarget,
  encodings: readonly ColumnEncoding[],
  response: Response,
) {
  const { margins: width, base, codes, loss } = target

  function marginsOf(features: Table): Float64Array {
    const data = treeRows(features, encodings)
    const margins = new Float64Array(data.rows * width)
    for (let at = 0; at < margins.length; at++) margins[at] = base[at % width]
    for (const [t, { tree }] of trees.entries()) addBoosted(tree, data, margins, width, t % width)
    return margins
  }

  if (response.kind === 'numbers') return numberModel('boosting', async (features) => marginsOf(features))
  const levels = response.levels.length
  return classModel(levels, async (features) => {
    const probabilities = new Float64Array(features.rows * levels)
    const margins = marginsOf(features)
    for (let row = 0; row < features.rows; row++) {
      if (loss === 'softmax') {
        const p = margins.subarray(row * width, (row + 1) * width)
        sharesOfLogs(p)
        for (let k = 0; k < width; k++) probabilities[row * levels + codes[k]] = p[k]
      } else {
        const second = width === 0 ? 0 : sigmoid(margins[row])
        probabilities[row * levels + codes[0]] = 1 - second
        if (width > 0) probabilities[row * levels + codes[1]] = second
      }
    }
    return probabilities
  })
}
