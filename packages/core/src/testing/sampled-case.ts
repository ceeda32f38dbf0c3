import { withColumnCounts } from '../assess/with-column-counts.js'
import { withScans } from '../assess/with-scans.js'
import type { CaseInput } from '../case/case.js'
import { type OpenedCase, openCase } from '../case/open-case.js'
import { withCounts } from '../case/with-counts.js'
import type { Result } from '../measure.js'
import { stream } from '../random/stream.js'
import { plainValues, type StoredTable, storedInMemory } from '../stored/stored-table.js'
import { columnOf, selectRows, type Table, table, tableOf } from '../table/table.js'
import { scanInParts } from './scan-in-parts.js'

/** Levels, dates, numbers, missing values, and people of whom some are equal; `late` is another value for the last one alone. */
export function people(name: string, rows: number, seed: number): Table {
  const random = stream(seed, 'people')
  const each = Array.from({ length: rows }, () => [2, 40, 9, 11, 400, 3000].map((values) => random.below(values)))
  const base = tableOf(name, {
    sex: each.map(([sex]) => (sex === 0 ? 'männlich' : '女')),
    age: each.map(([, age, , isMissing]) => (isMissing === 0 ? null : 20 + age)),
    region: each.map(([, , region]) => (region === 8 ? null : `${name[0]}${region}`.slice(region === 7 ? 0 : 1))),
    income: each.map(([, age, , , more]) => age * 100 + (more < 200 ? 0 : more / 7)),
    height: each.map(([, , , , , tall]) => 150 + tall / 70),
    country: each.map(() => 1),
    late: each.map((_, row) => (row === rows - 1 ? 2 : 1)),
  })
  const days = Float64Array.from(each, ([sex, , region, isMissing]) => (isMissing > 8 ? Number.NaN : 9 * region - sex))
  return table(name, [...base.columns, { kind: 'date', name: 'born', values: days, unit: 'day' }])
}

/** Every so many records twice, as many as there are places for. */
export function repeated(data: Table, rows: number, every: number): Table {
  return selectRows(
    data,
    Int32Array.from({ length: rows }, (_, row) => (row < data.rows ? row : every * (row - data.rows))),
  )
}

export interface Files {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout?: Table | undefined
  readonly population?: Table | undefined
}

interface Sampling {
  readonly records?: number
  readonly most?: number
  /** Where parts of a file end, by how many records it has; one part where it is not said. */
  readonly ends?: (rows: number) => readonly number[]
}

/** A Case of samples of these files, of which all records are counted and scanned for the measures of some ids. */
export async function sampledCase(
  said: CaseInput,
  files: Files,
  ids: readonly string[],
  { records = 150, most = 1e6, ends }: Sampling = {},
): Promise<OpenedCase> {
  const sampleOf = async (data: Table) => {
    const stored = ends === undefined ? storedInMemory(data) : storedInParts(data, ends(data.rows))
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
  const counted = await withColumnCounts(await withCounts(opened, tables, 1000), tables, ids, most)
  return withScans(counted, tables, ids, most)
}

function storedInParts(data: Table, ends: readonly number[]): StoredTable {
  return {
    ...storedInMemory(data),
    scan: async (question) => {
      const records = question.columns.map(({ name }) => plainValues(columnOf(data, name)))
      const { named, equal, least } = scanInParts(question, records, ends)
      const numbers = Int32Array.from(named)
      return { records: selectRows(data, numbers), numbers, equal: Float64Array.from(equal), least }
    },
  }
}

/** Without what is about single records, and numbers of people, which are of the sample. */
export function comparable({ releases }: Result): readonly object[] {
  const withoutPeople = { people: 0, drivers: [] }
  return releases.map((finding) => ({
    ...finding,
    ...withoutPeople,
    looks: finding.looks?.map((look) => ({ ...look, ...withoutPeople })),
  }))
}
