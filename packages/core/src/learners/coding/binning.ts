import { type BinnedColumns, rankColumn, type TreeRows } from '@scrim/kernels'
import { type CategoricalColumn, type Column, MISSING_CODE } from '../../table/column.js'
import type { Table } from '../../table/table.js'

/**
 * Columns turned into small integers once, so that trees find their splits on histograms. A column with at most
 * `maxBins` different values keeps them all (its codes are ranks, and nothing is lost); one with more is cut into bins
 * that hold about equally many rows, a value being never divided between bins. Code 0 is missing.
 *
 * Levels of a categorical column are ranked by an order that the learner chooses; there are as many bins as levels occur.
 */
export interface Binning {
  readonly data: BinnedColumns
  readonly encodings: readonly ColumnEncoding[]
}

/** How a column of any table becomes numbers that trees compare. */
export interface ColumnEncoding {
  readonly name: string
  /** Categorical columns: the rank of each level, -1 for levels that training did not see. Null for numbers and dates. */
  readonly ranks: Int32Array | null
}

/** The rank of each level, -1 for levels that do not occur. */
export type LevelOrder = (column: CategoricalColumn) => Int32Array

export const MOST_BINS = 65_535
/** So many bins and missing make one byte, which trees read faster. */
export const BYTE_BINS = 255

export function binColumns(features: Table, rows: number, maxBins: number, order: LevelOrder): Binning {
  const encodings = features.columns.map((column): ColumnEncoding => {
    return { name: column.name, ranks: column.kind === 'categorical' ? order(column) : null }
  })
  const binned = features.columns.map((column, j) => {
    const values = comparableValues(column, encodings[j])
    return column.kind === 'categorical' ? binRanks(values) : binNumbers(values, maxBins)
  })
  const bins = Int32Array.from(binned, ({ lower }) => lower.length)
  const size = rows * features.columns.length
  const codes = bins.every((count) => count <= BYTE_BINS) ? new Uint8Array(size) : new Uint16Array(size)
  const start = new Int32Array(bins.length)
  for (let j = 1; j < bins.length; j++) start[j] = start[j - 1] + bins[j - 1]
  for (const [j, column] of binned.entries()) codes.set(column.codes, j * rows)
  const lower = Float64Array.from(binned.flatMap((column) => column.lower))
  const upper = Float64Array.from(binned.flatMap((column) => column.upper))
  return { data: { rows, columns: bins.length, codes, bins, start, lower, upper }, encodings }
}

/** A table as trees read it. */
export function treeRows(features: Table, encodings: readonly ColumnEncoding[]): TreeRows {
  const { rows } = features
  const columns = encodings.length
  const values = new Float64Array(rows * columns)
  let unseen: Uint8Array | null = null
  for (const [j, column] of features.columns.entries()) {
    const comparable = comparableValues(column, encodings[j])
    for (let row = 0; row < rows; row++) values[row * columns + j] = comparable[row]
    if (column.kind !== 'categorical') continue
    for (let row = 0; row < rows; row++) {
      if (column.codes[row] === MISSING_CODE || !Number.isNaN(comparable[row])) continue
      unseen ??= new Uint8Array(rows * columns)
      unseen[row * columns + j] = 1
    }
  }
  return { rows, columns, values, unseen }
}

/** Levels in their own order. */
export function levelsAsGiven(column: CategoricalColumn): Int32Array {
  const ranks = new Int32Array(column.levels.length).fill(-1)
  for (const code of column.codes) if (code !== MISSING_CODE) ranks[code] = 0
  let next = 0
  for (let level = 0; level < ranks.length; level++) if (ranks[level] === 0) ranks[level] = next++
  return ranks
}

/** Numbers, dates as days, levels as ranks; NaN where missing or unseen. */
function comparableValues(column: Column, { ranks }: ColumnEncoding): Float64Array {
  if (column.kind !== 'categorical') return column.values
  if (ranks === null) throw new Error(`column "${column.name}" was not categorical in training`)
  const { codes } = column
  const values = new Float64Array(codes.length)
  for (let row = 0; row < codes.length; row++) {
    const rank = codes[row] === MISSING_CODE ? -1 : (ranks[codes[row]] ?? -1)
    values[row] = rank < 0 ? Number.NaN : rank
  }
  return values
}

interface BinnedNumbers {
  readonly codes: Uint16Array
  readonly lower: readonly number[]
  readonly upper: readonly number[]
}

function binNumbers(values: Float64Array, maxBins: number): BinnedNumbers {
  const { rank, distinct, order } = rankColumn(values)
  const counts = new Int32Array(distinct.length)
  for (let row = 0; row < rank.length; row++) if (rank[row] >= 0) counts[rank[row]]++
  const binOfRank = distinct.length <= maxBins ? counts.map((_, r) => r) : equalBins(counts, order.length, maxBins)
  const lower: number[] = []
  const upper: number[] = []
  for (let r = 0; r < distinct.length; r++) {
    if (binOfRank[r] === lower.length) lower.push(distinct[r])
    upper[binOfRank[r]] = distinct[r]
  }
  const codes = new Uint16Array(rank.length)
  for (let row = 0; row < rank.length; row++) if (rank[row] >= 0) codes[row] = binOfRank[rank[row]] + 1
  return { codes, lower, upper }
}

/** Ranks are codes already, unless there are too many. */
function binRanks(ranks: Float64Array): BinnedNumbers {
  let largest = -1
  for (let row = 0; row < ranks.length; row++) if (ranks[row] > largest) largest = ranks[row]
  if (largest >= MOST_BINS) return binNumbers(ranks, MOST_BINS)
  const codes = new Uint16Array(ranks.length)
  for (let row = 0; row < ranks.length; row++) codes[row] = ranks[row] >= 0 ? ranks[row] + 1 : 0
  const all = Array.from({ length: largest + 1 }, (_, rank) => rank)
  return { codes, lower: all, upper: all }
}

/** Values in order are put into a bin until it holds its share of the rows that are left for the bins that are left. */
function equalBins(counts: Int32Array, rows: number, maxBins: number): Int32Array {
  const bins = new Int32Array(counts.length)
  let bin = 0
  let inBin = 0
  let left = rows
  for (let r = 0; r < counts.length; r++) {
    bins[r] = bin
    inBin += counts[r]
    if (bin < maxBins - 1 && inBin * (maxBins - bin) >= left) {
      left -= inBin
      inBin = 0
      bin++
    }
  }
  return bins
}
