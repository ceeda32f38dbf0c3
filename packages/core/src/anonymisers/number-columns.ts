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
  return { ...column, values: values.map((value) => rounded(Math.round(value / step) * step, rounding)) }
}

/** So many of the values lie on the step: incomes in hundreds with a few exact ones are incomes in hundreds. */
const ON_STEP = 0.9

/**
 * The largest 1, 2 or 5 times a power of ten of which nearly all values are multiples; null where there are no such values, or
 * they have no fixed decimals. Whoever sees 23,417 among incomes in ten thousands rounds it back.
 */
export function stepOf(column: NumberColumn): number | null {
  const values = observed(column)
  const { perUnit } = roundingOf(column, values)
  if (perUnit === null || column.kind === 'date' || values.length === 0) return null
  const units = values.map((value) => Math.round(value * perUnit))
  const largest = units.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  let found = 1
  for (let power = 1; power <= largest; power *= 10)
    for (const times of [1, 2, 5]) {
      const step = times * power
      const on = units.reduce((count, value) => count + (value % step === 0 ? 1 : 0), 0)
      if (on >= ON_STEP * units.length) found = step
    }
  return found / perUnit
}
