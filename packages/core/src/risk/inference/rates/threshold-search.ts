import { predictionsAt } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { sampleWithoutReplacement, shuffle } from '../../../random/sampling.js'
import { quantile } from '../../../stats/quantile.js'
import { countBelow } from '../../../stats/sorted.js'
import { throwIfAborted } from '../../../tasks/task.js'
import type { Scored } from '../attack/attack.js'
import { classScorer, type Predictions, TIE } from '../attack/classes.js'
import { errorOf } from '../attack/numbers.js'
import type { Options } from '../rapid-threshold.js'
import { chanceOf } from './chance-test.js'
import { largestThreshold, withThreshold } from './curve.js'
import { type FlagOptions, flagsOf, rateOf, toleranceOf } from './evaluation.js'

/** Rates on a grid of thresholds beside those under permuted targets. */
export type ThresholdRow = {
  readonly threshold: number
  /** Share of records at risk, each counted once. */
  readonly observed: number
  readonly chance: number
  readonly chanceSd: number
  /** Upper quantile of the permuted rates at this threshold alone. */
  readonly chanceQuantile: number
  /** What `observed` must exceed. */
  readonly bound: number
  readonly significant: boolean
}

const CLASS_STEPS = 20

const NUMBER_STEPS = 25

/** Thresholds ascending, each once. */
export function gridOf(scored: Scored, chosen: Options): Float64Array {
  const isClasses = scored.predictions.kind === 'classes'
  if (chosen.grid !== null) return Float64Array.from(new Set(chosen.grid)).sort()
  if (isClasses || chosen.error === 'absolute') {
    const end = largestThreshold(scored, chosen)
    return Float64Array.from(new Set(Array.from({ length: CLASS_STEPS - 1 }, (_, k) => (end * (k + 1)) / CLASS_STEPS)))
  }
  return Float64Array.from({ length: NUMBER_STEPS }, (_, k) => (2 * k + 1) / 100)
}

/**
 * Rates at every threshold, permutation after permutation. A score passes the first so many thresholds of the grid, so one
 * count per record and permutation gives the whole curve. The law of the rates does not depend on who stands in which row:
 * true values and predictions are put in order first, so that the result does not either.
 */
function permutedRates(
  predictions: Predictions,
  grid: Float64Array,
  chosen: Options,
  context: Context,
): readonly Float64Array[] {
  const n = predictions.truth.length
  const passed = passedIf(predictions, grid, chosen)
  const truth = predictions.truth.slice().sort()
  return Array.from({ length: chosen.permutations }, (_, draw) => {
    throwIfAborted(context.signal)
    context.progress(draw, chosen.permutations)
    const order = truth.slice()
    shuffle<number>(context.random('permutation', draw), order)
    const counts = new Float64Array(grid.length + 1)
    for (let row = 0; row < n; row++) counts[passed(row, order[row])]++
    return ratesOf(counts, predictions.kind, n)
  })
}

const MOST_RECORDS_PERMUTED = 20_000

/**
 * (R*(t) - m(t)) / s(t), permutation after permutation, 0 where chance does not vary. The law of these hardly depends on the
 * number of records once it is large, so 20,000 of them, drawn at random, stand for more.
 */
export function studentisedRates(
  { rows, predictions }: Scored,
  grid: Float64Array,
  chosen: Options,
  context: Context,
): readonly Float64Array[] {
  const isMany = rows.length > MOST_RECORDS_PERMUTED
  const drawn = isMany
    ? predictionsAt(
        predictions,
        sampleWithoutReplacement(context.random('records'), rows.length, MOST_RECORDS_PERMUTED),
      )
    : predictions
  const scored = { predictions: drawn }
  const moments = Array.from(grid, (threshold) => chanceOf(scored, withThreshold(chosen, scored, threshold)).chance)
  return permutedRates(drawn, grid, chosen, context).map((rates) =>
    rates.map((rate, k) => (moments[k].sd > 0 ? (rate - moments[k].mean) / moments[k].sd : 0)),
  )
}

