import { createRequire } from 'node:module'
import { EngineFailure, type ReadOptions, UserError, unknownName } from '@scrim/core'
import {
  type Batch,
  type Engine,
  type EngineTable,
  type Field,
  noOrderNote,
  orderOfValues,
  unknownType,
} from './engine.js'
import { joined, type Sql, STANDARD_SQL, sql } from './sql.js'

/** The part of `pg` that is used. */
interface Pg {
  readonly Client: new (settings: object) => PgClient
}

interface PgClient {
  connect(): Promise<unknown>
  query(query: { text: string; values?: readonly unknown[]; rowMode: 'array'; types: object }): Promise<PgResult>
  on(event: 'error', listener: (error: Error) => void): unknown
  end(): Promise<void>
}

interface PgResult {
  readonly rows: readonly (readonly (string | null)[])[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

export const PG_PACKAGE = 'pg'

/**
 * Tables and views of a database, all seen at one time, in one transaction that can write nothing. Who connects, and the password,
 * come from the URL and from where PostgreSQL's own programs take them: PGUSER, PGPASSWORD, ~/.pgpass. A URL with a password is refused
 * before it comes here.
 */
export async function openPostgreSql(url: string): Promise<Engine> {
  const { Client } = createRequire(import.meta.url)(PG_PACKAGE) as Pg
  const client = new Client({ connectionString: url, application_name: 'scrim' })
  // Told by the query that is waiting; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw new EngineFailure(`PostgreSQL cannot be reached: ${messageOf(error)}`)
  })
  const ask = (query: Sql, values: readonly unknown[] = []) =>
    client.query({ text: query.text, values, rowMode: 'array', types: AS_TEXT }).catch(told)
  try {
    await ask(sql`BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`)
    await ask(sql`SET LOCAL TIME ZONE 'UTC'`)
    await ask(sql`SET LOCAL extra_float_digits = 1`)
  } catch (error) {
    await client.end()
    throw error
  }
  let cursors = 0
  const run = (query: Sql) => fetched(ask, STANDARD_SQL.name(`scrim ${++cursors}`), query)
  return { open: (name, options) => openTable(name, options, ask, run), close: () => client.end() }
}

/** Values come as PostgreSQL writes them; what they are is known from the type. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }

type Ask = (query: Sql, values?: readonly unknown[]) => Promise<PgResult>

const FETCHED_AT_ONCE = 10_000

async function* fetched(ask: Ask, cursor: Sql, query: Sql): AsyncGenerator<Batch> {
  await ask(sql`DECLARE ${cursor} NO SCROLL CURSOR FOR ${query}`)
  for (;;) {
    const { rows, fields } = await ask(sql`FETCH ${FETCHED_AT_ONCE} FROM ${cursor}`)
    if (rows.length > 0)
      yield { rows: rows.length, columns: fields.map((field, k) => rows.map((row) => read(field.dataTypeID, row[k]))) }
    if (rows.length < FETCHED_AT_ONCE) break
  }
  await ask(sql`CLOSE ${cursor}`)
}

const OID = {
  boolean: [16],
  integer: [20, 21, 23, 26],
  float: [700, 701],
  numeric: [1700],
  text: [18, 19, 25, 1042, 1043, 2950],
  date: [1082],
  timestamp: [1114, 1184],
} as const

function isOf(kind: keyof typeof OID, type: number): boolean {
  return OID[kind].some((id) => id === type)
}

function read(type: number, text: string | null): unknown {
  if (text === null) return null
  if (isOf('boolean', type)) return text === 't'
  if (isOf('integer', type)) return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
  if (isOf('float', type) || isOf('numeric', type)) return Number(text)
  return text
}

/** Where there is no primary key: ordinary tables, and those in parts, have places for their records; views and tables of other servers have none. */
const PLACES: Readonly<Record<string, Sql>> = { r: sql`ctid`, m: sql`ctid`, p: sql`tableoid, ctid` }
const FOLDED = sql`SELECT n.nspname, c.relname, c.relkind FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass($1) AND c.relkind IN ('r', 'm', 'p', 'v', 'f')`
const KNOWN = sql`SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname ELSE n.nspname || '.' || c.relname END FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm', 'p', 'v', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_toast%' ORDER BY 1`

