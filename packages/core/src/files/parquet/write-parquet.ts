import { parquetWriteBuffer } from 'hyparquet-writer'
import { type Column, columnLength, isMissing, valueAt } from '../../table/column.js'
import type { Table } from '../../table/table.js'

const DAY = 86_400_000
const LARGEST_INT32 = 2 ** 31 - 1

/** Parquet with the types of the columns: texts, whole numbers, doubles, dates; missing is null. Times keep milliseconds. */
export function toParquet(table: Table): Uint8Array {
  const columnData = table.columns.map((column) => ({ name: column.name, data: valuesOf(column) }))
  const schema = [
    { name: 'root', num_children: table.columns.length },
    ...table.columns.map((column) => ({ name: column.name, repetition_type: 'OPTIONAL' as const, ...typeOf(column) })),
  ]
  return new Uint8Array(parquetWriteBuffer({ columnData, schema }))
}

function typeOf(column: Column) {
  if (column.kind === 'categorical') return { type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const }
  if (column.kind === 'numeric') return { type: isWhole(column.values) ? ('INT32' as const) : ('DOUBLE' as const) }
  return column.unit === 'day'
    ? { type: 'INT32' as const, converted_type: 'DATE' as const }
    : { type: 'INT64' as const, converted_type: 'TIMESTAMP_MILLIS' as const }
}

function isWhole(values: Float64Array): boolean {
  return values.every((value) => Number.isNaN(value) || (Number.isInteger(value) && Math.abs(value) <= LARGEST_INT32))
}

function valuesOf(column: Column): (string | number | Date | null)[] {
  return Array.from({ length: columnLength(column) }, (_, row) => {
    if (isMissing(column, row)) return null
    return column.kind === 'date' ? new Date(Math.round(column.values[row] * DAY)) : valueAt(column, row)
  })
}
