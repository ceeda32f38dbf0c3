import type { Effect } from '../../evidence/evidence.js'
import { studentTCdf, studentTQuantile } from '../../stats/distributions.js'
import { BOUND_LEVEL, INTERVAL_ENDS } from '../../stats/levels.js'
import { mean, standardDeviation } from '../../stats/sums.js'

/**
 * What an output reveals about the people it was computed from, beyond what it reveals about others: the success of the attack on
 * members less that on people outside. Each random split gives the mean of its two directions; over J splits
 *   of these records  mean ± t (J - 1) sd / √J
 *   of a new sample   the same with variance sd² (1 / J + n_outside / n_members), since splits of the same people overlap (Nadeau
 *                     and Bengio 2003); for halves it hardly shrinks with more splits
 */
export type MarginalRisk = {
  readonly splits: number
  readonly value: number | null
  readonly sd: number | null
  readonly se: number | null
  /** Two-sided 95 %, over random splits of these records. */
  readonly interval: { readonly lower: number; readonly upper: number } | null
  /** Two-sided 95 %, for a new sample of people. */
  readonly population: { readonly lower: number; readonly upper: number } | null
  readonly reason?: string
}

const VERDICTS = ['high', 'elevated', 'inconclusive', 'no marginal risk detected', 'not assessed'] as const
export type MarginalVerdict = (typeof VERDICTS)[number]

/** `ratio` is people outside per member. */
export function marginalRisk(differences: readonly number[], ratio = 1): MarginalRisk {
  const splits = differences.length
  const value = mean(differences)
  if (splits < 2 || value === null)
    return { splits, value, sd: null, se: null, interval: null, population: null, reason: FEW_SPLITS }
  const sd = standardDeviation(differences) ?? 0
  const t = studentTQuantile(INTERVAL_ENDS[1], splits - 1)
  const around = (variance: number) => {
    const half = t * Math.sqrt(variance)
    return { lower: value - half, upper: value + half }
  }
  return {
    splits,
    value,
    sd,
    se: sd / Math.sqrt(splits),
    interval: around(sd ** 2 / splits),
    population: around(sd ** 2 * (1 / splits + ratio)),
  }
}

const FEW_SPLITS = 'no interval from one split'

export interface Limits {
  readonly margin: number
  readonly high: number
}

/**
 * An alarm is that of the one judge (`assess/judge.ts`), with limits of its own: shown to be above 0, it is high where the lower
 * bound is above the high limit, and elevated where the upper bound reaches the margin. Two things are other here, on purpose:
 * - What is not shown is cleared below the margin only, where the judge asks for the high limit. A release that is LOW is still
 *   looked at by a custodian; an output without marginal risk that keeps the rules goes out with nobody looking.
 * - Where the printed numbers were not reproduced to the last digit (`isEmbedded` is false) the data tell less than the output
 *   does. What is found is a lower bound, which can alarm and cannot clear.
 */
export function verdictOf({ interval }: MarginalRisk, { margin, high }: Limits, isEmbedded: boolean): MarginalVerdict {
  if (interval === null) return 'not assessed'
  const { lower, upper } = interval
  if (isEmbedded && upper < margin) return 'no marginal risk detected'
  if (lower > high) return 'high'
  if (lower > 0 && upper >= margin) return 'elevated'
  return 'inconclusive'
}

/** The same as every measure gives it, for the one judge: one-sided bounds and p. */
export function effectOf({ value, se, splits }: MarginalRisk): Effect | null {
  if (value === null || se === null) return null
  const t = studentTQuantile(BOUND_LEVEL, splits - 1)
  const p = se > 0 ? 1 - studentTCdf(value / se, splits - 1) : value > 0 ? 0 : 1
  return { value, se, lower: value - t * se, upper: value + t * se, p }
}

/** Clamped to 0 and 1: the part of what outsiders are safe from that members are not. */
export function normalisedRisk(value: number, successOutside: number): number {
  return successOutside >= 1 ? 0 : Math.min(1, Math.max(0, value / (1 - successOutside)))
}

/**
 * Δ = a + b / n through differences at several sizes, by least squares weighted with the variance within a size, and its value at
 * the full n: parts of the data overstate what one record does to the whole.
 */
export type Extrapolation = {
  readonly n: number
  readonly value: number
  readonly se: number
  readonly interval: { readonly lower: number; readonly upper: number }
  readonly slope: number
}

export function extrapolated(
  sizes: readonly { readonly n: number; readonly differences: readonly number[] }[],
  n: number,
): Extrapolation | null {
  const known = sizes.filter(({ differences }) => differences.length >= 2)
  if (known.length < 2) return null
  const points = known.flatMap(({ n: size, differences }) => {
    const spread = standardDeviation(differences) ?? 0
    return differences.map((y) => ({ x: 1 / size, y, weight: 1 / Math.max(spread ** 2, Number.EPSILON) }))
  })
  const total = points.reduce((sum, { weight }) => sum + weight, 0)
  const centre = points.reduce((sum, { x, weight }) => sum + weight * x, 0) / total
  const level = points.reduce((sum, { y, weight }) => sum + weight * y, 0) / total
  const spread = points.reduce((sum, { x, weight }) => sum + weight * (x - centre) ** 2, 0)
  const slope = points.reduce((sum, { x, y, weight }) => sum + weight * (x - centre) * (y - level), 0) / spread
  const value = level + slope * (1 / n - centre)
  const se = Math.sqrt(1 / total + (1 / n - centre) ** 2 / spread)
  const t = studentTQuantile(INTERVAL_ENDS[1], points.length - 2)
  return { n, value, se, interval: { lower: value - t * se, upper: value + t * se }, slope }
}
