import type { Interval } from '../stats/intervals.js'

/**
 * What every measure of utility says besides its value, so that measures with different units can be read side by side.
 *
 *   place       (value - nothing) / (honest - nothing): 0 for a release that keeps nothing of what the measure looks at,
 *               1 for an honest sample of the original as large as the release. Not cut off: more than 1 is closeness
 *               beyond what chance allows, which is no utility
 *   ratio       value / honest, where both are distances that are 0 for the original itself
 *   equivalent  the size of a random subsample of the original that would be as far off
 */
export type UtilityEvidence = {
  readonly scale: UtilityScale
  readonly place: number | null
  readonly ratio: number | null
  readonly equivalent: Equivalent | null
  /** Whether release and original could be two samples of one population. */
  readonly test: UtilityTest | null
  /** Why place or equivalent is null. */
  readonly reasons: readonly string[]
}

/** The composite score that a measure belongs to; null: shown, not averaged. */
export type UtilityScale = 'joint' | 'marginal' | null

export type UtilityTest = {
  readonly p: number
  /** A few words: "X² of the propensity model, 38 df". */
  readonly what: string
}

export type Equivalent = {
  /** Records, and as a share of the original. */
  readonly size: number
  readonly fraction: number
  /** Of the fraction. */
  readonly interval: Interval
  /** What random subsamples of these shares of the original give, smallest first. */
  readonly curve: readonly { readonly fraction: number; readonly value: number }[]
}
