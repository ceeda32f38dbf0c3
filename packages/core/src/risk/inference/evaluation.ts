import { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import { permutation } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { drawBinomial, drawMultinomial } from '../../stats/draws.js'
import { histogram } from '../../stats/histogram.js'
import { clopperPearson, type Interval, normalInterval, percentileInterval, wilson } from '../../stats/intervals.js'
import { mad, quantiles } from '../../stats/quantile.js'
import { standardDeviation } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests.js'
import type { Attack, Scored } from './attack.js'
import {
  type ChanceRate,
  chanceCorrected,
  classChance,
  normalPValue,
  numberChance,
  permutedClassRate,
  permutedNumberRate,
} from './chance.js'
import {
  atRiskAbove,
  atRiskIfClass,
  type ClassPredictions,
  type ClassScore,
  classScores,
  TIE,
  trueClassProbabilities,
} from './classes.js'
import { type ErrorKind, errorOf, isWithin, type Tolerance } from './numbers.js'

/** How predictions become records at risk. */
export const flagOptions = {
  score: z
    .enum(['gain', 'lift', 'conditional', 'nce'])
    .default('gain')
    .describe(
      'classes: gain over the margin; lift, conditional (RCS_conditional) and nce are for comparison with other software',
    ),
  tau: z.number().default(0.3).describe('classes: at risk above this score'),
  error: z
    .enum(['symmetric', 'relative', 'absolute', 'normalised'])
    .default('symmetric')
    .describe('numbers: how the error is measured'),
  epsilon: z
    .number()
    .positive()
    .default(0.1)
    .describe('numbers: at risk below this error, a proportion (absolute: units of the target)'),
  delta: z
    .number()
    .min(0)
    .default(0)
    .describe('numbers: added to the denominator of relative errors (0.01 in riskutility)'),
  spread: z
    .enum(['sd', 'range', 'iqr', 'mad'])
    .default('sd')
    .describe('numbers: what the normalised error is divided by'),
}

/** The same, and how sure one is of their share. */
export const evaluationOptions = {
  ...flagOptions,
  interval: z
    .enum(['refit', 'wilson', 'clopper-pearson', 'bootstrap', 'wald'])
    .default('refit')
    .describe(
      'interval of the headline. refit: people, release and model vary, the model being fitted again without each fifth of the release; the others: people only',
    ),
  bootstrap: z
    .number()
    .int()
    .min(0)
    .default(500)
    .describe('bootstrap samples of the original records; the model is not fitted again'),
  permutations: z.number().int().min(0).default(999).describe('permutations for the p-value, up to 20,000 records'),
}

/** No gain exceeds 1, so that a larger threshold would find nobody, whatever the release. */
export function tauProblems({ score, tau }: Pick<FlagOptions, 'score' | 'tau'>): string[] {
  return score !== 'gain' || tau <= 1 ? [] : [`option "tau" must be a number of at most 1, found ${tau}`]
}

export interface FlagOptions {
  readonly score: ClassScore
  readonly tau: number
  readonly error: ErrorKind
  readonly epsilon: number
  readonly delta: number
  readonly spread: 'sd' | 'range' | 'iqr' | 'mad'
}

export interface EvaluationOptions extends FlagOptions {
  readonly interval: 'refit' | 'wilson' | 'clopper-pearson' | 'bootstrap' | 'wald'
  readonly bootstrap: number
  readonly permutations: number
}

/** Scores and flags of some people under one attacker. */
export interface Flags {
  readonly scores: Float64Array
  readonly atRisk: Uint8Array
  readonly rate: number
}

export function flagsOf({ predictions, weights }: Scored, options: FlagOptions): Flags {
  if (predictions.kind === 'classes') {
    const { scores } = classScores(predictions, options.score)
    const atRisk = atRiskAbove(scores, options.tau)
    return { scores, atRisk, rate: rateOf(atRisk, weights) }
  }
  const tolerance = toleranceOf(predictions.truth, options)
  const scores = predictions.truth.map((y, row) => errorOf(y, predictions.predicted[row], tolerance))
  const atRisk = Uint8Array.from(predictions.truth, (y, row) =>
    isWithin(y, predictions.predicted[row], tolerance) ? 1 : 0,
  )
  return { scores, atRisk, rate: rateOf(atRisk, weights) }
}

export interface WorstAttack {
  readonly attack: Attack
  readonly flags: Flags
  /** Of every attacker. */
  readonly all: readonly Flags[]
}

/** The attacker who puts most people at risk, the first of equals. */
export function worstAttack(found: readonly Attack[], options: FlagOptions): WorstAttack {
  const all = found.map(({ members }) => flagsOf(members, options))
  const index = all.indexOf(all.reduce((a, b) => (b.rate > a.rate ? b : a)))
  return { attack: found[index], flags: all[index], all }
}

/** The tolerance for a target; its spread is that of the values given. */
export function toleranceOf(truth: Float64Array, { error, epsilon, delta, spread }: FlagOptions): Tolerance {
  if (error !== 'normalised') return { error, epsilon, delta, spread: 1 }
  const size = spreadOf(truth, spread)
  if (!(size > 0)) throw new NotApplicable('the target does not vary in the original')
  return { error, epsilon, delta, spread: size }
}

function spreadOf(values: Float64Array, kind: FlagOptions['spread']): number {
  if (kind === 'sd') return standardDeviation(values) ?? 0
  if (kind === 'mad') return mad(values) ?? 0
  const [low, high] = quantiles(values, kind === 'iqr' ? [0.25, 0.75] : [0, 1]) ?? [0, 0]
  return high - low
}

export function rateOf(atRisk: Uint8Array, weights: Float64Array | null): number {
  let sum = 0
  let total = 0
  for (let row = 0; row < atRisk.length; row++) {
    const weight = weights === null ? 1 : weights[row]
    sum += weight * atRisk[row]
    total += weight
  }
  return total > 0 ? sum / total : 0
}

/** (sum w)^2 / sum w^2: how many equally weighted records the weighted ones are worth. */
export function effectiveSize(n: number, weights: Float64Array | null): number {
  if (weights === null) return n
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return total ** 2 / weights.reduce((sum, weight) => sum + weight ** 2, 0)
}

/** An interval over people, release and model held fixed. */
export function intervalOf(
  { rate, atRisk }: Flags,
  weights: Float64Array | null,
  kind: Exclude<EvaluationOptions['interval'], 'refit'>,
  replicates: Float64Array,
): Interval | null {
  const n = effectiveSize(atRisk.length, weights)
  if (kind === 'bootstrap') return percentileInterval(replicates)
  if (kind === 'wald') return { ...normalInterval(rate, Math.sqrt((rate * (1 - rate)) / n)), method: 'Wald' }
  return kind === 'wilson' ? wilson(rate * n, n) : clopperPearson(rate * n, n)
}

/**
 * Rates of resampled original records, the attacker kept: rows are drawn with replacement, the class shares and with them the
 * cut on the probability are those of the drawn rows. Without weights no row need be drawn: the drawn class sizes are
 * multinomial, and given them the records at risk in a class are binomial, which is the same law at no cost.
 */
export function bootstrapRates(
  scored: Scored,
  flags: Flags,
  options: EvaluationOptions,
  random: (draw: number) => Stream,
): Float64Array {
  const n = flags.atRisk.length
  const { predictions, weights } = scored
  const classes = predictions.kind === 'classes' && options.score === 'gain' ? classesOf(predictions) : null
  const rates = new Float64Array(n === 0 ? 0 : options.bootstrap)
  const rate =
    weights === null ? lawOfRate(n, flags.rate, classes, options.tau) : rowsDrawn(flags, weights, classes, options.tau)
  for (let draw = 0; draw < rates.length; draw++) rates[draw] = rate(random(draw))
  return rates
}

interface ClassProbabilities {
  readonly truth: Int32Array
  readonly g: Float64Array
  readonly levels: number
}

function classesOf(predictions: ClassPredictions): ClassProbabilities {
  return { truth: predictions.truth, g: trueClassProbabilities(predictions), levels: predictions.levels.length }
}

/** The least probability that puts a record at risk when its class has this share; a tie is no risk. */
function cutAt(share: number, tau: number): number {
  return tau + (1 - tau) * share + TIE
}

function lawOfRate(
  n: number,
  rate: number,
  classes: ClassProbabilities | null,
  tau: number,
): (random: Stream) => number {
  if (classes === null) return (random) => drawBinomial(random, n, rate) / n
  const sorted = Array.from({ length: classes.levels }, (_, k) =>
    classes.g.filter((_, row) => classes.truth[row] === k).sort(),
  )
  const sizes = Float64Array.from(sorted, (own) => own.length)
  return (random) => {
    const drawn = drawMultinomial(random, n, sizes)
    let atRisk = 0
    for (const [k, own] of sorted.entries()) {
      if (drawn[k] === 0) continue
      const above = own.length - countAtMost(own, cutAt(drawn[k] / n, tau))
      atRisk += drawBinomial(random, drawn[k], above / own.length)
    }
    return atRisk / n
  }
}

function countAtMost(sorted: Float64Array, value: number): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle] <= value) from = middle + 1
    else to = middle
  }
  return from
}

