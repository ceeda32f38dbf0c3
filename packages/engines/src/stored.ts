import {
  collectTable,
  cutFor,
  distinctRecords,
  isOnce,
  type ReadOptions,
  type StoredTable,
  type Table,
  TooManyCombinations,
  table,
  UserError,
} from '@scrim/core'
import type { Batch, EngineTable, Field } from './engine.js'
import { rowsIn, scanRecords } from './scan.js'
import { decimal, joined, type Sql, sql } from './sql.js'

/** More than any array can hold. */
const MOST_ROWS = 2 ** 31 - 1

/** A table of an engine, by the same statements for all of them. */
export async function storedTable(source: EngineTable, options: ReadOptions): Promise<StoredTable> {
  const { name, fields } = source
  const rows = await countRecords(source)
  if (rows > MOST_ROWS) throw new UserError(`${name} has ${rows} records, more than can be numbered`)
  const collected = async (query: Sql, asked: readonly Field[]) =>
    collect(source, asked, await held(source, query), options)
  return {
    name,
    schema: {
      rows,
      columns: fields.map(({ name: column, kind }) => ({ name: column, kind })),
      hasTokens: options.missing !== undefined && options.missing.length > 0,
    },
    records: () => allRecords(source, rows, options),
    async counts(columns, most = MOST_ROWS) {
      const asked = columns.map((column) => fieldNamed(source, column))
      return countedRecords(source, asked, await held(source, countsQuery(source, asked), most), options)
    },
    async countsTogether(sets, cuts, most) {
      const counted: Table[] = []
      let left = most
      for (const together of inStatements(sets)) {
        const columns = [...new Set(together.flat())]
        const asked = columns.map((column) => inClasses(fieldNamed(source, column), cuts.get(column)))
        const places = together.map((set) => set.map((column) => columns.indexOf(column)))
        const isOne = together.length === 1
        const query = isOne ? countsQuery(source, asked) : countsTogetherQuery(source, asked, places)
        const { batches, rows: found } = await held(source, query, left)
        left -= found
        // A class is no value of the type that was declared.
        const values = asked.filter((field) => !cuts.has(field.name))
        for (const set of places) {
          const ofSet = isOne ? batches : batches.map((batch) => rowsOfSet(batch, set, columns.length))
          const fields = set.map((place) => asked[place])
          const records = { batches: ofSet, rows: rowsIn(ofSet) }
          counted.push(countedRecords(source, fields, records, optionsFor(values, options)))
        }
      }
      return counted
    },
    async sample(n, seed) {
      if (n >= rows) return allRecords(source, rows, options)
      if (fields.some(({ kind }) => kind === 'cell')) throw new UserError(`${name}: ${ONLY_WHOLE}`)
      const cut = cutFor(rows, n)
      const records = await numberedRecords(source)
      const sampled = await collected(sampleQuery(source, records, n, seed, cut), fields)
      return sampled.rows === n || cut === null
        ? sampled
        : collected(sampleQuery(source, records, n, seed, null), fields)
    },
    async rows(numbers, columns) {
      const asked = columns.map((column) => fieldNamed(source, column))
      return collected(rowsQuery(await numberedRecords(source), numbers, asked), asked)
    },
    async ranges(columns) {
      if (columns.length === 0) return []
      const ends = columns.flatMap((column) => {
        const { value } = fieldNamed(source, column)
        return [sql`min(${value})`, sql`max(${value})`]
      })
      const [{ columns: found }] = (await held(source, sql`SELECT ${joined(ends)} FROM ${source.from}`)).batches
      return columns.map((_, k) => {
        const [low, high] = [found[2 * k][0], found[2 * k + 1][0]]
        return low === null ? null : [exact(low), exact(high)]
      })
    },
    async countDistinct(columns) {
      const asked = columns.map((column) => fieldNamed(source, column))
      return countRecords({ ...source, from: sql`(${distinctQuery(source, asked)}) AS records` })
    },
    async scan(question, most, { tasks, progress }) {
      const asked = question.columns.map((column) => fieldNamed(source, column.name))
      const query = isOnce(question) ? distinctQuery(source, asked) : allQuery(source, asked)
      const records =
        source.scan?.(question, most, asked) ??
        counting(compact(source.run(query), asked), (done) => progress?.(done, rows))
      const { near, equal, least } = await scanRecords(records, question, most, tasks)
      const named = near.rows > 0 ? [near] : []
      const found = collect(source, asked, { batches: named, rows: near.rows }, options)
      return { records: found, numbers: Int32Array.from(near.numbers), equal, least }
    },
  }
}

const ONLY_WHOLE =
  'a CSV file must be read whole, since only all of its cells tell what its columns are; allow more memory, or make it Parquet to have it sampled'

/** All records, in their order, as the table that scrim's own readers make of a file with the same values. */
export async function readRecords(source: EngineTable, options: ReadOptions): Promise<Table> {
  return (await storedTable(source, options)).records()
}

