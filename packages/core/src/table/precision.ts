import type { Column } from './column.js'
import { type CountedValues, countedValues } from './counted-values.js'

/** Values are whole multiples of 1 / perUnit; of anything if null. */
export interface Rounding {
  readonly perUnit: number | null
}

const MOST_DECIMALS = 10
const SECONDS_PER_DAY = 86_400

/** How finely the numbers of a column are written: the largest number of decimals, whole days, or seconds. */
export function roundingOf(column: Column, values: Float64Array): Rounding {
  return column.kind === 'date' ? { perUnit: column.unit === 'day' ? 1 : SECONDS_PER_DAY } : decimalsOf(values)
}

function decimalsOf(values: Float64Array): Rounding {
  let perUnit = 1
  let decimals = 0
  for (const value of values) {
    if (Number.isInteger(value)) continue
    while (decimals <= MOST_DECIMALS && Number(value.toFixed(decimals)) !== value) {
      decimals++
      perUnit *= 10
    }
  }
  return { perUnit: decimals > MOST_DECIMALS ? null : perUnit }
}

export function rounded(value: number, { perUnit }: Rounding): number {
  return perUnit === null ? value : Math.round(value * perUnit) / perUnit
}

/** To a multiple of the step, without the digits that a product of fractions has too many. */
export function roundedToStep(value: number, step: number, rounding: Rounding): number {
  return rounded(Math.round(value / step) * step, rounding)
}

/** So many of the values lie on the step: incomes in hundreds with a few exact ones are incomes in hundreds. */
const ON_STEP = 0.9

/**
 * The largest 1, 2 or 5 times a power of ten of which nearly all values are multiples; null where there are no such values, or
 * they have no fixed decimals. Whoever sees 23,417 among incomes in ten thousands rounds it back.
 */
export function stepOf(column: Column): number | null {
  return column.kind === 'numeric' ? stepOfNumbers(countedValues(column)) : null
}

export function stepOfNumbers({ values, counts }: Pick<CountedValues, 'values' | 'counts'>): number | null {
  const { perUnit } = decimalsOf(values)
  if (perUnit === null || values.length === 0) return null
  const units = values.map((value) => Math.round(value * perUnit))
  const enough = ON_STEP * counts.reduce((sum, count) => sum + count, 0)
  const largest = units.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  let widest = 1
  for (let power = 1; power <= largest; power *= 10)
    for (const times of [1, 2, 5]) {
      const step = times * power
      let on = 0
      for (let k = 0; k < units.length; k++) if (units[k] % step === 0) on += counts[k]
      if (on >= enough) widest = step
    }
  return widest / perUnit
}
