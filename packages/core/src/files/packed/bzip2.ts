import { UserError } from '../../errors.js'
import { Damaged } from '../bytes/damage.js'
import { mostUnpacked, type Unpacked, unpackedBytes, unpacksToTooMuch } from './limit.js'

/**
 * bzip2 (Seward, bzip2 1.0.8 manual; format as written down in J. Tsai, "BZIP2: Format Specification", 2016): blocks of up to
 * 900,000 bytes, each run-length coded, sorted (Burrows and Wheeler, 1994), moved to front and Huffman coded. Every block and
 * every stream has a CRC-32, and all are checked. Blocks of the "randomised" kind (bzip2 0.9.0 and older) are refused.
 */
export function bunzip2(name: string, bytes: Uint8Array, maxSize?: number): Uint8Array {
  const most = mostUnpacked(bytes.length, maxSize)
  const output = unpackedBytes(4 * bytes.length, most, () => unpacksToTooMuch(name, most))
  const bits = bitReader(bytes)
  try {
    do readStream(bits, output)
    while (isBzip2(bytes.subarray(bits.nextByte())))
    if (bits.nextByte() < bytes.length) throw new Damaged('there are other bytes after its end')
  } catch (error) {
    if (error instanceof Damaged) throw new UserError(`${name}: the bzip2 file is damaged (${error.message})`)
    throw error
  }
  return output.bytes.subarray(0, output.length)
}

const MAGIC = [0x42, 0x5a, 0x68] // BZh
const BLOCK = [0x314159, 0x265359]
const END = [0x177245, 0x385090]
const SIZE_STEP = 100_000
/** Symbols are coded in groups of so many, each with the table that its selector names. */
const GROUP = 50
const LONGEST_CODE = 20
const [RUN_A, RUN_B] = [0, 1]

export function isBzip2(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte) && bytes[3] >= 0x31 && bytes[3] <= 0x39
}

interface Bits {
  /** The next `count` bits, at most 24, the first the most significant. */
  read(count: number): number
  /** Steps to the beginning of a byte and tells which. */
  nextByte(): number
}

function bitReader(bytes: Uint8Array): Bits {
  let at = 0
  let held = 0
  let heldBits = 0
  return {
    read(count) {
      while (heldBits < count) {
        if (at >= bytes.length) throw new Damaged('it is cut short')
        held = ((held << 8) | bytes[at++]) & 0x7fffffff
        heldBits += 8
      }
      heldBits -= count
      return (held >>> heldBits) & ((1 << count) - 1)
    },
    nextByte() {
      at -= heldBits >> 3
      held = 0
      heldBits = 0
      return at
    },
  }
}

function readStream(bits: Bits, output: Unpacked): void {
  const header = MAGIC.map(() => bits.read(8))
  const level = bits.read(8) - 0x30
  if (header.some((byte, k) => byte !== MAGIC[k]) || level < 1 || level > 9) throw new Damaged('its head is not one')
  const block = new Int32Array(level * SIZE_STEP)
  let total = 0
  for (;;) {
    const mark = [bits.read(24), bits.read(24)]
    const crc = readWord(bits)
    if (mark[0] === END[0] && mark[1] === END[1]) {
      if (crc !== total) throw new Damaged('its checksum does not match')
      return
    }
    if (mark[0] !== BLOCK[0] || mark[1] !== BLOCK[1]) throw new Damaged('a block does not begin as one')
    if (readBlock(bits, block, output) !== crc) throw new Damaged('the checksum of a block does not match')
    total = ((total << 1) | (total >>> 31)) ^ crc
  }
}

function readWord(bits: Bits): number {
  const high = bits.read(16)
  return (high << 16) | bits.read(16)
}

/** One block; gives the CRC-32 of what it unpacked. */
function readBlock(bits: Bits, block: Int32Array, output: Unpacked): number {
  if (bits.read(1) === 1) throw new Damaged('it is of a kind that no program has written since 1999')
  const first = bits.read(24)
  const length = readSorted(bits, block)
  if (first >= length) throw new Damaged('a block points outside of itself')
  return unsort(block, length, first, output)
}

/** The bytes of a block in the order of the Burrows-Wheeler transform, into the low 8 bits of `block`; gives how many. */
function readSorted(bits: Bits, block: Int32Array): number {
  const symbols = readUsedBytes(bits)
  const { tables, selectors } = readTables(bits, symbols.length + 2)
  const end = symbols.length + 1
  let [length, run, runStep, group, left] = [0, 0, 1, 0, 0]
  let table = tables[0]
  for (;;) {
    if (left-- === 0) {
      if (group >= selectors.length) throw new Damaged('a block has too few selectors')
      table = tables[selectors[group++]]
      left = GROUP - 1
    }
    const symbol = readSymbol(bits, table)
    if (symbol === RUN_A || symbol === RUN_B) {
      run += symbol === RUN_A ? runStep : 2 * runStep
      runStep *= 2
      if (run > block.length) throw new Damaged('a block is too long')
      continue
    }
    if (run > 0) {
      if (length + run > block.length) throw new Damaged('a block is too long')
      block.fill(symbols[0], length, length + run)
      length += run
      run = 0
      runStep = 1
    }
    if (symbol === end) return length
    if (length >= block.length) throw new Damaged('a block is too long')
    const place = symbol - 1
    const byte = symbols[place]
    symbols.copyWithin(1, 0, place)
    symbols[0] = byte
    block[length++] = byte
  }
}

