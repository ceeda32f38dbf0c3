import { UserError } from '../../errors.js'
import { type Cursor, cursor } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import { type Decode, decoderOf, upToNul } from '../texts.js'
import { type LabelSets, oldLabels, taggedLabels } from './labels.js'
import { type LongTexts, readLongTexts } from './long-texts.js'
import { accept, expect } from './tags.js'

/**
 * How a Stata file is laid out, releases 113 (Stata 8) to 119 (Stata 15 and later), from the published descriptions (Stata help
 * `dta`, `dta_113`, `dta_114`, `dta_115`, `dta_117`, `dta_118`). Up to 115 fields follow each other; from 117 on each stands
 * between tags. Every release keeps the observations as rows of fixed width.
 *
 * Not looked at: characteristics and notes, the sort order, the data label.
 */
export interface Layout {
  readonly release: number
  readonly littleEndian: boolean
  readonly rows: number
  readonly rowLength: number
  readonly variables: readonly StataVariable[]
  /** Where the observations begin. */
  readonly data: number
  readonly labels: LabelSets
  readonly longTexts: LongTexts
  readonly decode: Decode
}

export interface StataVariable {
  readonly name: string
  readonly storage: Storage
  /** Where in a row it begins. */
  readonly offset: number
  readonly format: string
  readonly labelSet: string
  readonly label: string
}

type Storage =
  | { readonly kind: 'byte' | 'int' | 'long' | 'float' | 'double'; readonly bytes: number }
  | { readonly kind: 'text'; readonly bytes: number }
  | { readonly kind: 'long text'; readonly bytes: 8 }

/** Widths of fields that differ between releases. */
export interface Widths {
  readonly name: number
  readonly format: number
  readonly label: number
}

const WIDTHS = (release: number): Widths => ({
  name: release >= 118 ? 129 : 33,
  format: release >= 118 ? 57 : release >= 114 ? 49 : 12,
  label: release >= 118 ? 321 : 81,
})

const NUMBERS = [
  { kind: 'byte', bytes: 1 },
  { kind: 'int', bytes: 2 },
  { kind: 'long', bytes: 4 },
  { kind: 'float', bytes: 4 },
  { kind: 'double', bytes: 8 },
] as const

const OPENING = '<stata_dta>'
const FIRST_UNICODE = 118
const RELEASES = { old: [113, 114, 115], tagged: [117, 118, 119] }

function isTagged(bytes: Uint8Array): boolean {
  return OPENING.split('').every((character, at) => bytes[at] === character.charCodeAt(0))
}

export function readLayout(file: string, bytes: Uint8Array, encoding: string | undefined): Layout {
  return isTagged(bytes) ? taggedLayout(file, bytes, encoding) : oldLayout(file, bytes, encoding)
}

function oldLayout(file: string, bytes: Uint8Array, encoding: string | undefined): Layout {
  if (bytes.length < 4 || !(bytes[1] === 1 || bytes[1] === 2) || bytes[2] !== 1)
    throw new Damaged('it does not begin as a Stata file does')
  const release = bytes[0]
  checkRelease(file, release, RELEASES.old)
  const littleEndian = bytes[1] === 2
  const decode = decoderOf(file, encoding)
  const at = cursor(bytes, 4, littleEndian)
  const count = at.uint16()
  const rows = at.int32()
  at.skip(81 + 18)
  const types = Array.from(at.bytes(count), oldStorage)
  const widths = WIDTHS(release)
  const names = fields(at, count, widths.name, decode)
  at.skip(2 * (count + 1))
  const formats = fields(at, count, widths.format, decode)
  const labelSets = fields(at, count, widths.name, decode)
  const labels = fields(at, count, widths.label, decode)
  for (;;) {
    const [kind, length] = [at.uint8(), at.int32()]
    if (kind === 0 && length === 0) break
    at.skip(length)
  }
  const { variables, rowLength } = placed(types, { names, formats, labelSets, labels })
  const data = at.at()
  skipRows(at, rows, rowLength)
  const sets = oldLabels(at, widths, decode)
  return { release, littleEndian, rows, rowLength, variables, data, labels: sets, longTexts: new Map(), decode }
}

