import { Damaged } from '../bytes/damage.js'
import { decodeText } from '../bytes/encoding.js'
import { altrep } from './altrep.js'
import { readByteCode } from './byte-code.js'
import { asciiSource, binarySource, type Source } from './source.js'
import { type Attributes, NO_ATTRIBUTES, NULL, type RValue } from './values.js'

/**
 * One value from R's serialization, versions 2 and 3, in the formats `X` (big-endian), `B` (native) and `A` (text): R
 * Internals, section 1.8 "Serialization Formats"; what each item holds follows the R source that reads it
 * (src/main/serialize.c documents the order of its parts in comments).
 */
export function unserialize(stream: Uint8Array): RValue {
  const source = sourceOf(stream)
  const version = source.integer()
  if (version !== 2 && version !== 3)
    throw new Damaged(`its serialization has version ${version}, and 2 and 3 are known`)
  source.integer()
  source.integer()
  const native = version === 3 ? String.fromCharCode(...source.bytes(source.integer())) : 'UTF-8'
  const value = readItem({ source, references: [], latin1: /8859-1$|latin-?1|1252/i.test(native), depth: 0 })
  if (!source.done()) throw new Damaged('there are other bytes after its end')
  return value
}

/** What has been read so far: symbols and environments come once, and later as references to them. */
export interface Reading {
  readonly source: Source
  readonly references: RValue[]
  /** Whether texts that say nothing of their encoding are in Latin-1. */
  readonly latin1: boolean
  depth: number
}

const DEEPEST = 1500
const [BIG_ENDIAN, NATIVE, TEXT] = ['X\n', 'B\n', 'A\n']

function sourceOf(stream: Uint8Array): Source {
  const format = String.fromCharCode(...stream.subarray(0, 2))
  const rest = stream.subarray(2)
  if (format === BIG_ENDIAN) return binarySource(rest, false)
  if (format === TEXT) return asciiSource(rest)
  // The version is a small number: which end it stands at tells the machine.
  if (format === NATIVE) return binarySource(rest, rest[0] !== 0)
  throw new Damaged('it does not begin as R begins its files')
}

/** The kinds of items, as R numbers them. */
export const ITEM = {
  symbol: 1,
  pairs: 2,
  closure: 3,
  environment: 4,
  promise: 5,
  call: 6,
  special: 7,
  builtin: 8,
  text: 9,
  logical: 10,
  integer: 13,
  double: 14,
  complex: 15,
  texts: 16,
  dots: 17,
  list: 19,
  expression: 20,
  byteCode: 21,
  pointer: 22,
  weakReference: 23,
  raw: 24,
  s4: 25,
  altrep: 238,
  attributedPairs: 239,
  attributedCall: 240,
  repeatedReference: 243,
  repeatedDefinition: 244,
  persistent: 247,
  package: 248,
  namespace: 249,
  reference: 255,
} as const

const HAS_ATTRIBUTES = 1 << 9
const HAS_TAG = 1 << 10
const FIRST_CONSTANT = 241
const LAST_CONSTANT = 254
/** Of the flags of a text. */
const LATIN1 = 1 << 14
const UTF8 = 1 << 15
const NA_LENGTH = -1
const LONG_LENGTH = -1

export function readItem(reading: Reading): RValue {
  if (++reading.depth > DEEPEST) throw new Damaged('it is nested too deeply')
  const value = itemOf(reading, reading.source.integer())
  reading.depth--
  return value
}

function itemOf(reading: Reading, flags: number): RValue {
  const { source, references } = reading
  const kind = flags & 0xff
  const attributed = (flags & HAS_ATTRIBUTES) !== 0
  switch (kind) {
    case ITEM.reference: {
      const index = flags >>> 8 || source.integer()
      const value = references[index - 1]
      if (value === undefined) throw new Damaged('a reference leads nowhere')
      return value
    }
    case ITEM.symbol: {
      const at = references.push(NULL) - 1
      references[at] = { type: 'symbol', name: nameOf(readItem(reading)) }
      return references[at]
    }
    case ITEM.pairs:
    case ITEM.call:
    case ITEM.closure:
    case ITEM.promise:
    case ITEM.dots:
      return readPairs(reading, flags)
    case ITEM.environment:
      references.push(nothing('an environment'))
      source.integer()
      for (let k = 0; k < 4; k++) readItem(reading)
      return nothing('an environment')
    case ITEM.persistent:
    case ITEM.package:
    case ITEM.namespace: {
      source.integer()
      const length = source.integer()
      source.need(length)
      for (let k = 0; k < length; k++) readItem(reading)
      references.push(nothing('an environment'))
      return nothing('an environment')
    }
    case ITEM.pointer:
    case ITEM.weakReference:
      references.push(nothing('a pointer'))
      if (kind === ITEM.pointer) for (let k = 0; k < 2; k++) readItem(reading)
      readAttributes(reading, attributed)
      return nothing('a pointer')
    case ITEM.special:
    case ITEM.builtin:
      source.bytes(source.integer())
      return nothing('a function')
    case ITEM.text:
      return readText(reading, flags)
    case ITEM.byteCode: {
      readByteCode(reading)
      readAttributes(reading, attributed)
      return nothing('a function')
    }
    case ITEM.s4:
      return { type: 'object', attributes: readAttributes(reading, attributed) }
    case ITEM.altrep: {
      const info = readItem(reading)
      const state = readItem(reading)
      return altrep(info, state, attributesOf(readItem(reading)))
    }
    default:
      if (kind === 0 || (kind >= FIRST_CONSTANT && kind <= LAST_CONSTANT)) return constant(kind)
      return readVector(reading, kind, attributed)
  }
}

