/**
 * A binary tree in flat arrays, as forests and boosting grow them. Node 0 is the root; the children of inner node i are
 * `child[i]` (left) and `child[i] + 1`.
 *
 * Rows are given to a tree as `values`, row after row, one number per column: the number itself, or the rank of a level
 * in the order that training gave the levels. NaN is a missing value or a level that training did not see.
 */
export interface Tree {
  /** Inner node: column * 8 plus the flags below. Leaf: -1. */
  readonly split: Int32Array
  /** Inner node: its left child. Leaf: its number among the leaves. */
  readonly child: Int32Array
  /** Inner node: the largest value that goes left, or where its set of ranks begins in `sets`. Leaf: what it predicts. */
  readonly value: Float64Array
  /** Sets of ranks that go left, 32 ranks per word; the first word is how many words follow. */
  readonly sets: Int32Array
}

/** Levels that training did not see go left: that is where more rows of training went. */
export const UNSEEN_LEFT = 1
/** Missing values go left. */
export const MISSING_LEFT = 2
/** The split is by a set of ranks, not by a threshold. */
export const BY_SET = 4
export const FLAG_BITS = 3
export const LEAF = -1

export function splitCode(column: number, flags: number): number {
  return (column << FLAG_BITS) | flags
}

/** Rows for trees: `values` as said above, and where NaN is an unseen level; null when there is none. */
export interface TreeRows {
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
  readonly unseen: Uint8Array | null
}

/** One byte per code where that is enough. */
export type Codes = Uint8Array | Uint16Array

/** Columns as small integers, for growing trees: code 0 is missing, codes 1 to `bins` are ordered. */
export interface BinnedColumns {
  readonly rows: number
  readonly columns: number
  /** Column after column. */
  readonly codes: Codes
  /** Number of bins of each column. */
  readonly bins: Int32Array
  /** Where the bins of each column begin in `lower` and `upper`. */
  readonly start: Int32Array
  /** Smallest and largest value in each bin. */
  readonly lower: Float64Array
  readonly upper: Float64Array
}

/**
 * Halfway between two bins; the lower value itself where doubles have nothing between, so that the lower bin always has
 * `x <= threshold` and the upper one never.
 */
export function thresholdBetween(data: BinnedColumns, column: number, low: number, high: number): number {
  const a = data.upper[data.start[column] + low - 1]
  const b = data.lower[data.start[column] + high - 1]
  const middle = a / 2 + b / 2
  return middle >= a && middle < b ? middle : a
}

/**
 * The largest code that goes left of a cut between the codes `low` and `high`, where codes between them, which the node
 * has no row of, go by the threshold. Their bins may straddle it; then the middle of the bin decides.
 */
export function lastCodeLeft(data: BinnedColumns, column: number, low: number, high: number): number {
  if (low === 0 || high === low + 1) return low
  const threshold = thresholdBetween(data, column, low, high)
  const start = data.start[column] - 1
  let below = low
  let above = high
  while (above - below > 1) {
    const code = (below + above) >>> 1
    if (data.lower[start + code] / 2 + data.upper[start + code] / 2 <= threshold) below = code
    else above = code
  }
  return below
}

/** Puts rows whose codes go left (1 in the table) before those that go right, in place and in order. */
export function partitionByTable(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  spare: Int32Array,
  from: number,
  to: number,
  goesLeft: Uint8Array,
): number {
  let left = from
  let right = 0
  for (let i = from; i < to; i++) {
    const row = rows[i]
    const isLeft = goesLeft[codes[offset + row]]
    rows[left] = row
    spare[right] = row
    left += isLeft
    right += 1 - isLeft
  }
  for (let j = 0; j < right; j++) rows[left + j] = spare[j]
  return left
}