async function allRecords(source: EngineTable, rows: number, options: ReadOptions): Promise<Table> {
  const { name, fields, decimals } = source
  const collector = collectTable(name, fields, rows, options, decimals)
  let read = 0
  for await (const batch of source.run(allQuery(source, fields))) {
    if (read + batch.rows > rows) throw changed(source)
    for (const [k, given] of batch.columns.slice(0, fields.length).entries()) collector.put(k, read, given)
    read += batch.rows
  }
  if (read !== rows) throw changed(source)
  return collector.table()
}

function allQuery({ from, order }: EngineTable, fields: readonly Field[]): Sql {
  const selected = sql`SELECT ${values(fields)} FROM ${from}`
  return order === undefined ? selected : sql`${selected} ORDER BY ${order}`
}

/** Values may be expressions, which other queries need names for. */
function distinctQuery({ from }: EngineTable, fields: readonly Field[]): Sql {
  const named = joined(fields.map(({ value }, k) => sql`${value} AS ${{ text: `c${k}` }}`))
  return sql`SELECT DISTINCT ${named} FROM ${from}`
}

function countsQuery({ from }: EngineTable, fields: readonly Field[]): Sql {
  const places = joined(fields.map((_, k) => sql`${k + 1}`))
  return sql`SELECT ${values(fields)}, count(*) FROM ${from} GROUP BY ${places}`
}

/** Spark takes so many columns in one statement, PostgreSQL 4,096 sets. */
const MOST_COLUMNS = 64
const MOST_SETS = 1000

/** Sets of columns that every engine counts together, in their order. One by itself may have more columns. */
function inStatements(sets: readonly (readonly string[])[]): readonly (readonly string[])[][] {
  const statements: (readonly string[])[][] = []
  let columns = new Set<string>()
  for (const set of sets) {
    const last = statements.at(-1)
    const more = new Set([...columns, ...set])
    if (last !== undefined && last.length < MOST_SETS && more.size <= MOST_COLUMNS) last.push(set)
    else statements.push([set])
    columns = statements.at(-1) === last ? more : new Set(set)
  }
  return statements
}

/** The columns, how many records there are, and by column whether it was left aside: 1 where it is not in the set of columns. */
function countsTogetherQuery(
  { from }: EngineTable,
  fields: readonly Field[],
  sets: readonly (readonly number[])[],
): Sql {
  const column = (place: number): Sql => ({ text: `c${place}` })
  const named = joined(fields.map(({ value }, place) => sql`${value} AS ${column(place)}`))
  const columns = fields.map((_, place) => column(place))
  const aside = joined(columns.map((own) => sql`grouping(${own})`))
  const groups = joined(sets.map((set) => sql`(${joined(set.map(column))})`))
  return sql`SELECT ${joined(columns)}, count(*), ${aside} FROM (SELECT ${named} FROM ${from}) AS records GROUP BY GROUPING SETS (${groups})`
}

/** Of counts of several sets of columns those of one: its columns, and how many records. */
function rowsOfSet({ rows, columns }: Batch, set: readonly number[], width: number): Batch {
  const isIn = new Set(set)
  const own: number[] = []
  for (let row = 0; row < rows; row++) {
    let isOwn = true
    for (let place = 0; place < width && isOwn; place++)
      isOwn = (Number(columns[width + 1 + place][row]) === 0) === isIn.has(place)
    if (isOwn) own.push(row)
  }
  const pick = (column: ArrayLike<unknown>) => own.map((row) => column[row])
  return { rows: own.length, columns: [...set, width].map((place) => pick(columns[place])) }
}

function countedRecords(source: EngineTable, asked: readonly Field[], counted: Held, options: ReadOptions): Table {
  const times = Int32Array.from(counted.batches.flatMap((batch) => Array.from(batch.columns[asked.length], Number)))
  return distinctRecords(table(source.name, collect(source, asked, counted, options).columns, times))
}

/** The number of cuts below a value. What is no number, such as NaN, is above all numbers, and missing. */
function inClasses({ name, kind, value }: Field, cuts: Float64Array | undefined): Field {
  if (cuts === undefined) return { name, kind, value }
  const whens =
    kind === 'number' || kind === 'date'
      ? [...cuts, Number.MAX_VALUE].map((cut, place) => sql`WHEN ${value} <= ${decimal(cut)} THEN ${place}`)
      : [sql`WHEN ${value} IS NOT NULL THEN ${0}`]
  return { name, kind: 'number', value: sql`CASE ${joined(whens, sql` `)} END` }
}

