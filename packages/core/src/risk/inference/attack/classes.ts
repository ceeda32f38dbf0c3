import { math } from '@scrim/kernels'
import type * as learned from '../../../learners/predictions.js'

/**
 * Scores of an attacker's class probabilities. With g_i the probability given to the true class of record i and b_k the
 * share of class k among the original records:
 *
 *   gain         r_i = (g_i - b) / (1 - b)        0 no gain over the margin, 1 certainty; at risk iff r_i > tau
 *   lift         g_i / b
 *   conditional  g_i / mean of g in the class      (RCS_conditional of riskutility: not a measure of risk)
 *   nce          1 + ln(max(g_i, 1e-10)) / ln K    a cut on g that ignores how common the class is
 *
 * The comparison is strict, and a tie that only rounding breaks is a tie.
 */
export type ClassScore = 'gain' | 'lift' | 'conditional' | 'nce'

export interface ClassPredictions extends learned.ClassPredictions {
  /** Share of each class in the original. */
  readonly shares: Float64Array
}

export type Predictions = learned.Predictions<ClassPredictions>

/** Scores nearer than this to a threshold are on it. */
export const TIE = 1e-12
const SMALLEST_PROBABILITY = 1e-10

export function trueClassProbabilities({ truth, probabilities, levels }: ClassPredictions): Float64Array {
  const g = new Float64Array(truth.length)
  for (let row = 0; row < g.length; row++) g[row] = probabilities[row * levels.length + truth[row]]
  return g
}

/** The scores and, per class, the least probability that puts a record at risk at `tau`. */
export function classScores(
  predictions: ClassPredictions,
  score: ClassScore,
): { readonly scores: Float64Array; cut(tau: number): Float64Array } {
  const g = trueClassProbabilities(predictions)
  const { truth, shares, levels } = predictions
  if (score === 'gain')
    return {
      scores: g.map((p, row) => gain(p, shares[truth[row]])),
      cut: (tau) => shares.map((b) => tau + (1 - tau) * b),
    }
  if (score === 'lift')
    return { scores: g.map((p, row) => p / shares[truth[row]]), cut: (tau) => shares.map((b) => tau * b) }
  if (score === 'conditional') {
    const means = classMeans(g, truth, levels.length)
    return { scores: g.map((p, row) => p / means[truth[row]]), cut: (tau) => means.map((mean) => tau * mean) }
  }
  const k = math.log(levels.length)
  return {
    scores: g.map((p) => 1 + math.log(Math.max(p, SMALLEST_PROBABILITY)) / k),
    cut: (tau) => shares.map(() => math.exp(-(1 - tau) * k)),
  }
}

/** b = 1 leaves nothing to gain. */
function gain(g: number, b: number): number {
  return b < 1 ? (g - b) / (1 - b) : 0
}

/** Mean within each class; null for a class without records. */
export function classRates(values: ArrayLike<number>, truth: Int32Array, levels: number): (number | null)[] {
  const sums = new Float64Array(levels)
  const counts = new Float64Array(levels)
  for (let row = 0; row < truth.length; row++) {
    sums[truth[row]] += values[row]
    counts[truth[row]]++
  }
  return Array.from(sums, (total, k) => (counts[k] > 0 ? total / counts[k] : null))
}

function classMeans(g: Float64Array, truth: Int32Array, levels: number): Float64Array {
  return Float64Array.from(classRates(g, truth, levels), (mean) => mean ?? 1)
}

export function atRiskAbove(scores: Float64Array, tau: number): Uint8Array {
  return Uint8Array.from(scores, (score) => (score - tau > TIE ? 1 : 0))
}

/** Would record i be at risk if its class were k? Rows x levels of 0 and 1; what the null distribution rests on. */
export function atRiskIfClass(predictions: ClassPredictions, score: ClassScore, tau: number): Uint8Array {
  const scoreOf = classScorer(predictions, score)
  const levels = predictions.levels.length
  return Uint8Array.from(predictions.probabilities, (p, cell) => (scoreOf(p, cell % levels) - tau > TIE ? 1 : 0))
}

/** The score of a record if its class were `level` and had probability g. */
export function classScorer(predictions: ClassPredictions, score: ClassScore): (g: number, level: number) => number {
  const { levels, truth, shares } = predictions
  if (score === 'gain') return (g, level) => gain(g, shares[level])
  if (score === 'nce') return (g) => 1 + math.log(Math.max(g, SMALLEST_PROBABILITY)) / math.log(levels.length)
  const reference = score === 'lift' ? shares : classMeans(trueClassProbabilities(predictions), truth, levels.length)
  return (g, level) => (reference[level] > 0 ? g / reference[level] : 0)
}
