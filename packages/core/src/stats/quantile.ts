import { ascending, type Repeated, recordsOf } from './repeated.js'

/**
 * Sample quantiles of type 7 of Hyndman and Fan (1996), "Sample quantiles in statistical packages", the default of R:
 * with h = (n - 1) p, the value between the order statistics at floor(h) and floor(h) + 1, linearly. Values must not
 * contain NaN. A value counts once, or as often as `times` says.
 */

/** Makes the median absolute deviation estimate the standard deviation of a normal: 1 / Φ⁻¹(3/4), rounded as in R. */
const NORMAL_CONSISTENCY = 1.4826

/** The quantile of values in any order; null without values. */
export function quantile(values: ArrayLike<number>, probability: number): number | null {
  return quantileSorted(new Float64Array(values).sort(), probability)
}

/** Several quantiles for one sort; null without values. */
export function quantiles(
  values: ArrayLike<number>,
  probabilities: readonly number[],
  times: Int32Array | null = null,
): number[] | null {
  if (values.length === 0) return null
  const own = new Float64Array(values)
  const sorted = times === null ? { values: own.sort(), times } : ascending({ values: own, times })
  return probabilities.map((probability) => betweenNeighbours(sorted, probability))
}

/** The quantile of values that are in ascending order already; null without values. */
export function quantileSorted(
  values: ArrayLike<number>,
  probability: number,
  times: Int32Array | null = null,
): number | null {
  return values.length === 0 ? null : betweenNeighbours({ values, times }, probability)
}

/** The middle value, or the mean of the two middle ones; null without values. */
export function median(values: ArrayLike<number>): number | null {
  return quantile(values, 0.5)
}

/** Median absolute deviation from the median, times `constant`; null without values. */
export function mad(
  values: ArrayLike<number>,
  constant = NORMAL_CONSISTENCY,
  times: Int32Array | null = null,
): number | null {
  const [centre] = quantiles(values, [0.5], times) ?? []
  if (centre === undefined) return null
  const far = Float64Array.from(values, (value) => Math.abs(value - centre))
  const [spread] = quantiles(far, [0.5], times) ?? []
  return spread === undefined ? null : constant * spread
}

/** Positions count from 1 as in R, so that the weights round as they do there. */
function betweenNeighbours(sorted: Repeated<ArrayLike<number>>, probability: number): number {
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`a probability cannot be ${probability}`)
  const position = 1 + (recordsOf(sorted) - 1) * probability
  const below = Math.floor(position)
  const weight = position - below
  const lower = valueAt(sorted, below)
  if (weight === 0) return lower
  const upper = valueAt(sorted, below + 1)
  return lower === upper ? lower : (1 - weight) * lower + weight * upper
}

/** Of the record with this number in ascending order, from 1. */
function valueAt({ values, times }: Repeated<ArrayLike<number>>, record: number): number {
  if (times === null) return values[record - 1]
  let k = 0
  for (let upTo = times[0]; upTo < record; upTo += times[k]) k++
  return values[k]
}

/** From the first to the third quartile; 0 without values. */
export function interquartileRange(values: Float64Array): number {
  const [lower, upper] = quantiles(values, [0.25, 0.75]) ?? [0, 0]
  return upper - lower
}
