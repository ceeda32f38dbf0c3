import { rounded, roundingOf } from '../synthesizers/smoothing.js'
import type { Column, DateColumn, NumericColumn } from '../table/column.js'
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

/** New values in place of the old ones: whole days stay whole, and with `round` numbers keep their decimals. */
export function withValues(column: NumberColumn, values: Float64Array, round: boolean): NumberColumn {
  if (column.kind === 'date') {
    return { ...column, values: column.unit === 'day' ? values.map((value) => Math.round(value)) : values }
  }
  if (!round) return { ...column, values }
  const rounding = roundingOf(column, observed(column))
  return { ...column, values: values.map((value) => rounded(value, rounding)) }
}
