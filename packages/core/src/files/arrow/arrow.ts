import {
  Column as ArrowColumn,
  type Table as ArrowTable,
  type Batch,
  CompressionType,
  type DataType,
  setCompressionCodec,
  Type,
  tableFromIPC,
} from '@uwdata/flechette'
import { decompressZstd } from 'hyparquet-compressors'
import { UserError } from '../../errors.js'
import { type Column, MISSING_CODE } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import { Damaged } from '../bytes/damage.js'
import { checkNames } from '../csv.js'
import { type Allowance, allowance, checkCells } from '../packed/limit.js'
import { checkZstd } from '../packed/zstd.js'
import { collectValues, type ValueKind } from '../values.js'
import { checkArrowMetadata } from './arrow-metadata.js'
import { decompressLz4Frame } from './lz4.js'

interface ArrowOptions {
  readonly maxSize?: number | undefined
}

/** Arrow IPC, file (Feather) and stream, through flechette. Dictionaries keep their order and whether it means something. */
export function readArrow(name: string, bytes: Uint8Array, { maxSize }: ArrowOptions = {}): Table {
  if (isFile(bytes.subarray(0, MAGIC.length)) && !isFile(bytes.subarray(-MAGIC.length)))
    throw new UserError(`${name}: the Arrow file is cut short`)
  checkArrowMetadata(bytes, isFile(bytes.subarray(0, MAGIC.length)))
  const { schema, children } = decode(bytes, allowance(name, bytes.length, maxSize))
  checkNames(
    name,
    schema.fields.map((field) => field.name),
  )
  for (const { data } of children) for (const batch of data) checkLength(batch)
  const rows = children.reduce((most, { length }) => Math.max(most, length), 0)
  if (!Number.isSafeInteger(rows)) throw new Damaged('a column in it has no length')
  checkCells(name, rows, children.length, maxSize)
  return table(
    name,
    schema.fields.map((field, index) => readColumn(name, field.name, children[index])),
  )
}

const DAY = 86_400_000
const MAGIC = 'ARROW1'

/** The file format begins and ends in the same word; a stream has neither. */
function isFile(word: Uint8Array): boolean {
  return String.fromCharCode(...word) === MAGIC
}

function decode(bytes: Uint8Array, { left, take }: Allowance): ArrowTable {
  const encode = (): never => {
    throw new Error('scrim reads compressed Arrow, it does not write it')
  }
  setCompressionCodec(CompressionType.LZ4_FRAME, { decode: (data) => decompressLz4Frame(data, take), encode })
  const decodeZstd = (data: Uint8Array) => {
    checkZstd(data, left())
    const plain = decompressZstd(data)
    take(plain.length)
    return plain
  }
  setCompressionCodec(CompressionType.ZSTD, { decode: decodeZstd, encode })
  // flechette lays 8-byte arrays over the bytes, which must then begin at a multiple of 8.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  return tableFromIPC(aligned, { useBigInt: true })
}

function readColumn(table: string, name: string, column: ArrowColumn<unknown>): Column {
  const { type } = column
  if (type.typeId !== Type.Dictionary) return readValues(table, name, column, type)
  const isText = kindOf(type.dictionary) === 'text'
  return (
    (isText ? readDictionary(table, name, column, type.ordered) : undefined) ??
    readValues(table, name, column, type.dictionary)
  )
}

/** A damaged length would have scrim make arrays of billions; a value takes at least one bit of its buffer. */
function checkLength({ length, offsets, values }: Batch<unknown>): void {
  const room = offsets instanceof Object ? offsets.length : values instanceof Object ? values.length * 8 : length
  if (length > room) throw new Damaged(`a batch of ${length} values has room for ${room} only`)
}

function readValues(table: string, name: string, column: ArrowColumn<unknown>, type: DataType): Column {
  const kind = kindOf(type)
  if (kind === undefined) {
    throw new UserError(
      `${table}: column "${name}" has the Arrow type ${typeName(type)}, which is not a number, text or date`,
    )
  }
  const collector = collectValues(table, name, kind, column.length)
  // flechette gives dates and times in milliseconds.
  const value =
    kind === 'date' ? (time: unknown) => (typeof time === 'number' ? time / DAY : time) : (same: unknown) => same
  forEachValue(column, (cell, row) => collector.put(row, value(cell)))
  return collector.column()
}

/** A factor; undefined where the dictionary repeats a label or holds null, so that its codes are not levels. */
function readDictionary(
  table: string,
  name: string,
  column: ArrowColumn<unknown>,
  ordered: boolean,
): Column | undefined {
  const levels: string[] = []
  for (const label of dictionaryOf(column.data[0])) {
    if (typeof label !== 'string') return undefined
    levels.push(label)
  }
  const codeOf = new Map(levels.map((level, code) => [level, code]))
  if (codeOf.size < levels.length) return undefined
  const codes = new Int32Array(column.length).fill(MISSING_CODE)
  forEachValue(column, (label, row) => {
    if (label === null) return
    const code = typeof label === 'string' ? codeOf.get(label) : undefined
    if (code === undefined)
      throw new UserError(`${table}, column "${name}", row ${row + 1}: the value is not in its dictionary`)
    codes[row] = code
  })
  return { kind: 'categorical', name, codes, levels, ordered }
}

function dictionaryOf(batch: Batch<unknown> | undefined): Iterable<unknown> {
  if (batch === undefined || !('dictionary' in batch) || !(batch.dictionary instanceof ArrowColumn)) return []
  return batch.dictionary
}

function forEachValue(column: ArrowColumn<unknown>, visit: (value: unknown, row: number) => void): void {
  let row = 0
  for (const batch of column.data) {
    for (let at = 0; at < batch.length; at++) {
      const value = batch.at(at)
      if (value === undefined) throw new Error(`row ${row + 1} lies beyond the data`)
      visit(value, row++)
    }
  }
}

function kindOf(type: DataType): ValueKind | undefined {
  switch (type.typeId) {
    case Type.Null:
    case Type.Int:
    case Type.Float:
    case Type.Decimal:
    case Type.Time:
    case Type.Duration:
      return 'number'
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Utf8View:
      return 'text'
    case Type.Bool:
      return 'boolean'
    case Type.Date:
    case Type.Timestamp:
      return 'date'
    default:
      return undefined
  }
}

function typeName(type: DataType): string {
  return Object.entries(Type).find(([, id]) => id === type.typeId)?.[0] ?? String(type.typeId)
}
