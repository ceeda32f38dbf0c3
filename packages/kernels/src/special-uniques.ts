import type { CodedColumn } from './group.js'

/**
 * All minimal sample uniques of a file: the sets S of columns on which a row is the only one with its values, while it
 * is not on any proper subset of S (Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008). Exact.
 *
 * Depth-first refinement of partitions. Columns get positions 0 .. p - 1, and a node S is extended only by positions
 * below its lowest, so every set is met once and after all of its subsets: a row that becomes alone on S is unique there,
 * and S is minimal unless a set found before for that row lies within S. Rows are sorted by position 0, 1, ..., hence in
 * every cell those that agree on all positions still to come stand side by side: they can never be told apart below that
 * node, and one of them, marked as not unique, stands for all. A cell with nobody left who could become unique is dropped.
 *
 * Missing (-1) is one more value (`category`), agrees with nothing (`noMatch`), or agrees with everything (`wildcard`);
 * in the last two a row's own value must be there for a column to be in one of its sets.
 */
export interface SpecialUniquesSearch {
  readonly columns: readonly CodedColumn[]
  readonly rows: number
  /** The largest set looked for. */
  readonly maxSize: number
  readonly missing: 'category' | 'noMatch' | 'wildcard'
  /** Called with the number of column sets searched so far, before each; false ends the search. */
  readonly proceed?: (nodes: number) => boolean
}

export interface SpecialUniques {
  /** The row of each set found. */
  readonly rows: Int32Array
  /** The set: bit c stands for column c. */
  readonly masks: Int32Array
  /** Column sets searched; those that cannot hold a minimal unique were passed over. */
  readonly nodes: number
  /** False when `proceed` ended the search: some sets of any size may then be lacking. */
  readonly finished: boolean
}

export const MOST_COLUMNS = 31

export function specialUniques(search: SpecialUniquesSearch): SpecialUniques {
  const { columns, rows } = search
  if (columns.length > MOST_COLUMNS) throw new RangeError(`at most ${MOST_COLUMNS} columns`)
  const keys = sortedKeys(columns, rows)
  const found = foundSets(keys.count)
  const descent: Descent = {
    keys,
    found,
    missing: search.missing,
    maxSize: Math.min(search.maxSize, columns.length),
    proceed: search.proceed ?? (() => true),
    lists: [rootList(keys)],
    cells: cellScratch(keys, search.missing),
    nodes: 0,
  }
  const finished = keys.count === 1 ? aloneInTheFile(descent) : descend(descent, 0, 0, 0, columns.length)
  return { ...listFound(found, keys.firstRow), nodes: descent.nodes, finished }
}

/** The distinct keys of a file in lexicographic order of the positions. */
interface SortedKeys {
  readonly count: number
  /** One row that has the key. */
  readonly firstRow: Int32Array
  /** 1 where only one row has the key. */
  readonly single: Uint8Array
  /** By position: the code of each key, 0 for missing. */
  readonly codes: readonly Int32Array[]
  readonly widths: readonly number[]
  /** By position v: keys with equal numbers agree on positions 0 .. v - 1; non-decreasing. */
  readonly prefix: readonly Int32Array[]
  /** By position: the bit of its column. */
  readonly bits: readonly number[]
}

function sortedKeys(columns: readonly CodedColumn[], rows: number): SortedKeys {
  const order = columns.map((_, c) => c).sort((a, b) => columns[a].cardinality - columns[b].cardinality || a - b)
  const digits = digitsOf(
    order.map((c) => columns[c]),
    rows,
  )
  const sorted = digits.reduceRight(stableSort, allRows(rows))
  const firstRow = new Int32Array(rows)
  const single = new Uint8Array(rows)
  let count = 0
  for (let k = 0; k < rows; k++) {
    if (k > 0 && digits.every(({ codes }) => codes[sorted[k]] === codes[sorted[k - 1]])) single[count - 1] = 0
    else {
      firstRow[count] = sorted[k]
      single[count++] = 1
    }
  }
  const kept = firstRow.slice(0, count)
  const codes = order.map((c) => codesAt(columns[c], kept))
  const differs = firstDifference(codes, count)
  return {
    count,
    firstRow: kept,
    single: single.slice(0, count),
    codes,
    widths: order.map((c) => columns[c].cardinality + 1),
    prefix: order.map((_, v) => prefixNumbers(differs, v)),
    bits: order.map((c) => 1 << c),
  }
}

/** Codes from 0 on, missing included. */
interface Digit {
  readonly codes: Int32Array
  readonly width: number
}

/** A digit may have so many values whatever the number of rows. */
const SMALLEST_DIGIT = 2 ** 16