/** The records with the smallest hashes of their numbers, as `sampledRecords` has them, in their order. */
function sampleQuery(
  { fields, dialect }: EngineTable,
  { number, query }: NumberedRecords,
  n: number,
  seed: number,
  cut: string | null,
): Sql {
  const hash = sql`md5(concat(${dialect.text(`${seed}:`)}, ${number}))`
  const few = cut === null ? sql`` : sql`WHERE ${hash} < ${dialect.text(cut)}`
  const sampled = sql`SELECT * FROM (${query}) AS numbered ${few} ORDER BY ${hash} LIMIT ${n}`
  return sql`SELECT ${values(fields)} FROM (${sampled}) AS sampled ORDER BY ${number}`
}

/** Whole numbers that are too long for a number are codes, which have no range. */
function exact(value: unknown): number {
  const number = Number(value)
  return typeof value === 'bigint' && !Number.isSafeInteger(number) ? Number.NaN : number
}

function rowsQuery({ number, query }: NumberedRecords, numbers: Int32Array, asked: readonly Field[]): Sql {
  const list = joined(Array.from(numbers, (one) => sql`${one}`))
  return sql`SELECT ${values(asked)} FROM (${query}) AS numbered WHERE ${number} IN (${list}) ORDER BY ${number}`
}

/** A query for all records with their numbers, under a name that no column has. */
interface NumberedRecords {
  readonly number: Sql
  readonly query: Sql
}

async function numberedRecords({ fields, from, order, dialect, numbered }: EngineTable): Promise<NumberedRecords> {
  const number = dialect.name(freeName(fields))
  const inOrder = order === undefined ? sql`` : sql`ORDER BY ${order}`
  const inOnePlace = sql`SELECT row_number() OVER (${inOrder}) - 1 AS ${number}, * FROM ${from}`
  return { number, query: (await numbered?.(number)) ?? inOnePlace }
}

/** A name that no column has, in any case of its letters. */
function freeName(fields: readonly Field[]): string {
  const taken = new Set(fields.map(({ name }) => name.toLowerCase()))
  let name = 'record number'
  while (taken.has(name)) name += '_'
  return name
}

function values(fields: readonly Field[]): Sql {
  return joined(fields.map(({ value }) => value))
}

/** The same batches, with how many records have come after each. */
async function* counting(batches: AsyncIterable<Batch>, tell: (done: number) => void): AsyncGenerator<Batch> {
  let done = 0
  for await (const batch of batches) {
    yield batch
    done += batch.rows
    tell(done)
  }
}

/** Texts are kept as long as there are not many more different ones. */
const MOST_TEXTS = 100_000

/**
 * The same batches with little in them for whoever collects what is done with, as many wait to be looked at: numbers side by side, missing
 * as NaN, and one text for all that are equal.
 */
async function* compact(batches: AsyncIterable<Batch>, fields: readonly Field[]): AsyncGenerator<Batch> {
  const texts = new Map<unknown, unknown>()
  const once = (value: unknown) => {
    const known = texts.get(value)
    if (known === undefined && texts.size < MOST_TEXTS) texts.set(value, value)
    return known ?? value
  }
  const isNumber = fields.map(({ kind }) => kind === 'number' || kind === 'date')
  for await (const batch of batches) {
    const columns = batch.columns.map((column, k) => (isNumber[k] && numbersIn(column)) || Array.from(column, once))
    yield { ...batch, columns }
  }
}

/** Undefined where there are others, such as whole numbers that are too long for a number. */
function numbersIn(column: ArrayLike<unknown>): Float64Array | undefined {
  const numbers = new Float64Array(column.length)
  for (let row = 0; row < column.length; row++) {
    const value = column[row] ?? Number.NaN
    if (typeof value !== 'number') return undefined
    numbers[row] = value
  }
  return numbers
}

interface Held {
  readonly batches: readonly Batch[]
  readonly rows: number
}

/** How many rows an answer has is known only when all are there. */
async function held(source: EngineTable, query: Sql, most = MOST_ROWS): Promise<Held> {
  const batches: Batch[] = []
  let rows = 0
  for await (const batch of source.run(query)) {
    batches.push(batch)
    rows += batch.rows
    if (rows > most) throw new TooManyCombinations(source.name)
  }
  return { batches, rows }
}

function collect(
  { name, decimals }: EngineTable,
  fields: readonly Field[],
  { batches, rows }: Held,
  options: ReadOptions,
): Table {
  const collector = collectTable(name, fields, rows, optionsFor(fields, options), decimals)
  let at = 0
  for (const batch of batches) {
    for (const k of fields.keys()) collector.put(k, at, batch.columns[k])
    at += batch.rows
  }
  return collector.table()
}

/** Types may be declared for columns that are not asked about. */
function optionsFor(fields: readonly Field[], options: ReadOptions): ReadOptions {
  if (options.types === undefined) return options
  const asked = new Set(fields.map(({ name }) => name))
  return { ...options, types: Object.fromEntries(Object.entries(options.types).filter(([name]) => asked.has(name))) }
}

function fieldNamed({ name, fields }: EngineTable, column: string): Field {
  const field = fields.find((one) => one.name === column)
  if (field === undefined) throw new Error(`${name} has no column "${column}"`)
  return field
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
