import type { z } from 'zod'
import { measureOptionsIn } from '../case/case.js'
import { NUMBERS_PER_COMBINATION } from '../case/memory.js'
import { anyNumber, endsOfClasses, inClasses, type NumberClasses, numberClasses } from '../case/number-classes.js'
import type { OpenedCase } from '../case/open-case.js'
import { OpenQuestions } from '../case/questions.js'
import {
  countedRelease,
  hasColumn,
  openedCounts,
  type SampledTable,
  type SampledTables,
  sizeOf,
  underOtherNames,
  weighed,
} from '../case/with-counts.js'
import { type Note, note } from '../discretion.js'
import type { AnyMeasure } from '../measure.js'
import { measures } from '../measures.js'
import { parseOptions } from '../options.js'
import { grouped } from '../print.js'
import { holdsNumbers, unlessTooMany } from '../stored/stored-table.js'
import { jointCodes } from '../table/classes.js'
import { numbersOf } from '../table/column.js'
import { keepCounts, type Release, withNotes } from '../table/release.js'
import { type ColumnSet, columnOf, setKey, type Table, withMargins } from '../table/table.js'

/**
 * A Case that was opened on samples, with all records counted by the sets of columns that the measures of these ids depend on
 * (`countedColumns`): each column by itself, then those that are looked at together, numbers by the classes that measures cut them into.
 * There are at most `most` combinations in a file, in all sets together, or more numbers of single columns; of other sets the sample is all that is looked at, and the notes say so.
 */
