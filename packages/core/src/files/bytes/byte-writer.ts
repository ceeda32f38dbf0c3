import { viewOf } from './cursor.js'

/** Bytes of a file to write, little end first; room grows as needed. */
export interface ByteWriter {
  readonly length: () => number
  readonly bytes: (bytes: Uint8Array) => void
  /** Texts whose characters are all ASCII. */
  readonly ascii: (text: string) => void
  readonly fill: (byte: number, count: number) => void
  readonly uint8: (value: number) => void
  readonly uint16: (value: number) => void
  readonly int32: (value: number) => void
  readonly int64: (value: number) => void
  readonly float64: (value: number) => void
  readonly whole: () => Uint8Array
  /** Begins anew, in the same room. */
  readonly clear: () => void
}

export function byteWriter(room = 1024): ByteWriter {
  let bytes = new Uint8Array(room)
  let view = viewOf(bytes)
  let length = 0
  const take = (count: number) => {
    if (length + count > bytes.length) {
      const larger = new Uint8Array(Math.max(2 * bytes.length, length + count))
      larger.set(bytes.subarray(0, length))
      bytes = larger
      view = viewOf(bytes)
    }
    length += count
    return length - count
  }
  const put = (source: Uint8Array) => {
    const at = take(source.length)
    bytes.set(source, at)
  }
  return {
    length: () => length,
    bytes: put,
    ascii: (text) => put(Uint8Array.from(text, (character) => character.charCodeAt(0))),
    fill: (byte, count) => {
      const at = take(count)
      bytes.fill(byte, at, at + count)
    },
    uint8: (value) => {
      const at = take(1)
      view.setUint8(at, value)
    },
    uint16: (value) => {
      const at = take(2)
      view.setUint16(at, value, true)
    },
    int32: (value) => {
      const at = take(4)
      view.setInt32(at, value, true)
    },
    int64: (value) => {
      const at = take(8)
      view.setBigInt64(at, BigInt(value), true)
    },
    float64: (value) => {
      const at = take(8)
      view.setFloat64(at, value, true)
    },
    whole: () => bytes.subarray(0, length),
    clear: () => {
      length = 0
    },
  }
}
