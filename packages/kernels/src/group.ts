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
const DIRECT_ADDRESS_FACTOR = 8
const SMALLEST_DIRECT_TABLE = 65_536

export function groupRows(columns: readonly CodedColumn[], rows: number): Groups {
  const limit = Math.max(DIRECT_ADDRESS_FACTOR * rows, SMALLEST_DIRECT_TABLE)
  let ids = new Int32Array(rows)
  let bound = 1
  for (const { codes, cardinality } of columns) {
    const width = cardinality + 1
    if (bound * width > limit) {
      const dense = densify(ids, bound)
      ids = dense.ids
      bound = dense.count
    }
    if (bound * width <= limit) {
      // Hot: one mixed-radix digit more per row.
      for (let row = 0; row < rows; row++) ids[row] = ids[row] * width + codes[row] + 1
      bound *= width
    } else {
      const pairs = groupPairs(ids, codes)
      ids = pairs.ids
      bound = pairs.count
    }
  }
  return densify(ids, bound)
}

/** Renumbers ids below `bound` densely, by first appearance. */
function densify(ids: Int32Array, bound: number): { ids: Int32Array<ArrayBuffer>; count: number } {
  const dense = new Int32Array(ids.length)
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

/** Dense ids of the pairs (left, right) by open addressing; the pair itself is compared, never only its hash. */
function groupPairs(left: Int32Array, right: Int32Array): { ids: Int32Array<ArrayBuffer>; count: number } {
  const rows = left.length
  const ids = new Int32Array(rows)
  const slots = new Int32Array(powerOfTwoAtLeast(2 * rows))
  const mask = slots.length - 1
  const firstRow = new Int32Array(rows)
  let count = 0
  for (let row = 0; row < rows; row++) {
    const a = left[row]
    const b = right[row]
    let slot = mix(a, b) & mask
    for (;;) {
      const id = slots[slot] - 1
      if (id < 0) {
        firstRow[count] = row
        slots[slot] = ++count
        ids[row] = count - 1
        break
      }
      const first = firstRow[id]
      if (left[first] === a && right[first] === b) {
        ids[row] = id
        break
      }
      slot = (slot + 1) & mask
    }
  }
  return { ids, count }
}

function mix(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
  return hash ^ (hash >>> 13)
}

function powerOfTwoAtLeast(size: number): number {
  let power = 16
  while (power < size) power *= 2
  return power
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
