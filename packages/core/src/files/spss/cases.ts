import { unzlibSync } from 'fflate'
import { cursor, viewOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import type { TextValues } from '../labelled.js'
import type { Allowance } from '../packed/limit.js'
import { collectBytes, type TextCollector, withoutPadding } from '../texts.js'
import { type Dictionary, SEGMENT, type SpssVariable } from './dictionary.js'

/**
 * The cases of an SPSS system file, one after the other, each a row of elements of 8 bytes: a number, or 8 bytes of a text.
 * Compressed, an element is one byte where it is a small whole number, blank or missing, and a byte and itself where not;
 * eight such bytes stand before the elements that they announce. In a .zsav file all that is packed again, in blocks.
 *
 * The cases are counted before room is made for them, and their number must be the one that the file tells.
 */
export function readCases(
  dictionary: Dictionary,
  file: Uint8Array,
  unpacking: Allowance,
): (Float64Array | TextValues)[] {
  const data = dictionary.compression === 'zlib' ? unpacked(file, dictionary, unpacking) : file.subarray(dictionary.end)
  const each = dictionary.variables.reduce((sum, { elements }) => sum + elements, 0)
  const isPlain = dictionary.compression === 'none'
  const elements = isPlain ? countPlain(data) : countCompressed(data)
  const rows = elements / each
  if (!Number.isInteger(rows)) throw new Damaged('the file is cut short: its last record has not all variables')
  if (dictionary.cases !== null && dictionary.cases !== rows)
    throw new Damaged(`the file says it has ${dictionary.cases} records, but has ${rows}`)
  const columns = dictionary.variables.map((variable) => columnOf(variable, rows, dictionary))
  const next = isPlain ? plainElements(data, dictionary) : compressedElements(data, dictionary)
  for (let row = 0; row < rows; row++) for (const column of columns) column.put(row, next)
  return columns.map((column) => column.values())
}

interface Element {
  /** NaN where missing. */
  number: number
  /** Where its bytes are; -1 where they are blanks. */
  at: number
}

interface CaseColumn {
  put(row: number, next: NextElement): void
  values(): Float64Array | TextValues
}

interface NextElement {
  readonly element: Element
  readonly data: Uint8Array
  /** Goes on by one; `isText` where its bytes are wanted and not the number. */
  go(isText: boolean): void
}

function columnOf(variable: SpssVariable, rows: number, { decode }: Dictionary): CaseColumn {
  if (variable.width > 0) return textColumn(variable, collectBytes(rows, decode))
  const values = new Float64Array(rows)
  return {
    put(row, next) {
      next.go(false)
      values[row] = next.element.number
    },
    values: () => values,
  }
}

const BLANK = 32

function textColumn({ elements, width }: SpssVariable, collector: TextCollector): CaseColumn {
  const raw = new Uint8Array(8 * elements)
  const text = new Uint8Array(Math.max(width, 8 * elements))
  return {
    put(row, next) {
      for (let k = 0; k < elements; k++) {
        next.go(true)
        const { at } = next.element
        if (at < 0) raw.fill(BLANK, 8 * k, 8 * k + 8)
        else for (let byte = 0; byte < 8; byte++) raw[8 * k + byte] = next.data[at + byte]
      }
      collector.put(row, withoutPadding(width > SEGMENT ? joinedSegments(raw, text, width) : raw.subarray(0, width)))
    },
    values: () => collector.values(),
  }
}

/** Of each 256 bytes the last is filling. */
function joinedSegments(raw: Uint8Array, text: Uint8Array, width: number): Uint8Array {
  let length = 0
  for (let from = 0; from < raw.length && length < width; from += SEGMENT + 1) {
    const part = raw.subarray(from, Math.min(from + SEGMENT, raw.length, from + width - length))
    text.set(part, length)
    length += part.length
  }
  return text.subarray(0, length)
}

function countPlain(data: Uint8Array): number {
  if (data.length % 8 !== 0) throw new Damaged('the file is cut short')
  return data.length / 8
}

function plainElements(data: Uint8Array, { littleEndian, missing }: Dictionary): NextElement {
  const view = viewOf(data)
  const element = { number: Number.NaN, at: -8 }
  return {
    element,
    data,
    go() {
      element.at += 8
      const number = view.getFloat64(element.at, littleEndian)
      element.number = number === missing.system ? Number.NaN : number
    },
  }
}

/** What a byte announces; 1 to 251 are the number itself, plus the bias. */
const COMMAND = { nothing: 0, end: 252, raw: 253, blank: 254, missing: 255 } as const

function countCompressed(data: Uint8Array): number {
  let elements = 0
  let at = 0
  while (at < data.length) {
    if (data.length - at < 8) throw new Damaged('the file is cut short')
    let raw = 0
    for (let k = 0; k < 8; k++) {
      const command = data[at + k]
      if (command === COMMAND.end) return elements
      if (command === COMMAND.nothing) continue
      elements++
      if (command === COMMAND.raw && 8 * ++raw > data.length - at - 8) throw new Damaged('the file is cut short')
    }
    at += 8 + 8 * raw
  }
  return elements
}

function compressedElements(data: Uint8Array, { littleEndian, missing, bias }: Dictionary): NextElement {
  const view = viewOf(data)
  const element = { number: Number.NaN, at: -1 }
  let command = 0
  let end = 0
  let raw = 0
  const advance = (): number => {
    for (;;) {
      if (command === end) {
        command = raw
        end = raw + 8
        raw = end
      }
      const next = data[command++]
      if (next !== COMMAND.nothing) return next
    }
  }
  return {
    element,
    data,
    go(isText) {
      const next = advance()
      element.at = -1
      element.number = Number.NaN
      if (next === COMMAND.raw) {
        element.at = raw
        const number = view.getFloat64(raw, littleEndian)
        element.number = number === missing.system ? Number.NaN : number
        raw += 8
      } else if (next < COMMAND.end) {
        if (isText && next !== bias) throw new Damaged('there is a number where a text should be')
        element.number = next - bias
      } else if (isText !== (next === COMMAND.blank))
        throw new Damaged('numbers and texts are where the other should be')
    },
  }
}

/** No deflated byte unpacks to more. */
const MOST_TIMES = 1032
const BLOCK_ENTRY = 24

/** All blocks of a .zsav file; their places, lengths and checksums must be right. */
function unpacked(file: Uint8Array, { littleEndian, end }: Dictionary, unpacking: Allowance): Uint8Array {
  const header = cursor(file, end, littleEndian)
  const [start, trailerAt, trailerLength] = [header.int64(), header.int64(), header.int64()]
  if (start !== end || trailerAt < header.at() || trailerAt + trailerLength !== file.length)
    throw new Damaged('the places of its packed blocks are wrong, or the file is cut short')
  const trailer = cursor(file, trailerAt, littleEndian)
  trailer.skip(20)
  const count = trailer.int32()
  if (trailerLength !== BLOCK_ENTRY * (count + 1)) throw new Damaged('the number of its packed blocks is wrong')
  const blocks: { packed: Uint8Array; size: number }[] = []
  let total = 0
  let packedAt = header.at()
  for (let k = 0; k < count; k++) {
    const [plainPlace, place, size, length] = [trailer.int64(), trailer.int64(), trailer.int32(), trailer.int32()]
    const right = place === packedAt && plainPlace === start + total && length > 0 && place + length <= trailerAt
    if (!right || size < 0 || size > MOST_TIMES * length)
      throw new Damaged('a packed block has wrong places or lengths')
    blocks.push({ packed: file.subarray(place, place + length), size })
    packedAt += length
    total += size
  }
  if (packedAt !== trailerAt) throw new Damaged('its packed blocks do not fill the file')
  unpacking.take(total)
  const whole = new Uint8Array(total)
  let at = 0
  for (const { packed, size } of blocks) {
    inflate(packed, whole.subarray(at, at + size))
    at += size
  }
  return whole
}

const CHECKSUM = 4

/** fflate does not look at the checksum that ends a block. */
function inflate(packed: Uint8Array, out: Uint8Array): void {
  const plain = unzlibSync(packed, { out })
  const checksum = packed.length < CHECKSUM ? -1 : viewOf(packed).getUint32(packed.length - CHECKSUM)
  if (plain.length !== out.length || adler32(out) !== checksum)
    throw new Damaged('a packed block does not have the checksum that it states')
}

const ADLER = 65_521

/** RFC 1950. The sums stay exact for so many bytes between two divisions. */
function adler32(bytes: Uint8Array): number {
  const step = 4096
  let [a, b] = [1, 0]
  for (let from = 0; from < bytes.length; from += step) {
    const to = Math.min(from + step, bytes.length)
    for (let at = from; at < to; at++) {
      a += bytes[at]
      b += a
    }
    a %= ADLER
    b %= ADLER
  }
  return b * 65_536 + a
}
