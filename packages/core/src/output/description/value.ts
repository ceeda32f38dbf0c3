import { math } from '@scrim/kernels'
import { z } from 'zod'
import { decimalsOf, type Output } from './description.js'

export const elementSchema = z.string().describe('term, cell, group or pair; "(model)" for what is of all of a model')

export const valueSchema = z.object({
  output: z.string(),
  element: elementSchema,
  statistic: z.string(),
  value: z.number(),
  decimals: z.int(),
  precision: z.number().describe('half a unit of the last printed digit, or of the base that counts are rounded to'),
  standardError: z.number().nullable(),
})

/** One number of an output; the number as printed is nearer than its precision. The standard error is over samples of people. */
export type OutputValue = Readonly<z.output<typeof valueSchema>>

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
