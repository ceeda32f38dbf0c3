import type { GivenColumn } from '../files/collected-table.js'
import { CannotScan } from '../neighbors/scan/cannot-scan.js'
import { leastOf, nothingFound } from '../neighbors/scan/least.js'
import { isOnce, listsOf, type RecordQuestion, recordCoder, scanTask } from '../neighbors/scan/record-scan.js'
import type { Where } from '../neighbors/tasks.js'
import { grouped } from '../print.js'
import { countBelow } from '../stats/sorted.js'
import { type Column, columnLength, isMissing, numeric } from '../table/column.js'
import { distinctRecords } from '../table/distinct-records.js'
import { columnOf, onlyColumns, selectRows, type Table, table } from '../table/table.js'
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
  /**
   * The same of several sets of columns at once, refused with more than `most` of all sets together. Of a column with cuts the value is
   * the number of cuts that lie below it.
   */
  countsTogether(sets: readonly (readonly string[])[], cuts: Cuts, most: number): Promise<readonly Table[]>
  /** So many of the records, in their order; all where there are not more. */
  sample(n: number, seed: number): Promise<Table>
  /** The records with these numbers, from 0 and ascending; of each only these columns. */
  rows(numbers: Int32Array, columns: readonly string[]): Promise<Table>
  /** The least and the largest value of columns of numbers or dates; null where there is none, NaN where they are no such numbers. */
  ranges(columns: readonly string[]): Promise<readonly ([low: number, high: number] | null)[]>
  /** How many different records there are, as far as these columns go. */
  countDistinct(columns: readonly string[]): Promise<number>
  /** Looks at every record, by tasks where they come here, which are told of then. Refused where more than `most` are named. */
  scan(question: RecordQuestion, most: number, where: Where): Promise<Scanned>
}

export interface Scanned {
  /** The records named, in their order unless equal ones count once; of each only the columns of the question. */
  readonly records: Table
  /** Their numbers, from 0; of no use where equal ones count once. */
  readonly numbers: Int32Array
  /** By distance, how many records have the values of a query: query by query, set by set of columns. Of predicates, how many each holds for. */
  readonly equal: Float64Array
  /** Where no record is named: the least that was found for each query. */
  readonly least: Float64Array
}

/** Ascending, by column: numbers up to the first are in class 0. Without any, all values are, texts too. */
type Cuts = ReadonlyMap<string, Float64Array>

interface Schema {
  readonly rows: number
  /** Whether some of the values stored are read as missing. */
  readonly hasTokens?: boolean
  readonly columns: readonly (Pick<GivenColumn, 'name'> & { readonly kind: string })[]
}

/** Whether a column is stored as the numbers that are read: texts that are read as numbers are none in SQL, nor are numbers that mean missing. */
export function holdsNumbers({ schema }: StoredTable, name: string): boolean {
  const kind = schema.columns.find((column) => column.name === name)?.kind ?? ''
  return schema.hasTokens !== true && ['number', 'numeric', 'date'].includes(kind)
}

/** There are more combinations than were allowed. */
export class TooManyCombinations extends Error {}

/** What was counted; undefined where there are more combinations. */
export async function unlessTooMany<Counted>(counting: Promise<Counted>): Promise<Counted | undefined> {
  try {
    return await counting
  } catch (error) {
    if (!(error instanceof TooManyCombinations)) throw error
    return undefined
  }
}

export function tooManyCombinations({ name }: Pick<Table, 'name'>, most: number): string {
  return `more than ${grouped(most)} combinations in ${name}`
}

export function tooManyNear(most: number): CannotScan {
  return new CannotScan(`more than ${grouped(most)} records are near the people looked at`)
}

/** Records of a table in memory that are looked at together: what they are coded into takes no more room than that. */
const AT_ONCE = 2 ** 17

