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
const FLAG_BITS = 3
/** From so many rows on a block copy pays. */
const LONG_COPY = 128
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

/** The leaf (as a node) of each row of [from, to), written to `nodes` from 0 on. Hot. */
export function descend(tree: Tree, data: TreeRows, from: number, to: number, nodes: Int32Array): void {
  const { split, child, value } = tree
  const { values, columns } = data
  for (let row = from; row < to; row++) {
    const at = row * columns
    let node = 0
    let code = split[0]
    while (code >= 0) {
      const x = values[at + (code >>> FLAG_BITS)]
      let right: number
      if ((code & BY_SET) === 0 && !Number.isNaN(x)) right = x <= value[node] ? 0 : 1
      else right = goesRight(tree, node, x, data.unseen !== null && data.unseen[at + (code >>> FLAG_BITS)] === 1)
      node = child[node] + right
      code = split[node]
    }
    nodes[row - from] = node
  }
}

/**
 * As `descend`, for chosen rows, with the values of one column taken from other rows: `rows[i]` sees in `column` what
 * `donors[i]` has there.
 */
export function descendPermuted(
  tree: Tree,
  data: TreeRows,
  rows: Int32Array,
  donors: Int32Array,
  column: number,
  nodes: Int32Array,
): void {
  const { split, child, value } = tree
  const { values, columns } = data
  for (let i = 0; i < rows.length; i++) {
    let node = 0
    let code = split[0]
    while (code >= 0) {
      const from = code >>> FLAG_BITS
      const at = (from === column ? donors[i] : rows[i]) * columns + from
      const x = values[at]
      let right: number
      if ((code & BY_SET) === 0 && !Number.isNaN(x)) right = x <= value[node] ? 0 : 1
      else right = goesRight(tree, node, x, data.unseen !== null && data.unseen[at] === 1)
      node = child[node] + right
      code = split[node]
    }
    nodes[i] = node
  }
}

/** 1 or 0, for values that have no place in an order. */
function goesRight(tree: Tree, node: number, x: number, unseen: boolean): number {
  const code = tree.split[node]
  if (Number.isNaN(x)) return (code & (unseen ? UNSEEN_LEFT : MISSING_LEFT)) === 0 ? 1 : 0
  const at = tree.value[node]
  const word = x >>> 5
  return word < tree.sets[at] && (tree.sets[at + 1 + word] >>> (x & 31)) & 1 ? 0 : 1
}

/** Columns as small integers, for growing trees: code 0 is missing, codes 1 to `bins` are ordered. */
export interface BinnedColumns {
  readonly rows: number
  readonly columns: number
  /** Column after column. */
  readonly codes: Uint16Array
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

/**
 * Puts the rows at [from, to) with codes up to `low` first, keeping their order, and returns where the others begin.
 * Missing values (code 0) go to the given side. Hot: no branch depends on the data, and four rows are read per turn.
 */
export function partitionByCut(
  codes: Uint16Array,
  offset: number,
  rows: Int32Array,
  spare: Int32Array,
  from: number,
  to: number,
  low: number,
  missingLeft: boolean,
): number {
  // With missing values on the right their key becomes the largest.
  const shift = missingLeft ? 0 : 1
  const limit = low - shift
  let left = from
  let right = 0
  let i = from
  for (; i + 4 <= to; i += 4) {
    const a = rows[i]
    const b = rows[i + 1]
    const c = rows[i + 2]
    const d = rows[i + 3]
    const rightA = (limit - ((codes[offset + a] - shift) & 0xffff)) >>> 31
    const rightB = (limit - ((codes[offset + b] - shift) & 0xffff)) >>> 31
    const rightC = (limit - ((codes[offset + c] - shift) & 0xffff)) >>> 31
    const rightD = (limit - ((codes[offset + d] - shift) & 0xffff)) >>> 31
    rows[left] = a
    spare[right] = a
    right += rightA
    left += 1 - rightA
    rows[left] = b
    spare[right] = b
    right += rightB
    left += 1 - rightB
    rows[left] = c
    spare[right] = c
    right += rightC
    left += 1 - rightC
    rows[left] = d
    spare[right] = d
    right += rightD
    left += 1 - rightD
  }
  for (; i < to; i++) {
    const row = rows[i]
    const goesRight = (limit - ((codes[offset + row] - shift) & 0xffff)) >>> 31
    rows[left] = row
    spare[right] = row
    right += goesRight
    left += 1 - goesRight
  }
  if (right >= LONG_COPY) rows.set(spare.subarray(0, right), left)
  else for (let j = 0; j < right; j++) rows[left + j] = spare[j]
  return left
}

/** As `partitionByCut`, with the side of each code in a table: 1 is left. */
export function partitionByTable(
  codes: Uint16Array,
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
