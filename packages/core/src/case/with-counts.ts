import { type Note, note } from '../discretion.js'
import { grouped } from '../print.js'
import { type StoredTable, tooManyCombinations, unlessTooMany } from '../stored/stored-table.js'
import { keepCounts, type Release, type SampleSize } from '../table/release.js'
import type { Table } from '../table/table.js'
import { type OpenedCase, openCase } from './open-case.js'

/** A table of a Case that need not be in memory, and the records of it that are: a sample, or all. */
export interface SampledTable {
  readonly stored: StoredTable
  readonly table: Table
}

export interface SampledTables {
  readonly original: SampledTable
  readonly released: readonly SampledTable[]
  readonly holdout?: SampledTable | undefined
  readonly population?: SampledTable | undefined
}

/**
 * A Case that was opened on samples, with all records counted by its keys and each target: what depends on these counts alone is
 * measured on all records. Where there are more than `most` combinations, or a column goes by other names or values in all records
 * than in the sample, the sample is all that is looked at, and the notes say so.
 */
export async function withCounts(opened: OpenedCase, tables: SampledTables, most: number): Promise<OpenedCase> {
  const { keys, numericKeys, target } = opened.case
  const notes = sampleNotes(tables)
  const counts: Release[] = []
  for (const name of keys.length === 0 ? [] : target.length === 0 ? [''] : target) {
    const columns = [...keys, ...numericKeys, name].filter((column) => column !== '')
    const counted = await countedRelease(opened, tables, { columns, target: name, most })
    if (typeof counted === 'string')
      notes.push(note(() => `${columns.join(', ')}: ${counted}: only the sample is looked at`))
    else counts.push(counted)
  }
  const sample = { original: sizeOf(tables.original), released: tables.released.map(sizeOf) }
  const release = { ...opened.release, sample, notes: [...notes, ...opened.release.notes] }
  keepCounts(release, { byKeys: counts })
  return { ...opened, release }
}

interface Counting {
  readonly columns: readonly string[]
  /** The one of them that is a target; '' where none is. */
  readonly target: string
  readonly most: number
}

/** The release with all records counted by these columns; in words, why there are no such counts. */
export async function countedRelease(
  opened: OpenedCase,
  tables: SampledTables,
  { columns, target, most }: Counting,
): Promise<Release | string> {
  const { population } = tables
  // Of the population nobody need know the target.
  const asked = (one: SampledTable) => (one === population ? columns.filter((name) => name !== target) : columns)
  const all = tablesIn(tables)
  const other = all.find((one) => asked(one).some((name) => !hasColumn(one.stored, name)))
  if (other !== undefined) return underOtherNames(other)
  const counts: Table[] = []
  for (const file of all) {
    const counted = await unlessTooMany(file.stored.counts(weighed(opened, file, asked(file)), most))
    if (counted === undefined) return tooManyCombinations(file.table, most)
    counts.push(counted)
  }
  return openedCounts(opened, tables, counts, { columns, target })
}

/** Columns to count by, with the weight where a file has it. */
export function weighed({ case: { weight } }: OpenedCase, { stored }: SampledTable, columns: readonly string[]) {
  return weight !== undefined && hasColumn(stored, weight) ? [...columns, weight] : columns
}

/** The release of what was counted in each file; in words, why it is none. */
export function openedCounts(
  opened: OpenedCase,
  tables: SampledTables,
  counts: readonly Table[],
  { columns, target }: Pick<Counting, 'columns' | 'target'>,
): Release | string {
  const { population } = tables
  const all = tablesIn(tables)
  const countsOf = (one: SampledTable) => ({ ...counts[all.indexOf(one)], name: one.table.name })
  const counted = openCounts(opened, columns, target, {
    original: countsOf(tables.original),
    released: tables.released.map(countsOf),
    holdout: tables.holdout && countsOf(tables.holdout),
    population: population && countsOf(population),
  })
  if (takenForSame(opened, columns) !== takenForSame(counted, columns))
    return 'other values are spelled differently in all records'
  return { ...counted.release, type: opened.release.type, countedBy: columns }
}

export function underOtherNames({ table }: SampledTable): string {
  return `${table.name} has them under other names`
}

export function hasColumn({ schema }: StoredTable, name: string): boolean {
  return schema.columns.some((column) => column.name === name)
}

/** The Case as far as it is about keys and a target. */
function openCounts(
  { case: said }: OpenedCase,
  columns: readonly string[],
  target: string,
  tables: Parameters<typeof openCase>[1],
): OpenedCase {
  const { keys, numericKeys, weight, matchLevels, answers, type, group, codes } = said
  const ofColumns = <Value>(byColumn: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(byColumn).filter(([name]) => columns.includes(name)))
  return openCase(
    {
      keys,
      numericKeys,
      target: target === '' ? [] : [target],
      weight,
      matchLevels,
      answers,
      type,
      group: ofColumns(group),
      codes: ofColumns(codes),
    },
    tables,
  )
}

/** The questions about these columns that were answered by: the same. */
function takenForSame({ questions }: OpenedCase, columns: readonly string[]): string {
  const same = questions.filter(
    ({ answer, ...question }) => answer === 'same' && 'column' in question && columns.includes(question.column),
  )
  return same.map(({ id }) => id).join('\n')
}

export function sizeOf({ stored, table }: SampledTable): SampleSize {
  return { records: table.rows, of: stored.schema.rows }
}

function tablesIn({ original, released, holdout, population }: SampledTables): SampledTable[] {
  return [original, ...released, holdout ?? [], population ?? []].flat()
}

function sampleNotes(tables: SampledTables): Note[] {
  const sampled = tablesIn(tables).filter(({ stored, table }) => table.rows < stored.schema.rows)
  return sampled.map(({ stored: { schema }, table: { name, rows } }) =>
    note(
      () =>
        `${name}: a sample of ${grouped(rows)} of ${grouped(schema.rows)} records was looked at; what depends on counts alone is of all records`,
    ),
  )
}
