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

export function rankColumn(values: Float64Array): RankedColumn {
  const order = ascendingOrder(values)
  const rank = new Int32Array(values.length).fill(-1)
  const distinct = new Float64Array(order.length)
  let last = -1
  for (let k = 0; k < order.length; k++) {
    const value = values[order[k]]
    if (last < 0 || distinct[last] !== value) distinct[++last] = value
    rank[order[k]] = last
  }
  return { kind: 'ranked', rank, distinct: distinct.slice(0, last + 1), order }
}

const DIGIT_BITS = 11
const DIGIT_VALUES = 1 << DIGIT_BITS
const DIGIT_MASK = DIGIT_VALUES - 1
const SIGN = 0x80000000

/**
 * Rows by ascending number, NaN left out; equal numbers stay in the order of the rows (but -0 comes before 0). Hot: a
 * radix sort of the bits by digits of 11, which passes over digits that all numbers share; the simple version sorts the
 * row numbers with a comparison.
 */
export function ascendingOrder(values: Float64Array): Int32Array {
  let count = 0
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) count++
  let rows = new Int32Array(count)
  let low = new Uint32Array(count)
  let high = new Uint32Array(count)
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  for (let row = 0, k = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue
    const negative = words[2 * row + 1] >= SIGN
    rows[k] = row
    low[k] = negative ? ~words[2 * row] : words[2 * row]
    high[k++] = negative ? ~words[2 * row + 1] : words[2 * row + 1] ^ SIGN
  }
  let nextRows = new Int32Array(count)
  let nextLow = new Uint32Array(count)
  let nextHigh = new Uint32Array(count)
  const ends = new Int32Array(DIGIT_VALUES)
  for (let digit = 0; digit < 6; digit++) {
    const from = digit < 3 ? low : high
    const shift = (digit % 3) * DIGIT_BITS
    if (!digitEnds(from, shift, ends)) continue
    for (let k = count - 1; k >= 0; k--) {
      const at = --ends[(from[k] >>> shift) & DIGIT_MASK]
      nextRows[at] = rows[k]
      nextLow[at] = low[k]
      nextHigh[at] = high[k]
    }
    ;[rows, nextRows] = [nextRows, rows]
    ;[low, nextLow] = [nextLow, low]
    ;[high, nextHigh] = [nextHigh, high]
  }
  return rows
}

/** Where the keys with each digit end once sorted by it; false when they all have the same. */
function digitEnds(keys: Uint32Array, shift: number, ends: Int32Array): boolean {
  ends.fill(0)
  for (let k = 0; k < keys.length; k++) ends[(keys[k] >>> shift) & DIGIT_MASK]++
  if (keys.length === 0 || ends[(keys[0] >>> shift) & DIGIT_MASK] === keys.length) return false
  for (let value = 1; value < DIGIT_VALUES; value++) ends[value] += ends[value - 1]
  return true
}
