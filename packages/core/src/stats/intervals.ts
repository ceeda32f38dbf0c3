import { betaQuantile, normalQuantile, studentTQuantile } from './distributions.js'
import { quantiles } from './quantile.js'
import { mean, variance } from './sums.js'

/** A confidence interval, with how it was made. */
export type Interval = {
  readonly lower: number
  readonly upper: number
  readonly level: number
  readonly method: string
}

const DEFAULT_LEVEL = 0.95

/**
 * Wilson's score interval for a proportion p = successes / n: centre (p + z²/2n) / (1 + z²/n), half-width
 * z √((p (1 - p) + z²/4n) / n) / (1 + z²/n), within [0, 1]. Wilson (1927); recommended by Brown, Cai and DasGupta
 * (2001). Successes may be fractional (weighted counts with effective n). Null when n = 0.
 */
export function wilson(successes: number, n: number, level = DEFAULT_LEVEL): Interval | null {
  requireCounts(successes, n)
  const z = criticalValue(level)
  if (n === 0) return null
  const p = successes / n
  const squared = (z * z) / n
  const centre = (p + squared / 2) / (1 + squared)
  const half = (z * Math.sqrt((p * (1 - p) + squared / 4) / n)) / (1 + squared)
  return {
    lower: successes === 0 ? 0 : unit(centre - half),
    upper: successes === n ? 1 : unit(centre + half),
    level,
    method: 'wilson',
  }
}

/**
 * The exact interval of Clopper and Pearson (1934): the proportions not rejected by either one-sided binomial test,
 * quantiles of Beta(k, n - k + 1) and Beta(k + 1, n - k). Covers at least the level, often more. Null when n = 0.
 */
export function clopperPearson(successes: number, n: number, level = DEFAULT_LEVEL): Interval | null {
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
  level = DEFAULT_LEVEL,
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

/** What an attack gains over a control, as a share of what it could gain. */
export interface ResidualRisk {
  readonly attackRate: number
  readonly controlRate: number
  /** max(0, (a - c) / (1 - c)); 0 when the control always succeeds. */
  readonly risk: number
  /** Newcombe's interval for a - c, over 1 - c; nominal coverage. */
  readonly interval: Interval
  /** Worst combination of the two Wilson intervals, as the reference implementation has it; wider. */
  readonly conservative: Interval
}

/**
 * Residual risk of an attack with success rate a beyond a control with success rate c. Giomi, Boenisch, Wehmeyer and
 * Tasnádi (2023), "A unified framework for quantifying privacy risk in synthetic data". Null without attacks or without
 * controls. When the control always succeeds nothing is left to gain: risk 0, and an interval that admits anything.
 */
export function residualRisk(
  attackSuccesses: number,
  attacks: number,
  controlSuccesses: number,
  controls: number,
  level = DEFAULT_LEVEL,
): ResidualRisk | null {
  const attack = wilson(attackSuccesses, attacks, level)
  const control = wilson(controlSuccesses, controls, level)
  const difference = newcombe(attackSuccesses, attacks, controlSuccesses, controls, level)
  if (attack === null || control === null || difference === null) return null
  const attackRate = attackSuccesses / attacks
  const controlRate = controlSuccesses / controls
  return {
    attackRate,
    controlRate,
    risk: controlRate < 1 ? unit((attackRate - controlRate) / (1 - controlRate)) : 0,
    interval: {
      lower: controlRate < 1 ? unit(difference.lower / (1 - controlRate)) : 0,
      upper: controlRate < 1 ? unit(difference.upper / (1 - controlRate)) : 1,
      level,
      method: 'newcombe residual',
    },
    conservative: {
      lower: control.upper < 1 ? unit((attack.lower - control.upper) / (1 - control.upper)) : 0,
      upper: unit((attack.upper - control.lower) / (1 - control.lower)),
      level,
      method: 'wilson residual',
    },
  }
}

/** The middle `level` of bootstrap replicates (Efron 1979), by quantiles of type 7. Null without replicates. */
export function percentileInterval(replicates: ArrayLike<number>, level = DEFAULT_LEVEL): Interval | null {
  requireLevel(level)
  const ends = quantiles(replicates, [(1 - level) / 2, (1 + level) / 2])
  return ends === null ? null : { lower: ends[0], upper: ends[1], level, method: 'percentile bootstrap' }
}

/** Student's interval for a mean, x̄ ± t_{n-1} s / √n. Null for fewer than two values. */
export function tInterval(values: ArrayLike<number>, level = DEFAULT_LEVEL): Interval | null {
  requireLevel(level)
  const centre = mean(values)
  const squared = variance(values)
  if (centre === null || squared === null) return null
  const n = values.length
  const half = -studentTQuantile((1 - level) / 2, n - 1) * Math.sqrt(squared / n)
  return { lower: centre - half, upper: centre + half, level, method: 't' }
}

/** estimate ± z standardError. */
export function normalInterval(estimate: number, standardError: number, level = DEFAULT_LEVEL): Interval {
  const half = criticalValue(level) * standardError
  return { lower: estimate - half, upper: estimate + half, level, method: 'normal' }
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
