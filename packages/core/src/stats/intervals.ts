import { betaQuantile, normalQuantile, normalUpper, studentTQuantile } from './distributions.js'
import { INTERVAL_LEVEL } from './levels.js'
import { quantiles } from './quantile.js'
import { mean, variance } from './sums.js'

/** A confidence interval, with how it was made. */
export type Interval = {
  readonly lower: number
  readonly upper: number
  readonly level: number
  readonly method: string
}

/**
 * Wilson's score interval for a proportion p = successes / n: centre (p + z²/2n) / (1 + z²/n), half-width
 * z √((p (1 - p) + z²/4n) / n) / (1 + z²/n), within [0, 1]. Wilson (1927); recommended by Brown, Cai and DasGupta
 * (2001). Successes may be fractional (weighted counts with effective n). Null when n = 0.
 */
export function wilson(successes: number, n: number, level = INTERVAL_LEVEL): Interval | null {
  requireCounts(successes, n)
  requireLevel(level)
  if (n === 0) return null
  const { rate, halfWidth } = wilsonCentre(successes, n, level)
  return {
    lower: successes === 0 ? 0 : unit(rate - halfWidth),
    upper: successes === n ? 1 : unit(rate + halfWidth),
    level,
    method: 'wilson',
  }
}

/**
 * Wilson's interval for a rate whose variance is not that of n independent trials: that of as many trials as vary as much,
 * p (1 - p) / variance. Of n trials where the variance says nothing (no success, or nothing else). Null when n = 0.
 */
export function wilsonWithVariance(rate: number, variance: number, n: number, level = INTERVAL_LEVEL): Interval | null {
  const p = unit(rate)
  const spread = p * (1 - p)
  const trials = variance > 0 && spread > 0 ? spread / variance : n
  return wilson(p * trials, trials, level)
}

/** The middle of Wilson's interval, which is p drawn towards one half, and its half-width before it is cut; n > 0. */
export function wilsonCentre(successes: number, n: number, level = INTERVAL_LEVEL): RateWithHalfWidth {
  const z = criticalValue(level)
  const p = successes / n
  const squared = (z * z) / n
  return {
    rate: (p + squared / 2) / (1 + squared),
    halfWidth: (z * Math.sqrt((p * (1 - p) + squared / 4) / n)) / (1 + squared),
  }
}

/**
 * The exact interval of Clopper and Pearson (1934): the proportions not rejected by either one-sided binomial test,
 * quantiles of Beta(k, n - k + 1) and Beta(k + 1, n - k). Covers at least the level, often more. Null when n = 0.
 */
export function clopperPearson(successes: number, n: number, level = INTERVAL_LEVEL): Interval | null {
  requireCounts(successes, n)
  requireLevel(level)
  if (n === 0) return null
  const alpha = (1 - level) / 2
  const failures = n - successes
  return {
    lower: successes === 0 ? 0 : betaQuantile(alpha, successes, failures + 1),
    upper: failures === 0 ? 1 : 1 - betaQuantile(alpha, failures, successes + 1),
    level,
    method: 'clopper-pearson',
  }
}

/**
 * Interval for the difference p1 - p2 of two independent proportions from their Wilson ends: the hybrid score interval,
 * method 10 of Newcombe (1998), "Interval estimation for the difference between independent proportions":
 * lower d - √((p1 - l1)² + (u2 - p2)²), upper d + √((u1 - p1)² + (p2 - l2)²). Null when n1 or n2 is 0.
 */
export function newcombe(
  successes1: number,
  n1: number,
  successes2: number,
  n2: number,
  level = INTERVAL_LEVEL,
): Interval | null {
  const first = wilson(successes1, n1, level)
  const second = wilson(successes2, n2, level)
  if (first === null || second === null) return null
  const p1 = successes1 / n1
  const p2 = successes2 / n2
  return {
    lower: p1 - p2 - Math.hypot(p1 - first.lower, second.upper - p2),
    upper: p1 - p2 + Math.hypot(first.upper - p1, p2 - second.lower),
    level,
    method: 'newcombe',
  }
}

