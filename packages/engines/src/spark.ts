import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { CannotScan, isOnce, listsOf, nothingFound, type RecordQuestion, UserError } from '@scrim/core'
import { tableFromIPC } from '@uwdata/flechette'
import {
  type Batch,
  type Engine,
  type EngineTable,
  type Field,
  noOrderNote,
  orderOfValues,
  unknownType,
} from './engine.js'
import type { Found, Scanning } from './scan.js'
import type { AskedOfExecutors } from './scan-on-executor.js'
import { connectSpark, type SparkAddress, type SparkConnection } from './spark-connect.js'
import { joined, nameParts, SPARK_SQL, type Sql, sql } from './sql.js'

/** Tables by name, `catalog.schema.table`, and Parquet or ORC files and folders that the cluster sees, by path. */
export async function openSpark(address: SparkAddress): Promise<Engine> {
  const connection = await connectSpark(address)
  const run = (query: Sql) => batches(connection, query)
  // Times without a zone are read as UTC, as scrim reads them in files.
  await rowsOf(run(sql`SET spark.sql.session.timeZone = UTC`))
  return {
    open: (name) => openTable(name, run, { connection, node: address.node ?? 'node' }),
    close: () => connection.close(),
  }
}

type Run = (query: Sql) => AsyncIterable<Batch>

async function openTable(name: string, run: Run, executors: Executors): Promise<EngineTable> {
  const from = placeOf(name)
  const columns = await rowsOf(run(sql`DESCRIBE QUERY SELECT * FROM ${from}`))
  const problems: string[] = []
  const fields = columns.flatMap(([column, type]): Field[] => {
    const value = fieldOf(SPARK_SQL.name(String(column)), String(type).toLowerCase())
    if (value === undefined) problems.push(unknownType(name, String(column), String(type)))
    return value === undefined ? [] : [{ name: String(column), ...value }]
  })
  if (problems.length > 0) throw new UserError(problems)
  const order = await orderOf(from, run)
  return {
    name,
    from,
    fields,
    run,
    dialect: SPARK_SQL,
    order: order ?? orderOfValues(fields),
    notes: order === undefined ? [noOrderNote(name)] : [],
    ...(order === undefined ? {} : { numbered: (number: Sql) => numbered(from, number, run) }),
    scan: (question, most, asked) => scanOnExecutors(from, order, { question, most }, asked, executors),
  }
}

interface Executors {
  readonly connection: SparkConnection
  readonly node: string
}

/**
 * A script transformation: every partition is piped through Node, which has the kernel and the question from the session's files and
 * gives back the records that it names. What comes is put into the order of the table.
 */
async function* scanOnExecutors(
  from: Sql,
  order: Sql | undefined,
  task: AskedOfExecutors,
  asked: readonly Field[],
  { connection, node }: Executors,
): Scanning {
  if (order === undefined) throw new CannotScan('its records have no order in Spark')
  const name = `scrim-${randomUUID()}.mjs`
  await connection.send(name, executorProgram())
  await connection.send(`${name}.json`, asJson(task))
  const cells = joined(asked.map(({ value }, k) => sql`${value} AS ${SPARK_SQL.name(`c${k}`)}`))
  const json = (of: Sql) => sql`to_json(struct(${of}), map('ignoreNullFields', 'false')) AS record`
  const lines = isOnce(task.question)
    ? sql`SELECT ${json(sql`*`)}, '' AS file, 0 AS place FROM (SELECT DISTINCT ${cells} FROM ${from})`
    : sql`SELECT ${json(cells)}, ${order} FROM ${from}`
  const script = `f=$(ls ${name} */${name} 2>/dev/null | head -n 1); if command -v ${node} >/dev/null; then exec ${node} "$f"; else cat >/dev/null; echo; fi`
  const inTabs = sql`ROW FORMAT DELIMITED FIELDS TERMINATED BY ${SPARK_SQL.text('\t')}`
  const named = sql`SELECT TRANSFORM(*) ${inTabs} USING ${SPARK_SQL.text(script)} AS (record STRING, file STRING, place BIGINT, found STRING) ${inTabs} FROM (${lines})`
  const firstOf = await firstNumbers(from, (query) => batches(connection, query))
  const query = sql`SELECT record, found, file, place FROM (${named}) ORDER BY file, place`
  for await (const {
    rows,
    columns: [lines, found, file, place],
  } of batches(connection, query)) {
    const records: unknown[][] = []
    const numbers: number[] = []
    for (let row = 0; row < rows; row++) {
      const line = lines[row]
      if (line) {
        records.push(Object.values(JSON.parse(String(line))))
        numbers.push((firstOf.get(file[row]) ?? Number.NaN) + Number(place[row]))
      } else yield { rows: 0, columns: [], found: foundThere(found[row], task.question) }
    }
    yield { rows: records.length, numbers, columns: asked.map((_, k) => records.map((record) => record[k])) }
  }
}

