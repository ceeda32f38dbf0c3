import { sampleWithReplacement } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { percentileInterval } from '../../../stats/intervals.js'
import { INTERVAL_LEVEL } from '../../../stats/levels.js'
import type { Ends } from './coefficient-overlap.js'

/**
 * Bootstrap intervals of any statistic of numbers (Efron 1979): the middle 95 % of what resamples give. A statistic is a
 * function of the values in ascending order and of how often each counts, so that a resample is a vector of counts and
 * nothing is sorted twice. Null where it has no value.
 */
export type Estimator = (sorted: Float64Array, counts: Float64Array) => number | null

/** Sum of a function of the values. */
function total(counts: Float64Array, figure: (k: number) => number): number {
  let sum = 0
  for (let k = 0; k < counts.length; k++) if (counts[k] > 0) sum += counts[k] * figure(k)
  return sum
}

function sizeOf(counts: Float64Array): number {
  let size = 0
  for (let k = 0; k < counts.length; k++) size += counts[k]
  return size
}

const meanOf: Estimator = (sorted, counts) => {
  const n = sizeOf(counts)
  return n > 0 ? total(counts, (k) => sorted[k]) / n : null
}

const varianceOf: Estimator = (sorted, counts) => {
  const n = sizeOf(counts)
  const centre = meanOf(sorted, counts)
  return n > 1 && centre !== null ? total(counts, (k) => (sorted[k] - centre) ** 2) / (n - 1) : null
}

/** Type 7: linear between the values at positions around (n - 1) p. */
export function quantileEstimator(p: number): Estimator {
  return (sorted, counts) => {
    const n = sizeOf(counts)
    if (n === 0) return null
    const at = Math.max(0, (n - 1) * p)
    const whole = Math.floor(at)
    let before = 0
    let k = -1
    while (before <= whole && k < sorted.length - 1) before += counts[++k]
    const below = sorted[k]
    if (at === whole) return below
    while (before <= whole + 1 && k < sorted.length - 1) before += counts[++k]
    return below + (at - whole) * (sorted[k] - below)
  }
}

/** Mean absolute difference of two records over twice the mean. */
const giniOf: Estimator = (sorted, counts) => {
  const n = sizeOf(counts)
  const sum = total(counts, (k) => sorted[k])
  if (!(sum > 0)) return null
  let before = 0
  let area = 0
  for (let k = 0; k < sorted.length; k++) {
    area += counts[k] * sorted[k] * (2 * before + counts[k])
    before += counts[k]
  }
  return area / (n * sum) - 1
}

export const ESTIMATORS: Readonly<Record<string, Estimator>> = {
  mean: meanOf,
  median: quantileEstimator(0.5),
  variance: varianceOf,
  sd: (sorted, counts) => {
    const squared = varianceOf(sorted, counts)
    return squared === null ? null : Math.sqrt(squared)
  },
  iqr: (sorted, counts) => {
    const [upper, lower] = [quantileEstimator(0.75)(sorted, counts), quantileEstimator(0.25)(sorted, counts)]
    return upper === null || lower === null ? null : upper - lower
  },
  p5: quantileEstimator(0.05),
  p10: quantileEstimator(0.1),
  p25: quantileEstimator(0.25),
  p75: quantileEstimator(0.75),
  p90: quantileEstimator(0.9),
  p95: quantileEstimator(0.95),
  gini: giniOf,
}

export interface BootstrapOptions {
  readonly draws: number
  /** Records in a resample; as many as there are unless given. */
  readonly size?: number
  /** One per value; a value counts so much each time it is drawn. */
  readonly weights?: Float64Array | null
  readonly level?: number
}

export interface BootstrapInterval extends Ends {
  readonly estimate: number
}

/** Null without values, or where the statistic has none. */
export function bootstrapInterval(
  values: Float64Array,
  estimator: Estimator,
  { draws, size = values.length, weights = null, level = INTERVAL_LEVEL }: BootstrapOptions,
  random: (draw: number) => Stream,
): BootstrapInterval | null {
  const n = values.length
  if (n === 0) return null
  const weightOf = (i: number) => (weights === null ? 1 : weights[i])
  const order = Float64Array.from(values.keys()).sort((i, j) => values[i] - values[j] || weightOf(i) - weightOf(j))
  const sorted = Float64Array.from(order, (i) => values[i])
  const each = Float64Array.from(order, weightOf)
  const estimate = estimator(sorted, each)
  if (estimate === null) return null
  const found: number[] = []
  const counts = new Float64Array(n)
  for (let draw = 0; draw < draws; draw++) {
    counts.fill(0)
    for (const k of sampleWithReplacement(random(draw), n, size)) counts[k] += each[k]
    const value = estimator(sorted, counts)
    if (value !== null) found.push(value)
  }
  const interval = percentileInterval(found, level)
  return interval === null ? null : { estimate, lower: interval.lower, upper: interval.upper }
}
