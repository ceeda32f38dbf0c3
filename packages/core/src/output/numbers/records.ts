import { parseCondition } from '../../table/condition.js'
import { columnOf, completeRows, type Table } from '../../table/table.js'
import type { Output } from '../description/description.js'

/** Rows that an output is about: those of its filter in which none of these variables, nor a weight, is missing. */
export function recordsOf(output: Output, data: Table, names: readonly string[]): Int32Array {
  const among = filteredRows(output, data)
  const needed = output.weights === null ? names : [...names, output.weights]
  return completeRows(data, needed, among)
}

/** Rows for which the filter holds; unknown is not true. */
export function filteredRows(output: Output, data: Table): Int32Array {
  if (output.filter === null) return Int32Array.from({ length: data.rows }, (_, row) => row)
  const condition = parseCondition(output.filter, data, `output "${output.id}": filter`)
  const holds = condition.holds((name) => columnOf(data, name), data.rows)
  const rows: number[] = []
  for (let row = 0; row < data.rows; row++) if (holds[row] === 1) rows.push(row)
  return Int32Array.from(rows)
}

/** Survey weights of some rows; null without any. */
export function weightsOf(output: Output, data: Table, rows: Int32Array): Float64Array | null {
  return output.weights === null ? null : numbersAt(data, output.weights, rows)
}

/** Numbers of a column in some rows; labels of a category are read as numbers. */
export function numbersAt(data: Table, name: string, rows: Int32Array): Float64Array {
  const column = columnOf(data, name)
  const values = new Float64Array(rows.length)
  if (column.kind === 'categorical') {
    const numbers = column.levels.map(Number)
    for (let k = 0; k < rows.length; k++) values[k] = numbers[column.codes[rows[k]]]
  } else for (let k = 0; k < rows.length; k++) values[k] = column.values[rows[k]]
  return values
}
