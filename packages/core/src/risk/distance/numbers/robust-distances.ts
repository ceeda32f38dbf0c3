import type { Context } from '../../../measure.js'
import { membersOf } from '../../../neighbors/search.js'
import type { Points } from '../../../neighbors/space.js'
import { nearestDistances } from '../../../neighbors/tasks.js'
import { histogram } from '../../../stats/histogram.js'
import {
  chiSquaredQuantile,
  robustCovariance,
  type Scaling,
  whitened,
} from '../../../stats/matrices/robust-covariance.js'
import { quantile, quantiles } from '../../../stats/quantile.js'
import { mean } from '../../../stats/sums.js'
import { type AtRisk, type AtRiskCounts, atRisk } from './at-risk.js'
import type { CompleteNumbers } from './complete-numbers.js'

/** Robust Mahalanobis distance from each original to the nearest released record, and whether that is near. */
export type RobustDistances = {
  /** √χ²_{p, 1 - alpha} and the share of originals below it, as riskutility. */
  readonly threshold: number
  readonly belowThreshold: number
  readonly mean: number
  readonly quantiles: readonly { readonly share: number; readonly distance: number }[]
  readonly histogram: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
  /** Distances of the holdout to the original set the scale τ; null without holdout. */
  readonly calibrated: (AtRisk & { readonly tau: number; readonly q: number; readonly released: number }) | null
  readonly singular: boolean
}

interface Cuts {
  /** Of the chi-squared distribution, as riskutility. */
  readonly alpha: number
  /** Of the distances from the holdout to the original. */
  readonly quantile: number
  readonly scaling: Scaling
}

const SHARES = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1]
const BINS = 30

/** The distances, or why there are none. */
export async function robustDistances(
  original: CompleteNumbers,
  released: CompleteNumbers,
  holdout: CompleteNumbers | null,
  cuts: Cuts,
  context: Context,
): Promise<
  | string
  | {
      readonly found: RobustDistances
      /** Behind `calibrated`; null without holdout. */
      readonly counts: AtRiskCounts | null
      readonly distances: Float64Array
    }
> {
  const p = original.columns.length
  if (p < 2) return 'a Mahalanobis distance needs two numeric columns'
  const covariance = robustCovariance(original.columns, context.random('covariance'), cuts.scaling)
  if (covariance === null) return 'too few records or a constant column: there is no covariance'
  const { points, ids } = whitenedPoints(
    [original, released, ...(holdout === null ? [] : [holdout])].map(({ columns }) => whitened(columns, covariance)),
  )
  const [x, s, h] = ids
  const nearest = (from: Int32Array, to: Int32Array) => nearestDistances(context, points, membersOf(points, to), from)
  const distances = await nearest(x, s)
  const threshold = Math.sqrt(chiSquaredQuantile(1 - cuts.alpha, p))
  const below = (values: Float64Array, limit: number) => values.filter((value) => value <= limit).length
  let calibrated: RobustDistances['calibrated'] = null
  let counts: AtRiskCounts | null = null
  if (holdout !== null) {
    const tau = quantile(await nearest(h, x), cuts.quantile) ?? 0
    counts = {
      hits: below(distances, tau),
      n: x.length,
      heldHits: below(await nearest(h, s), tau),
      held: h.length,
    }
    const released = below(await nearest(s, x), tau) / s.length
    calibrated = { tau, q: cuts.quantile, released, ...atRisk(counts) }
  }
  const ends = quantiles(distances, SHARES) ?? []
  return {
    found: {
      threshold,
      belowThreshold: distances.filter((distance) => distance < threshold).length / x.length,
      mean: mean(distances) ?? 0,
      quantiles: SHARES.map((share, k) => ({ share, distance: ends[k] })),
      histogram: histogram(distances, BINS, 0, ends[SHARES.length - 1]),
      calibrated,
      singular: covariance.singular,
    },
    counts,
    distances,
  }
}

/** Where 32 bits of the search look closely: within this many robust standard deviations twice. Beyond, 64 bits decide. */
const CLOSE_LOOK = 2

/** Whitened records, each a point of its own, with the Euclidean distance: without scaling by ranges, as outliers set them. */
function whitenedPoints(files: readonly (readonly Float64Array[])[]): { points: Points; ids: Int32Array[] } {
  const width = files[0].length
  const sizes = files.map(([first]) => first.length)
  const count = sizes.reduce((sum, size) => sum + size, 0)
  const values = new Float64Array(count * width)
  const ids: Int32Array[] = []
  let next = 0
  for (const [k, columns] of files.entries()) {
    const start = next
    ids.push(Int32Array.from({ length: sizes[k] }, (_, row) => start + row))
    for (let row = 0; row < sizes[k]; row++, next++)
      for (let j = 0; j < width; j++) values[next * width + j] = columns[j][row]
  }
  const weights = new Float64Array(width).fill(CLOSE_LOOK)
  const points: Points = {
    metric: 'euclidean',
    missing: 'match',
    clip: false,
    count,
    weights,
    nominal: 0,
    values,
    weight: CLOSE_LOOK * width,
  }
  return { points, ids }
}
