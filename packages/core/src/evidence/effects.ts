import { binomialCdf, hypergeometricPmf, normalCdf, studentTCdf, studentTQuantile } from '../stats/distributions.js'
import { clopperPearson, newcombe } from '../stats/intervals.js'
import { BOUND_LEVEL, BOUND_Z, BOUNDS_LEVEL } from '../stats/levels.js'
import type { Effect } from './evidence.js'

/** An estimate with a normal standard error. With a standard error of 0 the effect is certain: there, or not. */
export function normalEffect(value: number, se: number): Effect {
  return {
    value,
    se,
    lower: value - BOUND_Z * se,
    upper: value + BOUND_Z * se,
    p: se > 0 ? normalCdf(-value / se) : value > 0 ? 0 : 1,
  }
}

/** As `normalEffect` where the standard error is itself an estimate, with `df` degrees of freedom. */
export function estimatedEffect(value: number, se: number, df: number): Effect {
  const t = studentTQuantile(BOUND_LEVEL, df)
  const p = se > 0 ? studentTCdf(-value / se, df) : normalEffect(value, se).p
  return { value, se, lower: value - t * se, upper: value + t * se, p }
}

/** The share x / n less a known one: the exact test and bounds of the binomial (Clopper and Pearson 1934). */
export function binomialEffect(successes: number, n: number, chance: number): Effect {
  const bounds = clopperPearson(successes, n, BOUNDS_LEVEL)
  if (bounds === null) throw new Error('a share of nobody cannot be compared')
  return {
    value: successes / n - chance,
    se: Math.sqrt((chance * (1 - chance)) / n),
    lower: bounds.lower - chance,
    upper: bounds.upper - chance,
    p: successes === 0 ? 1 : binomialCdf(n - successes, n, 1 - chance),
  }
}

/** Below so many expected successes or failures a normal tail is no good. */
const FEW = 10

/**
 * The share x1 / n1 less the share x2 / n2 of other people: Newcombe's bounds, and the one-sided score test of equal
 * shares, z = (p1 - p2) / √(p (1 - p) (1/n1 + 1/n2)) with p pooled; where fewer than ten successes or failures are
 * expected on either side, Fisher's exact test.
 */
export function shareEffect(x1: number, n1: number, x2: number, n2: number): Effect {
  const bounds = newcombe(x1, n1, x2, n2, BOUNDS_LEVEL)
  if (bounds === null) throw new Error('a share of nobody cannot be compared')
  const value = x1 / n1 - x2 / n2
  const pooled = (x1 + x2) / (n1 + n2)
  const se = Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
  const { p } = normalEffect(value, se)
  const isFew = Math.min(pooled, 1 - pooled) * Math.min(n1, n2) < FEW
  return { value, se, lower: bounds.lower, upper: bounds.upper, p: isFew ? fisher(x1, n1, x2, n2) : p }
}

/**
 * The chance of at most x2 successes among n2 people when all x1 + x2 fall on n1 + n2 people at random. Expected successes
 * and effective sizes are not whole: they are rounded to where they show less.
 */
function fisher(x1: number, n1: number, x2: number, n2: number): number {
  const [first, second] = [n1, n2].map((n) => Math.max(1, Math.floor(n)))
  const among = Math.min(second, Math.ceil(x2))
  const marked = Math.min(first, Math.floor(x1)) + among
  let p = 0
  for (let k = Math.max(0, marked - first); k <= among; k++) p += hypergeometricPmf(k, first + second, marked, second)
  return Math.min(1, p)
}
