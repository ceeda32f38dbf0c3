import { betaCdf } from '../../stats/distributions.js'
import { wilson } from '../../stats/intervals.js'
import { BOUND_Z, BOUNDS_LEVEL } from '../../stats/levels.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import type { AroundInBits, NearestInBits } from './around-in-bits.js'
import type { ShapeControl } from './shape-control.js'

/**
 * Memorisation in bulk, by bits in common: is the record that shares the most with an original a released one more often
 * than for another sample of the same population, and more often than for independent marginals? With h_i the share of
 * released records among the most similar ones of i,
 *   f = max(ν, mean h of independent marginals),  leakage L = (mean h - f) / (1 - f):
 * 0 for an honest sample, 1 for the original itself when its records differ. The second control is there because a release
 * of another shape than the original can have mean h > ν without copying anybody.
 * SE: sd(h) √(deff / n) and, where it is the control, that of the mean over replicates, carried over to L.
 * Test: as many of n_eff as h says and more, of Binomial(n_eff, f), continued to fractions; n_eff = f (1 - f) / (variance of
 * mean h without leakage, with the uncertainty of the control). z is its normal approximation.
 */
export type BitsInBulk = {
  readonly charge: number
  readonly records: number
  /** Mean h, ν, and mean h of independent marginals. */
  readonly closer: number
  readonly chance: number
  readonly shape: number
  readonly shapeStandardDeviation: number
  /** f. */
  readonly fair: number
  /** Null when the control cannot be exceeded: f = 1. */
  readonly leakage: number | null
  readonly standardError: number | null
  readonly designEffect: number
  readonly z: number
  /** One-sided, of no leakage. */
  readonly p: number
  /** One-sided 95 % bounds of the leakage. */
  readonly lower: number | null
  readonly upper: number | null
}

export function bitsInBulk(
  { chance }: AroundInBits,
  { charge, releasedShare, designEffect }: NearestInBits,
  shape: ShapeControl,
): BitsInBulk {
  const records = releasedShare.length
  const effective = records / designEffect
  const closer = mean(releasedShare) ?? 0
  const fair = Math.max(chance, shape.closer)
  const fairError = shape.closer > chance ? shape.standardDeviation / Math.sqrt(shape.replicates) : 0
  const nullError = Math.hypot(Math.sqrt((fair * (1 - fair)) / effective), fairError)
  const z = nullError > 0 ? (closer - fair) / nullError : 0
  const found = {
    charge,
    records,
    closer,
    chance,
    shape: shape.closer,
    shapeStandardDeviation: shape.standardDeviation,
    fair,
    designEffect,
    z,
    p: nullError > 0 ? asManyOrMore(closer, (fair * (1 - fair)) / nullError ** 2, fair) : 1,
  }
  if (fair >= 1) return { ...found, leakage: null, standardError: null, lower: null, upper: null }
  const leakageOf = (share: number) => (share - fair) / (1 - fair)
  const bounds = wilson(closer * effective, effective, BOUNDS_LEVEL) ?? { lower: 0, upper: 1 }
  const ownError = (standardDeviation(releasedShare) ?? 0) / Math.sqrt(effective)
  return {
    ...found,
    leakage: leakageOf(closer),
    standardError: Math.hypot(ownError / (1 - fair), ((1 - closer) * fairError) / (1 - fair) ** 2),
    lower: leakageOf(closer - Math.hypot(closer - bounds.lower, BOUND_Z * fairError)),
    upper: leakageOf(closer + Math.hypot(bounds.upper - closer, BOUND_Z * fairError)),
  }
}

/** P(Binomial(n, chance) >= share · n), continued to fractions. */
function asManyOrMore(share: number, n: number, chance: number): number {
  return share > 0 ? betaCdf(chance, share * n, (1 - share) * n + 1) : 1
}
