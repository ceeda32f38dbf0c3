import { math } from '@scrim/kernels'
import { normalQuantile } from '../distributions.js'
import { logChoose } from '../special.js'
import { mean, total, weightedMean } from '../sums.js'

/**
 * The effect, in standard deviations without any effect, that a one-sided test at 1 % finds with a chance of 80 %: what a
 * test that found nothing can have missed.
 */
export const DETECTABLE_Z = normalQuantile(0.99) + normalQuantile(0.8)

/**
 * p-value of a permutation test, large values being extreme: (1 + b) / (1 + B) with b of the B permuted statistics at
 * least as large as the observed one. The observed arrangement is one of the permutations, so p is never 0: Phipson and
 * Smyth (2010), "Permutation p-values should never be zero".
 */
export function permutationPValue(observed: number, permuted: ArrayLike<number>): number {
  let asLarge = 0
  for (let i = 0; i < permuted.length; i++) if (permuted[i] >= observed) asLarge++
  return (1 + asLarge) / (1 + permuted.length)
}

/**
 * No test that deals out the labels of two groups can be surer than this: the observed dealing is one of C(m + n, n). The
 * normal tail knows nothing of it; where nearly all records are tied it would be as sure of two outsiders as of thousands.
 */
export function leastP(m: number, n: number): number {
  return math.exp(-logChoose(m + n, n))
}

/**
 * Holm's step-down adjustment (1979), in the order given: with m p-values ascending, the i-th becomes the largest of
 * (m - j + 1) p_(j) over j <= i, at most 1. Rejecting those below α keeps the chance of any false rejection below α.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((i, j) => pValues[i] - pValues[j])
  const adjusted = new Array<number>(pValues.length)
  let largest = 0
  order.forEach((i, rank) => {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[i]))
    adjusted[i] = largest
  })
  return adjusted
}

/**
 * Variance of a mean whose values are correlated within classes: (g / (g - 1)) Σ_q (Σ_{i in q} (x_i - x̄))² / N² over
 * the g classes that have members. Liang and Zeger (1986), with the small-sample factor. Null when g < 2: one class
 * says nothing about the variation between classes. A value counts once, or as often as `times` says.
 */
export function clusterRobustVariance(
  values: Float64Array,
  classes: Int32Array,
  classCount: number,
  times: Int32Array | null = null,
): number | null {
  const n = times === null ? values.length : total(times)
  const centre = times === null ? mean(values) : weightedMean(values, times)
  if (centre === null) return null
  const totals = new Float64Array(classCount)
  const occupied = new Uint8Array(classCount)
  for (let i = 0; i < values.length; i++) {
    totals[classes[i]] += (times?.[i] ?? 1) * (values[i] - centre)
    occupied[classes[i]] = 1
  }
  let squares = 0
  let g = 0
  for (let q = 0; q < classCount; q++) {
    squares += totals[q] * totals[q]
    g += occupied[q]
  }
  return g < 2 ? null : ((g / (g - 1)) * squares) / (n * n)
}
