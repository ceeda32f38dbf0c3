import { UserError } from '../errors.js'
import { countUp } from '../random/sampling.js'
import { type Column, categorical, columnLength, isMissing, numeric, takeRows } from './column.js'

/** Named columns of equal length. `name` is what people call the table, usually its file. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: number
  /** How many records each row stands for, where equal records were counted; one each where it is left out. */
  readonly times?: Int32Array | undefined
  /** Where these are a sample of all records: what was counted in all of them. What is made of this table has none. */
  readonly counted?: CountedRecords | undefined
}

/** All records of a table, counted by some sets of its columns. */
export interface CountedRecords {
  readonly records: number
  /** By the names of the columns and what of them was counted, as `setKey` has it. */
  readonly by: Readonly<Record<string, Table>>
}

/** Columns by whose values records are counted together. */
export interface ColumnSet {
  readonly columns: readonly string[]
  readonly as: CountedAs
}

/** The values as they are; numbers by the classes that they are compared in; or only whether there is a value. */
type CountedAs = 'values' | 'classes' | 'known'

/** These sets and, before those of classes, which are cut by it, each of their columns by itself; every set once. */
export function withMargins(sets: readonly ColumnSet[]): readonly ColumnSet[] {
  const classed = sets.filter(({ as }) => as === 'classes').flatMap(({ columns }) => columns)
  const margins = classed.map((name): ColumnSet => ({ columns: [name], as: 'values' }))
  return [...new Map([...margins, ...sets].map((set) => [setKey(set), set])).values()]
}

export function setKey({ columns, as }: ColumnSet): string {
  return `${as} ${JSON.stringify(columns)}`
}

/** A table as far as these columns: all records where they were counted by them, the table itself otherwise. */
export function countedBy(data: Table, columns: readonly string[], as: CountedAs = 'values'): Table {
  return data.counted?.by[setKey({ columns, as })] ?? data
}

export function table(name: string, columns: readonly Column[], times?: Int32Array): Table {
  const rows = columns.length === 0 ? 0 : columnLength(columns[0])
  const seen = new Set<string>()
  for (const column of columns) {
    if (columnLength(column) !== rows) {
      throw new UserError(
        `${name}: column "${column.name}" has ${columnLength(column)} values, the first column has ${rows}`,
      )
    }
    if (seen.has(column.name)) throw new UserError(`${name}: the column name "${column.name}" occurs more than once`)
    seen.add(column.name)
  }
  return { name, columns, rows, ...(times === undefined ? {} : { times }) }
}

/** How many records the rows stand for: all of a sample where all were counted. */
export function recordsIn({ rows, times, counted }: Pick<Table, 'rows' | 'times' | 'counted'>): number {
  if (counted !== undefined) return counted.records
  return times === undefined ? rows : times.reduce((sum, records) => sum + records, 0)
}

export type Cell = string | number | boolean | null

/** A table from plain arrays, one per column: numbers become numeric, texts and booleans categorical, null is missing. */
export function tableOf(name: string, data: Readonly<Record<string, readonly Cell[]>>): Table {
  return table(
    name,
    Object.entries(data).map(([column, cells]) =>
      cells.some((cell) => typeof cell === 'string' || typeof cell === 'boolean')
        ? categorical(
            column,
            cells.map((cell) => (cell === null ? null : String(cell))),
          )
        : numeric(column, cells as readonly (number | null)[]),
    ),
  )
}

/** A table from rows written out, for small examples: `rows` holds one array per record, in the order of `names`. */
export function tableOfRows(name: string, names: readonly string[], rows: readonly (readonly Cell[])[]): Table {
  return tableOf(name, Object.fromEntries(names.map((column, j) => [column, rows.map((row) => row[j])])))
}

/** The table as far as these columns. */
export function onlyColumns(data: Table, names: readonly string[]): Table {
  return table(
    data.name,
    names.map((name) => columnOf(data, name)),
    data.times,
  )
}

export function columnNames(data: Table): string[] {
  return data.columns.map((column) => column.name)
}

export function findColumn(data: Table, name: string): Column | undefined {
  let columns = columnsByName.get(data)
  if (columns === undefined) {
    columns = new Map(data.columns.map((column) => [column.name, column]))
    columnsByName.set(data, columns)
  }
  return columns.get(name)
}

/** Whoever asks for each column of a wide table would look through all of them each time. */
const columnsByName = new WeakMap<Table, ReadonlyMap<string, Column>>()

/** The column `name` of a table that is known to have it. */
export function columnOf(data: Table, name: string): Column {
  const column = findColumn(data, name)
  if (column === undefined) throw new Error(`${data.name} has no column "${name}"`)
  return column
}

export function allRows({ rows }: Table): Int32Array {
  return countUp(rows)
}

/** Rows, of all or of some, in which none of these columns is missing. */
export function completeRows(data: Table, names: readonly string[], among: Int32Array = allRows(data)): Int32Array {
  const columns = names.map((name) => columnOf(data, name))
  return among.filter((row) => columns.every((column) => !isMissing(column, row)))
}

export function selectRows({ name, columns, times }: Table, rows: ArrayLike<number>): Table {
  return {
    name,
    columns: columns.map((column) => takeRows(column, rows)),
    rows: rows.length,
    ...(times === undefined ? {} : { times: Int32Array.from(rows, (row) => times[row]) }),
  }
}