async function openTable(
  name: string,
  _options: ReadOptions,
  ask: Ask,
  run: (query: Sql) => AsyncIterable<Batch>,
): Promise<EngineTable> {
  const [found] = (await ask(FOLDED, [name])).rows
  if (found === undefined) {
    const known = (await ask(KNOWN)).rows.map(([table]) => String(table))
    throw new UserError(`PostgreSQL: ${unknownName('table', name, known)}`)
  }
  const [schema, table, relkind] = found.map(String)
  const from = sql`${STANDARD_SQL.name(schema)}.${STANDARD_SQL.name(table)}`
  const { fields: columns } = await ask(sql`SELECT * FROM ${from} LIMIT 0`)
  const types = await typeNames(ask, [...new Set(columns.map(({ dataTypeID }) => dataTypeID))])
  const problems: string[] = []
  const fields = columns.flatMap((column): Field[] => {
    const type = types.get(column.dataTypeID)
    const value = fieldOf(STANDARD_SQL.name(column.name), column.dataTypeID, type?.isEnumeration === true)
    if (value === undefined) problems.push(unknownType(name, column.name, type?.name ?? String(column.dataTypeID)))
    return value === undefined ? [] : [{ name: column.name, ...value }]
  })
  if (problems.length > 0) throw new UserError(problems)
  const key = await primaryKey(ask, name)
  const place = key.length > 0 ? joined(key) : PLACES[relkind]
  return {
    name,
    from,
    fields,
    run,
    dialect: STANDARD_SQL,
    order: place ?? orderOfValues(fields),
    notes: place === undefined ? [noOrderNote(name)] : [],
  }
}

/** Updates move records to other places, but not to other keys. */
async function primaryKey(ask: Ask, name: string): Promise<readonly Sql[]> {
  const { rows } = await ask(
    sql`SELECT a.attname FROM pg_catalog.pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k(attnum, place) JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum WHERE i.indisprimary AND i.indrelid = to_regclass($1) ORDER BY k.place`,
    [name],
  )
  return rows.map(([column]) => STANDARD_SQL.name(String(column)))
}

async function typeNames(ask: Ask, ids: readonly number[]) {
  const list = joined([sql`0`, ...ids.map((id) => sql`${id}`)])
  const { rows } = await ask(
    sql`SELECT oid, pg_catalog.format_type(oid, NULL), typtype FROM pg_catalog.pg_type WHERE oid IN (${list})`,
  )
  return new Map(rows.map(([id, name, kind]) => [Number(id), { name: String(name), isEnumeration: kind === 'e' }]))
}

/** Texts are sorted by their bytes, whatever the language of the database; other values have one order only. */
function fieldOf(column: Sql, type: number, isEnumeration: boolean): Pick<Field, 'kind' | 'value'> | undefined {
  if (isOf('boolean', type)) return { kind: 'boolean', value: column }
  if (isOf('integer', type) || isOf('numeric', type)) return { kind: 'number', value: column }
  if (isOf('float', type)) return { kind: 'number', value: sql`${column}::float8` }
  if (isOf('text', type) || isEnumeration) return { kind: 'text', value: sql`${column}::text COLLATE "C"` }
  if (isOf('date', type)) return { kind: 'date', value: sql`(${column} - DATE '1970-01-01')` }
  if (isOf('timestamp', type))
    return { kind: 'date', value: sql`((extract(epoch FROM ${column}) * 1000000)::float8 / 86400000000.0::float8)` }
  return undefined
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message === '' && error instanceof Error && 'code' in error ? String(error.code) : message
}

/** Class 22 and 42 of SQLSTATE are about what was asked; the others, and what has none, about the server and the way to it. */
function told(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(22|42|25006)/.test(code)) throw new UserError(`PostgreSQL: ${messageOf(error)}`)
  throw new EngineFailure(`the connection to PostgreSQL broke: ${messageOf(error)}; run the command again`)
}
