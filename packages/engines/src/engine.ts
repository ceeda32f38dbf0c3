import { collectTable, type GivenColumn, type ReadOptions, type Table, UserError } from '@scrim/core'
import { type Dialect, joined, type Sql, sql } from './sql.js'

/** Where tables live that scrim does not read itself. Opened once for a command, so that all its tables are seen at one time. */
export interface Engine {
  /** A table, a file or a folder of files, as the engine knows it. */
  open(name: string, options: ReadOptions): Promise<EngineTable>
  close(): Promise<void>
}

/** Consecutive records, column by column. */
export interface Batch {
  readonly rows: number
  readonly columns: readonly ArrayLike<unknown>[]
}

export interface Field extends GivenColumn {
  /** The value as `collectTable` takes it: a number, a text, true or false, days since 1970-01-01. */
  readonly value: Sql
}

export interface EngineTable {
  readonly name: string
  readonly fields: readonly Field[]
  /** What the records are taken from. */
  readonly from: Sql
  /** What puts the records into an order that is the same every time; undefined where they come in it. */
  readonly order: Sql | undefined
  readonly dialect: Dialect
  /** Of cells. */
  readonly decimals?: readonly ('.' | ',')[]
  /** What a reader of the results should know. */
  readonly notes: readonly string[]
  run(query: Sql): AsyncIterable<Batch>
}

/** More than any array can hold. */
const MOST_ROWS = 2 ** 31 - 1

/** All records, in their order, as the table that scrim's own readers make of a file with the same values. */
export async function readRecords(source: EngineTable, options: ReadOptions): Promise<Table> {
  const rows = await countRecords(source)
  if (rows > MOST_ROWS) throw new UserError(`${source.name} has ${rows} records, more than fit into memory`)
  const collector = collectTable(source.name, source.fields, rows, options, source.decimals)
  let read = 0
  for await (const batch of source.run(recordsQuery(source))) {
    if (read + batch.rows > rows) throw changed(source)
    for (const [k, values] of batch.columns.slice(0, source.fields.length).entries()) collector.put(k, read, values)
    read += batch.rows
  }
  if (read !== rows) throw changed(source)
  return collector.table()
}

function recordsQuery({ fields, from, order }: EngineTable): Sql {
  const selected = sql`SELECT ${joined(fields.map(({ value }) => value))} FROM ${from}`
  return order === undefined ? selected : sql`${selected} ORDER BY ${order}`
}

async function countRecords(source: EngineTable): Promise<number> {
  for await (const { columns } of source.run(sql`SELECT count(*) FROM ${source.from}`)) {
    const rows = Number(columns[0][0])
    if (Number.isSafeInteger(rows)) return rows
  }
  throw new Error(`${source.name}: its records could not be counted`)
}

function changed({ name }: EngineTable): UserError {
  return new UserError(`${name} was changed while it was read; run the command again`)
}

/** Records that have no order of their own are taken in the order of their values, so that every run sees the same table. */
export function orderOfValues(fields: readonly Field[]): Sql {
  return joined(fields.map((_, k) => sql`${k + 1}`))
}

export function noOrderNote(name: string): string {
  return `${name} keeps no order of its records: they were taken in the order of their values`
}

/** A type that is neither a number nor a text nor a date. */
export function unknownType(table: string, column: string, type: string): string {
  return `${table}: column "${column}" has the type ${type}, which is not a number, text or date; leave it out, or change it in a view`
}