/**
 * Koopman's score interval for the ratio θ = (x1/n1) / (x2/n2) of two independent proportions: those θ for which
 * U(θ) = Σ (x_i - n_i p_i)² / (n_i p_i (1 - p_i)) stays below χ²_1, p_1 = θ p_2 and p_2 being the maximum-likelihood
 * proportions given θ. Koopman (1984), "Confidence limits for the ratio of two binomial proportions". Successes may be
 * fractional. Null when n1 or n2 is 0, and when x2 = 0: any large ratio is then possible.
 */
export function koopman(x1: number, n1: number, x2: number, n2: number, level = INTERVAL_LEVEL): Interval | null {
  requireCounts(x1, n1)
  requireCounts(x2, n2)
  const limit = criticalValue(level) ** 2
  if (n1 === 0 || n2 === 0 || x2 === 0) return null
  const estimate = (x1 * n2) / (x2 * n1)
  const inside = (theta: number) => scoreOfRatio(theta, x1, n1, x2, n2) <= limit
  let beyond = Math.max(1, 2 * estimate)
  while (inside(beyond)) beyond *= 2
  return {
    lower: x1 === 0 ? 0 : bisect(0, estimate, inside),
    upper: bisect(beyond, estimate, inside),
    level,
    method: 'koopman',
  }
}

/** What an attack gains over a control, as a share of what it could gain. */
export type ResidualRisk = {
  readonly attackRate: number
  readonly controlRate: number
  /** R = 1 - (1 - a) / (1 - c), negative when the control does better; null when the control always succeeds. */
  readonly residual: number | null
  /** R within [0, 1], for headlines; 0 when the control always succeeds. */
  readonly risk: number
  /** Koopman's, for R as it is; null where R is. */
  readonly interval: Interval | null
  /** One-sided, of a > c: the score test that Koopman's interval inverts, at θ = 1. */
  readonly p: number
  /** Worst combination of the two Wilson intervals, as riskutility has it; wider. Within [0, 1]. */
  readonly conservative: Interval
  /** R of the Wilson centres and the delta method on their half-widths, as anonymeter has it. Within [0, 1]. */
  readonly deltaMethod: { readonly risk: number; readonly interval: Interval }
}

/**
 * Residual risk of an attack with success rate a beyond a control with success rate c. Giomi, Boenisch, Wehmeyer and
 * Tasnádi (2023), "A unified framework for quantifying privacy risk in synthetic data". 1 - R is a ratio of two failure
 * rates, hence the interval. Both samples must be independent: blind to targets or guesses that depend on each other.
 * Null without attacks or without controls.
 */
export function residualRisk(
  attackSuccesses: number,
  attacks: number,
  controlSuccesses: number,
  controls: number,
  level = INTERVAL_LEVEL,
): ResidualRisk | null {
  const attack = wilson(attackSuccesses, attacks, level)
  const control = wilson(controlSuccesses, controls, level)
  if (attack === null || control === null) return null
  const attackRate = attackSuccesses / attacks
  const controlRate = controlSuccesses / controls
  const residual = controlRate < 1 ? (attackRate - controlRate) / (1 - controlRate) : null
  const failures = koopman(attacks - attackSuccesses, attacks, controls - controlSuccesses, controls, level)
  return {
    attackRate,
    controlRate,
    residual,
    risk: unit(residual ?? 0),
    interval:
      failures === null ? null : { lower: 1 - failures.upper, upper: 1 - failures.lower, level, method: 'koopman' },
    p: moreOften(attackSuccesses, attacks, controlSuccesses, controls),
    conservative: {
      lower: control.upper < 1 ? unit((attack.lower - control.upper) / (1 - control.upper)) : 0,
      upper: control.lower < 1 ? unit((attack.upper - control.lower) / (1 - control.lower)) : 1,
      level,
      method: 'wilson residual',
    },
    deltaMethod: deltaMethodOfCounts(attackSuccesses, attacks, controlSuccesses, controls, level),
  }
}

/** (a - c) / (1 - c) of two rates with half-widths, and its half-width by the delta method; null when c = 1. */
export function deltaMethodResidual(
  attack: RateWithHalfWidth,
  control: RateWithHalfWidth,
): { readonly estimate: number; readonly halfWidth: number } | null {
  const left = 1 - control.rate
  if (left <= 0) return null
  return {
    estimate: (attack.rate - control.rate) / left,
    halfWidth: Math.hypot(attack.halfWidth / left, (control.halfWidth * (attack.rate - 1)) / (left * left)),
  }
}

