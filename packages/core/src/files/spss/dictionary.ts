import type { MissingCodes, ValueLabel } from '../../table/column.js'
import { type Cursor, cursor } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import { type Decode, decoderOf, withoutPadding } from '../texts.js'
import { formatName } from './formats.js'

/**
 * The dictionary of an SPSS system file: what its variables are. It is written here from the published description (GNU
 * PSPP Developers Guide, chapter "System File Format"). Records come in any order and refer to each other by short
 * names or by the place of a variable in a case, so they are collected first and joined afterwards.
 *
 * Not looked at: multiple response sets, attributes, documents, display widths, the variable that weights cases.
 */
export interface Dictionary {
  readonly littleEndian: boolean
  readonly compression: Compression
  /** What is added to small whole numbers to make them bytes. */
  readonly bias: number
  /** Number of cases; null where the file leaves it open. */
  readonly cases: number | null
  readonly missing: { readonly system: number; readonly highest: number; readonly lowest: number }
  readonly decode: Decode
  readonly variables: readonly SpssVariable[]
  /** Where the cases begin. */
  readonly end: number
}

type Compression = 'none' | 'bytes' | 'zlib'

export interface SpssVariable {
  readonly name: string
  /** Numbers of 8 bytes that a case has for this variable. */
  readonly elements: number
  /** Bytes of a text; 0 for a number. */
  readonly width: number
  readonly label: string | undefined
  readonly valueLabels: readonly ValueLabel[]
  readonly missing: MissingCodes | undefined
  readonly format: string | undefined
  readonly ordered: boolean
}

/** A text of more than 255 bytes is kept in several variables of 255, each made up to 256. */
export const SEGMENT = 255
export const SEGMENT_SHARE = 252
const LARGEST = Number.MAX_VALUE
const SECOND_LARGEST = -1.7976931348623155e308
const COMPRESSIONS: readonly Compression[] = ['none', 'bytes', 'zlib']
const HEADER = { product: 60, dateToLabel: 81, padding: 3 }
const ORDINAL = 2
const IEEE_754 = 1

/** A variable record as it stands; texts stay bytes until the encoding is known. */
interface VariableRecord {
  readonly shortName: string
  readonly type: number
  readonly label: Uint8Array | undefined
  readonly missingCount: number
  readonly missing: Uint8Array
  readonly format: number
  /** Its place in a case, from 1. */
  readonly place: number
}

interface LabelRecord {
  readonly labels: readonly { readonly value: Uint8Array; readonly label: Uint8Array }[]
  readonly places: readonly number[]
}

interface Records {
  readonly variables: readonly VariableRecord[]
  readonly labels: readonly LabelRecord[]
  readonly extensions: ReadonlyMap<number, Extension>
}

interface Extension {
  readonly size: number
  readonly count: number
  readonly data: Uint8Array
}

const EXTENSION = {
  integers: 3,
  floats: 4,
  display: 11,
  longNames: 13,
  longTexts: 14,
  cases: 16,
  encoding: 20,
  longLabels: 21,
  longMissing: 22,
} as const

export function readDictionary(file: string, bytes: Uint8Array, encoding: string | undefined): Dictionary {
  const littleEndian = byteOrder(bytes)
  const at = cursor(bytes, 4, littleEndian)
  at.skip(HEADER.product + 8)
  const compression = COMPRESSIONS[at.int32()]
  if (compression === undefined) throw new Damaged('its compression is of an unknown kind')
  at.skip(4)
  const headerCases = at.int32()
  const bias = at.float64()
  at.skip(HEADER.dateToLabel + HEADER.padding)
  const records = readRecords(at)
  const within = (kind: keyof typeof EXTENSION) => {
    const extension = records.extensions.get(EXTENSION[kind])
    return extension === undefined ? undefined : { ...extension, at: cursor(extension.data, 0, littleEndian) }
  }
  checkNumbers(within('integers')?.at)
  const decode = decoderOf(file, encoding ?? encodingName(within))
  const floats = within('floats')?.at
  const missing = {
    system: floats?.float64() ?? -LARGEST,
    highest: floats?.float64() ?? LARGEST,
    lowest: floats?.float64() ?? SECOND_LARGEST,
  }
  const long = within('cases')?.at
  long?.skip(8)
  const cases = long?.int64() ?? headerCases
  if (headerCases >= 0 && headerCases !== cases)
    throw new Damaged(`the file says it has ${headerCases} records in one place and ${cases} in another`)
  return {
    littleEndian,
    compression,
    bias,
    cases: cases < 0 ? null : cases,
    missing,
    decode,
    variables: joinRecords(records, within, { decode, littleEndian }),
    end: at.at(),
  }
}

