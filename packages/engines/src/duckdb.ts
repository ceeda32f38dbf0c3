import { closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { csvLayout, EngineFailure, type ReadOptions, UserError, unknownName } from '@scrim/core'
import { type Batch, type Engine, type EngineTable, type Field, unknownType } from './engine.js'
import { joined, nameParts, type Sql, STANDARD_SQL, sql } from './sql.js'

/** The part of `@duckdb/node-api` that is used. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string, settings: Readonly<Record<string, string>>): Promise<DuckDbInstance>
  }
}

interface DuckDbInstance {
  connect(): Promise<DuckDbConnection>
  closeSync(): void
}

interface DuckDbConnection {
  stream(query: string): Promise<DuckDbResult>
  closeSync(): void
}

interface DuckDbResult {
  columnNames(): string[]
  columnTypes(): readonly { toString(): string }[]
  fetchChunk(): Promise<DuckDbChunk | null>
}

interface DuckDbChunk {
  readonly rowCount: number
  readonly columnCount: number
  getColumnValues(column: number): readonly unknown[]
}

export const DUCKDB_PACKAGE = '@duckdb/node-api'

export interface DuckDbSettings {
  /** Folder that relative names start from. */
  readonly folder: string
  /** Bytes that a run may take; what is beyond the share of DuckDB it writes to disk. */
  readonly memory?: number | undefined
  readonly threads?: number | undefined
}

/** Of the memory of a run; the rest is for scrim. */
const SHARE = 0.5

/** CSV and Parquet files, folders and globs of them, and tables of a `.duckdb` file, which is opened for reading only. */
export async function openDuckDb({ folder, memory, threads }: DuckDbSettings): Promise<Engine> {
  const { DuckDBInstance } = createRequire(import.meta.url)(DUCKDB_PACKAGE) as DuckDb
  const spill = spillFolder(tmpdir())
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: spill,
    autoinstall_known_extensions: 'false',
    ...(memory === undefined ? {} : { memory_limit: `${Math.round((memory * SHARE) / 1e6)}MB` }),
    ...(threads === undefined ? {} : { threads: String(threads) }),
  })
  const connection = await instance.connect()
  const run = (query: Sql) => batches(connection, query)
  const attached = new Map<string, Sql>()
  return {
    open: (name, options) => openTable(name, options, { folder, run, attached, connection }),
    async close() {
      connection.closeSync()
      instance.closeSync()
      rmSync(spill, { recursive: true, force: true })
    },
  }
}

const SPILL = /^scrim-duckdb-(\d+)-/