/** Neighbouring positions as one number each, as many together as there are counters for: sorting then takes one pass, or few. */
function digitsOf(columns: readonly CodedColumn[], rows: number): readonly Digit[] {
  const most = Math.max(SMALLEST_DIGIT, 2 * rows)
  const digits: Digit[] = []
  for (const { codes, cardinality } of columns) {
    const width = cardinality + 1
    const last = digits.at(-1)
    if (last !== undefined && last.width * width <= most) {
      for (let row = 0; row < rows; row++) last.codes[row] = last.codes[row] * width + codes[row] + 1
      digits[digits.length - 1] = { codes: last.codes, width: last.width * width }
    } else {
      const digit = new Int32Array(rows)
      for (let row = 0; row < rows; row++) digit[row] = codes[row] + 1
      digits.push({ codes: digit, width })
    }
  }
  return digits
}

function allRows(rows: number): Int32Array<ArrayBuffer> {
  const all = new Int32Array(rows)
  for (let row = 0; row < rows; row++) all[row] = row
  return all
}

function stableSort(rows: Int32Array, { codes, width }: Digit): Int32Array<ArrayBuffer> {
  const next = new Int32Array(width + 1)
  for (let k = 0; k < rows.length; k++) next[codes[rows[k]] + 1]++
  for (let code = 1; code < next.length; code++) next[code] += next[code - 1]
  const sorted = new Int32Array(rows.length)
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k]
    sorted[next[codes[row]]++] = row
  }
  return sorted
}

/** From 1 on, 0 for missing. */
function codesAt({ codes }: CodedColumn, rows: Int32Array): Int32Array {
  const taken = new Int32Array(rows.length)
  for (let k = 0; k < rows.length; k++) taken[k] = codes[rows[k]] + 1
  return taken
}

/** For each key: the first position where it differs from the key before. */
function firstDifference(codes: readonly Int32Array[], keys: number): Uint8Array {
  const differs = new Uint8Array(keys).fill(codes.length)
  for (let v = codes.length - 1; v >= 0; v--) {
    const column = codes[v]
    for (let key = 1; key < keys; key++) if (column[key] !== column[key - 1]) differs[key] = v
  }
  return differs
}

function prefixNumbers(differs: Uint8Array, v: number): Int32Array {
  const numbers = new Int32Array(differs.length)
  for (let key = 1; key < differs.length; key++) numbers[key] = numbers[key - 1] + (differs[key] < v ? 1 : 0)
  return numbers
}

/**
 * The sets found so far. Every new one is held against those of its key, so these lie side by side with their number in
 * front, in a block of 4, 8, 16, ... words of the pool: looking through them is one step in memory.
 */
interface FoundSets {
  total: number
  pool: Int32Array
  used: number
  /** By key: where its block is, 0 for none. */
  readonly block: Int32Array
}

const FIRST_BLOCK = 4

function foundSets(keyCount: number): FoundSets {
  return { total: 0, pool: new Int32Array(1024), used: FIRST_BLOCK, block: new Int32Array(keyCount) }
}

/** Hot. Notes that `key` is unique on `mask`, unless it was so on a subset. */
function note(sets: FoundSets, key: number, mask: number): void {
  const { pool, block } = sets
  const at = block[key]
  const count = at === 0 ? 0 : pool[at]
  for (let set = at + 1; set <= at + count; set++) if ((pool[set] & ~mask) === 0) return
  if (at === 0) openBlock(sets, key, FIRST_BLOCK)
  else if (count + 1 >= FIRST_BLOCK && ((count + 1) & count) === 0) moveToLarger(sets, key, 2 * (count + 1))
  sets.pool[block[key] + count + 1] = mask
  sets.pool[block[key]] = count + 1
  sets.total++
}

function moveToLarger(sets: FoundSets, key: number, size: number): void {
  const before = sets.block[key]
  openBlock(sets, key, size)
  sets.pool.copyWithin(sets.block[key], before, before + size / 2)
}

function openBlock(sets: FoundSets, key: number, size: number): void {
  if (sets.used + size > sets.pool.length) sets.pool = grown(sets.pool, 2 * sets.pool.length + size)
  sets.block[key] = sets.used
  sets.used += size
}

function grown(array: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length)
  larger.set(array)
  return larger
}

function listFound({ total, pool, block }: FoundSets, firstRow: Int32Array): { rows: Int32Array; masks: Int32Array } {
  const rows = new Int32Array(total)
  const masks = new Int32Array(total)
  let at = 0
  for (let key = 0; key < block.length; key++) {
    const from = block[key]
    if (from === 0) continue
    for (let set = from + 1; set <= from + pool[from]; set++) {
      rows[at] = firstRow[key]
      masks[at++] = pool[set]
    }
  }
  return { rows, masks }
}

