import { sharedInt32 } from './shared-arrays.js'

/**
 * Exact grouping of rows by several integer-coded columns: no joined strings, no collisions, memory linear in the rows.
 * Codes run from 0 to cardinality - 1; -1 is missing and counts as one more code. Ids are dense and numbered by first
 * appearance, so the result depends on the row order only through the names of the groups.
 */
export interface CodedColumn {
  readonly codes: Int32Array
  readonly cardinality: number
}

export interface Groups {
  readonly ids: Int32Array
  readonly count: number
}

/** A table addressed directly may be this many times longer than the rows before hashing is cheaper. */
const DIRECT_ADDRESS_FACTOR = 4
const SMALLEST_DIRECT_TABLE = 65_536
/** A word of mixed-radix digits stays below this. */
const LARGEST_WORD = 2 ** 31

/** Hot: the codes of a row are packed into as few words as hold them, and the words are hashed. */
export function groupRows(columns: readonly CodedColumn[], rows: number): Groups {
  const words = wordsOf(columns, rows)
  return isShort(words, rows) ? densify(words[0].codes, words[0].bound) : hashed(words)
}

/** The same with ids that are neither dense nor in any order, below `count`: for whoever only counts, half the work. */
export function groupLoosely(columns: readonly CodedColumn[], rows: number): Groups {
  const words = wordsOf(columns, rows)
  return isShort(words, rows) ? { ids: words[0].codes, count: words[0].bound } : hashed(words)
}

/** Whether a table of all that the words can be may be addressed directly. */
function isShort([{ bound }, ...others]: readonly Word[], rows: number): boolean {
  return others.length === 0 && bound <= Math.max(DIRECT_ADDRESS_FACTOR * rows, SMALLEST_DIRECT_TABLE)
}

function hashed([first, ...others]: readonly Word[]): Groups {
  if (others.length === 0) return groupPairs(first.codes, null)
  return others.reduce<Groups>((groups, { codes }) => groupPairs(groups.ids, codes), { ids: first.codes, count: 0 })
}

interface Word {
  readonly codes: Int32Array
  readonly bound: number
}

/** At least one. Rows have equal words exactly where they have equal codes. */
function wordsOf(columns: readonly CodedColumn[], rows: number): Word[] {
  const words: Word[] = []
  let codes = new Int32Array(rows)
  let bound = 1
  for (const column of columns) {
    const width = column.cardinality + 1
    if (bound * width > LARGEST_WORD) {
      words.push({ codes, bound })
      codes = new Int32Array(rows)
      bound = 1
    }
    addDigit(codes, column.codes, width)
    bound *= width
  }
  return [...words, { codes, bound }]
}

/** Hot: one mixed-radix digit more per row. */
function addDigit(word: Int32Array, codes: Int32Array, width: number): void {
  for (let row = 0; row < word.length; row++) word[row] = Math.imul(word[row], width) + codes[row] + 1
}

/** Renumbers ids below `bound` densely, by first appearance. */
function densify(ids: Int32Array, bound: number): Groups {
  const dense = sharedInt32(ids.length)
  const numberOf = new Int32Array(bound)
  let count = 0
  for (let row = 0; row < ids.length; row++) {
    let id = numberOf[ids[row]]
    if (id === 0) {
      id = ++count
      numberOf[ids[row]] = id
    }
    dense[row] = id - 1
  }
  return { ids: dense, count }
}

/**
 * Dense ids of the pairs (left, right), or of the left ones alone, by first appearance. Open addressing: a slot holds both
 * words and the id, so that one look at the memory decides; the pair itself is compared, never only its hash.
 */
function groupPairs(left: Int32Array, right: Int32Array | null): Groups {
  const ids = sharedInt32(left.length)
  let slots = new Int32Array(SLOT * 4096)
  let mask = slots.length / SLOT - 1
  let count = 0
  for (let row = 0; row < left.length; row++) {
    const a = left[row]
    const b = right === null ? 0 : right[row]
    let at = SLOT * (mix(a, b) & mask)
    while (slots[at] !== 0 && (slots[at + 1] !== a || slots[at + 2] !== b)) at = (at + SLOT) & (slots.length - 1)
    if (slots[at] === 0) {
      slots[at] = ++count
      slots[at + 1] = a
      slots[at + 2] = b
      if (2 * count > mask) {
        slots = twiceAsLong(slots)
        mask = slots.length / SLOT - 1
      }
      ids[row] = count - 1
    } else ids[row] = slots[at] - 1
  }
  return { ids, count }
}

/** Id from 1 on, two words, and nothing, so that a slot lies in one line of the cache. */
const SLOT = 4

function twiceAsLong(slots: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * slots.length)
  const mask = longer.length / SLOT - 1
  for (let from = 0; from < slots.length; from += SLOT) {
    if (slots[from] === 0) continue
    let at = SLOT * (mix(slots[from + 1], slots[from + 2]) & mask)
    while (longer[at] !== 0) at = (at + SLOT) & (longer.length - 1)
    longer[at] = slots[from]
    longer[at + 1] = slots[from + 1]
    longer[at + 2] = slots[from + 2]
  }
  return longer
}

function mix(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}

/** How many rows have each id; rows with a negative id are left out. */
export function countIds(ids: Int32Array, count: number): Int32Array {
  const counts = new Int32Array(count)
  for (let row = 0; row < ids.length; row++) if (ids[row] >= 0) counts[ids[row]]++
  return counts
}

/** The rows sorted by id, stable: rows of group g are `rows[start[g]] .. rows[start[g + 1] - 1]`. */
export interface RowsByGroup {
  readonly rows: Int32Array
  readonly start: Int32Array
}

export function rowsByGroup(ids: Int32Array, count: number): RowsByGroup {
  const start = new Int32Array(count + 1)
  for (let row = 0; row < ids.length; row++) if (ids[row] >= 0) start[ids[row] + 1]++
  for (let group = 0; group < count; group++) start[group + 1] += start[group]
  const next = start.slice(0, count)
  const rows = new Int32Array(start[count])
  for (let row = 0; row < ids.length; row++) if (ids[row] >= 0) rows[next[ids[row]]++] = row
  return { rows, start }
}
