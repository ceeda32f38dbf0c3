import { Damaged } from './damage.js'

/** Reads a binary file from front to back, never beyond its end. */
export interface Cursor {
  /** Where the next byte is. */
  readonly at: () => number
  readonly left: () => number
  readonly skip: (count: number) => void
  readonly bytes: (count: number) => Uint8Array
  readonly ascii: (count: number) => string
  /** As `ascii`, without going on. */
  readonly peek: (count: number) => string
  readonly uint8: () => number
  readonly uint16: () => number
  readonly int32: () => number
  readonly uint32: () => number
  /** A whole number of 8 bytes; one beyond 2^53 is no count or place in a file. */
  readonly int64: () => number
  readonly float64: () => number
}

export function cursor(bytes: Uint8Array, start: number, littleEndian: boolean): Cursor {
  const view = viewOf(bytes)
  let next = start
  const take = (count: number) => {
    if (count < 0 || count > bytes.length - next) throw new Damaged('the file is cut short, or a length in it is wrong')
    const from = next
    next += count
    return from
  }
  const taken = (count: number) => {
    const from = take(count)
    return bytes.subarray(from, from + count)
  }
  return {
    at: () => next,
    left: () => bytes.length - next,
    skip: take,
    bytes: taken,
    ascii: (count) => asciiOf(taken(count)),
    peek: (count) => asciiOf(bytes.subarray(next, next + count)),
    uint8: () => view.getUint8(take(1)),
    uint16: () => view.getUint16(take(2), littleEndian),
    int32: () => view.getInt32(take(4), littleEndian),
    uint32: () => view.getUint32(take(4), littleEndian),
    int64: () => {
      const value = Number(view.getBigInt64(take(8), littleEndian))
      if (!Number.isSafeInteger(value)) throw new Damaged('a count in it is too large')
      return value
    },
    float64: () => view.getFloat64(take(8), littleEndian),
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

const PIECE = 8192

/** Each byte as the character of that number: exact for ASCII, and a key for any other bytes. */
export function asciiOf(bytes: Uint8Array): string {
  if (bytes.length <= PIECE) return String.fromCharCode(...bytes)
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return text
}
