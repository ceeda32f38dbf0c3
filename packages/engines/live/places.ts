import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Column, columnNames, selectRows, type Table, toCsv, toParquet } from '@scrim/core'
import { STANDARD_SQL } from '../src/sql.js'

/** What `npm run test:engines` has started. */
export const POSTGRESQL = started('SCRIM_POSTGRESQL')
export const SPARK = started('SCRIM_SPARK')
const SPARK_ID = Number(started('SCRIM_SPARK_ID'))

function started(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error('these tests are run by npm run test:engines')
  return value
}

/** The same table as a file of Parquet, one of CSV, and folders of several files, in the order of the records. */
export function writeFiles(folder: string, name: string, data: Table, parts: readonly number[] = [1, 2, 7]): void {
  writeFileSync(join(folder, name), toParquet(data))
  writeFileSync(join(folder, `${name}.parquet`), toParquet(data))
  writeFileSync(join(folder, `${name}.csv`), toCsv(data))
  for (const count of parts) {
    const inParts = join(folder, `in${count}`, name)
    mkdirSync(inParts, { recursive: true })
    for (let part = 0; part < count; part++) {
      const [from, to] = [part, part + 1].map((k) => Math.floor((k * data.rows) / count))
      const rows = Int32Array.from({ length: to - from }, (_, k) => from + k)
      writeFileSync(join(inParts, `part-${part}.parquet`), toParquet(selectRows(data, rows)))
    }
  }
}

interface Client {
  connect(): Promise<unknown>
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[] }>
  end(): Promise<void>
}

export async function withPostgreSql<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
  const { Client } = createRequire(import.meta.url)('pg') as { Client: new (settings: object) => Client }
  const client = new Client({ connectionString: POSTGRESQL })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The same table in PostgreSQL, from a CSV file that its server can read. */
export async function writeTable(name: string, data: Table, file: string): Promise<void> {
  const [own, ...columns] = [name, ...columnNames(data)].map((text) => STANDARD_SQL.name(text).text)
  const types = data.columns.map(typeOf)
  await withPostgreSql(async (client) => {
    // Filled in the transaction that makes it, a table has its records in the order in which they came.
    await client.query(`BEGIN; DROP TABLE IF EXISTS ${own}`)
    await client.query(`CREATE TABLE ${own} (${columns.map((column, k) => `${column} ${types[k]}`).join(', ')})`)
    await client.query(`COPY ${own} FROM ${STANDARD_SQL.text(file).text} (FORMAT csv, HEADER); COMMIT`)
  })
}

function typeOf(column: Column): string {
  if (column.kind === 'categorical') return 'text'
  return column.kind === 'numeric' ? 'float8' : column.unit === 'day' ? 'date' : 'timestamp'
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly args: string
}

/** What a process started, and what that did. */
export function processesBelow(id: number): readonly Process[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }]
    })
  const below = (above: number): readonly Process[] =>
    processes.filter(({ parent }) => parent === above).flatMap((child) => [child, ...below(child.pid)])
  return below(id)
}

/** The processes of the executors of the server that was started for these tests. */
export function executors(): readonly number[] {
  return processesBelow(SPARK_ID).flatMap(({ pid, args }) =>
    args.includes('CoarseGrainedExecutorBackend') ? [pid] : [],
  )
}
