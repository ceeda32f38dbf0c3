import { betaQuantile } from '../distributions.js'
import type { Interval } from '../intervals.js'
import { INTERVAL_LEVEL } from '../levels.js'

/**
 * Interval for the mean of a variable that lies in [0, 1], from n independent values, valid however few they are. The
 * lower end is a quantile of Σ W_i x_i over the values and one 0 more, the upper end one over the values and one 1 more,
 * with weights W from the flat Dirichlet distribution (Gaffke 2005; Learned-Miller and Thomas 2020, "A new confidence
 * interval for the mean of a bounded random variable"). The distribution of that sum is taken as the beta distribution
 * with its mean and variance. For values of 0 and 1 that is exact, and the interval is Clopper and Pearson's: from n
 * values of 1 the one-sided 95 % lower bound is 0.05^(1/n), never 1. For other values it is narrower by their spread.
 * Null without values.
 */
export function boundedMean(values: Float64Array, level = INTERVAL_LEVEL): Interval | null {
  let sum = 0
  let squares = 0
  for (const value of values) {
    sum += value
    squares += value * value
  }
  return boundedMeanOf({ n: values.length, sum, squares }, level)
}

/** The same from the number of values, their sum and the sum of their squares. */
export function boundedMeanOf(
  { n, sum, squares }: { readonly n: number; readonly sum: number; readonly squares: number },
  level = INTERVAL_LEVEL,
): Interval | null {
  if (n === 0) return null
  const alpha = (1 - level) / 2
  return {
    lower: lowerBound(sum, squares, n, alpha),
    upper: 1 - lowerBound(n - sum, n - 2 * sum + squares, n, alpha),
    level,
    method: 'bounded mean',
  }
}

function lowerBound(sum: number, squares: number, n: number, alpha: number): number {
  const mean = sum / (n + 1)
  const variance = (squares / (n + 1) - mean * mean) / (n + 2)
  // Values that are 0 but for rounding.
  if (!(mean > 0 && variance > 0)) return 0
  const size = (mean * (1 - mean)) / variance - 1
  return betaQuantile(alpha, mean * size, (1 - mean) * size)
}