/**
 * The cells of a partition with two members or more. A member is 2 key + 1 while it may become unique, 2 key when it only
 * stands in the way of others; members of a cell are in ascending order.
 */
interface CellList {
  members: Int32Array
  /** Where each cell ends; it begins where the one before ends. */
  ends: Int32Array
  count: number
}

function rootList({ count, single }: SortedKeys): CellList {
  return { members: Int32Array.from(single, (alone, key) => 2 * key + alone), ends: Int32Array.of(count), count: 1 }
}

interface Descent {
  readonly keys: SortedKeys
  readonly found: FoundSets
  readonly missing: SpecialUniquesSearch['missing']
  readonly maxSize: number
  readonly proceed: (nodes: number) => boolean
  /** One list per depth, used again by every node of that depth. */
  readonly lists: CellList[]
  readonly cells: CellScratch
  nodes: number
}

/** Counters by code, all zero between cells, and the codes that occur in the cell at hand. */
interface CellScratch {
  readonly size: Int32Array
  readonly next: Int32Array
  readonly occurring: Int32Array
  /** Under `wildcard`: members whose value is missing, and the others sorted by code. */
  readonly wild: Int32Array
  readonly staged: Int32Array
}

function cellScratch({ widths, count }: SortedKeys, missing: SpecialUniquesSearch['missing']): CellScratch {
  const width = Math.max(...widths)
  const room = missing === 'wildcard' ? count : 0
  return {
    size: new Int32Array(width),
    next: new Int32Array(width),
    occurring: new Int32Array(width),
    wild: new Int32Array(room),
    staged: new Int32Array(room),
  }
}

/** A file with one key: if one row has it, every column of its own is a minimal set. */
function aloneInTheFile({ keys, found, missing }: Descent): boolean {
  if (keys.single[0] === 0) return true
  for (const [v, codes] of keys.codes.entries())
    if (codes[0] > 0 || missing === 'category') note(found, 0, keys.bits[v])
  return true
}

/** Extends the set `mask`, whose cells are in list `depth`, by every position below `lowest`; false when told to stop. */
function descend(descent: Descent, depth: number, mask: number, size: number, lowest: number): boolean {
  for (let v = 0; v < lowest; v++) {
    if (!descent.proceed(descent.nodes)) return false
    descent.nodes++
    const extended = mask | descent.keys.bits[v]
    const last = v === 0 || size + 1 === descent.maxSize
    if (last) splitLast(descent, depth, extended, v)
    else {
      split(descent, depth, extended, v)
      if (descent.lists[depth + 1].count > 0 && !descend(descent, depth + 1, extended, size + 1, v)) return false
    }
  }
  return true
}

/** Hot. Splits every cell by position `v` only to see who is alone: nothing is kept for later. */
function splitLast({ keys, found, missing, lists, cells }: Descent, depth: number, mask: number, v: number): void {
  const { members, ends, count } = lists[depth]
  const { size, occurring } = cells
  const codes = keys.codes[v]
  const zeroIsCode = missing === 'category'
  const wildcard = missing === 'wildcard'
  for (let cell = 0, start = 0; cell < count; cell++) {
    const end = ends[cell]
    let distinct = 0
    for (let k = start; k < end; k++) {
      const code = codes[members[k] >> 1]
      if (size[code]++ === 0) occurring[distinct++] = code
    }
    const blocked = wildcard && size[0] > 0
    if (distinct > 1 && !blocked) {
      for (let k = start; k < end; k++) {
        const member = members[k]
        if ((member & 1) === 0) continue
        const code = codes[member >> 1]
        if (size[code] === 1 && (code > 0 || zeroIsCode)) note(found, member >> 1, mask)
      }
    }
    for (let d = 0; d < distinct; d++) size[occurring[d]] = 0
    start = end
  }
}

