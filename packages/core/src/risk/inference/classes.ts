import { math } from '@scrim/kernels'
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

export interface ClassPredictions {
  readonly kind: 'classes'
  readonly levels: readonly string[]
  /** True class of each scored record. */
  readonly truth: Int32Array
  /** Rows x levels. */
  readonly probabilities: Float64Array
  /** Share of each class in the original. */
  readonly shares: Float64Array
}

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
  of: ClassPredictions,
  score: ClassScore,
): { readonly scores: Float64Array; cut(tau: number): Float64Array } {
  const g = trueClassProbabilities(of)
  const { truth, shares, levels } = of
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

function classMeans(g: Float64Array, truth: Int32Array, levels: number): Float64Array {
  const sums = new Float64Array(levels)
  const counts = new Float64Array(levels)
  for (let row = 0; row < g.length; row++) {
    sums[truth[row]] += g[row]
    counts[truth[row]]++
  }
  return sums.map((sum, k) => (counts[k] > 0 ? sum / counts[k] : 1))
}

export function atRiskAbove(scores: Float64Array, tau: number): Uint8Array {
  return Uint8Array.from(scores, (score) => (score - tau > TIE ? 1 : 0))
}

/** Would record i be at risk if its class were k? Rows x levels of 0 and 1; what the null distribution rests on. */
export function atRiskIfClass(of: ClassPredictions, score: ClassScore, tau: number): Uint8Array {
  const flags = new Uint8Array(of.probabilities.length)
  const levels = of.levels.length
  const scoreOf = classScorer(of, score)
  for (let cell = 0; cell < flags.length; cell++) {
    flags[cell] = scoreOf(of.probabilities[cell], cell % levels) - tau > TIE ? 1 : 0
  }
  return flags
}

/** The score of a record if its class were `level` and had probability g. */
export function classScorer(of: ClassPredictions, score: ClassScore): (g: number, level: number) => number {
  const { levels, truth, shares } = of
  if (score === 'gain') return (g, level) => gain(g, shares[level])
  if (score === 'nce') return (g) => 1 + math.log(Math.max(g, SMALLEST_PROBABILITY)) / math.log(levels.length)
  const reference = score === 'lift' ? shares : classMeans(trueClassProbabilities(of), truth, levels.length)
  return (g, level) => (reference[level] > 0 ? g / reference[level] : 0)
}