function rowsDrawn(
  { atRisk }: Flags,
  weights: Float64Array,
  classes: ClassProbabilities | null,
  tau: number,
): (random: Stream) => number {
  const n = atRisk.length
  const drawn = new Int32Array(n)
  const shares = new Float64Array(classes?.levels ?? 0)
  return (random) => {
    let total = 0
    shares.fill(0)
    for (let k = 0; k < n; k++) {
      const row = random.below(n)
      drawn[k] = row
      total += weights[row]
      if (classes !== null) shares[classes.truth[row]] += weights[row]
    }
    const cuts = shares.map((share) => cutAt(share / total, tau))
    let sum = 0
    for (let k = 0; k < n; k++) {
      const row = drawn[k]
      const risky = classes === null ? atRisk[row] === 1 : classes.g[row] > cuts[classes.truth[row]]
      if (risky) sum += weights[row]
    }
    return sum / total
  }
}

export type ChanceTest = {
  /** The share of records at risk, each counted once. */
  readonly observed: number
  /** The rate if predictions told nothing about the target: exact mean and standard deviation over all permutations. */
  readonly expected: number
  readonly sd: number
  readonly z: number | null
  readonly p: number | null
  /** From drawn permutations, up to 20,000 records. */
  readonly permutationP: number | null
  /** (rate - expected) / (1 - expected). */
  readonly corrected: number | null
  /** How the rates of the drawn permutations lie; empty without any. */
  readonly permuted: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
}

