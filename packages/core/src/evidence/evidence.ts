import type { Reason } from '../reason.js'

/**
 * What a measure puts before the judge. A number alone says nothing; the same attack is therefore asked what it reaches
 * on the same original with three other releases:
 *   nothing     every column resampled from its own marginal: somebody who knows the marginals only
 *   fair        everybody's records but the victim's own, or people who are not in the release: population knowledge
 *   everything  the original itself: no protection
 * From these follow
 *   exposure = (value - nothing) / (everything - nothing): what the release reveals, what any useful data would included
 *   leakage  = effect / ceiling, the effect being value - fair and the ceiling everything - fair: what it reveals about
 *              these people because their records were in it.
 * Both are 1 for the original itself, and neither is cut off at 0 or 1.
 */
export type Controls = {
  readonly nothing?: Control
  readonly fair?: FairControl
  readonly everything?: OriginalControl
  /** For measures of utility: an honest sample of the original, of the size of the release. */
  readonly honest?: Control
}

export type Control = {
  readonly value: number
  /** Null when the value is exact. */
  readonly se: number | null
  /** What it stands for, a few words: "labels at random", "people outside the release". */
  readonly what: string
}

/**
 * The original itself. Where it has a fair control of its own (copied people are among those by whom chance is estimated), leakage =
 * (value - fair) / (everything - its own fair).
 */
type OriginalControl = Control & { readonly fair?: number | undefined }

export type FairControl = Control & { readonly basis: FairBasis }

/** Where population knowledge comes from; what rests on outsiders falls when they turn out to be in the release. */
type FairBasis = 'leave-one-out' | 'outsiders' | 'cross-fitting' | 'chance'

/** By how much the value exceeds the fair control, higher being worse whatever the measure's orientation. */
export type Effect = {
  readonly value: number
  readonly se: number | null
  /** One-sided 95 % bounds, each for itself. */
  readonly lower: number
  readonly upper: number
  /** One-sided, of no effect. */
  readonly p: number
  /** The effect of the original itself; everything - fair when not given. */
  readonly ceiling?: number
}

/** One comparison with a fair control. */
export type Look = {
  /** What is compared, a few words: "against people outside the release". */
  readonly what: string
  readonly value: number
  readonly controls: Controls
  readonly effect: Effect
  /** How many people are concerned, where the measure counts them one by one; null where the effect does not count people, leakage × all people when not given. */
  readonly people?: number | null | undefined
  /** Share of people of whom the original itself would reveal more, through this look; the ceiling of the effect when not given. */
  readonly reach?: number | undefined
  /** How many people an effect of 1 stands for, as a share of all: 1 unless it counts something else. */
  readonly peoplePerEffect?: number | undefined
  /** It looks for a part of the threat only: it can alarm and cannot reassure. */
  readonly narrow?: boolean
  /** What the release adds about each original record by this look, NaN where unknown. */
  readonly added?: () => ArrayLike<number>
  /** It has its p from other looks and shows what they found on another scale: it takes no share of their level. */
  readonly rescaled?: boolean
}

export type Leakage = {
  readonly value: number
  readonly se: number | null
  /** One-sided 95 % bounds. */
  readonly lower: number
  readonly upper: number
  readonly p: number
}

/**
 * The same on the scale of people: by how much larger the share of people is of whom something is revealed than the fair control
 * says, value - fair. Where hardly anybody could be told apart leakage is noise divided by nothing; on this scale it is small.
 */
export type ShareOfPeople = {
  readonly value: number
  readonly se: number | null
  readonly lower: number
  readonly upper: number
  /** Share of people of whom the original itself would reveal more. */
  readonly reach: number
}

/** A scale needs a distance between its ends that chance does not make. */
const STANDARD_ERRORS_APART = 3

/** Null where an end of the scale is not known, or where the original itself reveals no more than the marginals. */
export function exposureOf(value: number, { nothing, everything }: Controls): number | null {
  if (nothing === undefined || everything === undefined) return null
  const length = everything.value - nothing.value
  return isTooShort(length, nothing.se) ? null : (value - nothing.value) / length
}

/** A place on the scale, or why there is none. */
type OnScale = { readonly place: Leakage } | { readonly place: null; readonly reason: Reason }

export function leakageOf(controls: Controls, effect: Effect | undefined): OnScale {
  if (controls.fair === undefined || effect === undefined) return { place: null, reason: { code: 'no-fair-control' } }
  const ceiling = ceilingOf(controls, effect)
  if (ceiling === undefined) return { place: null, reason: { code: 'unknown-ceiling' } }
  if (isTooShort(ceiling, effect.se)) return { place: null, reason: { code: 'no-scale' } }
  const { value, se, lower, upper, p } = effect
  return {
    place: {
      value: value / ceiling,
      se: se === null ? null : se / ceiling,
      lower: lower / ceiling,
      upper: upper / ceiling,
      p,
    },
  }
}

/** With the ceiling of the effect among the controls: what is printed beside a leakage is all that it can be worked out from. */
export function tracedControls(controls: Controls, effect: Effect | undefined): Controls {
  const { fair, everything } = controls
  if (fair === undefined || everything === undefined || effect?.ceiling === undefined) return controls
  const fairOfOriginal = everything.value - effect.ceiling
  const isOwn = Math.abs(fairOfOriginal - fair.value) > ROUNDING
  return isOwn ? { ...controls, everything: { ...everything, fair: fairOfOriginal } } : controls
}

const ROUNDING = 1e-12

/** Null where what the original itself would reveal is not known, or is nothing. */
export function shareOfPeople(
  controls: Controls,
  effect: Effect | undefined,
  { reach, peoplePerEffect = 1 }: Pick<Look, 'reach' | 'peoplePerEffect'>,
): ShareOfPeople | null {
  const ceiling = ceilingOf(controls, effect)
  if (effect === undefined || ceiling === undefined) return null
  if (ceiling <= 0) return { value: 0, se: null, lower: 0, upper: 0, reach: 0 }
  const { value, se, lower, upper } = effect
  return {
    value: value * peoplePerEffect,
    se: se === null ? null : se * peoplePerEffect,
    lower: lower * peoplePerEffect,
    upper: upper * peoplePerEffect,
    reach: reach ?? ceiling,
  }
}

/** The effect of the original itself. */
export function ceilingOf({ fair, everything }: Controls, effect: Effect | undefined): number | undefined {
  return effect?.ceiling ?? (everything === undefined || fair === undefined ? undefined : everything.value - fair.value)
}

function isTooShort(length: number, se: number | null): boolean {
  return length <= 0 || (se !== null && length < STANDARD_ERRORS_APART * se)
}
