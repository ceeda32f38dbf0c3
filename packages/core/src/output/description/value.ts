import { math } from '@scrim/kernels'
import { decimalsOf, type Output } from './description.js'

/** One number of an output. */
export interface OutputValue {
  /** Id of the output. */
  readonly output: string
  /** Term of a model ("(model)" for what is of all of it), cell of a table, group of a summary, pair of a correlation. */
  readonly element: string
  /** What is said of it: estimate, se, count, mean, ... */
  readonly statistic: string
  readonly value: number
  readonly decimals: number
  /** Half of a unit of the last printed digit, or of the base that counts are rounded to: the number as printed is this near. */
  readonly precision: number
  /** Of the value, over samples of people; null where there is none. */
  readonly standardError: number | null
}

export const PENALTIES = ['firth', 'ridge'] as const
export type Penalty = (typeof PENALTIES)[number]

export interface Recomputed {
  readonly values: readonly OutputValue[]
  /** Elements that these records do not define. */
  readonly dropped: readonly { readonly element: string; readonly reason: string }[]
  /** The penalty of the fit, where a term separates the outcomes and there is none without one. */
  readonly flags: readonly Penalty[]
  /** Records that it rests on. */
  readonly records: number
  /** Records less coefficients, of a model. */
  readonly degreesOfFreedom: number | null
}

export const MODEL = '(model)'

/** A number of an output, with the digits that it is printed with. */
export function outputValue(
  output: Output,
  element: string,
  statistic: string,
  value: number,
  standardError: number | null,
): OutputValue {
  const decimals = decimalsOf(output, statistic)
  const base = output.kind === 'table' && statistic === 'count' ? output.rounding?.base : undefined
  const precision = base === undefined ? 0.5 / math.tenTo(decimals) : base / 2
  return { output: output.id, element, statistic, value, decimals, precision, standardError }
}