function taggedLayout(file: string, bytes: Uint8Array, encoding: string | undefined): Layout {
  const start = cursor(bytes, OPENING.length, true)
  expect(start, '<header><release>')
  const release = Number(start.ascii(3))
  checkRelease(file, release, RELEASES.tagged)
  expect(start, '</release><byteorder>')
  const order = start.ascii(3)
  if (order !== 'LSF' && order !== 'MSF') throw new Damaged('its byte order is unknown')
  const littleEndian = order === 'LSF'
  const decode = decoderOf(file, encoding ?? (release >= FIRST_UNICODE ? 'utf-8' : undefined))
  const at = cursor(bytes, start.at(), littleEndian)
  expect(at, '</byteorder><K>')
  const count = release >= 119 ? at.uint32() : at.uint16()
  expect(at, '</K><N>')
  const rows = release >= 118 ? at.int64() : at.uint32()
  expect(at, '</N><label>')
  at.skip(release >= 118 ? at.uint16() : at.uint8())
  expect(at, '</label><timestamp>')
  at.skip(at.uint8())
  expect(at, '</timestamp></header><map>')
  at.skip(14 * 8)
  expect(at, '</map><variable_types>')
  checkRoom(at, 2 * count)
  const types = Array.from({ length: count }, () => taggedStorage(at.uint16()))
  const widths = WIDTHS(release)
  expect(at, '</variable_types><varnames>')
  const names = fields(at, count, widths.name, decode)
  expect(at, '</varnames><sortlist>')
  at.skip((release >= 119 ? 4 : 2) * (count + 1))
  expect(at, '</sortlist><formats>')
  const formats = fields(at, count, widths.format, decode)
  expect(at, '</formats><value_label_names>')
  const labelSets = fields(at, count, widths.name, decode)
  expect(at, '</value_label_names><variable_labels>')
  const labels = fields(at, count, widths.label, decode)
  expect(at, '</variable_labels><characteristics>')
  skipCharacteristics(at)
  expect(at, '<data>')
  const { variables, rowLength } = placed(types, { names, formats, labelSets, labels })
  const data = at.at()
  skipRows(at, rows, rowLength)
  expect(at, '</data><strls>')
  const longTexts = readLongTexts(at, release, decode)
  expect(at, '<value_labels>')
  const sets = taggedLabels(at, widths, decode)
  expect(at, '</stata_dta>')
  return { release, littleEndian, rows, rowLength, variables, data, labels: sets, longTexts, decode }
}

function checkRelease(file: string, release: number, known: readonly number[]): void {
  if (known.includes(release)) return
  if (Number.isNaN(release)) throw new Damaged('its release is not a number')
  throw new UserError(
    `${file}: is a Stata file of release ${release}; scrim reads 113 (Stata 8) to 119 (Stata 15 and later), so save it anew`,
  )
}

function skipCharacteristics(at: Cursor): void {
  while (!accept(at, '</characteristics>')) {
    expect(at, '<ch>')
    at.skip(at.uint32())
    expect(at, '</ch>')
  }
}

function checkRoom(at: Cursor, bytes: number): void {
  if (bytes > at.left()) throw new Damaged('the file is cut short, or has fewer variables than it says')
}

function skipRows(at: Cursor, rows: number, rowLength: number): void {
  if (rows < 0 || rows * rowLength > at.left())
    throw new Damaged(`the file says it has ${rows} records, but has no room for them`)
  at.skip(rows * rowLength)
}

function fields(at: Cursor, count: number, width: number, decode: Decode): string[] {
  checkRoom(at, count * width)
  return Array.from({ length: count }, () => decode(upToNul(at.bytes(width))))
}

function oldStorage(type: number): Storage {
  if (type >= 1 && type <= 244) return { kind: 'text', bytes: type }
  return NUMBERS[type - 251] ?? noStorage()
}

const LONG_TEXT = 32_768
const LONGEST_TEXT = 2045
const BYTE = 65_530

function taggedStorage(type: number): Storage {
  if (type >= 1 && type <= LONGEST_TEXT) return { kind: 'text', bytes: type }
  return type === LONG_TEXT ? { kind: 'long text', bytes: 8 } : (NUMBERS[BYTE - type] ?? noStorage())
}

function noStorage(): never {
  throw new Damaged('a variable is of a type that does not exist')
}

interface Columns {
  readonly names: readonly string[]
  readonly formats: readonly string[]
  readonly labelSets: readonly string[]
  readonly labels: readonly string[]
}

function placed(types: readonly Storage[], { names, formats, labelSets, labels }: Columns) {
  let rowLength = 0
  const variables = types.map((storage, k): StataVariable => {
    const offset = rowLength
    rowLength += storage.bytes
    return { name: names[k], storage, offset, format: formats[k], labelSet: labelSets[k], label: labels[k] }
  })
  return { variables, rowLength }
}