/** From the number of records that pass exactly k thresholds: the share that passes each. */
function ratesOf(counts: Float64Array, kind: Predictions['kind'], n: number): Float64Array {
  const thresholds = counts.length - 1
  const rates = new Float64Array(thresholds)
  let sum = 0
  for (let k = thresholds; k > 0; k--) {
    sum += counts[k]
    rates[kind === 'classes' ? k - 1 : thresholds - k] = sum / n
  }
  return rates
}

/** How many thresholds the k-th prediction, in order, passes if `truth` were the true value. */
function passedIf(
  predictions: Predictions,
  grid: Float64Array,
  chosen: FlagOptions,
): (row: number, truth: number) => number {
  if (predictions.kind === 'numbers') {
    const predicted = predictions.predicted.slice().sort()
    const tolerance = toleranceOf(predictions.truth, chosen)
    return (row, truth) => grid.length - countBelow(grid, errorOf(truth, predicted[row], tolerance) + TIE)
  }
  const scoreOf = classScorer(predictions, chosen.score)
  const levels = predictions.levels.length
  const cells = Int32Array.from(predictions.probabilities, (p, cell) =>
    countBelow(grid, scoreOf(p, cell % levels) - TIE),
  )
  const sorted = inOrder(cells, levels)
  return (row, truth) => sorted[row * levels + truth]
}

/** The rows of a matrix in lexicographic order. */
function inOrder(cells: Int32Array, width: number): Int32Array {
  const rows = Float64Array.from({ length: cells.length / width }, (_, row) => row).sort((a, b) => {
    for (let k = 0; k < width; k++) {
      const difference = cells[a * width + k] - cells[b * width + k]
      if (difference !== 0) return difference
    }
    return 0
  })
  const sorted = new Int32Array(cells.length)
  for (let k = 0; k < rows.length; k++) sorted.set(cells.subarray(rows[k] * width, (rows[k] + 1) * width), k * width)
  return sorted
}

export function compareWithChance(
  members: Scored,
  grid: Float64Array,
  excesses: readonly Float64Array[],
  chosen: Options,
): { table: ThresholdRow[]; criticalValue: number | null } {
  const rows = Array.from(grid, (threshold, k) => {
    const at = withThreshold(chosen, members, threshold)
    const { mean, sd } = chanceOf(members, at).chance
    return {
      threshold,
      observed: rateOf(flagsOf(members, at).atRisk, null),
      chance: mean,
      chanceSd: sd,
      chanceQuantile:
        mean +
        sd *
          (quantile(
            Float64Array.from(excesses, (one) => one[k]),
            1 - chosen.alpha,
          ) ?? 0),
    }
  })
  const criticalValue = simultaneousQuantile(rows, excesses, chosen.alpha)
  const table = rows.map((row) => {
    const bound = chosen.control === 'pointwise' ? row.chanceQuantile : row.chance + (criticalValue ?? 0) * row.chanceSd
    return { ...row, bound, significant: row.observed - bound > TIE }
  })
  return { table, criticalValue }
}

/** Upper quantile, over permutations, of the largest studentised excess; thresholds at which chance is certain do not count. */
function simultaneousQuantile(
  rows: readonly { readonly chanceSd: number }[],
  excesses: readonly Float64Array[],
  alpha: number,
): number | null {
  const varying = Array.from(rows.keys()).filter((k) => rows[k].chanceSd > 0)
  if (varying.length === 0) return null
  const largest = Float64Array.from(excesses, (one) => Math.max(...varying.map((k) => one[k])))
  return largest.sort()[placeOf(excesses.length, alpha)]
}

/** The order statistic that makes the test exact: (1 + permutations that reach it) / (1 + permutations) is at most alpha above it. */
export function placeOf(permutations: number, alpha: number): number {
  return Math.ceil((1 - alpha) * (permutations + 1) - 1e-9) - 1
}
