import { mean, standardDeviation } from '../../stats/sums.js'
import { type Column, categoriesOf, MISSING_CODE, numbersOf } from '../../table/column.js'
import type { Table } from '../../table/table.js'

/**
 * Records as points, for learners that go by distance: numbers in standard deviations of the training rows, missing ones at
 * their mean, and categories as they are, missing being one. The squared distance of two records is
 *   Σ over numbers (z - z')² + number of categories that differ.
 */
export interface Points {
  readonly rows: number
  /** Row after row. */
  readonly numbers: Float64Array
  readonly codes: Int32Array
  readonly width: { readonly numbers: number; readonly codes: number }
}

/** Learns the scale of a training table; gives the points of any table with the same columns. */
export function pointsFrom(training: Table): (table: Table) => Points {
  const scales = training.columns.map((column) => (column.kind === 'categorical' ? null : scaleOf(column.values)))
  const numeric = [...scales.keys()].filter((at) => scales[at] !== null)
  const nominal = [...scales.keys()].filter((at) => scales[at] === null)
  return ({ columns, rows }) => {
    const numbers = new Float64Array(rows * numeric.length)
    const codes = new Int32Array(rows * nominal.length)
    numeric.forEach((at, k) => {
      const values = numbersOf(columns[at])
      const { centre, spread } = scales[at] ?? { centre: 0, spread: 1 }
      for (let row = 0; row < rows; row++) {
        const value = values[row]
        numbers[row * numeric.length + k] = Number.isFinite(value) ? (value - centre) / spread : 0
      }
    })
    nominal.forEach((at, k) => {
      const ofColumn = codesOf(columns[at])
      for (let row = 0; row < rows; row++) codes[row * nominal.length + k] = ofColumn[row]
    })
    return { rows, numbers, codes, width: { numbers: numeric.length, codes: nominal.length } }
  }
}

/** The squared distance of row `i` of one and row `j` of another. Hot. */
export function squaredDistance(a: Points, i: number, b: Points, j: number): number {
  const { numbers, codes } = a.width
  let sum = 0
  for (let k = 0; k < numbers; k++) {
    const gap = a.numbers[i * numbers + k] - b.numbers[j * numbers + k]
    sum += gap * gap
  }
  for (let k = 0; k < codes; k++) if (a.codes[i * codes + k] !== b.codes[j * codes + k]) sum++
  return sum
}

function scaleOf(values: Float64Array): { readonly centre: number; readonly spread: number } {
  const known = values.filter(Number.isFinite)
  const spread = standardDeviation(known) ?? 0
  return { centre: mean(known) ?? 0, spread: spread > 0 ? spread : 1 }
}

function codesOf(column: Column): Int32Array {
  return categoriesOf(column).codes.map((code) => (code < 0 ? MISSING_CODE : code))
}
