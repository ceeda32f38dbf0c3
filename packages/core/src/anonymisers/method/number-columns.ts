import type { Column, DateColumn, NumericColumn } from '../../table/column.js'
import { rounded, roundedToStep, roundingOf, stepOf } from '../../table/precision.js'
import type { Maskable } from './anonymiser.js'

/** Columns whose values can be added: numbers and dates. */
export type NumberColumn = NumericColumn | DateColumn

export const NUMBERS: Maskable<NumberColumn> = {
  what: 'numeric',
  hint: 'choose numeric columns with the option variables, or declare their type, for example a=numeric',
  accepts: (column: Column): column is NumberColumn => column.kind !== 'categorical',
}

/** The values that are there, in the order of the rows. */
export function observed(column: NumberColumn): Float64Array {
  return column.values.filter((value) => !Number.isNaN(value))
}

/** Not, to the decimals that the values have, or to the step that they have. */
export type Round = boolean | 'step'

/** New values in place of the old ones: whole days stay whole, and numbers are rounded as asked for. */
export function withValues(column: NumberColumn, values: Float64Array, round: Round): NumberColumn {
  if (column.kind === 'date') {
    return { ...column, values: column.unit === 'day' ? values.map((value) => Math.round(value)) : values }
  }
  if (round === false) return { ...column, values }
  const rounding = roundingOf(column, observed(column))
  const step = round === 'step' ? stepOf(column) : null
  if (step === null) return { ...column, values: values.map((value) => rounded(value, rounding)) }
  return { ...column, values: values.map((value) => roundedToStep(value, step, rounding)) }
}