export async function withColumnCounts(
  opened: OpenedCase,
  { original, released }: SampledTables,
  ids: readonly string[],
  most: number,
): Promise<OpenedCase> {
  const { release } = opened
  const files = [original, ...released]
  const asked = measures.filter(({ id }) => ids.includes(id)).map((measure) => askedBy(measure, opened))
  const sets = withMargins(asked.flatMap((one) => one.sets))
  const counts = new Map<string, Release>()
  const notes: Note[] = []
  let left = most
  const keep = (set: ColumnSet, counted: Release | string, perCombination = 1) => {
    if (typeof counted !== 'string') {
      counts.set(setKey(set), counted)
      left -= Math.ceil(Math.max(...[counted.original, ...counted.released].map(({ rows }) => rows)) / perCombination)
    } else notes.push(note(() => `${set.columns.join(', ')}: ${counted}: only the sample is looked at`))
  }
  for (const set of sets.filter(({ as }) => as === 'values')) {
    const perCombination = isOfNumbers(set, opened, files) ? NUMBERS_PER_COMBINATION : 1
    keep(set, await countedAlone(set, opened, { original, released }, left * perCombination), perCombination)
  }
  const classes = new Map([...counts.values()].flatMap((margin) => classesIn(margin, files, asked)))
  const countTogether = async (together: readonly ColumnSet[], by: Classes): Promise<void> => {
    if (together.length === 0) return
    const counted = await countedTogether(together, by, opened, files, left)
    if (counted !== undefined) for (const [k, set] of together.entries()) keep(set, counted[k])
    else if (together.length === 1) keep(together[0], `more than ${grouped(left)} combinations`)
    else for (const half of halves(together)) await countTogether(half, by)
  }
  let [batch, combinations]: [ColumnSet[], number] = [[], 0]
  for (const set of sets.filter(({ as }) => as === 'classes')) {
    const most = mostIn(set, counts, classes)
    if (most === undefined) continue
    if (combinations + most > left) {
      await countTogether(batch, classes)
      ;[batch, combinations] = [[], 0]
    }
    if (most > left) keep(set, `more than ${grouped(left)} combinations`)
    else {
      batch.push(set)
      combinations += most
    }
  }
  await countTogether(batch, classes)
  for (const set of sets.filter(({ as }) => as === 'known')) {
    const odd = notKnown(set, files)
    if (odd !== undefined) keep(set, odd)
    else await countTogether([set], new Map(set.columns.map((name) => [name, anyNumber(name, files.length)])))
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

/** Whether what is counted are numbers alone, and not with the weights that their records have. */
function isOfNumbers(
  { columns }: ColumnSet,
  { case: { weight } }: OpenedCase,
  files: readonly SampledTable[],
): boolean {
  return weight === undefined && files.every(({ stored }) => columns.every((name) => holdsNumbers(stored, name)))
}

/** In words, why no engine can say which values are missing. */
function notKnown({ columns }: ColumnSet, files: readonly SampledTable[]): string | undefined {
  const other = files.find(({ stored }) => columns.some((name) => !hasColumn(stored, name)))
  if (other !== undefined) return underOtherNames(other)
  const odd = files.find(({ stored }) => stored.schema.hasTokens === true)
  return odd && `${odd.table.name} has values that are read as missing`
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

/** Of a column that was counted by itself; none where its values are counted as they are. */
function classesIn(
  margin: Release,
  files: readonly SampledTable[],
  asked: readonly Asked[],
): [string, NumberClasses][] {
  const [name] = margin.keys
  const model = columnOf(margin.original, name)
  if (model.kind === 'categorical' || !files.every(({ stored }) => holdsNumbers(stored, name))) return []
  const numbers = [margin.original, ...margin.released].map((file) => numbersOf(columnOf(file, name)))
  const ends = asked.flatMap((one) => classEnds(one, margin, name))
  return [[name, numberClasses(model, numbers, new Set(ends))]]
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

/** How many combinations a set can have; undefined where one of its columns could not be counted by itself. */
function mostIn({ columns }: ColumnSet, counts: ReadonlyMap<string, Release>, classes: Classes): number | undefined {
  let most = 1
  for (const name of columns) {
    const margin = counts.get(setKey({ columns: [name], as: 'values' }))
    if (margin === undefined) return undefined
    most *= (classes.get(name)?.cuts.length ?? jointCodes(margin, name).cardinality) + 2
  }
  return most
}

/** Columns with a role are never left out as identifiers, however many values they have. */
function asKeys(opened: OpenedCase, columns: readonly string[]): OpenedCase {
  return { ...opened, case: { ...opened.case, keys: [...columns], numericKeys: [], target: [] } }
}

async function countedAlone(
  { columns }: ColumnSet,
  opened: OpenedCase,
  tables: Pick<SampledTables, 'original' | 'released'>,
  most: number,
): Promise<Release | string> {
  const counted = await told(() => countedRelease(asKeys(opened, columns), tables, { columns, target: '', most }))
  if (typeof counted === 'string') return counted
  const isOther = columns.some(
    (name) => columnOf(counted.original, name).kind !== columnOf(opened.release.original, name).kind,
  )
  return isOther ? 'of another type in all records' : counted
}

/** Undefined where there are more combinations. */
async function countedTogether(
  sets: readonly ColumnSet[],
  classes: Classes,
  opened: OpenedCase,
  files: readonly SampledTable[],
  most: number,
): Promise<readonly (Release | string)[] | undefined> {
  const cuts = new Map([...classes].map(([name, { cuts }]) => [name, cuts]))
  const counts: (readonly Table[])[] = []
  for (const [k, file] of files.entries()) {
    const columns = sets.map((set) => weighed(opened, file, set.columns))
    const counted = await unlessTooMany(file.stored.countsTogether(columns, cuts, most))
    if (counted === undefined) return undefined
    counts.push(counted.map((one) => inClasses(one, classes, k)))
  }
  const [original, ...released] = files
  return Promise.all(
    sets.map(({ columns }, k) =>
      told(async () =>
        openedCounts(
          asKeys(opened, columns),
          { original, released },
          counts.map((ofFile) => ofFile[k]),
          { columns, target: '' },
        ),
      ),
    ),
  )
}

async function told(count: () => Promise<Release | string>): Promise<Release | string> {
  try {
    return await count()
  } catch (error) {
    if (!(error instanceof OpenQuestions)) throw error
    return 'values are spelled differently in all records'
  }
}

function halves<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const middle = items.length >> 1
  return [items.slice(0, middle), items.slice(middle)]
}
