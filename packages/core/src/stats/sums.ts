/**
 * Sums and moments. Addition is in the order of the array, so a result does not depend on how work was split. A value counts once, or
 * as often as `times` says.
 */

/** Σ x with Neumaier's compensation (1974): as if added in twice the precision, then rounded. */
export function sum(values: ArrayLike<number>, times?: ArrayLike<number> | null): number {
  if (times) return sum(Float64Array.from(values, (value, i) => value * times[i]))
  let total = 0
  let lost = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return Number.isFinite(lost) ? total + lost : total
}

/** Σ x one after the other, as counts are added: exact where they are whole. */
export function total(values: ArrayLike<number>): number {
  let all = 0
  for (let i = 0; i < values.length; i++) all += values[i]
  return all
}

/** Σ x / n; null without values. */
export function mean(values: ArrayLike<number>, times?: ArrayLike<number> | null): number | null {
  return values.length === 0 ? null : sum(values, times) / (times ? total(times) : values.length)
}

/**
 * Σ (x - x̄)² / (n - 1); null for fewer than two values. Two passes, less the rounding error of the mean:
 * Chan, Golub and LeVeque (1983), "Algorithms for computing the sample variance", (1.7).
 */
export function variance(values: ArrayLike<number>, times?: ArrayLike<number> | null): number | null {
  const n = times ? total(times) : values.length
  const centre = mean(values, times)
  if (centre === null || n < 2) return null
  let squares = 0
  let deviations = 0
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i] - centre
    const each = times ? times[i] : 1
    squares += each * deviation * deviation
    deviations += each * deviation
  }
  return (squares - (deviations * deviations) / n) / (n - 1)
}

/** The square root of the variance; null for fewer than two values. */
export function standardDeviation(values: ArrayLike<number>, times?: ArrayLike<number> | null): number | null {
  const squared = variance(values, times)
  return squared === null ? null : Math.sqrt(squared)
}

/** Σ w x / Σ w; null when the weights sum to 0. */
export function weightedMean(values: ArrayLike<number>, weights: ArrayLike<number>): number | null {
  if (values.length !== weights.length) throw new RangeError(`${values.length} values but ${weights.length} weights`)
  const total = sum(weights)
  return total === 0 ? null : sum(Float64Array.from(values, (value, i) => value * weights[i])) / total
}

/** Σ w and Σ w², from which effective sizes (Σ w)² / Σ w² are made (Kish 1965). */
export function weightSums(
  weights: Float64Array,
  times?: ArrayLike<number> | null,
): { readonly sum: number; readonly squares: number } {
  let [total, squares] = [0, 0]
  for (let k = 0; k < weights.length; k++) {
    const each = times ? times[k] : 1
    total += each * weights[k]
    squares += each * (weights[k] * weights[k])
  }
  return { sum: total, squares }
}
