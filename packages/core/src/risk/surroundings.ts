import { normalEffect } from '../evidence/effects.js'
import type { Look } from '../evidence/evidence.js'
import { mean, variance } from '../stats/sums.js'

/**
 * Records that nobody would take for real ones hide the others: they make a release larger, so that more of what is near a
 * person ought to be released (ν = m / (m + n - 1)), and are near hardly anybody themselves. What ought to be released near
 * people is therefore also read off near them: the nearest record of person i against the 6th to 20th,
 *   h = share of people whose nearest record is a released one,  f = share of released ones among ranks 6 to 20.
 * In an honest sample each rank is a released record with chance ν, and h - f is 0 in the mean. For any other release that
 * was made without these people, of density q among people of density p, h tends to ∫ p m q / (m q + n p), and what it is in
 * larger surroundings is no smaller (an overlap never shrinks when places are taken together: the data-processing inequality
 * of the Henze-Penrose divergence): h - f is then below 0, and the shape of a release never alarms.
 *
 * Padding that stands among people makes f larger too, and a twin weighs less in a share the more records there are. Where twins
 * make released records near a person more frequent, they add e = h / (1 - h) - f / (1 - f) to the odds of one, however many
 * others there are. Hence
 *   leakage L = e / (1 + o + e),  o = min(1, f / (1 - f)):
 * (h - f) / (1 - f) as it would be with no more released records around people than there are other people. The test is
 * that of h - f. Asked where fewer released records stand around people than ν says; elsewhere ν is fair, and more precise.
 * Blind to what spreads evenly over the twenty nearest. Overstates under much padding: a twin that is the nearest anyway, a
 * verbatim copy above all, loses no weight in a share.
 */
export interface Surrounded {
  /** Of each person looked at: is the nearest record released, and the share of released ones around. */
  readonly nearest: Float64Array
  readonly around: Float64Array
  /** ν. */
  readonly chance: number
  /** How much more the mean of `nearest` varies than over independent records. */
  readonly designEffect: number
  readonly originals: number
  /** The place of the original itself, released once, between the fair share and 1. */
  readonly ofOriginal: number
}

const FIRST_RANK = 6
export const LAST_RANK = 20

/** Fewer released records than in a sample: by a standard error of a share of independent records, two to three of f's. */
const FEWER = 1

/** Null where as many released records stand around people as in a sample, or more. */
export function againstSurroundings(of: Surrounded): Look | null {
  const { nearest, around, chance, designEffect, originals, ofOriginal } = of
  const people = nearest.length
  const [closer, share] = [mean(nearest) ?? 0, mean(around) ?? 0]
  if (share >= chance - FEWER * Math.sqrt((chance * (1 - chance)) / people)) return null
  const seen = variance(nearest.map((h, at) => h - around[at])) ?? 0
  const byChance = share * (1 - share) * (1 + 1 / (LAST_RANK - FIRST_RANK + 1))
  const withVariance = (one: number) => normalEffect(closer - share, Math.sqrt((one * designEffect) / people))
  const { value, lower, upper, se } = withVariance(seen)
  const fair = Math.min(share, 1 / 2)
  const atEqualSize = (excess: number) => shareAtOdds(oddsOf(share + excess) - oddsOf(share) + oddsOf(fair)) - fair
  const effect = atEqualSize(value)
  return {
    what: 'against the records around people',
    value: fair + effect,
    controls: {
      fair: { value: fair, se: null, what: 'the records around people', basis: 'leave-one-out' },
      everything: { value: fair + (1 - fair) * ofOriginal, se: null, what: 'the original itself' },
    },
    effect: {
      value: effect,
      se: value === 0 ? se : (se ?? 0) * (effect / value),
      lower: atEqualSize(lower),
      upper: atEqualSize(upper),
      p: withVariance(Math.max(seen, byChance)).p,
    },
    people: Math.round(originals * Math.max(0, closer - share)),
    narrow: true,
  }
}

/** Below 0 and from 1 on a share has no odds: those of the nearest that has. */
const NEARLY = 1e-9

function oddsOf(share: number): number {
  const within = Math.min(1 - NEARLY, Math.max(0, share))
  return within / (1 - within)
}

function shareAtOdds(odds: number): number {
  return Math.max(0, odds) / (1 + Math.max(0, odds))
}

/** Share of released ones among ranks 6 to 20; groups of records that tie, the nearest first, count in equal parts. */
export function shareAround(groups: readonly { readonly released: number; readonly records: number }[]): number {
  let [before, released, counted] = [0, 0, 0]
  for (const group of groups) {
    const end = before + group.records
    const inside = Math.min(end, LAST_RANK) - Math.max(before, FIRST_RANK - 1)
    if (inside > 0) {
      released += (inside * group.released) / group.records
      counted += inside
    }
    before = end
  }
  return counted > 0 ? released / counted : 0
}