/** What does not fit into memory is written here, for this user only. A process that was killed leaves its own behind: the next one removes it. */
export function spillFolder(parent: string): string {
  for (const name of readdirSync(parent)) {
    const owner = SPILL.exec(name)?.[1]
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(parent, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(parent, `scrim-duckdb-${process.pid}-`))
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

interface Session {
  readonly folder: string
  readonly connection: DuckDbConnection
  readonly attached: Map<string, Sql>
  run(query: Sql): AsyncIterable<Batch>
}

async function openTable(name: string, options: ReadOptions, session: Session): Promise<EngineTable> {
  const database = /^(.*?\.(?:duckdb|ddb))(?::(.+))?$/i.exec(name)
  if (database !== null) return openStored(name, database[1], database[2], session)
  const files = filesOf(name, session.folder)
  const isParquet = /\.(parquet|pq)$/i.test(files[0])
  if (!isParquet && !/\.(csv|tsv|txt)$/i.test(files[0]))
    throw new UserError(
      `${name}: DuckDB reads CSV and Parquet files and tables of a .duckdb file; leave --engine for others`,
    )
  const other = files.find((file) => /\.(parquet|pq)$/i.test(file) !== isParquet)
  if (other !== undefined) throw new UserError(`${name}: holds both Parquet and other files, such as ${other}`)
  return isParquet ? openParquet(name, files, session) : openCsv(name, files, options, session)
}

function fileList(files: readonly string[]): Sql {
  return sql`[${joined(files.map(STANDARD_SQL.text))}]`
}

async function openParquet(name: string, files: readonly string[], session: Session): Promise<EngineTable> {
  const from = sql`read_parquet(${fileList(files)}, binary_as_string = true)`
  return { name, from, ...(await described(name, from, session)), ...plain(session) }
}

const HEAD = 1 << 20
const [LF, CR] = [10, 13]

/** Cells come as texts, so that types are inferred by scrim on whole columns; only bare missing tokens are null already. */
async function openCsv(
  name: string,
  files: readonly string[],
  options: ReadOptions,
  session: Session,
): Promise<EngineTable> {
  if (options.encoding === 'latin1') throw new UserError(`${name}: ${ONLY_UTF8}`)
  const layouts = files.map((file) => csvLayout(name, headOf(name, file), options))
  const [{ delimiter, encoding, header, reading }] = layouts
  if (encoding !== 'utf-8') throw new UserError(`${name}: ${ONLY_UTF8}`)
  const other = layouts.find((layout) => layout.header.names.join('\0') !== header.names.join('\0'))
  if (other !== undefined) throw new UserError(`${name}: its files do not have the same columns`)
  const { text } = STANDARD_SQL
  const columns = joined(header.names.map((column) => sql`${text(column)}: 'VARCHAR'`))
  const missing = joined(['', ...reading.missing].map(text))
  const from = sql`read_csv(${fileList(files)}, auto_detect = false, header = true, delim = ${text(delimiter)}, quote = '"', escape = '"', strict_mode = true, null_padding = false, ignore_errors = false, allow_quoted_nulls = false, nullstr = [${missing}], columns = {${columns}})`
  const fields = header.names.map((column): Field => ({ name: column, kind: 'cell', value: STANDARD_SQL.name(column) }))
  return { name, from, fields, decimals: reading.decimals, notes: [], ...plain(session) }
}

const ONLY_UTF8 = 'DuckDB reads CSV in UTF-8; convert the file, or leave --engine'

/** The first lines of a file, the last of them whole. */
function headOf(name: string, file: string): Uint8Array {
  const opened = openSync(file, 'r')
  try {
    const bytes = new Uint8Array(HEAD)
    const head = bytes.subarray(0, readSync(opened, bytes, 0, HEAD, 0))
    if (head.length === 0) throw new UserError(`${name} is empty; expected a header line with column names`)
    const isMarked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
    const end = head.length < HEAD ? head.length : Math.max(head.lastIndexOf(LF), head.lastIndexOf(CR))
    return head.subarray(isMarked ? 3 : 0, end > 0 ? end : head.length)
  } finally {
    closeSync(opened)
  }
}

async function openStored(
  name: string,
  file: string,
  table: string | undefined,
  session: Session,
): Promise<EngineTable> {
  const { name: quoted, text } = STANDARD_SQL
  const path = resolve(session.folder, file)
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw new UserError(`there is no file ${file}`)
  let database = session.attached.get(path)
  if (database === undefined) {
    database = quoted(`data${session.attached.size + 1}`)
    await ended(session.run(sql`ATTACH ${text(path)} AS ${database} (READ_ONLY)`))
    session.attached.set(path, database)
  }
  const tables = await valuesOf(
    session.run(
      sql`SELECT schema_name, table_name FROM (SELECT database_name, schema_name, table_name FROM duckdb_tables() UNION ALL SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal) WHERE database_name = ${text(database.text.slice(1, -1))} ORDER BY 1, 2`,
    ),
  )
  const known = tables.map(([schema, own]) => (schema === 'main' ? String(own) : `${schema}.${own}`))
  const wanted = table ?? (known.length === 1 ? known[0] : undefined)
  if (wanted === undefined)
    throw new UserError(`${file} holds ${known.length} tables (${known.join(', ')}); name one: ${file}:TABLE`)
  const parts = nameParts(wanted, '"')
  const at = tables.findIndex(
    ([schema, own]) =>
      parts?.join('\0') === `${schema}\0${own}` || parts?.join('\0') === (schema === 'main' ? own : undefined),
  )
  if (at < 0) throw new UserError(`${file}: ${unknownName('table', wanted, known)}`)
  const from = sql`${database}.${quoted(String(tables[at][0]))}.${quoted(String(tables[at][1]))}`
  return { name, from, ...(await described(name, from, session)), ...plain(session) }
}

function plain({ run }: Session) {
  return { run, order: undefined, dialect: STANDARD_SQL }
}

/** The columns of something to select from, by their types. */
async function described(
  name: string,
  from: Sql,
  { connection }: Session,
): Promise<Pick<EngineTable, 'fields' | 'notes'>> {
  const result = await asked(connection, sql`SELECT * FROM ${from} LIMIT 0`)
  const types = result.columnTypes().map(String)
  const problems: string[] = []
  const fields = result.columnNames().flatMap((column, k): Field[] => {
    const found = fieldOf(STANDARD_SQL.name(column), types[k])
    if (found === undefined) problems.push(unknownType(name, column, types[k]))
    return found === undefined ? [] : [{ name: column, ...found }]
  })
  if (problems.length > 0) throw new UserError(problems)
  return { fields, notes: [] }
}

const MICROSECONDS_PER_DAY = sql`86400000000.0`
const NANOSECONDS_PER_DAY = sql`86400000000000.0`

/** How a column of a type becomes what scrim's reader of Parquet makes of it. */
function fieldOf(column: Sql, type: string): Pick<Field, 'kind' | 'value'> | undefined {
  if (/^(U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE)$/.test(type))
    return { kind: 'number', value: column }
  if (/^DECIMAL/.test(type)) return { kind: 'number', value: sql`CAST(${column} AS DOUBLE)` }
  if (type === 'BOOLEAN') return { kind: 'boolean', value: column }
  if (type === 'VARCHAR') return { kind: 'text', value: column }
  if (type === 'UUID' || type.startsWith('ENUM')) return { kind: 'text', value: sql`CAST(${column} AS VARCHAR)` }
  if (type === 'DATE') return { kind: 'date', value: sql`CAST(${column} - DATE '1970-01-01' AS DOUBLE)` }
  if (type === 'TIMESTAMP_NS')
    return { kind: 'date', value: sql`CAST(epoch_ns(${column}) AS DOUBLE) / ${NANOSECONDS_PER_DAY}` }
  if (type.startsWith('TIMESTAMP'))
    return { kind: 'date', value: sql`CAST(epoch_us(${column}) AS DOUBLE) / ${MICROSECONDS_PER_DAY}` }
  return undefined
}

async function* batches(connection: DuckDbConnection, query: Sql): AsyncGenerator<Batch> {
  const result = await asked(connection, query)
  for (;;) {
    const chunk = await result.fetchChunk().catch(told)
    if (chunk === null || chunk.rowCount === 0) return
    const columns = Array.from({ length: chunk.columnCount }, (_, k) => chunk.getColumnValues(k))
    yield { rows: chunk.rowCount, columns }
  }
}

async function asked(connection: DuckDbConnection, query: Sql): Promise<DuckDbResult> {
  return connection.stream(query.text).catch(told)
}

/** What is wrong with the files is the user's to change; what the machine lacks is not. */
function told(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const [first] = message.split('\n')
  if (/^(Out of Memory|IO) Error/.test(first) && /memory|space|write/i.test(first))
    throw new EngineFailure(`DuckDB stopped: ${first}`)
  throw new UserError(`DuckDB: ${first}`)
}

async function valuesOf(run: AsyncIterable<Batch>): Promise<readonly (readonly unknown[])[]> {
  const rows: unknown[][] = []
  for await (const batch of run)
    for (let row = 0; row < batch.rows; row++) rows.push(batch.columns.map((column) => column[row]))
  return rows
}

async function ended(run: AsyncIterable<Batch>): Promise<void> {
  for await (const _ of run);
}

/** The files that a name stands for, in the order of their names: one file, a folder, or a pattern with * and ?. */
export function filesOf(name: string, folder: string): readonly string[] {
  const path = resolve(folder, name)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile()) return [path]
  if (found?.isDirectory()) return tableFiles(name, path, /\.(parquet|pq|csv|tsv)$/i)
  const [, parent, pattern] = /^(.*?)([^\\/]*)$/.exec(path) ?? ['', '', '']
  if (/[*?]/.test(parent))
    throw new UserError(`${name}: * and ? may stand in the name of a file, not in that of a folder`)
  if (!/[*?]/.test(pattern)) throw new UserError(`there is no file ${name}`)
  const letters = [...pattern].map((letter) =>
    letter === '*' ? '.*' : letter === '?' ? '.' : letter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  )
  return tableFiles(name, parent, new RegExp(`^${letters.join('')}$`))
}

function tableFiles(name: string, folder: string, wanted: RegExp): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`there is no file ${name}`)
  const files = readdirSync(folder)
    .filter((file) => wanted.test(file) && !/^[._]/.test(file))
    .sort()
  if (files.length === 0) throw new UserError(`${name}: there is no such file, CSV or Parquet`)
  return files.map((file) => join(folder, file))
}
