import { z } from 'zod'
import { lineChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { predictionsAt } from '../../learners/predictions.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, real, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { sampleWithoutReplacement, shuffle } from '../../random/sampling.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { quantile } from '../../stats/quantile.js'
import { countBelow } from '../../stats/sorted.js'
import { throwIfAborted } from '../../tasks/task.js'
import { attackRelease, type Scored } from './attack.js'
import { attackOptions, attackProblems } from './attackers.js'
import { chanceOf } from './chance-test.js'
import { classScorer, type Predictions, TIE } from './classes.js'
import { largestThreshold, withThreshold } from './curve.js'
import { type FlagOptions, flagOptions, flagsOf, RAPID, rateOf, toleranceOf, worstAttack } from './evaluation.js'
import { errorOf } from './numbers.js'

/**
 * A threshold for RAPID that comes from the data. On a grid of thresholds t the rate R(t) is compared with the rates R*(t)
 * under permuted targets, the same permutations for all t:
 *
 *   largest-significant  the most demanding t (largest tau, smallest epsilon) at which R(t) exceeds chance
 *   null-floor           the least demanding t at which the upper quantile of R*(t) is at most `floor`
 *
 * R(t) exceeds chance when (R(t) - m(t)) / s(t), m and s the exact mean and standard deviation of R*(t), is larger than the
 * 1 - alpha quantile of the maximum of the same over the grid (Westfall and Young 1993), so that alpha is the error of the
 * whole search; `pointwise` compares R(t) with the quantile of R*(t) alone, as riskutility does.
 * A threshold found so must not be used for a test on the same data, and it says nothing about what is tolerable. The rate at it
 * has no interval: other people would have led to another threshold.
 */
const options = z.object({
  ...attackOptions,
  ...flagOptions,
  rule: choice(['largest-significant', 'null-floor'], 'largest-significant').describe(
    'largest-significant: the most demanding threshold that exceeds chance; null-floor: the least demanding one that chance rarely passes',
  ),
  control: choice(['simultaneous', 'pointwise'], 'simultaneous').describe(
    'alpha is the error over the whole grid, or at each threshold (riskutility)',
  ),
  alpha: real(SIGNIFICANCE, { above: 0, below: 1 }).describe('error probability'),
  floor: real(0.05, { min: 0, max: 1 }).describe('null-floor: the rate by chance that is tolerated'),
  permutations: whole(199, { min: 1 }).describe('permutations of the target'),
  grid: z
    .array(z.number())
    .min(1)
    .readonly()
    .nullable()
    .default(null)
    .describe(
      'thresholds to choose from; null: 0.05 to 0.95 in steps of 0.05, for numbers 0.01 to 0.49 in steps of 0.02',
    ),
})

type Options = z.output<typeof options>

type ThresholdRow = {
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

const REUSE = 'the threshold was chosen from these data; do not test at it on the same data'

export const rapidThreshold = measure({
  id: 'rapid-threshold',
  version: 1,
  title: 'RAPID: threshold from the data',
  summary: 'RAPID at the threshold that a rule picks by comparison with chance',
  ...RAPID,
  role: 'diagnoses',
  unit: 'share',
  blindTo: 'what is tolerable, and whether what is learned comes from people being in the data',
  options,
  check: (release, chosen) => [...attackProblems(release, chosen), ...permutationProblems(chosen)],
  compute,
  thresholds: { literature: [] },
  sentence: ({ details: { threshold, rate, chance } }) =>
    `at the threshold ${threshold} that the data suggest, ${percent(rate ?? 0)} of people are at risk, ${percent(chance ?? 0)} by chance`,
  tables: ({ details }) => [
    findingTable('thresholds', 'At risk by threshold, and by chance', details.table, [
      [column.number('threshold'), ({ threshold }) => threshold],
      [column.share('observed'), ({ observed }) => observed],
      [column.share('by chance'), ({ chance }) => chance],
      [column.share('bound'), ({ bound }) => bound],
      [column.text('more than chance'), ({ significant }) => (significant ? 'yes' : 'no')],
    ]),
  ],
  charts: ({ details }, { name }) => [
    lineChart(
      { name: 'thresholds', title: `Choice of the threshold: ${name}`, x: 'threshold', y: 'share of records' },
      details.table.flatMap(({ threshold, observed, bound }) => [
        { x: threshold, y: observed, series: 'observed' },
        { x: threshold, y: bound, series: 'bound of chance' },
      ]),
      details.threshold === null ? {} : { rules: [{ value: details.threshold, label: 'chosen' }] },
    ),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { scene, attacks } = await attackRelease(subject, chosen, context)
  const { attack } = worstAttack(attacks, chosen)
  const { members } = attack
  const grid = gridOf(members, chosen)
  const excesses = studentisedRates(members, grid, chosen, context)
  const { table, criticalValue } = compareWithChance(members, grid, excesses, chosen)
  const row = recommended(table, chosen, members.predictions.kind === 'classes')
  const at = row === undefined ? null : flagsOf(members, withThreshold(chosen, members, row.threshold))
  return {
    value: at?.rate ?? null,
    ...(at === null ? { reason: noThreshold(chosen) } : {}),
    interval: null,
    ...(row === undefined
      ? {}
      : { controls: { nothing: { value: row.chance, se: row.chanceSd, what: 'true targets dealt out at random' } } }),
    details: {
      target: members.predictions.kind,
      attacker: attack.attacker,
      records: members.rows.length,
      /** Null when no threshold of the grid satisfies the rule. */
      threshold: row?.threshold ?? null,
      /** RAPID at this threshold, and what chance gives there. */
      rate: at?.rate ?? null,
      chance: row?.chance ?? null,
      /** Upper quantile of the largest studentised excess over the grid; null where chance never varies. */
      criticalValue,
      permutations: chosen.permutations,
      table,
    },
    warnings: [...scene.warnings, ...(row === undefined ? [] : [REUSE])],
  }
}

function noThreshold({ rule, floor }: Options): string {
  return rule === 'null-floor'
    ? `chance alone puts more than ${percent(floor)} of people at risk at every threshold`
    : 'at no threshold are more people at risk than by chance'
}

const CLASS_STEPS = 20
const NUMBER_STEPS = 25

/** Thresholds ascending, each once. */
function gridOf(scored: Scored, chosen: Options): Float64Array {
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
function studentisedRates(
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

function compareWithChance(
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
function placeOf(permutations: number, alpha: number): number {
  return Math.ceil((1 - alpha) * (permutations + 1) - 1e-9) - 1
}

function permutationProblems({ permutations, alpha }: Options): string[] {
  return placeOf(permutations, alpha) < permutations
    ? []
    : [`permutations: alpha ${alpha} needs at least ${Math.ceil(1 / alpha) - 1}, not ${permutations}`]
}

function recommended(
  table: readonly ThresholdRow[],
  { rule, floor }: Options,
  isClasses: boolean,
): ThresholdRow | undefined {
  if (rule === 'null-floor') {
    const rare = (row: ThresholdRow) => row.chanceQuantile <= floor
    return isClasses ? table.find(rare) : table.findLast(rare)
  }
  return isClasses ? table.findLast(({ significant }) => significant) : table.find(({ significant }) => significant)
}
