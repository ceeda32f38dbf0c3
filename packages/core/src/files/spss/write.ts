import { UserError } from '../../errors.js'
import { MISSING_CODE, type MissingCodes } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import { type ByteWriter, byteWriter } from '../bytes/byte-writer.js'
import { cutText, type Program, type StoredNumbers, type StoredTexts, storedVariable } from '../unlabelled.js'
import { SEGMENT, SEGMENT_SHARE } from './dictionary.js'
import { isDateFormat, packedFormat, secondsOf } from './formats.js'

/**
 * A table as an SPSS system file (.sav) in UTF-8, with labels of variables and values, missing values, dates and measurement
 * levels; compressed byte by byte, as SPSS itself writes. The date of its making is left out, so that the same table gives
 * the same bytes. See `dictionary.ts` for the description of the format.
 */
export function toSpss(table: Table): Uint8Array {
  checkSpssNames(table)
  const variables = table.columns.map((column) => withWidth(storedVariable(column, SPSS)))
  const out = byteWriter()
  writeHeader(out, table.rows, variables)
  writeDictionary(out, table.rows, variables)
  writeCases(out, table.rows, variables)
  return out.whole()
}

const SPSS: Program = {
  takesLabel: Number.isFinite,
  hasKinds: false,
  declaresMissing: true,
  labelsTexts: true,
  longestLabel: 120,
}
const LONGEST_NAME = 64
const LONGEST_TEXT = 32_767
const RESERVED = /^(ALL|AND|BY|EQ|GE|GT|LE|LT|NE|NOT|OR|TO|WITH)$/i
const NAME = /^[\p{L}@#$][\p{L}\p{M}\p{N}@#$_.]*$/u

/** To be asked before a table is made: SPSS is strict with names, and does not tell capitals from small letters. */
export function checkSpssNames({ columns }: Pick<Table, 'columns'>): void {
  const seen = new Map<string, string>()
  const problems: string[] = []
  for (const { name } of columns) {
    const other = seen.get(name.toLowerCase())
    if (other !== undefined) problems.push(`SPSS takes "${other}" and "${name}" for the same variable`)
    if (
      !NAME.test(name) ||
      RESERVED.test(name) ||
      name.endsWith('.') ||
      new TextEncoder().encode(name).length > LONGEST_NAME
    )
      problems.push(
        `SPSS takes no variable of the name "${name}": letters, digits and _ . $ # @, a letter first, 64 bytes at most`,
      )
    seen.set(name.toLowerCase(), name)
  }
  if (problems.length > 0) throw new UserError(problems)
}

type Numbers = StoredNumbers & { readonly width: 0 }
/** `encoded` are the texts as bytes. */
type Texts = StoredTexts & { readonly width: number; readonly encoded: readonly Uint8Array[] }
type Variable = Numbers | Texts

function withWidth(variable: StoredNumbers | StoredTexts): Variable {
  if (variable.kind === 'number') return { ...variable, width: 0 }
  const encoder = new TextEncoder()
  const encoded = variable.texts.map((text) => encoder.encode(text))
  const labelled = variable.valueLabels.map(({ value }) => encoder.encode(String(value)).length)
  const coded = (variable.missing?.values ?? []).map((value) => encoder.encode(String(value)).length)
  const lengths = [...labelled, ...coded, ...encoded.map((text) => text.length)]
  const width = lengths.reduce((most, length) => Math.max(most, length), 1)
  if (width > LONGEST_TEXT)
    throw new UserError(`column "${variable.name}" has a text of ${width} bytes; SPSS takes 32,767 at most`)
  return { ...variable, width, encoded }
}

/** The widths of the variables that hold a text together; see `dictionary.ts`. */
function segmentWidths(width: number): number[] {
  if (width <= SEGMENT) return [width]
  const count = Math.ceil(width / SEGMENT_SHARE)
  return Array.from({ length: count }, (_, k) => (k < count - 1 ? SEGMENT : width - (count - 1) * SEGMENT_SHARE))
}

function elementsOf(width: number): number {
  return Math.max(1, Math.ceil(width / 8))
}

function caseElements(variables: readonly Variable[]): number {
  return variables.reduce(
    (sum, { width }) => sum + segmentWidths(width).reduce((all, segment) => all + elementsOf(segment), 0),
    0,
  )
}

const BLANK = 32
const BIAS = 100
const LARGEST = Number.MAX_VALUE
const SECOND_LARGEST = -1.7976931348623155e308

function blankText(out: ByteWriter, text: string | Uint8Array, width: number): void {
  const bytes = typeof text === 'string' ? cutText(text, width) : text
  out.bytes(bytes)
  out.fill(BLANK, width - bytes.length)
}

function writeHeader(out: ByteWriter, rows: number, variables: readonly Variable[]): void {
  out.ascii('$FL2')
  blankText(out, '@(#) SPSS DATA FILE scrim', 60)
  for (const number of [2, caseElements(variables), 1, 0, rows]) out.int32(number)
  out.float64(BIAS)
  blankText(out, '01 Jan 70', 9)
  blankText(out, '00:00:00', 8)
  out.fill(BLANK, 64)
  out.fill(0, 3)
}

interface Placed {
  readonly variable: Variable
  readonly shortName: string
  /** In a case, from 1. */
  readonly place: number
}

function writeDictionary(out: ByteWriter, rows: number, variables: readonly Variable[]): void {
  let place = 1
  let number = 1
  const placed = variables.map((variable): Placed => {
    const written = { variable, shortName: `V${number}`, place }
    for (const [k, width] of segmentWidths(variable.width).entries()) {
      writeVariable(out, variable, `V${number++}`, width, k === 0)
      place += elementsOf(width)
    }
    return written
  })
  for (const { variable, place } of placed) writeShortLabels(out, variable, place)
  writeExtensions(out, rows, placed)
  out.int32(999)
  out.int32(0)
}

function writeVariable(out: ByteWriter, variable: Variable, shortName: string, width: number, isFirst: boolean): void {
  const label = isFirst ? cutText(variable.label, 255) : new Uint8Array()
  const missing = isFirst ? missingOf(variable) : { count: 0, values: [] }
  const format = formatOf(variable, width)
  out.int32(2)
  for (const field of [width, label.length === 0 ? 0 : 1, missing.count, format, format]) out.int32(field)
  blankText(out, shortName, 8)
  if (label.length > 0) {
    out.int32(label.length)
    out.bytes(label)
    out.fill(BLANK, (4 - (label.length % 4)) % 4)
  }
  for (const value of missing.values) {
    if (typeof value === 'number') out.float64(value)
    else blankText(out, value, 8)
  }
  for (let k = 1; k < elementsOf(width); k++) {
    out.int32(2)
    for (const field of [-1, 0, 0, 0, 0]) out.int32(field)
    out.fill(BLANK, 8)
  }
}

/** Bytes of a text that means missing. */
const LONGEST_MISSING = 8

/** SPSS has room for three values, or a range and one value; texts beyond 8 bytes have theirs elsewhere. */
function missingOf({ missing, kind, width }: Variable): { count: number; values: readonly (number | string)[] } {
  if (missing === undefined || width > 8 || !isExpressible(missing, kind)) return { count: 0, values: [] }
  const { values, range } = missing
  if (range === undefined) return { count: values.length, values }
  return { count: -2 - values.length, values: [range.low, range.high, ...values] }
}

function isExpressible({ values, range }: MissingCodes, kind: Variable['kind']): boolean {
  const fits = values.every((value) =>
    kind === 'number' ? typeof value === 'number' : new TextEncoder().encode(String(value)).length <= LONGEST_MISSING,
  )
  return fits && (range === undefined ? values.length <= 3 : values.length <= 1 && kind === 'number')
}

const WIDEST_NUMBER = 40
const WIDEST_TEXT_FORMAT = 255

function formatOf(variable: Variable, width: number): number {
  if (variable.kind === 'text') return packedFormat(`A${Math.min(width, WIDEST_TEXT_FORMAT)}`) ?? 0
  const { date, format, values } = variable
  if (date !== undefined) {
    const kept = isDateFormat(format) && (date === 'day' || /TIME|HMS/.test(format ?? '')) ? format : undefined
    return packedFormat(kept ?? (date === 'day' ? 'DATE11' : 'DATETIME20')) ?? 0
  }
  const kept = isDateFormat(format) || /^A/.test(format ?? '') ? undefined : packedFormat(format ?? '')
  if (kept !== undefined) return kept
  const digits = values.reduce((most, value) => Math.max(most, String(Math.trunc(value || 0)).length), 1)
  const isWhole = values.every((value) => Number.isNaN(value) || Number.isInteger(value))
  return (
    packedFormat(
      isWhole
        ? `F${Math.min(WIDEST_NUMBER, Math.max(8, digits))}`
        : `F${Math.min(WIDEST_NUMBER, Math.max(8, digits + 3))}.2`,
    ) ?? 0
  )
}

/** Labels of numbers and of texts up to 8 bytes. */
function writeShortLabels(out: ByteWriter, { valueLabels, width }: Variable, place: number): void {
  if (valueLabels.length === 0 || width > 8) return
  out.int32(3)
  out.int32(valueLabels.length)
  for (const { value, label } of valueLabels) {
    const text = cutText(label, 255)
    if (typeof value === 'number') out.float64(value)
    else blankText(out, value, 8)
    out.uint8(text.length)
    out.bytes(text)
    out.fill(BLANK, (8 - ((text.length + 1) % 8)) % 8)
  }
  for (const field of [4, 1, place]) out.int32(field)
}

const UTF8 = 65_001
const MEASURES = { nominal: 1, ordinal: 2, scale: 3 } as const
const [LEFT, RIGHT] = [0, 1]
const SHOWN_WIDTH = 8

function writeExtensions(out: ByteWriter, rows: number, placed: readonly Placed[]): void {
  const extension = (subtype: number, size: number, write: (data: ByteWriter) => void) => {
    const data = byteWriter()
    write(data)
    if (data.length() === 0) return
    for (const field of [7, subtype, size, data.length() / size]) out.int32(field)
    out.bytes(data.whole())
  }
  extension(3, 4, (data) => {
    for (const field of [0, 1, 0, -1, 1, 1, 2, UTF8]) data.int32(field)
  })
  extension(4, 8, (data) => {
    for (const field of [-LARGEST, LARGEST, SECOND_LARGEST]) data.float64(field)
  })
  extension(11, 4, (data) => {
    for (const { variable } of placed)
      for (const _ of segmentWidths(variable.width))
        for (const field of [MEASURES[variable.level], SHOWN_WIDTH, variable.kind === 'text' ? LEFT : RIGHT])
          data.int32(field)
  })
  const encoder = new TextEncoder()
  extension(13, 1, (data) =>
    data.bytes(encoder.encode(placed.map(({ variable, shortName }) => `${shortName}=${variable.name}`).join('\t'))),
  )
  extension(14, 1, (data) => {
    const long = placed.filter(({ variable }) => variable.width > SEGMENT)
    data.ascii(
      long.map(({ variable, shortName }) => `${shortName}=${String(variable.width).padStart(5, '0')}\0\t`).join(''),
    )
  })
  extension(16, 8, (data) => {
    data.int64(1)
    data.int64(rows)
  })
  extension(20, 1, (data) => data.ascii('UTF-8'))
  extension(21, 1, (data) => {
    for (const { variable } of placed) if (variable.width > 8) writeLongLabels(data, variable)
  })
  extension(22, 1, (data) => {
    for (const { variable } of placed) if (variable.width > 8) writeLongMissing(data, variable)
  })
}

function sizedText(out: ByteWriter, bytes: Uint8Array): void {
  out.int32(bytes.length)
  out.bytes(bytes)
}

function writeLongLabels(out: ByteWriter, { name, width, valueLabels }: Variable): void {
  if (valueLabels.length === 0) return
  sizedText(out, cutText(name, LONGEST_NAME))
  out.int32(width)
  out.int32(valueLabels.length)
  for (const { value, label } of valueLabels) {
    out.int32(width)
    blankText(out, String(value), width)
    sizedText(out, cutText(label, SPSS.longestLabel))
  }
}

function writeLongMissing(out: ByteWriter, { name, missing, kind }: Variable): void {
  if (missing === undefined || missing.values.length === 0 || !isExpressible(missing, kind)) return
  sizedText(out, cutText(name, LONGEST_NAME))
  out.uint8(missing.values.length)
  out.int32(LONGEST_MISSING)
  for (const value of missing.values) blankText(out, String(value), LONGEST_MISSING)
}

const COMMAND = { raw: 253, blank: 254, missing: 255 } as const
const LARGEST_BYTE = 251

/** Commands wait until there are eight of them; what they announce follows. */
function writeCases(out: ByteWriter, rows: number, variables: readonly Variable[]): void {
  const commands = new Uint8Array(8)
  const announced = byteWriter(64)
  let count = 0
  const flush = () => {
    out.bytes(commands)
    out.bytes(announced.whole())
    announced.clear()
    commands.fill(0)
    count = 0
  }
  const put = (command: number) => {
    commands[count++] = command
    if (count === 8) flush()
  }
  const putNumber = (value: number) => {
    if (Number.isNaN(value)) return put(COMMAND.missing)
    const small = value + BIAS
    if (Number.isInteger(value) && !Object.is(value, -0) && small >= 1 && small <= LARGEST_BYTE) return put(small)
    announced.float64(value)
    put(COMMAND.raw)
  }
  const putText = (bytes: Uint8Array, width: number) => {
    for (let at = 0; at < 8 * elementsOf(width); at += 8) {
      const part = bytes.subarray(Math.min(at, bytes.length), Math.min(at + 8, width, bytes.length))
      if (part.every((byte) => byte === BLANK)) {
        put(COMMAND.blank)
        continue
      }
      announced.bytes(part)
      announced.fill(BLANK, 8 - part.length)
      put(COMMAND.raw)
    }
  }
  const writers = variables.map((variable) => cellWriter(variable, putNumber, putText))
  for (let row = 0; row < rows; row++) for (const write of writers) write(row)
  if (count > 0) flush()
}

const NO_TEXT = new Uint8Array()

function cellWriter(
  variable: Variable,
  putNumber: (value: number) => void,
  putText: (bytes: Uint8Array, width: number) => void,
): (row: number) => void {
  if (variable.kind === 'number') {
    const { values, date } = variable
    return date === undefined ? (row) => putNumber(values[row]) : (row) => putNumber(secondsOf(values[row]))
  }
  const { codes, encoded } = variable
  const segments = segmentWidths(variable.width)
  return (row) => {
    const bytes = codes[row] === MISSING_CODE ? NO_TEXT : encoded[codes[row]]
    for (const [k, width] of segments.entries()) putText(bytes.subarray(k * SEGMENT, (k + 1) * SEGMENT), width)
  }
}
