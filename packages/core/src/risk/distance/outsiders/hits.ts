import type { Context } from '../../../measure.js'
import { nearestDistances } from '../../../neighbors/tasks.js'
import { type Interval, wilson } from '../../../stats/intervals.js'
import { BOUNDS_LEVEL, INTERVAL_LEVEL } from '../../../stats/levels.js'
import { quantile } from '../../../stats/quantile.js'
import type { Exchangeability } from '../../../stats/tests/exchangeability.js'
import { isWithin, sharesWithin } from './distance-summary.js'
import { type Comparison, creditBeyondMean, labelTest, realNeighbours, shareOfOriginal } from './real-neighbours.js'

/** Hit rates at the distance that a given share of people outside reaches by chance. */
export type Calibrated = {
  readonly quantile: number
  readonly threshold: number
  readonly released: number
  readonly holdout: number
  /** (released - holdout) / (1 - holdout); null when all of the holdout hits. */
  readonly excess: number | null
  /** Released records as close as this to a real record of either side, as a share. */
  readonly close: number
  /** Of all released records, those that came so close because the record was in training. */
  readonly owingToTraining: {
    readonly share: number
    readonly interval: Interval
    readonly bounds: { readonly lower: number; readonly upper: number }
  }
  /** The test among the close ones; null without any. */
  readonly labels: Exchangeability | null
}

export const CURVE_STEPS = 200

export const HISTOGRAM_BINS = 30

/** At each quantile of the distances of outsiders: who hits, and whether training records are hit in particular. */
export async function calibrate(
  context: Context,
  { space, holdout, real, nearest, toTraining }: Comparison,
  quantiles: readonly number[],
) {
  const { training, released } = space
  const outside = await nearestDistances(context, space, training, holdout.ids)
  const calibrated: Calibrated[] = []
  const credits: Float64Array[] = []
  for (const q of quantiles) {
    const threshold = quantile(outside, q) ?? 0
    const [ofReleased, ofHoldout] = [toTraining, outside].map((distances) => sharesWithin(distances, [threshold])[0])
    const close = released.ids.filter((_, k) => isWithin(nearest.distance[k], threshold))
    const { credit } = await realNeighbours(context, space, real, close)
    const labels = labelTest(context, real, credit)
    credits.push(credit)
    calibrated.push({
      quantile: q,
      threshold,
      released: ofReleased,
      holdout: ofHoldout,
      excess: ofHoldout < 1 ? (ofReleased - ofHoldout) / (1 - ofHoldout) : null,
      close: close.length / released.ids.length,
      owingToTraining: owingToTraining(labels, close.length, released.ids.length),
      labels,
    })
  }
  return {
    toTraining,
    outside,
    calibrated,
    ofOriginal: shareOfOriginal(real),
    added: () => creditBeyondMean(space, real, credits[0]),
  }
}

/**
 * Hits of m released records vary by p (1 - p) / m, and with the threshold, which is a quantile of n_H outsiders: the share of
 * them below the true threshold has the standard error √(q (1 - q) / n_H), and the hits at the quantiles so far above and below
 * q differ by twice what that makes (Woodruff 1952, "Confidence intervals for medians and other position measures").
 */
export function varianceOfHits(toTraining: Float64Array, outside: Float64Array, hits: number, q: number): number {
  const error = Math.sqrt((q * (1 - q)) / outside.length)
  const [below, above] = [q - error, q + error].map((share) => quantile(outside, Math.min(1, Math.max(0, share))) ?? 0)
  const [fewer, more] = sharesWithin(toTraining, [below, above])
  return (hits * (1 - hits)) / toTraining.length + ((more - fewer) / 2) ** 2
}

/**
 * If a share f of all m released records was led to a training record and the others fall on T and H at random, the excess
 * e among the c close ones estimates f = e c / m. Its interval and its one-sided 95 % bounds are those of e, and never
 * narrower than Wilson's for f.
 */
function owingToTraining(labels: Exchangeability | null, close: number, m: number): Calibrated['owingToTraining'] {
  const share = labels === null ? 0 : (labels.excess * close) / m
  const notNarrower = (bounds: { readonly lower: number; readonly upper: number } | undefined, level: number) => {
    const ofCount = wilson(Math.max(0, share) * m, m, level) ?? { lower: 0, upper: 1 }
    const { lower, upper } = bounds ?? { lower: 0, upper: 0 }
    return { lower: Math.min((lower * close) / m, ofCount.lower), upper: Math.max((upper * close) / m, ofCount.upper) }
  }
  return {
    share,
    interval: { ...notNarrower(labels?.interval, INTERVAL_LEVEL), level: INTERVAL_LEVEL, method: 'exchangeability' },
    bounds: notNarrower(labels?.bounds, BOUNDS_LEVEL),
  }
}
