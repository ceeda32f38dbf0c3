import type { GivenColumn } from '../files/collected-table.js'
import { distinctRecords } from '../table/distinct-records.js'
import { columnNames, columnOf, selectRows, type Table, table } from '../table/table.js'
import { sampledRecords } from './sampled-records.js'

/**
 * A table where it lives, in memory or in an engine, and all that is asked of it. Every engine gives the same answers: counts are
 * sorted by the values (`distinctRecords`), and a sample is chosen by the numbers of the records alone (`sampledRecords`).
 */
export interface StoredTable {
  readonly name: string
  readonly schema: Schema
  /** The whole table, its records in their order. */
  records(): Promise<Table>
  /** Each different combination of values of these columns, with how many records have it. Refused with more than `most` of them. */
  counts(columns: readonly string[], most?: number): Promise<Table>
  /** So many of the records, in their order; all where there are not more. */
  sample(n: number, seed: number): Promise<Table>
}

interface Schema {
  readonly rows: number
  readonly columns: readonly (Pick<GivenColumn, 'name'> & { readonly kind: string })[]
}

/** There are more combinations than were allowed. */
export class TooManyCombinations extends Error {}

export function storedInMemory(data: Table): StoredTable {
  const { name, rows } = data
  return {
    name,
    schema: { rows, columns: data.columns.map((column) => ({ name: column.name, kind: column.kind })) },
    records: async () => data,
    counts: async (columns, most = Number.POSITIVE_INFINITY) => {
      const chosen = columns.length === 0 ? columnNames(data) : columns
      const counted = distinctRecords(
        table(
          name,
          chosen.map((column) => columnOf(data, column)),
          data.times,
        ),
      )
      if (counted.rows > most) throw new TooManyCombinations(name)
      return counted
    },
    sample: async (n, seed) => (n >= rows ? data : selectRows(data, sampledRecords(rows, n, seed))),
  }
}
