import { NotApplicable } from '../../../errors.js'
import { numbersOf } from '../../../table/column.js'
import { columnOf, type Table } from '../../../table/table.js'

/** Numeric columns of the records that have all of them, and the rows of these in the file. */
export type CompleteNumbers = ReturnType<typeof completeNumbers>

export function completeNumbers(from: Table, names: readonly string[]) {
  const all = names.map((name) => numbersOf(columnOf(from, name)))
  const rows = Int32Array.from({ length: from.rows }, (_, row) => row).filter((row) =>
    all.every((values) => !Number.isNaN(values[row])),
  )
  if (rows.length === 0) throw new NotApplicable(`${from.name} has no record with all its numbers`)
  const columns = all.map((values) => Float64Array.from(rows, (row) => values[row]))
  return { columns, rows, fileRows: from.rows, dropped: from.rows - rows.length }
}
