import type { MixedRows } from '@scrim/kernels'
import { joined, joinedCodes } from '../../../stats/joined.js'
import { mean, variance } from '../../../stats/sums.js'
import { columnOf, type Table } from '../../../table/table.js'

/**
 * The records of two tables as points of one space, the original's first: numbers less their mean over both tables, divided
 * by their sd over both (a constant column stays 0), categories as they are, 1 apart. Missing is a category; a missing number
 * becomes the mean and is told apart by a category known/missing.
 */
export interface MixedRecords extends MixedRows {
  /** How many of the records are the original's. */
  readonly split: number
  /** Levels of each category, missing included. */
  readonly levels: readonly number[]
}

export interface MixedOptions {
  /** Whether numbers are divided by their sd; without it they count as they are. */
  readonly standardise?: boolean
  /** Weights of the records of each table; equal ones when null. */
  readonly weights?: readonly [Float64Array | null, Float64Array | null]
}

export function mixedRecords(
  original: Table,
  released: Table,
  names: readonly string[],
  { standardise = true, weights = [null, null] }: MixedOptions = {},
): MixedRecords {
  const split = original.rows
  const rows = split + released.rows
  const numbers: Float64Array[] = []
  const categories: { codes: Int32Array; levels: number }[] = []
  for (const name of names) {
    const [x, y] = [columnOf(original, name), columnOf(released, name)]
    if (x.kind === 'categorical' && y.kind === 'categorical') {
      const codes = joinedCodes([x.codes, y.codes])
      categories.push({ codes: codes.map((code) => code + 1), levels: x.levels.length + 1 })
    } else if (x.kind !== 'categorical' && y.kind !== 'categorical') {
      const values = joined([x.values, y.values])
      numbers.push(standardised(values, standardise))
      if (values.some(Number.isNaN))
        categories.push({ codes: Int32Array.from(values, (value) => (Number.isNaN(value) ? 1 : 0)), levels: 2 })
    }
  }
  return {
    rows,
    split,
    numbers: numbers.length,
    values: byRow(rows, numbers, new Float64Array(rows * numbers.length)),
    categories: categories.length,
    codes: byRow(
      rows,
      categories.map(({ codes }) => codes),
      new Int32Array(rows * categories.length),
    ),
    levels: categories.map(({ levels }) => levels),
    weights: weightsOf(weights, [split, released.rows]),
  }
}

function standardised(values: Float64Array, standardise: boolean): Float64Array {
  const known = values.filter((value) => !Number.isNaN(value))
  const centre = mean(known) ?? 0
  const sd = standardise ? Math.sqrt(variance(known) ?? 0) : 1
  const unit = sd > 0 ? sd : 1
  return values.map((value) => (Number.isNaN(value) ? 0 : (value - centre) / unit))
}

function byRow<T extends Float64Array | Int32Array>(rows: number, columns: readonly T[], into: T): T {
  const width = columns.length
  columns.forEach((column, j) => {
    for (let row = 0; row < rows; row++) into[row * width + j] = column[row]
  })
  return into
}

function weightsOf(files: readonly (Float64Array | null)[], rows: readonly number[]): Float64Array {
  const weights = new Float64Array(rows[0] + rows[1]).fill(1)
  files.forEach((file, k) => {
    if (file !== null) weights.set(file, k === 0 ? 0 : rows[0])
  })
  return weights
}

/** Some of the records: `rows` are places among all of them, the original's first. */
export function chosenRecords(records: MixedRecords, rows: Int32Array): MixedRecords {
  const { numbers, categories } = records
  const pick = <T extends Float64Array | Int32Array>(from: T, width: number, into: T): T => {
    for (let k = 0; k < rows.length; k++)
      for (let j = 0; j < width; j++) into[k * width + j] = from[rows[k] * width + j]
    return into
  }
  let split = 0
  for (const row of rows) if (row < records.split) split++
  return {
    ...records,
    rows: rows.length,
    split,
    values: pick(records.values, numbers, new Float64Array(rows.length * numbers)),
    codes: pick(records.codes, categories, new Int32Array(rows.length * categories)),
    weights: pick(records.weights, 1, new Float64Array(rows.length)),
  }
}
