import type { Column } from './column.js'
import { findColumn, type Table, table } from './table.js'

/**
 * What was made of a table, with the codebook of the table where it has lost it on the way, in a program that knows CSV only or
 * by recoding. A column that has changed its kind keeps the words for what it is, not those for its values.
 */
export function withCodebookOf(original: Table, made: Table): Table {
  return table(
    made.name,
    made.columns.map((column) => withCodebook(column, findColumn(original, column.name))),
  )
}

function withCodebook(column: Column, original: Column | undefined): Column {
  if (column.codebook !== undefined || original?.codebook === undefined) return column
  const { label } = original.codebook
  if (column.kind === original.kind) return { ...column, codebook: original.codebook }
  return label === undefined ? column : { ...column, codebook: { label } }
}