const MOST_RECORDS_PERMUTED = 20_000

/** Compares the rate with chance. Weights are left aside here: records, not people, are permuted. */
export function chanceTest(scored: Scored, { atRisk }: Flags, options: EvaluationOptions, random: Stream): ChanceTest {
  const { predictions } = scored
  const n = atRisk.length
  const rate = rateOf(atRisk, null)
  const { chance, permuted } = chanceOf(scored, options)
  const rates =
    n <= MOST_RECORDS_PERMUTED
      ? Float64Array.from({ length: options.permutations }, () => permuted(permutation(random, n)))
      : new Float64Array()
  return {
    observed: rate,
    expected: chance.mean,
    sd: chance.sd,
    z: chance.sd > 0 ? (rate - chance.mean) / chance.sd : null,
    p: predictions.truth.length === 0 ? null : normalPValue(rate, chance, n),
    permutationP: rates.length === 0 ? null : permutationPValue(rate, rates),
    corrected: chanceCorrected(rate, chance.mean),
    permuted: histogramOfRates(rates, n),
  }
}

const MOST_BINS = 30

/** Bins hold whole numbers of records, so that none is empty only because no rate can lie in it. */
function histogramOfRates(rates: Float64Array, n: number): ChanceTest['permuted'] {
  if (rates.length === 0) return []
  const counts = rates.map((rate) => Math.round(rate * n))
  const least = counts.reduce((a, b) => Math.min(a, b))
  const most = counts.reduce((a, b) => Math.max(a, b))
  const width = Math.ceil((most - least + 1) / MOST_BINS)
  const bins = Math.ceil((most - least + 1) / width)
  const end = least + bins * width
  return histogram(counts, bins, least, end).map(({ lower, upper, count }) => ({
    lower: (lower - 0.5) / n,
    upper: (upper - 0.5) / n,
    count,
  }))
}

/** Exact moments of the null, and the rate under a given permutation. */
export function chanceOf(
  { predictions }: Pick<Scored, 'predictions'>,
  options: FlagOptions,
): { chance: ChanceRate; permuted: (order: Int32Array) => number } {
  if (predictions.kind === 'classes') {
    const flags = atRiskIfClass(predictions, options.score, options.tau)
    const counts = new Float64Array(predictions.levels.length)
    for (const code of predictions.truth) counts[code]++
    return {
      chance: classChance(flags, counts),
      permuted: (order) => permutedClassRate(flags, predictions.truth, order),
    }
  }
  const { truth, predicted } = predictions
  const tolerance = toleranceOf(truth, options)
  return {
    chance: numberChance(truth, predicted, tolerance),
    permuted: (order) => permutedNumberRate(truth, predicted, order, tolerance),
  }
}