export interface RateWithHalfWidth {
  readonly rate: number
  readonly halfWidth: number
}

/** The middle `level` of bootstrap replicates (Efron 1979), by quantiles of type 7. Null without replicates. */
export function percentileInterval(replicates: ArrayLike<number>, level = INTERVAL_LEVEL): Interval | null {
  requireLevel(level)
  const ends = quantiles(replicates, [(1 - level) / 2, (1 + level) / 2])
  return ends === null ? null : { lower: ends[0], upper: ends[1], level, method: 'percentile bootstrap' }
}

/** Student's interval for a mean, x̄ ± t_{n-1} s / √n. Null for fewer than two values. */
export function tInterval(values: ArrayLike<number>, level = INTERVAL_LEVEL): Interval | null {
  requireLevel(level)
  const centre = mean(values)
  const squared = variance(values)
  if (centre === null || squared === null) return null
  const n = values.length
  const half = -studentTQuantile((1 - level) / 2, n - 1) * Math.sqrt(squared / n)
  return { lower: centre - half, upper: centre + half, level, method: 't' }
}

/** estimate ± z standardError. */
export function normalInterval(estimate: number, standardError: number, level = INTERVAL_LEVEL): Interval {
  const half = criticalValue(level) * standardError
  return { lower: estimate - half, upper: estimate + half, level, method: 'normal' }
}

function deltaMethodOfCounts(
  attackSuccesses: number,
  attacks: number,
  controlSuccesses: number,
  controls: number,
  level: number,
): ResidualRisk['deltaMethod'] {
  const attack = wilsonCentre(attackSuccesses, attacks, level)
  const control = wilsonCentre(controlSuccesses, controls, level)
  const residual = deltaMethodResidual(attack, control) ?? { estimate: 0, halfWidth: 1 }
  const lower = unit(residual.estimate - residual.halfWidth)
  const upper = unit(residual.estimate + residual.halfWidth)
  return { risk: unit(residual.estimate), interval: { lower, upper, level, method: 'delta method' } }
}

/** Chance of a difference p1 - p2 at least this large when both proportions are the same (normal, pooled variance). */
function moreOften(x1: number, n1: number, x2: number, n2: number): number {
  const pooled = (x1 + x2) / (n1 + n2)
  const sd = Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
  return sd > 0 ? normalUpper((x1 / n1 - x2 / n2) / sd) : 1
}

function scoreOfRatio(theta: number, x1: number, n1: number, x2: number, n2: number): number {
  const b = theta * (x2 + n1) + x1 + n2
  const c = x1 + x2
  const p2 = (2 * c) / (b + Math.sqrt(b * b - 4 * (n1 + n2) * theta * c))
  return scoreOfCount(x1, n1, theta * p2) + scoreOfCount(x2, n2, p2)
}

function scoreOfCount(x: number, n: number, p: number): number {
  const difference = x - n * p
  return difference === 0 ? 0 : (difference * difference) / (n * p * (1 - p))
}

/** Where a condition that holds at `inside` and not at `outside` begins to hold, to the last bit. */
function bisect(outside: number, inside: number, holds: (x: number) => boolean): number {
  let out = outside
  let within = inside
  for (;;) {
    const middle = (out + within) / 2
    if (middle === out || middle === within) return within
    if (holds(middle)) within = middle
    else out = middle
  }
}

function criticalValue(level: number): number {
  requireLevel(level)
  return -normalQuantile((1 - level) / 2)
}

function requireLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`a confidence level lies between 0 and 1, but it is ${level}`)
}

function requireCounts(successes: number, n: number): void {
  if (!(successes >= 0 && successes <= n)) throw new RangeError(`${successes} successes in ${n} trials are impossible`)
}

function unit(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/** The interval within bounds that the estimate cannot pass. */
export function within(interval: Interval | null, lowest: number, highest: number): Interval | null {
  return interval && { ...interval, lower: Math.max(lowest, interval.lower), upper: Math.min(highest, interval.upper) }
}

/** The interval, widened to hold the estimate where resamples all lie to one side of it. */
export function holding(interval: Interval | null, estimate: number): Interval | null {
  return (
    interval && { ...interval, lower: Math.min(estimate, interval.lower), upper: Math.max(estimate, interval.upper) }
  )
}
