import { decodeText, type Encoding } from './bytes/encoding.js'
import { BARE, type CellStyle, ESCAPED } from './records.js'

/**
 * The cells of one column as codes of its distinct cells. A distinct cell is where it was first seen in the file, so
 * that reading makes no text per cell and types are inferred on distinct values only. The simple version is a
 * `Map<string, number>` over all cells; on a million rows it takes 1.7 times the time and twice the memory.
 */
export interface DistinctCells {
  add(start: number, end: number, style: CellStyle): void
  /** Of each row the index into `texts`. */
  codes(): Int32Array
  /** The distinct texts in order of appearance; a text seen both bare and quoted is there twice. */
  texts(encoding: Encoding): string[]
  /** Whether the distinct cell `code` was quoted. */
  quoted(code: number): boolean
}

const FNV_OFFSET = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193
/** Odd multiplier that spreads the high bits; without it neighbouring integers crowd the table. */
const GOLDEN = 0x9e3779b1 | 0
const SEPARATOR = 0
const BATCH = 1 << 22

/** `bytes` holds no NUL byte. */
export function distinctCells(bytes: Uint8Array): DistinctCells {
  let codes = new Int32Array(32)
  let rows = 0
  let starts = new Uint32Array(8)
  let ends = new Uint32Array(8)
  let hashes = new Int32Array(8)
  let styles = new Uint8Array(8)
  let size = 0
  /** Open addressing: 0 is free, otherwise a code plus one. At most half full. */
  let slots = new Int32Array(16)

  function add(start: number, end: number, style: CellStyle): void {
    if (rows === codes.length) codes = grown(codes, new Int32Array(rows * 2))
    codes[rows++] = codeOf(start, end, style)
  }

  function codeOf(start: number, end: number, style: CellStyle): number {
    const hash = hashOf(bytes, start, end) ^ style
    let slot = hash & (slots.length - 1)
    while (slots[slot] !== 0) {
      const code = slots[slot] - 1
      if (hashes[code] === hash && styles[code] === style && equal(code, start, end)) return code
      slot = (slot + 1) & (slots.length - 1)
    }
    slots[slot] = size + 1
    return insert(start, end, style, hash)
  }

  function equal(code: number, start: number, end: number): boolean {
    const other = starts[code]
    const length = end - start
    if (ends[code] - other !== length) return false
    for (let k = 0; k < length; k++) if (bytes[other + k] !== bytes[start + k]) return false
    return true
  }

  function insert(start: number, end: number, style: CellStyle, hash: number): number {
    if (size === starts.length) growEntries()
    starts[size] = start
    ends[size] = end
    hashes[size] = hash
    styles[size] = style
    size++
    if (size * 2 > slots.length) growSlots()
    return size - 1
  }

  function growEntries(): void {
    starts = grown(starts, new Uint32Array(size * 2))
    ends = grown(ends, new Uint32Array(size * 2))
    hashes = grown(hashes, new Int32Array(size * 2))
    styles = grown(styles, new Uint8Array(size * 2))
  }

  function growSlots(): void {
    slots = new Int32Array(slots.length * 2)
    for (let code = 0; code < size; code++) {
      let slot = hashes[code] & (slots.length - 1)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = code + 1
    }
  }

  /** Decoded many at once, NUL between them: a decoder call per cell would cost more than the rest of the reading. */
  function texts(encoding: Encoding): string[] {
    const all: string[] = []
    for (let first = 0; first < size; ) {
      let last = first
      let length = 0
      while (last < size && (last === first || length < BATCH)) length += ends[last] - starts[last++] + 1
      for (const text of decodeBatch(first, last, length, encoding)) all.push(unescaped(text, styles[all.length]))
      first = last
    }
    return all
  }

  function decodeBatch(first: number, last: number, length: number, encoding: Encoding): string[] {
    const batch = new Uint8Array(length)
    let at = 0
    for (let code = first; code < last; code++) {
      for (let from = starts[code]; from < ends[code]; from++) batch[at++] = bytes[from]
      batch[at++] = SEPARATOR
    }
    return decodeText(batch.subarray(0, length - 1), encoding).split('\0')
  }

  return { add, codes: () => codes.slice(0, rows), texts, quoted: (code) => styles[code] !== BARE }
}

function unescaped(text: string, style: number): string {
  return style === ESCAPED ? text.replaceAll('""', '"') : text
}

/** Of `bytes[start, end)`, spread over 32 bits. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], FNV_PRIME)
  hash = Math.imul(hash ^ (hash >>> 16), GOLDEN)
  return hash ^ (hash >>> 15)
}

function grown<A extends { set(from: A): void }>(from: A, into: A): A {
  into.set(from)
  return into
}
