import { normalEffect } from '../../../evidence/effects.js'
import { TIE } from '../../../neighbors/space.js'
import { normalCdf, normalQuantile } from '../../../stats/distributions.js'
import { histogram } from '../../../stats/histogram.js'
import { normalInterval, within } from '../../../stats/intervals.js'
import { joined } from '../../../stats/joined.js'
import { INTERVAL_ENDS } from '../../../stats/levels.js'
import { mean, standardDeviation } from '../../../stats/sums.js'
import { DETECTABLE_Z, permutationPValue } from '../../../stats/tests/tests.js'
import type { AdversarialAccuracy, SampleComparison } from './adversarial-accuracy.js'

/** Adversarial accuracy under labels dealt out at random. */
export const TWO_SIDED = normalQuantile(INTERVAL_ENDS[1])

/** Below this the permutations run out, and the normal tail goes on. */
const TAIL_FROM = 1e-3

const BINS = 30

/**
 * One half when as many records are outside: the accuracy is 0 for people who all stand in the release, one half for others.
 * From a larger original two samples of the size of the holdout share so many of their records only.
 */
export function lossOfOriginal(training: number, holdout: number): number {
  return 0.5 * Math.min(1, holdout / training)
}

export function meanAccuracies(comparisons: readonly SampleComparison[]) {
  const over = (side: 'training' | 'holdout', part: keyof AdversarialAccuracy) =>
    mean(comparisons.map((one) => one[side][part])) ?? 0
  const averaged = (side: 'training' | 'holdout') => ({
    left: over(side, 'left'),
    right: over(side, 'right'),
    accuracy: over(side, 'accuracy'),
  })
  return withLoss(averaged('training'), averaged('holdout'))
}

export function withLoss(training: AdversarialAccuracy, holdout: AdversarialAccuracy) {
  return { training, holdout, loss: holdout.accuracy - training.accuracy }
}

/**
 * The mean over repeats is compared with single repeats under random labels, which vary more than a mean: the test errs on
 * the safe side. Exchanging the labels turns the sign of the loss, so its mean under random labels is 0.
 */
export function permutationTest(loss: number, comparisons: readonly SampleComparison[]) {
  const losses = comparisons.map(({ training, holdout }) => holdout.accuracy - training.accuracy)
  const nulls = joined(comparisons.map(({ nullLosses }) => nullLosses))
  const nullSd = Math.sqrt(mean(nulls.map((one) => one * one)) ?? 0)
  const z = nullSd > 0 ? loss / nullSd : 0
  const permuted = permutationPValue(loss - TIE, nulls)
  const spread = standardDeviation(losses)
  const edge = nulls.reduce((most, one) => Math.max(most, Math.abs(one)), Number.EPSILON)
  const p = permuted < TAIL_FROM && nullSd > 0 ? Math.min(permuted, normalCdf(-z)) : permuted
  const interval = within({ ...normalInterval(loss, nullSd), method: 'normal, permutation sd' }, -1, 1)
  return {
    nullSd,
    z,
    p,
    effect: { ...normalEffect(loss, nullSd), p },
    // Without any spread under random labels nothing could have been found.
    interval: nullSd > 0 ? interval : null,
    standardError: spread === null ? null : spread / Math.sqrt(losses.length),
    minimalDetectable: DETECTABLE_Z * nullSd,
    histogram: histogram(nulls, BINS, -edge, edge),
  }
}

/** Two samples' distances within themselves and to each other, and by how much one must be larger to be larger. */
export interface PairDistances {
  readonly toReleased: Float64Array
  readonly toOwn: Float64Array
  readonly fromReleased: Float64Array
  readonly withinReleased: Float64Array
  readonly tie: number
}

export function strictAccuracy({
  toReleased,
  toOwn,
  fromReleased,
  withinReleased,
  tie,
}: PairDistances): AdversarialAccuracy {
  const share = (distances: Float64Array, than: Float64Array) =>
    distances.filter((distance, at) => distance > than[at] + tie).length / distances.length
  const left = share(toReleased, toOwn)
  const right = share(fromReleased, withinReleased)
  return { left, right, accuracy: (left + right) / 2 }
}
