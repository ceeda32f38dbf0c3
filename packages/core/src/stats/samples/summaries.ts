import { math } from '@scrim/kernels'
import { mad, quantileSorted } from '../quantile.js'
import { type Repeated, recordsOf } from '../repeated.js'
import { sum } from '../sums.js'
import { effectiveSize, type Sample } from './two-samples.js'

/**
 * What people print of a number: centre, spread and shape. Mean, median, sd, skewness and kurtosis are weighted; the others
 * are of the values as they are. Quantiles of weighted values are those of the weighted distribution function (smallest
 * value with at least that share), of equal weights R's type 7.
 */
export type Summary = {
  readonly n: number
  readonly mean: number
  readonly se: number | null
  readonly sd: number | null
  readonly min: number
  readonly q1: number
  readonly median: number
  readonly q3: number
  readonly max: number
  readonly iqr: number
  readonly mad: number
  /** Huber's (1964) M-estimate of the centre, k = 1.5. */
  readonly huber: number
  readonly skewness: number | null
  /** Excess over that of a normal. */
  readonly kurtosis: number | null
}

/** Mean and spread alone, in two passes. */
export type Moments = Pick<Summary, 'n' | 'mean' | 'se' | 'sd'>

const known = new WeakMap<Sample, Moments>()

/** Null without values; found once per sample. */
export function momentsOf(sample: Sample): Moments | null {
  const remembered = known.get(sample)
  if (remembered !== undefined) return remembered
  const { values, weights, mass, total } = sample
  const n = recordsOf(sample)
  if (n === 0) return null
  const mean = sum(values, mass) / total
  const squares = centralMoment(sample, mean, 2)
  const moments = {
    n,
    mean,
    se: n < 2 ? null : Math.sqrt(squares / total / (weights === null ? n - 1 : effectiveSize(sample))),
    sd: total > 1 && n > 1 ? Math.sqrt(squares / (total - 1)) : null,
  }
  known.set(sample, moments)
  return moments
}

function centralMoment({ values, mass }: Sample, mean: number, power: number): number {
  let moment = 0
  for (let i = 0; i < values.length; i++) {
    const away = values[i] - mean
    let term = away * away
    if (power === 3) term *= away
    if (power === 4) term *= term
    moment += mass === null ? term : mass[i] * term
  }
  return moment
}

/** Null without values. */
export function summaryOf(sample: Sample): Summary | null {
  const { values, times, total } = sample
  const moments = momentsOf(sample)
  if (moments === null) return null
  const { mean, sd } = moments
  const shape = (power: number) =>
    sd === null || !(sd > 0) ? null : centralMoment(sample, mean, power) / (total * math.pow(sd, power))
  const at = (p: number) => sampleQuantile(sample, p)
  const kurtosis = shape(4)
  return {
    ...moments,
    min: values[0],
    q1: at(0.25),
    median: at(0.5),
    q3: at(0.75),
    max: values[values.length - 1],
    iqr: at(0.75) - at(0.25),
    mad: mad(values, undefined, times) ?? 0,
    huber: huber(sample),
    skewness: shape(3),
    kurtosis: kurtosis === null ? null : kurtosis - 3,
  }
}

/** Type 7 without weights; with them the smallest value at or below which at least this share of the weight lies. */
export function sampleQuantile({ values, weights, times, mass, total }: Sample, p: number): number {
  if (weights === null || mass === null) return quantileSorted(values, p, times) ?? Number.NaN
  let below = 0
  for (let i = 0; i < values.length; i++) {
    below += mass[i]
    if (below >= p * total * (1 - 1e-12)) return values[i]
  }
  return values[values.length - 1]
}

const HUBER_K = 1.5
const HUBER_TOLERANCE = 1e-6

/** Means of values cut off k MADs from the last centre, until it moves by less than 1e-6 MADs. */
function huber({ values, times }: Repeated): number {
  const spread = mad(values, undefined, times) ?? 0
  const n = recordsOf({ values, times })
  let centre = quantileSorted(values, 0.5, times) ?? 0
  if (!(spread > 0)) return centre
  for (let round = 0; round < 200; round++) {
    const [low, high] = [centre - HUBER_K * spread, centre + HUBER_K * spread]
    let total = 0
    for (let k = 0; k < values.length; k++)
      total += (Math.max(low, Math.min(high, values[k])) - centre) * (times === null ? 1 : times[k])
    const next = centre + total / n
    const moved = Math.abs(next - centre)
    centre = next
    if (moved < HUBER_TOLERANCE * spread) break
  }
  return centre
}
