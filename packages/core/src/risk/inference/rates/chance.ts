import { normalUpper } from '../../../stats/distributions.js'
import { acceptedRuns, isWithin, type Tolerance } from '../attack/numbers.js'

/**
 * What RAPID would be if the predictions carried no information on the target: the true values permuted over the records,
 * the predictions kept. With a_ij = 1 if record i would be at risk had it the value of record j, the count under a uniform
 * permutation has (Hoeffding 1951)
 *
 *   mean      (1/n) sum a_ij
 *   variance  (1/(n-1)) (sum a_ij - n sum_i a_i.^2 - n sum_j a_.j^2 + n^2 a_..^2),  a_i. and a_.j row and column means
 *
 * so both are exact without drawing a single permutation.
 */
export type ChanceRate = { readonly mean: number; readonly sd: number }

/** From row means, column means over records (each may be given once per group with its size), and their overall mean. */
function moments(n: number, rowSquares: number, columnSquares: number, overall: number): ChanceRate {
  const total = n * n * overall
  const variance = n > 1 ? (total - n * rowSquares - n * columnSquares + n * n * overall * overall) / (n - 1) : 0
  return { mean: overall, sd: Math.sqrt(Math.max(0, variance)) / n }
}

/** Classes: `flags` is rows x levels, `counts` how many records have each class. */
export function classChance(flags: Uint8Array, counts: Float64Array): ChanceRate {
  const levels = counts.length
  const n = flags.length / levels
  const perLevel = new Float64Array(levels)
  let rowSquares = 0
  for (let row = 0; row < n; row++) {
    let mean = 0
    for (let k = 0; k < levels; k++) {
      if (flags[row * levels + k] === 0) continue
      mean += counts[k] / n
      perLevel[k]++
    }
    rowSquares += mean * mean
  }
  let overall = 0
  let columnSquares = 0
  for (let k = 0; k < levels; k++) {
    const mean = perLevel[k] / n
    overall += (counts[k] / n) * mean
    columnSquares += counts[k] * mean * mean
  }
  return moments(n, rowSquares, columnSquares, overall)
}

/** Numbers: by binary search in the sorted truth; O(n log n). */
export function numberChance(truth: Float64Array, predictions: Float64Array, tolerance: Tolerance): ChanceRate {
  const n = truth.length
  const sorted = truth.slice().sort()
  const opened = new Float64Array(n + 1)
  let rowSquares = 0
  let total = 0
  for (const p of predictions) {
    let accepted = 0
    for (const [from, to] of acceptedRuns(sorted, p, tolerance)) {
      accepted += to - from
      opened[from]++
      opened[to]--
    }
    total += accepted
    rowSquares += (accepted / n) ** 2
  }
  let columnSquares = 0
  let covering = 0
  for (let k = 0; k < n; k++) {
    covering += opened[k]
    columnSquares += (covering / n) ** 2
  }
  return moments(n, rowSquares, columnSquares, total / (n * n))
}

/** One-sided p-value by the normal law with continuity correction; null where chance has no spread. */
export function normalPValue(rate: number, chance: ChanceRate, n: number): number | null {
  return chance.sd > 0 ? normalUpper((rate - chance.mean - 1 / (2 * n)) / chance.sd) : null
}

/** (rate - chance) / (1 - chance); null where chance is certainty. */
export function chanceCorrected(rate: number, chance: number): number | null {
  return chance < 1 ? (rate - chance) / (1 - chance) : null
}

/** The rate under one permutation of the true values. */
export function permutedClassRate(flags: Uint8Array, truth: Int32Array, order: Int32Array): number {
  const levels = flags.length / truth.length
  let atRisk = 0
  for (let row = 0; row < order.length; row++) atRisk += flags[row * levels + truth[order[row]]]
  return atRisk / order.length
}

export function permutedNumberRate(
  truth: Float64Array,
  predictions: Float64Array,
  order: Int32Array,
  tolerance: Tolerance,
): number {
  let atRisk = 0
  for (let row = 0; row < order.length; row++) if (isWithin(truth[order[row]], predictions[row], tolerance)) atRisk++
  return atRisk / order.length
}