type Within = (
  kind: keyof typeof EXTENSION,
) => { readonly size: number; readonly count: number; readonly data: Uint8Array; readonly at: Cursor } | undefined

/** The layout code is 2 or 3, whichever end it begins with. */
function byteOrder(bytes: Uint8Array): boolean {
  for (const littleEndian of [true, false]) {
    const code = cursor(bytes, 64, littleEndian).int32()
    if (code === 2 || code === 3) return littleEndian
  }
  throw new Damaged('its layout is unknown')
}

function checkNumbers(integers: Cursor | undefined): void {
  if (integers === undefined) return
  integers.skip(16)
  if (integers.int32() !== IEEE_754) throw new Damaged('its numbers are written as an old machine had them')
}

/** The name in record 20, or else the number in record 3; no word of either leaves it open. */
function encodingName(within: Within): string | undefined {
  const named = within('encoding')
  if (named !== undefined) return named.at.ascii(named.data.length).trim()
  const integers = within('integers')?.at
  integers?.skip(28)
  const code = integers?.int32() ?? 0
  return code > 3 ? String(code) : undefined
}

const RECORD = { variable: 2, labels: 3, labelPlaces: 4, documents: 6, extension: 7, end: 999 } as const

function readRecords(at: Cursor): Records {
  const variables: VariableRecord[] = []
  const labels: LabelRecord[] = []
  const extensions = new Map<number, Extension>()
  for (let place = 1; ; ) {
    const kind = at.int32()
    if (kind === RECORD.variable) variables.push(variableRecord(at, place++))
    else if (kind === RECORD.labels) labels.push(labelRecord(at))
    else if (kind === RECORD.documents) at.skip(80 * at.int32())
    else if (kind === RECORD.extension) {
      const [subtype, size, count] = [at.int32(), at.int32(), at.int32()]
      extensions.set(subtype, { size, count, data: at.bytes(size * count) })
    } else if (kind === RECORD.end) break
    else throw new Damaged('its dictionary has a record of a kind that does not exist')
  }
  at.skip(4)
  return { variables, labels, extensions }
}

function variableRecord(at: Cursor, place: number): VariableRecord {
  const type = at.int32()
  const hasLabel = at.int32()
  const missingCount = at.int32()
  const format = at.int32()
  at.skip(4)
  const shortName = at.ascii(8).trimEnd()
  if (type < -1 || type > SEGMENT || hasLabel < 0 || hasLabel > 1 || missingCount < -3 || missingCount > 3)
    throw new Damaged('a variable of its dictionary is not one')
  const label = hasLabel === 1 ? paddedText(at, at.int32(), 4) : undefined
  const missing = at.bytes(8 * Math.abs(missingCount))
  return { shortName, type, label, missingCount, missing, format, place }
}

/** A text after its length, filled up to a multiple of `step` bytes. */
function paddedText(at: Cursor, length: number, step: number, before = 0): Uint8Array {
  const text = at.bytes(length)
  at.skip((step - ((length + before) % step)) % step)
  return withoutPadding(text)
}

function labelRecord(at: Cursor): LabelRecord {
  const count = at.int32()
  const labels: { value: Uint8Array; label: Uint8Array }[] = []
  for (let k = 0; k < count; k++) labels.push({ value: at.bytes(8), label: paddedText(at, at.uint8(), 8, 1) })
  if (at.int32() !== RECORD.labelPlaces) throw new Damaged('labels of values are not followed by their variables')
  const places: number[] = []
  const variables = at.int32()
  for (let k = 0; k < variables; k++) places.push(at.int32())
  return { labels, places }
}

interface Joining {
  readonly decode: Decode
  readonly littleEndian: boolean
}

function joinRecords(records: Records, within: Within, joining: Joining): SpssVariable[] {
  const { decode } = joining
  const pairs = (kind: 'longNames' | 'longTexts') => pairsOf(decode(within(kind)?.data ?? new Uint8Array()))
  const longNames = pairs('longNames')
  const longTexts = pairs('longTexts')
  const heads = records.variables.filter(({ type }) => type >= 0)
  const measures = measureLevels(within('display'), heads.length)
  const labelsAt = labelsByPlace(records.labels)
  const elementsOf = caseElements(records.variables)
  const variables: SpssVariable[] = []
  for (let k = 0; k < heads.length; ) {
    const head = heads[k]
    const shortName = decode(latinBytes(head.shortName))
    const declared = Number.parseInt(longTexts.get(shortName) ?? '', 10)
    const width = head.type > 0 && declared > SEGMENT ? declared : head.type
    const segments = width > SEGMENT ? Math.ceil(width / SEGMENT_SHARE) : 1
    const parts = heads.slice(k, k + segments)
    if (parts.length < segments || parts.some(({ type }, part) => segments > 1 && !fitsSegment(type, part, segments)))
      throw new Damaged(`the long text "${shortName}" has not as many parts as its length takes`)
    variables.push({
      name: longNames.get(shortName) ?? shortName,
      elements: parts.reduce((sum, part) => sum + elementsOf(part), 0),
      width,
      label: head.label === undefined ? undefined : decode(head.label),
      valueLabels: (labelsAt.get(head.place) ?? []).map(({ value, label }) => ({
        value: head.type === 0 ? numberOf(value, joining) : decode(withoutPadding(value)),
        label: decode(label),
      })),
      missing: missingCodes(head, joining),
      format: formatName(head.format),
      ordered: measures[k] === ORDINAL,
    })
    k += segments
  }
  return withLongTexts(variables, within, decode)
}

