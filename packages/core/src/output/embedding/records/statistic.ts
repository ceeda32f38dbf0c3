import type { Codes } from './coded-records.js'
import { placeOf, type Stride } from './joint-code.js'

/**
 * An output as a function of sums over records, so that a change of one record costs a few additions and never a fit. A search
 * that keeps many data sets copies their sums; one that improves a single data set asks a climber what a change would do.
 */
export interface Statistic {
  /** Which variables it looks at, 1 or 0. */
  readonly uses: Uint8Array
  /** How many sums it keeps. */
  readonly size: number
  readonly aims: Aims
  /** Adds (sign 1) or takes away (sign -1) the record that starts at `at`; its sums start at `from`. */
  add(codes: Codes, at: number, sign: number, sums: Float64Array, from: number): void
  /** The variable that a model explains; -1 for what is no model. */
  readonly response: number
  /** The values that these sums give; returns their error. */
  evaluate(sums: Float64Array, from: number, values: Float64Array): number
  /** Goes on from these sums, which it changes; see `Goal`. */
  climber(sums: Float64Array, from: number, goal: Goal): Climber
}

/**
 * `near` makes differences small in their scale; `printed` counts only what sticks out of the printed digit, so that all data sets
 * that print the same are equally good and the search walks freely among them.
 */
export type Goal = 'near' | 'printed'

/** What the values should be. */
export interface Aims {
  readonly targets: Float64Array
  /** Half a unit of the last printed digit: this near is as good as equal. */
  readonly halfUnits: Float64Array
  /** What a difference is divided by. */
  readonly scales: Float64Array
  /** How much a squared scaled difference counts. */
  readonly weights: Float64Array
}

export interface Climber {
  /** What the sums give at present. */
  readonly values: Float64Array
  error(): number
  /** The error if the first `count` records of `before` were those of `after`; nothing changes yet. */
  propose(before: Codes, after: Codes, count: number): number
  /** Changes the sums by what was proposed last. */
  accept(): void
  /** Computes values afresh from the sums. */
  refresh(): void
  /** A variable and codes that the worst element looks at; null where any record will do. */
  worst(): Condition | null
}

/** Records with one of these codes in a variable. */
export interface Condition {
  readonly variable: number
  readonly codes: Uint8Array
}

/** Σ weight ((value - target) / scale)². */
export function errorOf(values: ArrayLike<number>, aims: Aims): number {
  let error = 0
  for (let e = 0; e < values.length; e++) error += errorAt(values[e], e, aims)
  return error
}

export function errorAt(value: number, e: number, { targets, scales, weights }: Aims): number {
  const r = (value - targets[e]) / scales[e]
  return weights[e] * r * r
}

/** A little less than half a unit, so that rounding errors do not matter. */
export const WITHIN = 0.9

/** Σ weight e², e being by how many half units a value sticks out of what is printed. */
export function excessOf(values: ArrayLike<number>, aims: Aims): number {
  let error = 0
  for (let e = 0; e < aims.targets.length; e++) error += excessAt(values[e], e, aims)
  return error
}

export function excessAt(value: number, e: number, { targets, halfUnits, weights }: Aims): number {
  const over = Math.abs(value - targets[e]) / halfUnits[e] - WITHIN
  return over > 0 ? weights[e] * over * over : 0
}

/** How many values agree with what is printed. */
export function reproduced(values: ArrayLike<number>, { targets, halfUnits }: Aims): number {
  let count = 0
  for (let e = 0; e < targets.length; e++) if (isReproduced(values[e], targets[e], halfUnits[e])) count++
  return count
}

/** Rounding errors of sums are none of the data's. */
const ROUNDING = 1e-9

export function isReproduced(value: number, target: number, halfUnit: number): boolean {
  return Math.abs(value - target) <= halfUnit + ROUNDING * Math.max(1, Math.abs(target))
}

/** The element that is furthest off, in the scale of the search. */
export function worstElement(values: ArrayLike<number>, aims: Aims): number {
  let worst = 0
  let most = -1
  for (let e = 0; e < values.length; e++) {
    const off = errorAt(values[e], e, aims)
    if (off > most) {
      most = off
      worst = e
    }
  }
  return worst
}

/**
 * Which records an output is about: those that have an allowed code in each of some variables, and whose joint code of others
 * fulfils a condition.
 */
export interface Included {
  readonly allowed: readonly Condition[]
  readonly joint: { readonly by: readonly Stride[]; readonly holds: Uint8Array } | null
}

export function isIncluded({ allowed, joint }: Included, codes: Codes, at: number): boolean {
  for (let k = 0; k < allowed.length; k++) if (allowed[k].codes[codes[at + allowed[k].variable]] === 0) return false
  return joint === null || joint.holds[placeOf(joint.by, codes, at)] === 1
}

export function markUses(uses: Uint8Array, { allowed, joint }: Included): void {
  for (const { variable } of allowed) uses[variable] = 1
  for (const { variable } of joint?.by ?? []) uses[variable] = 1
}
