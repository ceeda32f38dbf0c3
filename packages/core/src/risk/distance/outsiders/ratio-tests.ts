import type { Effect } from '../../../evidence/evidence.js'
import { type Interval, normalInterval } from '../../../stats/intervals.js'
import { BOUNDS_LEVEL } from '../../../stats/levels.js'
import { mean, standardDeviation } from '../../../stats/sums.js'
import { DETECTABLE_Z } from '../../../stats/tests/tests.js'
import { areaOf, type BothRatios, type Statistics, suspiciousShare } from './distance-ratios.js'

/** A statistic of distance ratios, held against labels dealt out at random. */
export type Compared = {
  /** At most 1; 0 is expected of labels at random. */
  readonly value: number
  /** Standard deviation under random labels. */
  readonly nullSd: number
  readonly z: number
  /** Of either statistic reaching this z. */
  readonly p: number
  readonly interval: Interval
  /** One-sided 95 %. */
  readonly bounds: { readonly lower: number; readonly upper: number }
  readonly minimalDetectable: number
}

/**
 * Both statistics against random labels, then times `scale`. A random labelling has one draw of the larger side, which
 * varies more than the average of several, so p errs upwards at unequal sizes.
 */
export function tested(observed: BothRatios, random: Statistics, released: number, scale: number) {
  const [pT, pH] = [suspiciousShare(observed.training), suspiciousShare(observed.holdout)]
  const binomial = Math.sqrt(proportionVariance(pT, released) + proportionVariance(pH, released))
  const difference = standardised(pT - pH, random.difference)
  const advantage = standardised(2 * areaOf(observed) - 1, random.advantage)
  const largest = difference.of.map((z, round) => Math.max(z, advantage.of[round]))
  const finished = ({ value, nullSd, z }: Standardised, sd: number): Compared => {
    const { lower, upper, level, method } = normalInterval(scale * value, scale * sd)
    const bounds = normalInterval(scale * value, scale * sd, BOUNDS_LEVEL)
    return {
      value: clamp(scale * value),
      nullSd: scale * nullSd,
      z,
      p: nullSd > 0 ? (1 + countFrom(largest, z)) / (1 + largest.length) : 1,
      interval: { lower: clamp(lower), upper: clamp(upper), level, method },
      bounds: { lower: clamp(bounds.lower), upper: clamp(bounds.upper) },
      minimalDetectable: Math.min(1, scale * DETECTABLE_Z * nullSd),
    }
  }
  return {
    excess: finished(difference, Math.max(difference.nullSd, binomial)),
    advantage: finished(advantage, advantage.nullSd),
  }
}

/** With a success and a failure more (Agresti and Caffo 2000): none among few records is no proof that there is never one. */
export function proportionVariance(share: number, n: number): number {
  const p = (share * n + 1) / (n + 2)
  return (p * (1 - p)) / (n + 2)
}

interface Standardised extends Pick<Compared, 'value' | 'nullSd' | 'z'> {
  /** The z of each random labelling. */
  readonly of: Float64Array
}

function standardised(value: number, random: Float64Array): Standardised {
  const nullMean = mean(random) ?? 0
  const nullSd = standardDeviation(random) ?? 0
  const zOf = (one: number) => (nullSd > 0 ? (one - nullMean) / nullSd : 0)
  return { value, nullSd, z: zOf(value), of: random.map(zOf) }
}

/** Scaled to the size of the training data, a statistic of few records may leave its range. */
function clamp(value: number): number {
  return Math.min(1, Math.max(-1, value))
}

/** The same counts divided in another order are still equal. */
const ROUNDING = 1e-9

function countFrom(values: Float64Array, limit: number): number {
  let count = 0
  for (const value of values) if (value >= limit - ROUNDING) count++
  return count
}

export function effectOf({ value, nullSd, bounds, p }: Compared): Effect {
  return { value, se: nullSd, ...bounds, p }
}