function readUsedBytes(bits: Bits): Uint8Array {
  const ranges = bits.read(16)
  const used: number[] = []
  for (let range = 0; range < 16; range++) {
    if ((ranges & (0x8000 >> range)) === 0) continue
    const inRange = bits.read(16)
    for (let low = 0; low < 16; low++) if ((inRange & (0x8000 >> low)) !== 0) used.push(range * 16 + low)
  }
  if (used.length === 0) throw new Damaged('a block uses no byte')
  return Uint8Array.from(used)
}

/** Canonical Huffman code: codes of a length are consecutive; `limit` is the last of each length, `offset` leads to `symbols`. */
interface HuffmanTable {
  readonly limit: Int32Array
  readonly offset: Int32Array
  readonly symbols: Uint16Array
}

function readTables(bits: Bits, alphabet: number): { tables: HuffmanTable[]; selectors: Uint8Array } {
  const count = bits.read(3)
  const selectorCount = bits.read(15)
  if (count < 2 || count > 6 || selectorCount === 0) throw new Damaged('a block has no tables')
  const recent = Array.from({ length: count }, (_, k) => k)
  const selectors = new Uint8Array(selectorCount)
  for (let k = 0; k < selectorCount; k++) {
    let place = 0
    while (bits.read(1) === 1) if (++place >= count) throw new Damaged('a selector names no table')
    recent.unshift(...recent.splice(place, 1))
    selectors[k] = recent[0]
  }
  return { tables: Array.from({ length: count }, () => huffmanTable(readLengths(bits, alphabet))), selectors }
}

function readLengths(bits: Bits, alphabet: number): Uint8Array {
  const lengths = new Uint8Array(alphabet)
  let length = bits.read(5)
  for (let symbol = 0; symbol < alphabet; symbol++) {
    for (;;) {
      if (length < 1 || length > LONGEST_CODE) throw new Damaged('a code is too long')
      if (bits.read(1) === 0) break
      length += bits.read(1) === 0 ? 1 : -1
    }
    lengths[symbol] = length
  }
  return lengths
}

function huffmanTable(lengths: Uint8Array): HuffmanTable {
  const limit = new Int32Array(LONGEST_CODE + 1).fill(-1)
  const offset = new Int32Array(LONGEST_CODE + 1)
  const symbols = new Uint16Array(lengths.length)
  let [code, at] = [0, 0]
  for (let length = 1; length <= LONGEST_CODE; length++) {
    offset[length] = at - code
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue
      symbols[at++] = symbol
      limit[length] = code++
    }
    code *= 2
  }
  return { limit, offset, symbols }
}

function readSymbol(bits: Bits, { limit, offset, symbols }: HuffmanTable): number {
  let code = 0
  for (let length = 1; length <= LONGEST_CODE; length++) {
    code = (code << 1) | bits.read(1)
    if (code <= limit[length]) {
      const at = code + offset[length]
      if (at < 0 || at >= symbols.length) break
      return symbols[at]
    }
  }
  throw new Damaged('a code means nothing')
}

/**
 * Undoes the sorting, then the run lengths: after four equal bytes the next says how many more there are. The upper 24 bits of
 * `block` take the place from which each byte's follower comes.
 */
function unsort(block: Int32Array, length: number, first: number, output: Unpacked): number {
  const starts = new Int32Array(256)
  for (let k = 0; k < length; k++) starts[block[k]]++
  for (let byte = 0, sum = 0; byte < 256; byte++) {
    const count = starts[byte]
    starts[byte] = sum
    sum += count
  }
  for (let k = 0; k < length; k++) block[starts[block[k] & 0xff]++] |= k << 8
  let [crc, previous, repeats] = [-1, -1, 0]
  let at = block[first] >>> 8
  for (let k = 0; k < length; k++) {
    const byte = block[at] & 0xff
    at = block[at] >>> 8
    let [value, times] = [byte, 1]
    if (repeats === 4) {
      ;[value, times, previous, repeats] = [previous, byte, -1, 0]
    } else {
      repeats = byte === previous ? repeats + 1 : 1
      previous = byte
    }
    output.reserve(times)
    for (let time = 0; time < times; time++) {
      output.bytes[output.length++] = value
      crc = (crc << 8) ^ CRC_TABLE[(crc >>> 24) ^ value]
    }
  }
  return ~crc
}

/** CRC-32 with the most significant bit first, unlike that of gzip. */
const CRC_POLYNOMIAL = 0x04c11db7
const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ CRC_POLYNOMIAL : value << 1
  return value
})
