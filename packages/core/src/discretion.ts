import { grouped, percent } from './print.js'

/**
 * How exactly a reader may know a number. `internal`: as it is. `publishable`: no small count, none that is small by
 * what is left of the whole, and none that a second report about nearly the same people would give back by difference:
 * counts are multiples of ten, and shares step by at least ten people.
 *
 * Rounding alone is not enough. Somebody who has two reports, about files that differ by one known person, sees where a
 * number crosses from one step to the next, and then knows it exactly. Such an edge may lie only where the number is no
 * small one: all that is below one and a half steps, fifteen people or more, looks alike, and so does all above the whole
 * less as many. An upper bound lies above its share, so that of a share in that zone is the same for all of them. Below
 * what other people give away too there is nothing to tell: places are cut off at 0.
 */
export interface Discretion {
  readonly audience: Audience
  /** `n` of `all` people. */
  count(n: number, all: number): string
  /** All `n` people of a file. */
  size(n: number): string
  /** A share, or a place between two shares, of a quantity that counts so many `people`. */
  share(share: number, people: number, digits?: number): string
  /** The same as a number, for pictures. */
  shareValue(share: number, people: number): number
  /** The bounds of a share, as numbers for pictures. */
  boundValues(bounds: Bounds, people: number): Bounds
  /** "3 % to 14 %" */
  bounds(bounds: Bounds, people: number): string
  /** A leakage, which ends where other people and the original itself are: "none" below 0, 100 % above 1. */
  leakage(leakage: number, people: number): string
  leakageBounds(bounds: Bounds, people: number): string
  /** What a share is at most, by its upper bound. */
  atMost(upper: number, people: number): string
  /** Whether a group of so many people may be named by the value that they have in common. */
  mayName(people: number): boolean
  /** What has values of records in it, or exact counts in words that others have made; `instead` where it is held back. */
  withValues(text: string, instead: string): string
}

interface Bounds {
  readonly lower: number
  readonly upper: number
}

/** A sentence as each audience may read it. Whatever is said of data in words of its own is one of these. */
export type Note = Readonly<Record<Audience, string>>

export function note(say: (numbers: Discretion) => string): Note {
  return { internal: say(INTERNAL), publishable: say(PUBLISHABLE) }
}

export const AUDIENCES = ['publishable', 'internal'] as const
export type Audience = (typeof AUDIENCES)[number]

/** Stands on top of every document for readers inside. */
export const INTERNAL_BANNER =
  'Internal, not for publication: this document has exact counts and records of individuals. Keep it where the original is kept.'

const STEP = 10
/** Of a step: nothing below it is told apart, so that no edge lies at a small count. */
const SMALL = 1.5
/** Of a step: no upper bound is lower than that of a share at the edge of what is small. */
const LEAST_UPPER = 4

/**
 * Text without numbers that are called a seed: whoever has the seed of a synthesis, and the synthesizer, can make it again
 * with and without a person.
 */
export function withoutSeeds(text: string): string {
  return text.replace(/(seeds?["']?\s*[=:]?\s*["']?)-?\d+/gi, '$1…')
}

/** Numbers as they are; only the far ends of bounds, which say no more, are cut off. */
export const INTERNAL: Discretion = {
  audience: 'internal',
  count: grouped,
  size: grouped,
  share: (share, _people, digits) => percent(share, digits),
  shareValue: (share) => share,
  boundValues: (bounds) => bounds,
  bounds: ({ lower, upper }) => rangeText({ lower: within(-1, lower), upper: within(-1, upper) }),
  leakage: (leakage) => leakageText(leakage),
  leakageBounds: ({ lower, upper }) => rangeText({ lower: within(0, lower), upper: within(0, upper) }),
  atMost: (upper) => percent(Math.min(1, Math.max(0, upper)), 0),
  mayName: () => true,
  withValues: (text) => text,
}

export function discretionFor(audience: Audience): Discretion {
  return audience === 'internal' ? INTERNAL : PUBLISHABLE
}

const PUBLISHABLE: Discretion = {
  audience: 'publishable',
  count: (n, all) => {
    if (n < SMALL * STEP) return `fewer than ${SMALL * STEP}`
    if (n > all - SMALL * STEP) return 'nearly all'
    return grouped(STEP * Math.round(n / STEP))
  },
  size: (n) => (n < SMALL * STEP ? `fewer than ${SMALL * STEP}` : grouped(n)),
  share: (share, people) => {
    const edge = SMALL * shareStep(people)
    if (edge >= 1 / 2) return share < 1 / 2 ? 'under half' : 'over half'
    if (share < edge) return `under ${percent(edge, 0)}`
    if (share > 1 - edge) return `over ${percent(1 - edge, 0)}`
    return percent(toStep(share, people, Math.round), 0)
  },
  shareValue,
  boundValues,
  bounds: (bounds, people) => rangeText(boundValues(bounds, people)),
  leakage: (leakage, people) => PUBLISHABLE.share(leakage, people),
  leakageBounds: (bounds, people) => rangeText(boundValues(bounds, people)),
  atMost: (upper, people) => percent(boundValues({ lower: 0, upper }, people).upper, 0),
  mayName: (people) => people >= SMALL * STEP,
  withValues: (_text, instead) => instead,
}

function shareValue(share: number, people: number): number {
  const edge = SMALL * shareStep(people)
  if (edge >= 1 / 2) return share < 1 / 2 ? 0 : 1
  if (share < edge) return 0
  return share > 1 - edge ? 1 : toStep(share, people, Math.round)
}

/** Steps outward, so that bounds still hold. */
function boundValues({ lower, upper }: Bounds, people: number): Bounds {
  const step = shareStep(people)
  const inside = (share: number) => Math.min(1, Math.max(0, share))
  return {
    lower: lower < SMALL * step ? 0 : inside(toStep(Math.min(lower, 1 - LEAST_UPPER * step), people, Math.floor)),
    upper: upper > 1 - SMALL * step ? 1 : inside(toStep(Math.max(upper, LEAST_UPPER * step), people, Math.ceil)),
  }
}

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
/** So that a share of exactly so many steps stays where it is. */
const ROUNDING = 1e-9

/** The least round step that is ten people or more. */
function shareStep(people: number): number {
  return STEPS.find((step) => step * people >= STEP) ?? 1
}

function toStep(share: number, people: number, round: (steps: number) => number): number {
  const step = shareStep(people)
  const steps = share / step
  const whole = Math.round(steps)
  return ((Math.abs(steps - whole) < ROUNDING ? whole : round(steps)) * Math.round(100 * step)) / 100
}

/** A leakage as people read it; the number itself is in the JSON. */
export function leakageText(leakage: number, digits = 0): string {
  return leakage <= 0 ? 'none' : percent(Math.min(1, leakage), digits)
}

function within(least: number, share: number): number {
  return Math.min(1, Math.max(least, share))
}

function rangeText({ lower, upper }: Bounds): string {
  return `${percent(lower, 0)} to ${percent(upper, 0)}`
}
