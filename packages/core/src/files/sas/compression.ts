import { Damaged } from '../bytes/damage.js'

/** Rows of SAS files are packed one by one, each to the same length. */
export type Unpacker = (packed: Uint8Array, row: Uint8Array) => void

const [AT_SIGN, BLANK, ZERO] = [0x40, 0x20, 0]

/**
 * COMPRESS=CHAR, "SASYZCRL": runs. The upper half of a byte says what to do, the lower how often; some take a further byte of
 * the count, and a repeated byte that is none of `@`, blank and zero follows.
 */
export const unpackRuns: Unpacker = (packed, row) => {
  let [from, to] = [0, 0]
  const next = () => {
    if (from >= packed.length) throw new Damaged('a packed row is cut short')
    return packed[from++]
  }
  const room = (length: number) => {
    if (to + length > row.length) throw new Damaged('a packed row is too long')
  }
  const copy = (length: number) => {
    room(length)
    if (from + length > packed.length) throw new Damaged('a packed row is cut short')
    row.set(packed.subarray(from, from + length), to)
    from += length
    to += length
  }
  const repeat = (byte: number, length: number) => {
    room(length)
    row.fill(byte, to, to + length)
    to += length
  }
  while (from < packed.length) {
    const control = next()
    const low = control & 0x0f
    const long = (least: number) => low * 256 + next() + least
    switch (control >> 4) {
      case 0x0:
        copy(long(64))
        break
      case 0x1:
        copy(long(64 + 4096))
        break
      case 0x2:
        copy(low + 96)
        break
      case 0x4: {
        const length = long(18)
        repeat(next(), length)
        break
      }
      case 0x5:
        repeat(AT_SIGN, long(17))
        break
      case 0x6:
        repeat(BLANK, long(17))
        break
      case 0x7:
        repeat(ZERO, long(17))
        break
      case 0x8:
      case 0x9:
      case 0xa:
      case 0xb:
        copy(16 * ((control >> 4) - 8) + low + 1)
        break
      case 0xc:
        repeat(next(), low + 3)
        break
      case 0xd:
        repeat(AT_SIGN, low + 2)
        break
      case 0xe:
        repeat(BLANK, low + 2)
        break
      case 0xf:
        repeat(ZERO, low + 2)
        break
      default:
        throw new Damaged('a packed row says nothing that is known')
    }
  }
  if (to !== row.length) throw new Damaged('a packed row is too short')
}

/**
 * COMPRESS=BINARY, "SASYZCR2": Ross Data Compression (E. Ross, "A simple data-compression technique", The C Users Journal 10,
 * 1992). Sixteen bits say of each item that follows whether it is a byte, or a run or a repetition of what came before.
 */
export const unpackRoss: Unpacker = (packed, row) => {
  let [from, to, bits, left] = [0, 0, 0, 0]
  const next = () => {
    if (from >= packed.length) throw new Damaged('a packed row is cut short')
    return packed[from++]
  }
  const repeat = (byte: number, length: number) => {
    if (to + length > row.length) throw new Damaged('a packed row is too long')
    row.fill(byte, to, to + length)
    to += length
  }
  const copyBack = (distance: number, length: number) => {
    if (to + length > row.length) throw new Damaged('a packed row is too long')
    if (distance > to) throw new Damaged('a packed row reaches back too far')
    for (let k = 0; k < length; k++, to++) row[to] = row[to - distance]
  }
  while (from < packed.length) {
    if (left === 0) {
      bits = (next() << 8) | next()
      left = 16
      if (from >= packed.length) break
    }
    left--
    if (((bits >> left) & 1) === 0) {
      repeat(next(), 1)
      continue
    }
    const control = next()
    const [command, low] = [control >> 4, control & 0x0f]
    if (command === 0) repeat(next(), low + 3)
    else if (command === 1) {
      const length = low + 16 * next() + 19
      repeat(next(), length)
    } else {
      const distance = low + 3 + 16 * next()
      copyBack(distance, command === 2 ? next() + 16 : command)
    }
  }
  if (to !== row.length) throw new Damaged('a packed row is too short')
}
