import { cursor, viewOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'

/** The numbers and bytes of an R stream, however they are written. Sizes are checked before anything is made of them. */
export interface Source {
  integer(): number
  integers(length: number): Int32Array
  doubles(length: number): Float64Array
  bytes(length: number): Uint8Array
  /** Bytes of raw vectors, which text streams write in their own way. */
  raw(length: number): Uint8Array
  /** Throws unless so many items, each of at least one number, can still be there. */
  need(items: number): void
  /** Whether all has been read. */
  done(): boolean
}

/** NA of integers and logicals. */
export const NA_INTEGER = -(2 ** 31)
const CUT_SHORT = 'it is cut short, or a length in it is wrong'

/** Streams in binary: `X` is big-endian, `B` as the machine had it. */
export function binarySource(stream: Uint8Array, littleEndian: boolean): Source {
  const at = cursor(stream, 0, littleEndian)
  return {
    integer: at.int32,
    integers(length) {
      const view = viewOf(at.bytes(4 * length))
      const values = new Int32Array(length)
      for (let k = 0; k < length; k++) values[k] = view.getInt32(4 * k, littleEndian)
      return values
    },
    doubles(length) {
      const view = viewOf(at.bytes(8 * length))
      const words = new Uint32Array(2 * length)
      // As words, since an engine may change the bits of a NaN, which tell NA and its kinds.
      for (let k = 0; k < length; k++) {
        words[2 * k] = view.getUint32(8 * k + (littleEndian ? 0 : 4), littleEndian)
        words[2 * k + 1] = view.getUint32(8 * k + (littleEndian ? 4 : 0), littleEndian)
      }
      return new Float64Array(words.buffer)
    },
    bytes: at.bytes,
    raw: at.bytes,
    need: (items) => checkRoom(items, 4, at.left()),
    done: () => at.left() === 0,
  }
}

function checkRoom(items: number, size: number, left: number): void {
  if (!(items >= 0 && size * items <= left)) throw new Damaged(CUT_SHORT)
}

const [NEWLINE, BLANK, BACKSLASH] = [10, 32, 92]
const ESCAPES = new Map(Object.entries({ n: 10, t: 9, v: 11, b: 8, r: 13, f: 12, a: 7 }))

/** Streams in text: a number or a text per line, texts with escapes, as in C. */
export function asciiSource(stream: Uint8Array): Source {
  let at = 0
  const skip = () => {
    while (at < stream.length && stream[at] <= BLANK) at++
  }
  const word = () => {
    skip()
    const from = at
    while (at < stream.length && stream[at] > BLANK) at++
    if (at === from) throw new Damaged(CUT_SHORT)
    return String.fromCharCode(...stream.subarray(from, Math.min(at, from + LONGEST_WORD)))
  }
  const integer = () => {
    const text = word()
    if (text === 'NA') return NA_INTEGER
    const value = Number(text)
    if (!Number.isInteger(value) || Math.abs(value) > 2 ** 31) throw new Damaged('a value in it is not a number')
    return value
  }
  const need = (items: number) => checkRoom(items, 1, stream.length - at)
  const byte = () => {
    if (at >= stream.length) throw new Damaged(CUT_SHORT)
    return stream[at++]
  }
  const escaped = () => {
    const first = byte()
    if (first !== BACKSLASH) return first
    const letter = String.fromCharCode(byte())
    if (!/[0-7]/.test(letter)) return ESCAPES.get(letter) ?? letter.charCodeAt(0)
    let digits = letter
    while (digits.length < 3 && /[0-7]/.test(String.fromCharCode(stream[at] ?? NEWLINE)))
      digits += String.fromCharCode(byte())
    return Number.parseInt(digits, 8) & 0xff
  }
  return {
    integer,
    integers(length) {
      need(length)
      return Int32Array.from({ length }, integer)
    },
    doubles(length) {
      need(length)
      const values = new Float64Array(length)
      for (let k = 0; k < length; k++) values[k] = asciiDouble(word())
      return values
    },
    bytes(length) {
      need(length)
      skip()
      return Uint8Array.from({ length }, escaped)
    },
    raw(length) {
      need(length)
      return Uint8Array.from({ length }, () => Number.parseInt(word(), 16))
    },
    need,
    done: () => {
      skip()
      return at === stream.length
    },
  }
}

const LONGEST_WORD = 64
const HEXADECIMAL = /^([+-]?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?\d+)$/i

/** Decimal, or hexadecimal as `saveRDS(ascii = NA)` writes to keep every bit. */
function asciiDouble(text: string): number {
  if (text === 'NA' || text === 'NaN') return Number.NaN
  if (text === 'Inf') return Number.POSITIVE_INFINITY
  if (text === '-Inf') return Number.NEGATIVE_INFINITY
  const parts = HEXADECIMAL.exec(text)
  const value = parts === null ? Number(text) : hexadecimal(parts[1], parts[2], parts[3] ?? '', Number(parts[4]))
  if (Number.isNaN(value)) throw new Damaged('a value in it is not a number')
  return value
}

function hexadecimal(sign: string, whole: string, fraction: string, exponent: number): number {
  const digits = Number.parseInt(whole + fraction, 16)
  // In two steps: 2^-1074 alone would be lost before it is multiplied.
  const half = Math.trunc((exponent - 4 * fraction.length) / 2)
  return (sign === '-' ? -1 : 1) * digits * 2 ** half * 2 ** (exponent - 4 * fraction.length - half)
}
