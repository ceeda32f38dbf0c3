import type { GivenColumn, ReadOptions, RecordQuestion } from '@scrim/core'
import type { Scanning } from './scan.js'
import { type Dialect, joined, type Sql } from './sql.js'

/** Where tables live that scrim does not read itself. Opened once for a command, so that all its tables are seen at one time. */
export interface Engine {
  /** A table, a file or a folder of files, as the engine knows it. */
  open(name: string, options: ReadOptions): Promise<EngineTable>
  close(): Promise<void>
}

/** Consecutive records, column by column. */
export interface Batch {
  readonly rows: number
  /** The numbers of the records in their table, from 0; they go on from those of the batch before where that is not said. */
  readonly numbers?: ArrayLike<number>
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
  /** All records with their numbers, from 0, under this name, where these are known without putting all records into order in one place. */
  numbered?(number: Sql): Promise<Sql>
  /**
   * Where the engine looks at records in its own places: those that these name, in their order, by these fields, and how many records of
   * each place have the value of a query. Refused where a place names more than `most`. Without it all records come here.
   */
  scan?(question: RecordQuestion, most: number, fields: readonly Field[]): Scanning
}

/** Records that have no order of their own are taken in the order of their values, so that every run sees the same table. */
export function orderOfValues(fields: readonly Field[]): Sql {
  return joined(fields.map(({ value }) => value))
}

export function noOrderNote(name: string): string {
  return `${name} keeps no order of its records: they were taken in the order of their values`
}

/** A type that is neither a number nor a text nor a date. */
export function unknownType(table: string, column: string, type: string): string {
  return `${table}: column "${column}" has the type ${type}, which is not a number, text or date; leave it out, or change it in a view`
}
