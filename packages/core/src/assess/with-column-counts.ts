import type { z } from 'zod'
import { measureOptionsIn } from '../case/case.js'
import { anyNumber, endsOfClasses, type NumberClasses, numberClasses } from '../case/number-classes.js'
import type { OpenedCase } from '../case/open-case.js'
import { OpenQuestions } from '../case/questions.js'
import { countedRelease, type SampledTable, type SampledTables, sizeOf } from '../case/with-counts.js'
import { type Note, note } from '../discretion.js'
import type { AnyMeasure } from '../measure.js'
import { measures } from '../measures.js'
import { parseOptions } from '../options.js'
import { grouped } from '../print.js'
import { jointCodes } from '../table/classes.js'
import { numbersOf } from '../table/column.js'
import { keepCounts, type Release, withNotes } from '../table/release.js'
import { type ColumnSet, columnOf, setKey, type Table, withMargins } from '../table/table.js'

/**
 * A Case that was opened on samples, with all records counted by the sets of columns that the measures of these ids depend on
 * (`countedColumns`): each column by itself, then those that are looked at together, numbers by the classes that measures cut them into.
 * There are at most `most` combinations in a file, in all sets together; of other sets the sample is all that is looked at, and the notes say so.
 */
export async function withColumnCounts(
  opened: OpenedCase,
  { original, released }: SampledTables,
  ids: readonly string[],
  most: number,
): Promise<OpenedCase> {
  const { release } = opened
  const tables = { original, released }
  const asked = measures.filter(({ id }) => ids.includes(id)).map((measure) => askedBy(measure, opened))
  const counts = new Map<string, Release>()
  const notes: Note[] = []
  let left = most
  for (const set of withMargins(asked.flatMap(({ sets }) => sets))) {
    const classes = classesFor(set, counts, asked, tables, left)
    if (classes === undefined) continue
    const counted = typeof classes === 'string' ? classes : await countedBy(set, classes, opened, tables, left)
    if (typeof counted === 'string')
      notes.push(note(() => `${set.columns.join(', ')}: ${counted}: only the sample is looked at`))
    else {
      counts.set(setKey(set), counted)
      left -= Math.max(...[counted.original, ...counted.released].map(({ rows }) => rows))
    }
  }
  const recordsOf = (file: SampledTable, tableIn: (counted: Release) => Table) => ({
    records: sizeOf(file).of,
    by: Object.fromEntries([...counts].map(([key, counted]) => [key, tableIn(counted)])),
  })
  const noted = withNotes(release, notes)
  keepCounts(noted, {
    byColumns: {
      original: recordsOf(original, (counted) => counted.original),
      released: released.map((file, k) => recordsOf(file, (counted) => counted.released[k])),
    },
  })
  return { ...opened, release: noted }
}

interface Asked {
  readonly measure: AnyMeasure
  readonly options: z.output<z.ZodObject>
  readonly sets: readonly ColumnSet[]
}

function askedBy(measure: AnyMeasure, { case: said, release }: OpenedCase): Asked {
  const options = parseOptions(measure.id, measure.options, measureOptionsIn(said)[measure.id] ?? {})
  const sets = measure.countedColumns?.(options, release) ?? []
  return {
    measure,
    options,
    sets: sets.filter(({ columns }) => columns.every((name) => release.variables.includes(name))),
  }
}

type Classes = ReadonlyMap<string, NumberClasses>

/** The classes of numbers that a set is counted by; in words, why it cannot be counted; undefined where one of its columns was not. */
function classesFor(
  { columns, as }: ColumnSet,
  counts: ReadonlyMap<string, Release>,
  asked: readonly Asked[],
  tables: Pick<SampledTables, 'original' | 'released'>,
  most: number,
): Classes | string | undefined {
  if (as === 'values') return new Map()
  const files = [tables.original, ...tables.released]
  if (as === 'known') return new Map(columns.map((name) => [name, anyNumber(name, files.length)]))
  const classes = new Map<string, NumberClasses>()
  let combinations = 1
  for (const name of columns) {
    const margin = counts.get(setKey({ columns: [name], as: 'values' }))
    if (margin === undefined) return undefined
    const model = columnOf(margin.original, name)
    if (model.kind === 'categorical' || !files.every((file) => holdsNumbers(file, name)))
      combinations *= jointCodes(margin, name).cardinality + 1
    else {
      const ends = asked.flatMap((one) => classEnds(one, margin, name))
      const numbers = [margin.original, ...margin.released].map((file) => numbersOf(columnOf(file, name)))
      const own = numberClasses(model, numbers, new Set(ends))
      classes.set(name, own)
      combinations *= own.cuts.length + 2
    }
  }
  return combinations > most ? `more than ${grouped(most)} combinations` : classes
}

/** Whether it is stored as numbers: texts that are read as numbers are none in SQL. */
function holdsNumbers({ stored: { schema } }: SampledTable, name: string): boolean {
  const kind = schema.columns.find((column) => column.name === name)?.kind ?? ''
  return ['number', 'numeric', 'date'].includes(kind)
}

/** Where a measure begins another class, of the original with any of the releases. */
function classEnds({ measure, options, sets }: Asked, margin: Release, name: string): number[] {
  if (!sets.some(({ columns, as }) => as === 'classes' && columns.includes(name))) return []
  return margin.released.flatMap((file) => {
    const pair = { ...margin, released: [file] }
    const numbers = [margin.original, file].flatMap((one) => [...numbersOf(columnOf(one, name))])
    return endsOfClasses(numbers, measure.classesOfNumber?.(options, pair, name) ?? [])
  })
}

async function countedBy(
  { columns, as }: ColumnSet,
  classes: Classes,
  opened: OpenedCase,
  tables: Pick<SampledTables, 'original' | 'released'>,
  most: number,
): Promise<Release | string> {
  // Columns with a role are never left out as identifiers, however many values they have.
  const asKeys = { ...opened, case: { ...opened.case, keys: [...columns], numericKeys: [], target: [] } }
  try {
    const counted = await countedRelease(asKeys, tables, { columns, target: '', most, classes })
    if (typeof counted === 'string' || as === 'known') return counted
    const isOther = columns.some(
      (name) => columnOf(counted.original, name).kind !== columnOf(opened.release.original, name).kind,
    )
    return isOther ? 'of another type in all records' : counted
  } catch (error) {
    if (!(error instanceof OpenQuestions)) throw error
    return 'values are spelled differently in all records'
  }
}