export function storedInMemory(data: Table): StoredTable {
  const { name, rows } = data
  return {
    name,
    schema: { rows, columns: data.columns.map((column) => ({ name: column.name, kind: column.kind })) },
    records: async () => data,
    counts: async (columns, most = Number.POSITIVE_INFINITY) =>
      countedUpTo(most, [columns.length === 0 ? data : onlyColumns(data, columns)])[0],
    countsTogether: async (sets, cuts, most) => {
      const classed = table(
        name,
        data.columns.map((column) => cut(column, cuts.get(column.name))),
        data.times,
      )
      return countedUpTo(
        most,
        sets.map((columns) => onlyColumns(classed, columns)),
      )
    },
    sample: async (n, seed) => (n >= rows ? data : selectRows(data, sampledRecords(rows, n, seed))),
    rows: async (numbers, columns) => selectRows(onlyColumns(data, columns), numbers),
    ranges: async (columns) => columns.map((column) => rangeOf(columnOf(data, column))),
    countDistinct: async (columns) => distinctRecords(onlyColumns(data, columns)).rows,
    scan: async (question, most, { tasks }) => {
      const all = onlyColumns(
        data,
        question.columns.map((column) => column.name),
      )
      const asked = isOnce(question) ? table(name, distinctRecords(all).columns) : all
      const [code, lists] = [recordCoder(question), listsOf(question)]
      const look = async ({ columns }: Table, from: number, to: number, before: Float64Array) => {
        const part = code([{ rows: to - from, columns: columns.map((column) => valuesOf(column, from, to)) }])
        const [found] = await tasks.map(scanTask, question, [{ part, least: before }])
        return found
      }
      const named: number[] = []
      let [least, equal]: Float64Array[] = [nothingFound(lists), new Float64Array()]
      for (let from = 0; from === 0 || from < asked.rows; from += AT_ONCE) {
        const found = await look(asked, from, Math.min(asked.rows, from + AT_ONCE), least)
        least = leastOf(lists, [least, found.least])
        equal = from === 0 ? found.equal : equal.map((records, k) => records + found.equal[k])
        for (const row of found.rows) named.push(from + row)
      }
      let numbers = Int32Array.from(named)
      // A part that knows nothing of later ones names too many.
      if (asked.rows > AT_ONCE) {
        const { rows: near } = await look(selectRows(asked, numbers), 0, numbers.length, nothingFound(lists))
        numbers = near.map((row) => named[row])
      }
      if (numbers.length > most) throw tooManyNear(most)
      return { records: selectRows(asked, numbers), numbers, equal, least }
    },
  }
}

function countedUpTo(most: number, tables: readonly Table[]): readonly Table[] {
  const counted = tables.map(distinctRecords)
  if (counted.reduce((sum, { rows }) => sum + rows, 0) > most) throw new TooManyCombinations(tables[0].name)
  return counted
}

function cut(column: Column, cuts: Float64Array | undefined): Column {
  if (cuts === undefined) return column
  const classOf = (row: number) => (column.kind === 'categorical' ? 0 : countBelow(cuts, column.values[row]))
  const rows = Array.from({ length: columnLength(column) }, (_, row) => (isMissing(column, row) ? null : classOf(row)))
  return numeric(column.name, rows)
}

/** As an engine gives them: texts, numbers, dates as days. */
export function plainValues(column: Column): (string | number | null)[] {
  return column.kind === 'categorical'
    ? Array.from(column.codes, (code) => (code < 0 ? null : column.levels[code]))
    : Array.from(column.values, (value) => (Number.isNaN(value) ? null : value))
}

/** The same of some rows, without numbers being copied: what is missing is NaN. */
function valuesOf(column: Column, from: number, to: number): ArrayLike<string | number | null> {
  return column.kind === 'categorical'
    ? plainValues({ ...column, codes: column.codes.subarray(from, to) })
    : column.values.subarray(from, to)
}

function rangeOf(column: Column): [number, number] | null {
  if (column.kind === 'categorical') return null
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of column.values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return low <= high ? [low, high] : null
}
