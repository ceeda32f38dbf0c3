import { type Table, table } from '../../table/table.js'
import { viewOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import type { Encoding } from '../bytes/encoding.js'
import { checkNames } from '../csv.js'
import { type LabelledOptions, type LabelledVariable, labelledColumn } from '../labelled.js'
import { type Allowance, allowance } from '../packed/limit.js'
import { collectKinds, type Decode, decoderOf, paddedTexts, withoutPadding } from '../texts.js'
import { type Unpacker, unpackRoss, unpackRuns } from './compression.js'
import { daysOf, formatName } from './formats.js'

/**
 * SAS data sets (.sas7bdat), after M. S. Shotwell, "SAS7BDAT Database Binary Format" (2013), and what is known of compression
 * since: a head, then pages of one size. Pages of descriptions ("meta") hold subheaders: the size of rows, texts, names,
 * places, formats and labels of columns; rows stand on pages of their own ("data"), behind descriptions ("mix"), or packed, one
 * per subheader. 32 and 64 bit, both orders of bytes. The format is not published by SAS. Refused: files with
 * records that were deleted and are still there. Formats that users defined are in catalogs and not read.
 */
export interface SasOptions extends LabelledOptions {
  readonly encoding?: Encoding | undefined
}

export function readSas(name: string, bytes: Uint8Array, options: SasOptions): Table {
  const unpacking = allowance(name, bytes.length, options.maxSize)
  const file = { ...readHead(name, bytes, options.encoding), unpacking }
  const description = emptyDescription()
  const rows: Rows = { count: 0, data: new Uint8Array() }
  for (let page = 0; page < file.pages; page++) readPage(file, page, description, rows)
  return tableOf(name, file, description, rows, options)
}

interface SasFile {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly little: boolean
  /** Of a number that counts or points: 4 or 8 bytes. */
  readonly word: 4 | 8
  readonly headSize: number
  readonly pageSize: number
  readonly pages: number
  readonly decode: Decode
  readonly unpacking: Allowance
  integer(at: number): number
  short(at: number): number
}

/** Bytes in the head that say how the rest is written. */
const IS_64_BIT = 0x33
const LITTLE_ENDIAN = 1
const ENCODING_AT = 70
const UTF8_CODES = [20]
/** Latin-1, windows-1252, US-ASCII, and not said. */
const LATIN1_CODES = [0, 28, 29, 62]

function readHead(name: string, bytes: Uint8Array, encoding: Encoding | undefined): Omit<SasFile, 'unpacking'> {
  if (bytes.length < 288) throw new Damaged('it is cut short')
  const view = viewOf(bytes)
  const word = bytes[32] === IS_64_BIT ? 8 : 4
  const align = bytes[35] === IS_64_BIT ? 4 : 0
  const little = bytes[37] === LITTLE_ENDIAN
  const need = (at: number, size: number) => {
    if (at < 0 || at + size > bytes.length) throw new Damaged('it is cut short')
  }
  const integer = (at: number) => {
    need(at, word)
    if (word === 4) return view.getUint32(at, little)
    const value = view.getBigUint64(at, little)
    return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value)
  }
  const short = (at: number) => {
    need(at, 2)
    return view.getUint16(at, little)
  }
  const headSize = view.getUint32(196 + align, little)
  const pageSize = view.getUint32(200 + align, little)
  const pages = integer(204 + align)
  if (pageSize < 64 || headSize < 64 || headSize + pages * pageSize > bytes.length)
    throw new Damaged(`it is cut short: it says that it has ${pages} pages of ${pageSize} bytes`)
  const decode = decoderOfCode(name, bytes[ENCODING_AT], encoding)
  return { bytes, view, little, word, headSize, pageSize, pages, decode, integer, short }
}

function decoderOfCode(name: string, code: number, encoding: Encoding | undefined): Decode {
  if (encoding !== undefined || LATIN1_CODES.includes(code)) return decoderOf(name, encoding)
  if (UTF8_CODES.includes(code)) return decoderOf(name, 'utf-8')
  const plain = decoderOf(name, undefined)
  return (bytes) => {
    if (bytes.some((byte) => byte >= 0x80))
      throw new Damaged('its texts are in an encoding that scrim does not know; write it as UTF-8, or name an encoding')
    return plain(bytes)
  }
}

interface Description {
  rowLength: number
  rows: number
  columns: number
  rowsOnMixPage: number
  unpack: Unpacker | undefined
  readonly texts: Span[]
  readonly names: Pointer[]
  readonly places: { readonly at: number; readonly length: number; readonly isText: boolean }[]
  readonly formats: {
    readonly name: Pointer
    readonly label: Pointer
    readonly width: number
    readonly decimals: number
  }[]
}

interface Span {
  readonly at: number
  readonly length: number
}

/** A text inside of one of the blocks of texts. */
interface Pointer {
  readonly block: number
  readonly at: number
  readonly length: number
}

