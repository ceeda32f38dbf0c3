import { withScans } from '../assess/with-scans.js'
import type { CaseInput } from '../case/case.js'
import { type OpenedCase, openCase } from '../case/open-case.js'
import { withCounts } from '../case/with-counts.js'
import { storedInMemory } from '../stored/stored-table.js'
import type { Table } from '../table/table.js'

export interface SampledFiles {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout?: Table | undefined
  readonly population?: Table | undefined
}

/** A Case of samples of so many records, with what these measures ask of all records. */
export async function sampledCase(
  said: CaseInput,
  files: SampledFiles,
  ids: readonly string[],
  records: number,
  most: number,
): Promise<OpenedCase> {
  const sampleOf = async (data: Table) => {
    const stored = storedInMemory(data)
    return { stored, table: await stored.sample(records, 1) }
  }
  const tables = {
    original: await sampleOf(files.original),
    released: await Promise.all(files.released.map(sampleOf)),
    holdout: files.holdout && (await sampleOf(files.holdout)),
    population: files.population && (await sampleOf(files.population)),
  }
  const opened = openCase(said, {
    original: tables.original.table,
    released: tables.released.map((one) => one.table),
    holdout: tables.holdout?.table,
    population: tables.population?.table,
  })
  return withScans(await withCounts(opened, tables, 1000), tables, ids, most)
}