/** The last line of a partition: what was found besides records, or why it was not looked at. It is empty where no program of scrim's wrote it. */
function foundThere(line: unknown, question: RecordQuestion): Found {
  if (!line) throw new CannotScan('the executors of Spark have no Node')
  const told: string | { readonly equal: number[]; readonly least: (number | null)[] } = JSON.parse(String(line))
  if (typeof told === 'string') throw new CannotScan(told)
  const least = nothingFound(listsOf(question))
  for (const [k, value] of told.least.entries()) least[k] = value ?? Number.POSITIVE_INFINITY
  return { equal: Float64Array.from(told.equal), least }
}

/** The numbers of records are those of their places in files, one file after the other: by file, the number of its first. */
async function firstNumbers(from: Sql, run: Run): Promise<ReadonlyMap<unknown, number>> {
  const firstOf = new Map<unknown, number>()
  let next = 0
  for (const [file, rows] of await rowsOf(run(sql`SELECT ${FILE}, count(*) FROM ${from} GROUP BY 1 ORDER BY 1`))) {
    firstOf.set(file, next)
    next += Number(rows)
  }
  return firstOf
}

/** Every executor numbers the records of the files that it reads. */
async function numbered(from: Sql, number: Sql, run: Run): Promise<Sql> {
  const firstOf = [...(await firstNumbers(from, run))]
  const files = joined(firstOf.map(([file, first]) => sql`(${SPARK_SQL.text(String(file))}, ${first})`))
  return sql`SELECT files.first + records._metadata.row_index AS ${number}, records.* FROM ${from} AS records JOIN (VALUES ${files}) AS files(file, first) ON records._metadata.file_path = files.file`
}

function asJson(question: AskedOfExecutors): Uint8Array {
  try {
    const text = JSON.stringify(question, (_, value) => (ArrayBuffer.isView(value) ? Object.values(value) : value))
    return new TextEncoder().encode(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new CannotScan('columns have more values than can be sent to executors')
  }
}

/** Beside this file where it was bundled, else where the bundle is. */
function executorProgram(): Uint8Array {
  const places = ['./executor.js', '../../cli/bundle/executor.js'].map((path) => new URL(path, import.meta.url))
  const found = places.find((place) => existsSync(place))
  if (found === undefined) throw new Error('the program for executors was not built')
  return readFileSync(found)
}

function placeOf(name: string): Sql {
  if (/[\\/]/.test(name)) {
    if (/\.(csv|tsv|txt|json|jsonl)(\.gz)?$/i.test(name))
      throw new UserError(
        `${name}: Spark infers types of text files in its own way; make it Parquet, or read it here, without --engine`,
      )
    return sql`${SPARK_SQL.name(/\.orc\/?$/i.test(name) ? 'orc' : 'parquet')}.${SPARK_SQL.name(name)}`
  }
  const parts = nameParts(name, '`')
  if (parts === undefined) throw new UserError(`${name} is no name of a table, such as sales.people`)
  return { text: parts.map((part) => SPARK_SQL.name(part).text).join('.') }
}

const FILE = sql`_metadata.file_path`

/**
 * Files keep their records in an order, whatever the number of partitions; the place of a record in its file is known of Parquet. Tables that
 * are no files, and views, have none.
 */
async function orderOf(from: Sql, run: Run): Promise<Sql | undefined> {
  const place = sql`${FILE}, _metadata.row_index`
  try {
    await rowsOf(run(sql`SELECT ${place} FROM ${from} LIMIT 0`))
    return place
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

function fieldOf(column: Sql, type: string): Pick<Field, 'kind' | 'value'> | undefined {
  if (/^(tinyint|smallint|int|bigint|double)$/.test(type)) return { kind: 'number', value: column }
  // As JSON a float has its own few digits, which are another number.
  if (type === 'float' || type.startsWith('decimal')) return { kind: 'number', value: sql`CAST(${column} AS DOUBLE)` }
  if (type === 'boolean') return { kind: 'boolean', value: column }
  if (/^(string|varchar|char)/.test(type)) return { kind: 'text', value: sql`CAST(${column} AS STRING)` }
  if (type === 'date') return { kind: 'date', value: sql`CAST(unix_date(${column}) AS DOUBLE)` }
  if (type.startsWith('timestamp'))
    return { kind: 'date', value: sql`CAST(unix_micros(CAST(${column} AS TIMESTAMP)) AS DOUBLE) / 86400000000.0D` }
  return undefined
}

async function* batches(connection: SparkConnection, query: Sql): AsyncGenerator<Batch> {
  for await (const data of connection.query(query)) {
    // Laid over the bytes, which must then begin at a multiple of 8.
    const { children, numRows } = tableFromIPC(Uint8Array.from(data), { useBigInt: true })
    if (numRows > 0) yield { rows: numRows, columns: children.map((column) => column.toArray()) }
  }
}

async function rowsOf(run: AsyncIterable<Batch>): Promise<readonly (readonly unknown[])[]> {
  const rows: unknown[][] = []
  for await (const batch of run)
    for (let row = 0; row < batch.rows; row++) rows.push(batch.columns.map((column) => column[row]))
  return rows
}
