import { completeRows, selectRows, type Table } from '../../../table/table.js'

/** The records without a missing value in the columns `names`: what riskutility compares. */
export function completeRecords(file: Table, names: readonly string[]): Table {
  const rows = completeRows(file, names)
  return rows.length === file.rows ? file : selectRows(file, rows)
}

/** riskutility holds all distances in memory; beyond 3 GB nobody has its figures, and to make them would take long. */
const MOST_RECORDS = 20_000

export function fits(records: number): boolean {
  return records <= MOST_RECORDS
}
