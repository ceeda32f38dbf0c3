import type { Columns } from './linear-algebra.js'

/**
 * A matrix by what is not 0 in its rows. With levels as 0/1 columns, and their products, a record has few of hundreds of
 * columns, and normal equations cost what is there, not rows x columns².
 */
export interface SparseRows {
  readonly rows: number
  readonly columns: number
  /** The entries of row i are those from `start[i]` to `start[i + 1]`, columns ascending. */
  readonly start: Int32Array
  readonly column: Int32Array
  readonly value: Float64Array
}

/** Hot. The same matrix from columns in full. */
export function sparseRows(columns: Columns, rows: number): SparseRows {
  const start = new Int32Array(rows + 1)
  for (const column of columns) for (let row = 0; row < rows; row++) if (column[row] !== 0) start[row + 1]++
  for (let row = 0; row < rows; row++) start[row + 1] += start[row]
  const next = start.slice()
  const column = new Int32Array(start[rows])
  const value = new Float64Array(start[rows])
  columns.forEach((values, j) => {
    for (let row = 0; row < rows; row++) {
      if (values[row] === 0) continue
      column[next[row]] = j
      value[next[row]++] = values[row]
    }
  })
  return { rows, columns: columns.length, start, column, value }
}

/** X' W X in full, row after row. */
export function crossProducts(
  { rows, columns, start, column, value }: SparseRows,
  weights: Float64Array | null,
): Float64Array {
  const sums = new Float64Array(columns * columns)
  for (let row = 0; row < rows; row++) {
    const from = start[row]
    const to = start[row + 1]
    const weight = weights === null ? 1 : weights[row]
    for (let a = from; a < to; a++) {
      const offset = column[a] * columns
      const factor = weight * value[a]
      for (let b = from; b <= a; b++) sums[offset + column[b]] += factor * value[b]
    }
  }
  for (let a = 0; a < columns; a++) for (let b = 0; b < a; b++) sums[b * columns + a] = sums[a * columns + b]
  return sums
}

/** X'r. */
export function transposeTimes(
  { rows, columns, start, column, value }: SparseRows,
  by: Float64Array,
): Float64Array<ArrayBuffer> {
  const sums = new Float64Array(columns)
  for (let row = 0; row < rows; row++)
    for (let at = start[row]; at < start[row + 1]; at++) sums[column[at]] += value[at] * by[row]
  return sums
}

/** y - Xb. */
export function sparseResiduals(
  { rows, start, column, value }: SparseRows,
  y: Float64Array,
  b: Float64Array,
): Float64Array<ArrayBuffer> {
  const residuals = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    let left = y[row]
    for (let at = start[row]; at < start[row + 1]; at++) left -= value[at] * b[column[at]]
    residuals[row] = left
  }
  return residuals
}

/**
 * Columns that are not combinations of those before them, from X'X: Cholesky's factorisation that skips what leaves less
 * than a share of a column's sum of squares.
 */
export function independentColumns(products: Float64Array, size: number, remainder: number): number[] {
  const rows: Float64Array[] = []
  const kept: number[] = []
  for (let j = 0; j < size; j++) {
    const row = new Float64Array(kept.length + 1)
    let rest = products[j * size + j]
    const least = remainder * rest
    for (let k = 0; k < kept.length; k++) {
      let value = products[kept[k] * size + j]
      const other = rows[k]
      for (let l = 0; l < k; l++) value -= row[l] * other[l]
      row[k] = value / other[k]
      rest -= row[k] * row[k]
    }
    if (rest <= least) continue
    row[kept.length] = Math.sqrt(rest)
    rows.push(row)
    kept.push(j)
  }
  return kept
}