/** All segments but the last are full. */
function fitsSegment(type: number, part: number, segments: number): boolean {
  return part < segments - 1 ? type === SEGMENT : type > 0
}

/** A text of more than 8 bytes takes further places in a case, each a record of type -1 after its own. */
function caseElements(records: readonly VariableRecord[]): (head: VariableRecord) => number {
  return ({ place, type }) => {
    const elements = Math.max(1, Math.ceil(type / 8))
    let parts = 1
    while (records[place - 1 + parts]?.type === -1) parts++
    if (parts !== elements) throw new Damaged('a text of its dictionary has not as many parts as its length takes')
    return elements
  }
}

function pairsOf(text: string): Map<string, string> {
  return new Map(
    text.split('\t').flatMap((pair) => {
      const equals = pair.indexOf('=')
      return equals < 1 ? [] : [[pair.slice(0, equals), pair.slice(equals + 1).replaceAll('\0', '')] as const]
    }),
  )
}

/** Nominal, ordinal or scale; records of two and of three numbers per variable exist. */
function measureLevels(display: ReturnType<Within>, variables: number): readonly number[] {
  if (display === undefined || variables === 0 || display.size !== 4) return []
  const each = display.count / variables
  if (each !== 2 && each !== 3) return []
  return Array.from({ length: variables }, () => {
    const measure = display.at.int32()
    display.at.skip(4 * (each - 1))
    return measure
  })
}

function labelsByPlace(records: readonly LabelRecord[]): Map<number, LabelRecord['labels']> {
  return new Map(records.flatMap(({ labels, places }) => places.map((place) => [place, labels] as const)))
}

function missingCodes({ type, missingCount, missing }: VariableRecord, joining: Joining): MissingCodes | undefined {
  if (missingCount === 0) return undefined
  const each = Array.from({ length: Math.abs(missingCount) }, (_, k) => missing.subarray(8 * k, 8 * k + 8))
  if (type !== 0) return { values: each.map((value) => joining.decode(withoutPadding(value))) }
  const numbers = each.map((value) => numberOf(value, joining))
  if (missingCount > 0) return { values: numbers }
  const [low, high, ...values] = numbers
  return { values, range: { low, high } }
}

/** Labels and missing values of texts beyond 8 bytes have records of their own, by the long name of the variable. */
function withLongTexts(variables: readonly SpssVariable[], within: Within, decode: Decode): SpssVariable[] {
  const labels = new Map<string, ValueLabel[]>()
  const missing = new Map<string, string[]>()
  const text = (at: Cursor, length: number) => decode(withoutPadding(at.bytes(length)))
  const labelled = within('longLabels')?.at
  while (labelled !== undefined && labelled.left() > 0) {
    const name = text(labelled, labelled.int32())
    labelled.skip(4)
    const count = labelled.int32()
    const valueLabels: ValueLabel[] = []
    for (let k = 0; k < count; k++)
      valueLabels.push({ value: text(labelled, labelled.int32()), label: text(labelled, labelled.int32()) })
    labels.set(name, valueLabels)
  }
  const coded = within('longMissing')?.at
  while (coded !== undefined && coded.left() > 0) {
    const name = text(coded, coded.int32())
    const count = coded.uint8()
    const length = coded.int32()
    const missingCodes: string[] = []
    for (let k = 0; k < count; k++) missingCodes.push(text(coded, length))
    missing.set(name, missingCodes)
  }
  return variables.map((variable) => {
    const codes = missing.get(variable.name)
    return {
      ...variable,
      valueLabels: labels.get(variable.name) ?? variable.valueLabels,
      missing: codes === undefined ? variable.missing : { values: codes },
    }
  })
}

function numberOf(bytes: Uint8Array, { littleEndian }: Joining): number {
  return cursor(bytes, 0, littleEndian).float64()
}

function latinBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
