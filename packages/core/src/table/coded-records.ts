import { groupRows } from '@scrim/kernels'
import { codeJointly, type JointColumn } from './joint.js'
import { columnOf, type Table } from './table.js'

/** Records of several tables as codes that mean the same in all of them; equal records are one point. */
export interface CodedRecords<Column = JointColumn> {
  /** Codes of all records, one table after the other. */
  readonly columns: readonly Column[]
  /** How many distinct records there are. */
  readonly count: number
  /** Point of each record, table by table. */
  readonly ids: readonly Int32Array[]
}

/** The tables share their columns and levels, as those of a release do. */
export function jointColumns(tables: readonly Table[], names: readonly string[]): JointColumn[] {
  return names.map((name) => codeJointly(tables.map((table) => columnOf(table, name))))
}

/** Coded columns over the records of tables with so many rows each. */
export function pointsOf<Column extends { readonly codes: Int32Array; readonly cardinality: number }>(
  columns: readonly Column[],
  rows: readonly number[],
): CodedRecords<Column> {
  const { ids, count } = groupRows(
    columns,
    rows.reduce((sum, length) => sum + length, 0),
  )
  return { columns, count, ids: tableByTable(ids, rows) }
}

export function rowsOf(tables: readonly Table[]): number[] {
  return tables.map((table) => table.rows)
}

/** An array over the records of all tables, cut into one part for each. */
export function tableByTable(all: Int32Array, rows: readonly number[]): Int32Array[] {
  let end = 0
  return rows.map((length) => {
    end += length
    return all.subarray(end - length, end)
  })
}