function emptyDescription(): Description {
  return {
    rowLength: 0,
    rows: 0,
    columns: 0,
    rowsOnMixPage: 0,
    unpack: undefined,
    texts: [],
    names: [],
    places: [],
    formats: [],
  }
}

/** The rows, one behind the other. */
interface Rows {
  count: number
  data: Uint8Array
}

const PAGE_KIND = 0x0f00
const [META, DATA, MIX, AMENDED] = [0x0000, 0x0100, 0x0200, 0x0400]
const HAS_DELETED = 0x0080

function readPage(file: SasFile, page: number, description: Description, rows: Rows): void {
  const start = file.headSize + page * file.pageSize
  const head = start + (file.word === 8 ? 32 : 16)
  const type = file.short(head)
  const blocks = file.short(head + 2)
  const subheaders = file.short(head + 4)
  const kind = type & PAGE_KIND
  if ((type & HAS_DELETED) !== 0) throw new Damaged('it has records that were deleted; write it again with a DATA step')
  if (kind === DATA) addRows(file, start, head + 8, blocks, description, rows)
  if (kind !== META && kind !== MIX && kind !== AMENDED) return
  const pointerSize = 3 * file.word
  const pointersEnd = head + 8 + subheaders * pointerSize
  if (pointersEnd > start + file.pageSize) throw new Damaged('a page has more descriptions than room')
  for (let k = 0; k < subheaders; k++) readPointer(file, start, head + 8 + k * pointerSize, description, rows)
  if (kind !== MIX) return
  const first = pointersEnd + ((pointersEnd - start) % 8)
  const left = Math.min(description.rowsOnMixPage, description.rows - rows.count)
  addRows(file, start, first, left, description, rows)
}

function addRows(
  file: SasFile,
  start: number,
  first: number,
  count: number,
  { rowLength, rows: total }: Description,
  rows: Rows,
): void {
  const taken = Math.min(count, total - rows.count)
  if (taken <= 0) return
  if (rowLength === 0 || first + taken * rowLength > start + file.pageSize)
    throw new Damaged('a page has more rows than room')
  rows.data.set(file.bytes.subarray(first, first + taken * rowLength), rows.count * rowLength)
  rows.count += taken
}

const [WHOLE, TRUNCATED, PACKED] = [0, 1, 4]

function readPointer(file: SasFile, start: number, at: number, description: Description, rows: Rows): void {
  const offset = file.integer(at)
  const length = file.integer(at + file.word)
  const compression = file.bytes[at + 2 * file.word]
  const type = file.bytes[at + 2 * file.word + 1]
  if (length === 0 || compression === TRUNCATED) return
  if (offset + length > file.pageSize) throw new Damaged('a description lies outside of its page')
  const from = start + offset
  if (compression === WHOLE) {
    const known = length >= file.word && readSubheader(file, from, length, description, rows)
    if (known || description.unpack === undefined || type !== 1) return
    if (length !== description.rowLength) throw new Damaged('a row is of the wrong length')
    addRows(file, start, from, 1, description, rows)
    return
  }
  if (compression !== PACKED || description.unpack === undefined)
    throw new Damaged('it is compressed in a way that is not known')
  if (rows.count >= description.rows) return
  const place = rows.count * description.rowLength
  description.unpack(file.bytes.subarray(from, from + length), rows.data.subarray(place, place + description.rowLength))
  rows.count++
}

const SIGNATURE = {
  rowSize: 0xf7f7f7f7,
  columnSize: 0xf6f6f6f6,
  counts: 0xfffffc00,
  texts: 0xfffffffd,
  names: 0xffffffff,
  places: 0xfffffffc,
  format: 0xfffffbfe,
  list: 0xfffffffe,
} as const

/** Whether the subheader is one that describes the file. */
function readSubheader(file: SasFile, at: number, length: number, description: Description, rows: Rows): boolean {
  const { word, integer, short, view, bytes } = file
  const need = (size: number) => {
    if (length < size) throw new Damaged('a description is cut short')
  }
  switch (signatureAt(file, at)) {
    case SIGNATURE.rowSize:
      need(16 * word)
      description.rowLength = integer(at + 5 * word)
      description.rows = integer(at + 6 * word)
      description.rowsOnMixPage = integer(at + 15 * word)
      rows.data = roomForRows(file, description)
      return true
    case SIGNATURE.columnSize:
      need(2 * word)
      description.columns = integer(at + word)
      return true
    case SIGNATURE.texts: {
      const text = { at: at + word, length: length - word }
      description.texts.push(text)
      if (description.texts.length === 1) description.unpack = unpackerOf(bytes, text)
      return true
    }
    case SIGNATURE.names: {
      const count = Math.floor((length - 2 * word - 12) / 8)
      for (let k = 1; k <= count; k++) description.names.push(pointerAt(file, at + word + 8 * k))
      return true
    }
    case SIGNATURE.places: {
      const count = Math.floor((length - 2 * word - 12) / (word + 8))
      for (let k = 0; k < count; k++) {
        const place = at + word + 8 + k * (word + 8)
        description.places.push({
          at: integer(place),
          length: view.getUint32(place + word, file.little),
          isText: bytes[place + word + 6] === 2,
        })
      }
      return true
    }
    case SIGNATURE.format:
      need(3 * word + 34)
      description.formats.push({
        width: short(at + 3 * word),
        decimals: short(at + 3 * word + 2),
        name: pointerAt(file, at + 3 * word + 22),
        label: pointerAt(file, at + 3 * word + 28),
      })
      return true
    case SIGNATURE.counts:
    case SIGNATURE.list:
      return true
    default:
      return false
  }
}

