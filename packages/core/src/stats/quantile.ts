/**
 * Sample quantiles of type 7 of Hyndman and Fan (1996), "Sample quantiles in statistical packages", the default of R:
 * with h = (n - 1) p, the value between the order statistics at floor(h) and floor(h) + 1, linearly. Values must not
 * contain NaN.
 */

/** Makes the median absolute deviation estimate the standard deviation of a normal: 1 / Φ⁻¹(3/4), rounded as in R. */
const NORMAL_CONSISTENCY = 1.4826

/** The quantile of values in any order; null without values. */
export function quantile(values: ArrayLike<number>, probability: number): number | null {
  return quantileSorted(ascending(values), probability)
}

/** Several quantiles for one sort; null without values. */
export function quantiles(values: ArrayLike<number>, probabilities: readonly number[]): number[] | null {
  if (values.length === 0) return null
  const sorted = ascending(values)
  return probabilities.map((probability) => betweenNeighbours(sorted, probability))
}

/** The quantile of values that are in ascending order already; null without values. */
export function quantileSorted(sorted: ArrayLike<number>, probability: number): number | null {
  return sorted.length === 0 ? null : betweenNeighbours(sorted, probability)
}

/** The middle value, or the mean of the two middle ones; null without values. */
export function median(values: ArrayLike<number>): number | null {
  return quantile(values, 0.5)
}

/** Median absolute deviation from the median, times `constant`; null without values. */
export function mad(values: ArrayLike<number>, constant = NORMAL_CONSISTENCY): number | null {
  const centre = median(values)
  if (centre === null) return null
  const spread = median(Float64Array.from(values, (value) => Math.abs(value - centre)))
  return spread === null ? null : constant * spread
}

function ascending(values: ArrayLike<number>): Float64Array {
  return new Float64Array(values).sort()
}

/** Positions count from 1 as in R, so that the weights round as they do there. */
function betweenNeighbours(sorted: ArrayLike<number>, probability: number): number {
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`a probability cannot be ${probability}`)
  const position = 1 + (sorted.length - 1) * probability
  const below = Math.floor(position)
  const weight = position - below
  const lower = sorted[below - 1]
  if (weight === 0) return lower
  const upper = sorted[below]
  return lower === upper ? lower : (1 - weight) * lower + weight * upper
}

/** From the first to the third quartile; 0 without values. */
export function interquartileRange(values: Float64Array): number {
  const [lower, upper] = quantiles(values, [0.25, 0.75]) ?? [0, 0]
  return upper - lower
}