/** Hot. Splits every cell by position `v` into list `depth + 1`. */
function split(descent: Descent, depth: number, mask: number, v: number): void {
  const { keys, found, missing, lists, cells } = descent
  const { members, ends, count } = lists[depth]
  const child = listFor(lists, depth + 1, count === 0 ? 0 : ends[count - 1])
  const { size, next, occurring } = cells
  const codes = keys.codes[v]
  const prefix = keys.prefix[v]
  const zeroIsCode = missing === 'category'
  const wildcard = missing === 'wildcard'
  let filled = 0
  for (let cell = 0, start = 0; cell < count; cell++) {
    const end = ends[cell]
    let distinct = 0
    for (let k = start; k < end; k++) {
      const code = codes[members[k] >> 1]
      if (size[code]++ === 0) occurring[distinct++] = code
    }
    if (wildcard && size[0] > 0) {
      filled = splitAroundWild(descent, { members, start, end }, distinct, v, child, filled)
      start = end
      continue
    }
    reserve(child, filled + end - start)
    let at = filled
    for (let d = 0; d < distinct; d++) {
      next[occurring[d]] = at
      at += size[occurring[d]]
    }
    for (let k = start; k < end; k++) {
      const member = members[k]
      const key = member >> 1
      const code = codes[key]
      if (code === 0 && !zeroIsCode) continue
      if (size[code] === 1) {
        if ((member & 1) === 1) note(found, key, mask)
        continue
      }
      const place = next[code]
      child.members[place] = member
      next[code] = place + 1
    }
    at = filled
    for (let d = 0; d < distinct; d++) {
      const code = occurring[d]
      if (size[code] > 1 && (code > 0 || zeroIsCode)) filled = keepCell(child, at, at + size[code], filled, prefix)
      at += size[code]
      size[code] = 0
    }
    start = end
  }
}

/** Hot. Moves the cell at [start, end) down to `to`, its inseparable members made one, if anybody in it may become unique. */
function keepCell(list: CellList, start: number, end: number, to: number, prefix: Int32Array): number {
  const { members } = list
  let hopeful = 0
  let at = to
  let k = start
  while (k < end) {
    let member = members[k++]
    const number = prefix[member >> 1]
    while (k < end && prefix[members[k] >> 1] === number) {
      member &= -2
      k++
    }
    hopeful |= member
    members[at++] = member
  }
  if ((hopeful & 1) === 0 || at - to < 2) return to
  if (list.count === list.ends.length) list.ends = grown(list.ends, 2 * list.count)
  list.ends[list.count++] = at
  return at
}

/**
 * As the body of `split`, for a cell in which some values at the position are missing: those members agree with every
 * code, so they join every part and nobody there is alone.
 */
function splitAroundWild(
  descent: Descent,
  within: CellSpan,
  distinct: number,
  v: number,
  child: CellList,
  filled: number,
): number {
  const { keys, cells } = descent
  const { members, start, end } = within
  const { size, next, occurring, wild, staged } = cells
  const codes = keys.codes[v]
  const prefix = keys.prefix[v]
  let wilds = 0
  for (let k = start; k < end; k++) {
    const key = members[k] >> 1
    if (codes[key] === 0 && (wilds === 0 || prefix[wild[wilds - 1] >> 1] !== prefix[key])) wild[wilds++] = key << 1
  }
  let at = 0
  for (let d = 0; d < distinct; d++) {
    next[occurring[d]] = at
    at += size[occurring[d]]
  }
  for (let k = start; k < end; k++) staged[next[codes[members[k] >> 1]]++] = members[k]
  for (let d = 0; d < distinct; d++) {
    const code = occurring[d]
    const from = next[code] - size[code]
    if (code > 0 && anyHopeful(staged, from, next[code])) {
      reserve(child, filled + size[code] + wilds)
      const merged = merge(staged, from, next[code], wild, wilds, child.members, filled)
      filled = keepCell(child, filled, merged, filled, prefix)
    }
    size[code] = 0
  }
  return filled
}

interface CellSpan {
  readonly members: Int32Array
  readonly start: number
  readonly end: number
}

function anyHopeful(members: Int32Array, start: number, end: number): boolean {
  for (let k = start; k < end; k++) if ((members[k] & 1) === 1) return true
  return false
}

/** Merges left[from, to) and right[0, length), both ascending, into `into` from `at` on; returns where it ends. */
function merge(
  left: Int32Array,
  from: number,
  to: number,
  right: Int32Array,
  length: number,
  into: Int32Array,
  at: number,
): number {
  let r = 0
  for (let l = from; l < to; l++) {
    while (r < length && right[r] < left[l]) into[at++] = right[r++]
    into[at++] = left[l]
  }
  while (r < length) into[at++] = right[r++]
  return at
}

function reserve(list: CellList, length: number): void {
  if (list.members.length < length) list.members = grown(list.members, Math.max(length, 2 * list.members.length))
}

function listFor(lists: CellList[], depth: number, room: number): CellList {
  lists[depth] ??= { members: new Int32Array(room), ends: new Int32Array(16), count: 0 }
  const list = lists[depth]
  reserve(list, room)
  list.count = 0
  return list
}