/** Of 8 bytes, big end first, the second half tells. */
function signatureAt({ view, little, word }: SasFile, at: number): number {
  const first = view.getUint32(at, little)
  return word === 8 && !little && (first === 0 || first === 0xffffffff) ? view.getUint32(at + 4, little) : first
}

/** No larger than what a packed file may unpack to; the rows that come tell whether it is true. */
function roomForRows({ unpacking }: SasFile, { rowLength, rows }: Description): Uint8Array {
  unpacking.take(rowLength * rows)
  return new Uint8Array(rowLength * rows)
}

function unpackerOf(bytes: Uint8Array, { at, length }: Span): Unpacker | undefined {
  const text = String.fromCharCode(...bytes.subarray(at, at + Math.min(length, 256)))
  return text.includes('SASYZCRL') ? unpackRuns : text.includes('SASYZCR2') ? unpackRoss : undefined
}

function pointerAt({ short }: SasFile, at: number): Pointer {
  return { block: short(at), at: short(at + 2), length: short(at + 4) }
}

function textOf({ bytes, decode }: SasFile, { texts }: Description, { block, at, length }: Pointer): string {
  if (length === 0) return ''
  const span = texts[block]
  if (span === undefined || at + length > span.length) throw new Damaged('a text lies outside of its block')
  return decode(withoutPadding(bytes.subarray(span.at + at, span.at + at + length)))
}

function tableOf(name: string, file: SasFile, description: Description, rows: Rows, options: SasOptions): Table {
  const { columns, names, places, formats, rowLength } = description
  if (names.length < columns || places.length < columns) throw new Damaged('some of its columns are not described')
  if (rows.count !== description.rows) throw new Damaged(`it has ${rows.count} of ${description.rows} rows`)
  const titles = names.slice(0, columns).map((pointer) => textOf(file, description, pointer))
  checkNames(name, titles)
  return table(
    name,
    titles.map((title, k) => {
      const { at, length, isText } = places[k]
      if (at + length > rowLength || (!isText && (length < 3 || length > 8)))
        throw new Damaged('a column lies outside of its row')
      const shown = formats[k]
      const format =
        shown === undefined ? undefined : formatName(textOf(file, description, shown.name), shown.width, shown.decimals)
      const variable: LabelledVariable = {
        name: title,
        label: shown === undefined ? undefined : textOf(file, description, shown.label),
        format,
        toDays: isText || format === undefined ? undefined : daysOf(format),
        ...(isText ? { values: texts(file, rows, rowLength, places[k]) } : numbers(file, rows, rowLength, places[k])),
      }
      return labelledColumn(name, variable, options)
    }),
  )
}

function texts(file: SasFile, { count, data }: Rows, rowLength: number, { at, length }: Span) {
  return paddedTexts(count, (row) => data.subarray(row * rowLength + at, row * rowLength + at + length), file.decode)
}

/** Doubles of which the last bytes may be cut off. A NaN is missing; its bits tell the kind, from 0 for `_` on. */
function numbers({ little }: SasFile, { count, data }: Rows, rowLength: number, { at, length }: Span) {
  const values = new Float64Array(count)
  const missing = collectKinds(count)
  const whole = new Uint8Array(8)
  const view = new DataView(whole.buffer)
  for (let row = 0; row < count; row++) {
    const from = row * rowLength + at
    for (let k = 0; k < length; k++) whole[little ? 7 - k : k] = data[from + (little ? length - 1 - k : k)]
    values[row] = view.getFloat64(0, little)
    if (Number.isNaN(values[row])) missing.put(row, kindOf(~whole[little ? 5 : 2] & 0xff))
  }
  return { values, kinds: missing.kinds() }
}

const [UNDERSCORE, LETTER_A] = [95, 97]

/** `_` is 0, `.` is 1 (of no kind), A to Z are 2 to 27. */
function kindOf(mark: number): number {
  if (mark === 0) return UNDERSCORE
  return mark >= 2 && mark <= 27 ? LETTER_A + mark - 2 : 0
}
