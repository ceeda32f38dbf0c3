import { ascendingOrder } from '@scrim/kernels'
import { recordHashes, type ToldApart } from '../../../neighbors/scan/record-hash.js'
import type { Value } from '../../../neighbors/scan/values.js'
import type { Where } from '../../../neighbors/tasks.js'
import { plainValues, type StoredTable } from '../../../stored/stored-table.js'
import { byCodePoint } from '../../../table/column.js'
import { type IndexedTable, indexTable } from '../../../table/predicates.js'
import { columnOf } from '../../../table/table.js'

/** Different records that were drawn from all of a file, in an order made of what they say, and what is needed to speak of them elsewhere. */
export interface DrawnRecords {
  readonly table: IndexedTable
  /** The values of each column, by code. */
  readonly values: readonly (readonly Value[])[]
  /** The records, by their hashes. */
  readonly hashes: Float64Array
  /** Which share of the different records of the file they are: 1 where they are all. */
  readonly share: number
}

/** So many different records of a file, or all where there are not more. */
export async function drawRecords(
  file: StoredTable,
  columns: readonly ToldApart[],
  draw: number,
  seed: number,
  most: number,
  where: Where,
): Promise<DrawnRecords> {
  const { records } = await file.scan({ columns, draw, seed }, most, where)
  const cells = columns.map(({ name }) => plainValues(columnOf(records, name)))
  const unsorted = recordHashes(columns, seed, [{ rows: records.rows, columns: cells }], records.rows)
  const order = ascendingOrder(unsorted)
  const coded = columns.map(({ name, isNumber }, j) => {
    const values = [...new Set(cells[j])].filter((value) => value !== null).sort(isNumber ? byNumber : byText)
    const codeOf = new Map<Value, number>(values.map((value, code) => [value, code]))
    const codes = order.map((row) => codeOf.get(cells[j][row]) ?? -1)
    return { values, column: { name, numeric: isNumber, cardinality: values.length, codes } }
  })
  const hashes = Float64Array.from(order, (row) => unsorted[row])
  return {
    table: indexTable(
      file.name,
      coded.map(({ column }) => column),
    ),
    values: coded.map(({ values }) => values),
    hashes,
    share: records.rows < draw ? 1 : hashes[draw - 1],
  }
}

const byNumber = (a: Value, b: Value) => Number(a) - Number(b)
const byText = (a: Value, b: Value) => byCodePoint(String(a), String(b))
