import { longUint32 } from './shared-arrays.js'
import { COLUMN_RANKS_WASM } from './wasm/column-ranks.js'
import { keptKernel } from './wasm/webassembly.js'

/** Numbers by rank: what a search over thresholds needs to know of a column, found once and read by every tree. */
export interface RankedColumn {
  readonly kind: 'ranked'
  /** By row: 0 for the smallest number, equal numbers alike; -1 for NaN. */
  readonly rank: Int32Array
  /** By rank: the number. */
  readonly distinct: Float64Array
  /** The rows that are not NaN, by ascending number, then row. */
  readonly order: Int32Array
}

export function rankColumn(values: Float64Array, compiled = rankCompiled): RankedColumn {
  return (values.length > LONG_COLUMN ? null : compiled(values)) ?? rankPlain(values)
}

/** Plain code is compiled while it ranks a longer column, and does not need to copy it. */
const LONG_COLUMN = 65_536

interface Exports {
  sort(...layout: readonly number[]): number
  numberDistinct(values: number, order: number, known: number, rank: number, distinct: number): number
}

const kernel = keptKernel(COLUMN_RANKS_WASM, (exports: Exports) => exports)
const COUNTED_DIGITS = 6 * 2 ** 11

/** In WebAssembly; null where the platform cannot. */
export function rankCompiled(values: Float64Array): RankedColumn | null {
  const rows = values.length
  const compiled = kernel(44 * rows + 4 * COUNTED_DIGITS + 64)
  if (compiled === null) return null
  const { room, kernel: module } = compiled
  const [numbers, order, keys, spareOrder, spareKeys, counts, rank, distinct] = [
    room.sharedNumbers(values),
    room.int32(rows),
    room.float64(rows),
    room.int32(rows),
    room.float64(rows),
    room.int32(COUNTED_DIGITS),
    room.int32(rows).fill(-1),
    room.float64(rows),
  ]
  const arrays = [order, keys, spareOrder, spareKeys, counts].map(({ byteOffset }) => byteOffset)
  const known = module.sort(numbers.byteOffset, rows, ...arrays)
  const count = module.numberDistinct(numbers.byteOffset, order.byteOffset, known, rank.byteOffset, distinct.byteOffset)
  return { kind: 'ranked', rank: rank.slice(), distinct: distinct.slice(0, count), order: order.slice(0, known) }
}

function rankPlain(values: Float64Array): RankedColumn {
  const order = ascendingOrder(values)
  const rank = new Int32Array(values.length).fill(-1)
  const distinct = new Float64Array(order.length)
  const count = numberDistinct(values, order, rank, distinct)
  return { kind: 'ranked', rank, distinct: distinct.slice(0, count), order }
}

/** Hot, as the loops below: with little behind the loop, or code that V8 made while it ran is given up at its end, each time anew. */
function numberDistinct(values: Float64Array, order: Int32Array, rank: Int32Array, distinct: Float64Array): number {
  let last = -1
  for (let k = 0; k < order.length; k++) {
    const value = values[order[k]]
    if (last < 0 || distinct[last] !== value) distinct[++last] = value
    rank[order[k]] = last
  }
  return last + 1
}

/** The values of some rows. Hot: what `map` does, without a call for each row. */
export function pickRows(values: Int32Array, rows: Int32Array): Int32Array {
  const picked = new Int32Array(rows.length)
  for (let k = 0; k < rows.length; k++) picked[k] = values[rows[k]]
  return picked
}

const DIGIT_BITS = 11
const DIGIT_VALUES = 1 << DIGIT_BITS
const DIGIT_MASK = DIGIT_VALUES - 1
const SIGN = 0x80000000

/**
 * Rows by ascending number, NaN left out; equal numbers stay in the order of the rows (but -0 comes before 0). Hot: a
 * radix sort of the bits by digits of 11, which passes over digits that all numbers share. The upper half of the bits comes
 * first: few numbers agree on all of it, and these are put in order by hand unless they are many. The simple version sorts the row
 * numbers with a comparison.
 */
export function ascendingOrder(values: Float64Array): Int32Array {
  const keys = keysOf(values, countKnown(values))
  const sorted = sortBy('high', keys)
  return settleLow(sorted) ? sorted.rows : sortBy('high', sortBy('low', sorted)).rows
}

function countKnown(values: Float64Array): number {
  let count = 0
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) count++
  return count
}

function keysOf(values: Float64Array, count: number): Keys {
  const keys = emptyKeys(count)
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  for (let row = 0, k = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue
    const negative = words[2 * row + 1] >= SIGN
    keys.rows[k] = row
    keys.low[k] = negative ? ~words[2 * row] : words[2 * row]
    keys.high[k++] = negative ? ~words[2 * row + 1] : words[2 * row + 1] ^ SIGN
  }
  return keys
}

/** Rows with the two halves of their numbers as bits that sort like the numbers. */
interface Keys {
  readonly rows: Int32Array
  readonly low: Uint32Array
  readonly high: Uint32Array
}

function emptyKeys(count: number): Keys {
  return { rows: new Int32Array(count), low: longUint32(count), high: longUint32(count) }
}

function sortBy(half: 'low' | 'high', keys: Keys): Keys {
  const ends = new Int32Array(DIGIT_VALUES)
  let next = emptyKeys(keys.rows.length)
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    if (!digitEnds(keys[half], shift, ends)) continue
    deal(keys, keys[half], shift, ends, next)
    ;[keys, next] = [next, keys]
  }
  return keys
}

/** Hot. */
function deal({ rows, low, high }: Keys, digits: Uint32Array, shift: number, ends: Int32Array, to: Keys): void {
  const { rows: nextRows, low: nextLow, high: nextHigh } = to
  for (let k = rows.length - 1; k >= 0; k--) {
    const at = --ends[(digits[k] >>> shift) & DIGIT_MASK]
    nextRows[at] = rows[k]
    nextLow[at] = low[k]
    nextHigh[at] = high[k]
  }
}

/** So many steps by hand for each number, on average, cost less than sorting by the lower half. */
const MOST_STEPS = 2

/** Puts numbers that agree in their upper half into the order of the lower one; false, all still there, when that takes too many steps. */
function settleLow({ rows, low, high }: Keys): boolean {
  let left = MOST_STEPS * rows.length
  for (let k = 1; k < rows.length; k++) {
    if (high[k] !== high[k - 1] || low[k] >= low[k - 1]) continue
    const [row, key] = [rows[k], low[k]]
    let at = k
    for (; at > 0 && high[at - 1] === high[k] && low[at - 1] > key; at--) {
      rows[at] = rows[at - 1]
      low[at] = low[at - 1]
    }
    rows[at] = row
    low[at] = key
    left -= k - at
    if (left < 0) return false
  }
  return true
}

function countDigits(keys: Uint32Array, shift: number, counts: Int32Array): void {
  for (let k = 0; k < keys.length; k++) counts[(keys[k] >>> shift) & DIGIT_MASK]++
}

/** Where the keys with each digit end once sorted by it; false when they all have the same. */
function digitEnds(keys: Uint32Array, shift: number, ends: Int32Array): boolean {
  countDigits(keys, shift, ends.fill(0))
  if (keys.length === 0 || ends[(keys[0] >>> shift) & DIGIT_MASK] === keys.length) return false
  for (let value = 1; value < DIGIT_VALUES; value++) ends[value] += ends[value - 1]
  return true
}
