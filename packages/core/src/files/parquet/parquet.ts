import { math } from '@scrim/kernels'
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { UserError } from '../../errors.js'
import type { Column } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import { Damaged } from '../bytes/damage.js'
import { checkNames } from '../csv.js'
import { type Allowance, allowance, checkCells } from '../packed/limit.js'
import { checkZstd } from '../packed/zstd.js'
import { collectValues, type ValueKind } from '../values.js'
import { type PageChecks, pageChecks } from './parquet-pages.js'

interface ParquetOptions {
  readonly maxSize?: number | undefined
}

/** Parquet through hyparquet, one column at a time so that only one is in memory beside the typed arrays. */
export async function readParquet(name: string, bytes: Uint8Array, { maxSize }: ParquetOptions = {}): Promise<Table> {
  const file = fileOf(bytes)
  const metadata = await parquetMetadataAsync(file)
  checkCounts(metadata)
  const fields = parquetSchema(metadata).children
  checkNames(
    name,
    fields.map((field) => field.element.name),
  )
  checkCells(name, Number(metadata.num_rows), fields.length, maxSize)
  const kinds = fields.map((field) => kindOf(name, field.element, field.children.length > 0))
  const unpacking = allowance(name, bytes.length, maxSize)
  const columns: Column[] = []
  for (const [index, { element }] of fields.entries())
    columns.push(await readColumn(name, bytes, metadata, element, kinds[index], unpacking))
  return table(name, columns)
}

/** `look` sees every part of the file that is read. */
function fileOf(bytes: Uint8Array, look?: (part: ArrayBuffer) => void): AsyncBuffer {
  return {
    byteLength: bytes.length,
    slice(start, end) {
      const part = new Uint8Array(bytes.subarray(start, end)).buffer
      look?.(part)
      return part
    },
  }
}

/** A damaged count would have scrim make arrays of billions; the footer tells it several times over. */
function checkCounts({ num_rows, row_groups }: FileMetaData): void {
  const rows = row_groups.reduce((sum, group) => sum + group.num_rows, 0n)
  if (rows !== num_rows || rows < 0n || rows > MOST_ROWS)
    throw new Damaged(`the file has ${num_rows} rows, its row groups have ${rows}`)
}

/** More than any array can hold. */
const MOST_ROWS = 2n ** 31n
const DAY = 86_400_000

/** hyparquet hands dates and times to these; scrim wants days. The division to a double keeps microseconds. */
const DAYS = {
  dateFromDays: (days: number) => days,
  timestampFromMilliseconds: (time: bigint) => Number(time) / DAY,
  timestampFromMicroseconds: (time: bigint) => Number(time) / (DAY * 1e3),
  timestampFromNanoseconds: (time: bigint) => Number(time) / (DAY * 1e6),
}

async function readColumn(
  name: string,
  bytes: Uint8Array,
  metadata: FileMetaData,
  element: SchemaElement,
  kind: ValueKind,
  unpacking: Allowance,
): Promise<Column> {
  const rows = Number(metadata.num_rows)
  const checks = pageChecks(
    rows,
    element.repetition_type !== 'REQUIRED',
    isPacked(metadata, element),
    element.type === 'BOOLEAN',
  )
  const collector = collectValues(name, element.name, kind, rows)
  const clean = isDecimal(element) ? decimalCleaner(element.scale ?? 0) : (value: unknown) => value
  let read = 0
  await parquetRead({
    file: fileOf(bytes, checks.chunk),
    metadata,
    columns: [element.name],
    compressors: checkedCompressors(unpacking, checks),
    parsers: DAYS,
    onChunk({ columnData, rowStart }) {
      for (let at = 0; at < columnData.length; at++) collector.put(rowStart + at, clean(columnData[at]))
      read += columnData.length
    },
  })
  if (read !== rows) throw new UserError(`${name}: column "${element.name}" has ${read} of ${rows} values`)
  return collector.column()
}

/** Whether pages of the column are packed, by any row group. */
function isPacked({ row_groups }: FileMetaData, { name }: SchemaElement): boolean {
  return row_groups.some(({ columns }) =>
    columns.some(({ meta_data }) => meta_data?.path_in_schema[0] === name && meta_data.codec !== 'UNCOMPRESSED'),
  )
}

/** What a page unpacks to is taken from what the file may unpack to before there is room for it. */
function checkedCompressors(unpacking: Allowance, checks: PageChecks): Compressors {
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, unpack]) => [
      codec,
      (packed: Uint8Array, length: number) => {
        if (!(length >= 0)) throw new Damaged('a page in it has a wrong length')
        unpacking.take(length)
        if (codec === 'ZSTD') checkZstd(packed, length)
        const page = unpack(packed, length)
        checks.unpacked(packed, page)
        return page
      },
    ]),
  )
}

function kindOf(name: string, element: SchemaElement, hasChildren: boolean): ValueKind {
  if (hasChildren || element.type === undefined || element.repetition_type === 'REPEATED') {
    throw new UserError(`${name}: column "${element.name}" is nested; flatten it first`)
  }
  const logical = element.logical_type?.type
  const kind = isTime(element) ? 'date' : isDecimal(element) || logical === 'FLOAT16' ? 'number' : plainKind(element)
  if (kind !== undefined) return kind
  const what = logical ?? element.converted_type ?? element.type
  throw new UserError(
    `${name}: column "${element.name}" has the Parquet type ${what}, which is not a number, text or date`,
  )
}

function plainKind(element: SchemaElement): ValueKind | undefined {
  const binary = element.converted_type === 'BSON' || element.converted_type === 'INTERVAL'
  const structured = ['JSON', 'BSON', 'GEOMETRY', 'GEOGRAPHY', 'VARIANT'].includes(element.logical_type?.type ?? '')
  if (binary || structured || element.converted_type === 'JSON') return undefined
  if (element.type === 'BOOLEAN') return 'boolean'
  if (element.type === 'BYTE_ARRAY') return 'text'
  if (element.type === 'FIXED_LEN_BYTE_ARRAY') return element.logical_type?.type === 'UUID' ? 'text' : undefined
  return 'number'
}

function isTime({ type, converted_type, logical_type }: SchemaElement): boolean {
  if (type === 'INT96' || logical_type?.type === 'TIMESTAMP' || logical_type?.type === 'DATE') return true
  return converted_type === 'DATE' || converted_type === 'TIMESTAMP_MILLIS' || converted_type === 'TIMESTAMP_MICROS'
}

function isDecimal(element: SchemaElement): boolean {
  return element.converted_type === 'DECIMAL'
}

/** hyparquet multiplies by 0.1, 0.01, ... which makes 0.30000000000000004 of 0.3; division gives the nearest double. */
function decimalCleaner(scale: number): (value: unknown) => unknown {
  const factor = math.pow(10, scale)
  return (value) => {
    if (typeof value !== 'number') return value
    const unscaled = Math.round(value * factor)
    return Number.isSafeInteger(unscaled) ? unscaled / factor : value
  }
}