/** Constants: NULL, and the environments and marks that every R has. */
function constant(kind: number): RValue {
  if (kind === 0 || kind === LAST_CONSTANT) return NULL
  if (kind >= 243 && kind <= 249) throw new Damaged('an item is of no known kind')
  return nothing(kind === 251 || kind === 252 ? 'a missing argument' : 'an environment')
}

function readVector(reading: Reading, kind: number, attributed: boolean): RValue {
  const { source } = reading
  const length = readLength(source)
  const attributes = () => readAttributes(reading, attributed)
  switch (kind) {
    case ITEM.logical:
    case ITEM.integer: {
      const values = source.integers(length)
      return { type: kind === ITEM.logical ? 'logical' : 'integer', values, attributes: attributes() }
    }
    case ITEM.double: {
      const values = source.doubles(length)
      return { type: 'double', values, attributes: attributes() }
    }
    case ITEM.complex:
      source.doubles(2 * length)
      return { ...nothing('complex numbers'), attributes: attributes() }
    case ITEM.raw:
      source.raw(length)
      return { ...nothing('raw bytes'), attributes: attributes() }
    case ITEM.texts: {
      const values = readTexts(reading, length)
      return { type: 'texts', values, attributes: attributes() }
    }
    case ITEM.list:
    case ITEM.expression: {
      source.need(length)
      const values: RValue[] = []
      for (let k = 0; k < length; k++) values.push(readItem(reading))
      return { type: 'list', values, attributes: attributes() }
    }
    default:
      throw new Damaged('an item is of no known kind')
  }
}

/** More than 2^31 - 1 items have -1, then the two halves of their number. */
function readLength(source: Source): number {
  const length = source.integer()
  if (length !== LONG_LENGTH) return length
  const high = source.integer()
  return high * 2 ** 32 + (source.integer() >>> 0)
}

/** Hot. Texts repeat, and one that is the same is kept once. */
function readTexts(reading: Reading, length: number): readonly (string | null)[] {
  reading.source.need(2 * length)
  const known = new Map<string, string>()
  const values: (string | null)[] = []
  for (let k = 0; k < length; k++) {
    const flags = reading.source.integer()
    if ((flags & 0xff) !== ITEM.text) throw new Damaged('a text is none')
    const text = decoded(reading, flags)
    const same = text === null ? null : (known.get(text) ?? text)
    if (same !== null && same === text) known.set(same, same)
    values.push(same)
    if ((flags & HAS_ATTRIBUTES) !== 0) readItem(reading)
  }
  return values
}

function readText(reading: Reading, flags: number): RValue {
  const text = decoded(reading, flags)
  const attributes = readAttributes(reading, (flags & HAS_ATTRIBUTES) !== 0)
  return { type: 'texts', values: [text], attributes }
}

function decoded({ source, latin1 }: Reading, flags: number): string | null {
  const length = source.integer()
  if (length === NA_LENGTH) return null
  const bytes = source.bytes(length)
  const isUtf8 = (flags & UTF8) !== 0
  if (length <= SHORT && bytes.every((byte) => byte < 0x80)) return String.fromCharCode(...bytes)
  return decodeText(bytes, (flags & LATIN1) !== 0 || (latin1 && !isUtf8) ? 'latin1' : 'utf-8')
}

/** Decoded one by one: a decoder takes longer to start than to read them. */
const SHORT = 64

/** Pairs of tag and value, one after the other; the end of a call or closure is a value of its own. */
function readPairs(reading: Reading, first: number): RValue {
  const values: RValue[] = []
  const tags: string[] = []
  let attributes = NO_ATTRIBUTES
  let flags = first
  while (isPairs(flags & 0xff)) {
    const read = readAttributes(reading, (flags & HAS_ATTRIBUTES) !== 0)
    if (values.length === 0) attributes = read
    tags.push((flags & HAS_TAG) === 0 ? '' : nameOf(readItem(reading)))
    values.push(readItem(reading))
    flags = reading.source.integer()
  }
  itemOf(reading, flags)
  const kind = first & 0xff
  if (kind !== ITEM.pairs && kind !== ITEM.dots) return nothing(kind === ITEM.closure ? 'a function' : 'code')
  return { type: 'list', values, tags, attributes }
}

function isPairs(kind: number): boolean {
  return kind >= ITEM.pairs && kind <= ITEM.dots && PAIRS.includes(kind)
}

const PAIRS: readonly number[] = [ITEM.pairs, ITEM.call, ITEM.closure, ITEM.promise, ITEM.dots]

function readAttributes(reading: Reading, attributed: boolean): Attributes {
  return attributed ? attributesOf(readItem(reading)) : NO_ATTRIBUTES
}

function attributesOf(value: RValue): Attributes {
  if (value.type !== 'list' || value.tags === undefined) return NO_ATTRIBUTES
  const { tags } = value
  return new Map(value.values.map((own, k) => [tags[k], own]))
}

function nameOf(value: RValue): string {
  if (value.type === 'symbol') return value.name
  return value.type === 'texts' ? (value.values[0] ?? 'NA') : ''
}

function nothing(what: string): RValue & { type: 'nothing' } {
  return { type: 'nothing', what, attributes: NO_ATTRIBUTES }
}
