import { plainRoom } from '../wasm/webassembly.js'
import { descender } from './descent.js'
import {
  allEqual,
  type Criterion,
  type Cut,
  criterionFor,
  type ForestResponse,
  noteDraws,
  sumOf,
} from './forest-cuts.js'
import { type ForestLoops, plainForestLoops, wasmForestLoops } from './forest-loops.js'
import { widest } from './histograms.js'
import {
  type BinnedColumns,
  LEAF,
  lastCodeLeft,
  MISSING_LEFT,
  splitCode,
  type Tree,
  type TreeRows,
  thresholdBetween,
  UNSEEN_LEFT,
} from './tree.js'

/**
 * Growing one tree of a random forest (Breiman 2001; rules as in ranger, Wright and Ziegler 2017): at each node `mtry`
 * columns are drawn, and the cut that lowers the impurity most is taken, even when it lowers it by nothing. A node is a
 * leaf when it holds at most `minNode` draws, when its responses are all equal, or when no drawn column has two values.
 * Missing values go to the side that lowers the impurity more, or stay on a side of their own; where the node has none,
 * they will go where more draws went.
 */
export interface ForestRule {
  readonly mtry: number
  readonly minNode: number
  readonly maxDepth: number
  /** Whether rows that a tree has not drawn are sent down to its leaves too. */
  readonly outOfBag: boolean
}

/**
 * The `value` of a leaf is its mean for numbers and the share of class 1 for two classes. For several classes leaf l
 * has the classes and shares at start[l] to start[l + 1] - 1; there are none otherwise.
 */
export interface ForestTree extends Tree {
  readonly start: Int32Array
  readonly classes: Uint16Array
  readonly shares: Float64Array
}

interface GrownTree {
  readonly tree: ForestTree
  /** The rows that were not drawn, and the leaf of each, as a node. Valid until the next tree is grown. */
  readonly outOfBag: Int32Array
  readonly outOfBagLeaf: Int32Array
  /** How much each column lowered the impurity, summed over its cuts. */
  readonly decrease: Float64Array
}

/** Draws a whole number in [0, n). */
type Below = (n: number) => number

/** Grows a tree on rows drawn so many times each. */
type Grow = (draws: Int32Array, below: Below) => GrownTree

/** A node waiting for its turn takes this many numbers on the stack. */
const FRAME = 8

/**
 * The room that growing needs, made once. Functions get it as an argument and not as variables of a closure, which the
 * compiler would only treat as constants for the first forest of a process.
 */
interface Growing {
  readonly data: BinnedColumns
  readonly rule: ForestRule
  readonly criterion: Criterion
  readonly loops: ForestLoops
  /**
   * Drawn rows, and all others, each node's together; one longer than the data, so that writing needs no condition. A
   * node of even depth has its rows in the first of the two arrays, its children have theirs in the second, and so on.
   */
  readonly rows: readonly [Int32Array, Int32Array]
  readonly others: readonly [Int32Array, Int32Array]
  /** Rows that were not drawn as they arrive at their leaves, with these leaves. */
  readonly outOfBag: Int32Array
  readonly outOfBagLeaf: Int32Array
  /** All columns; those drawn for a node are moved to the front, where `drawn` sees them. */
  readonly order: Int32Array
  readonly drawn: Int32Array
  readonly cut: Cut
  readonly leaves: LeafShares
  split: Int32Array
  child: Int32Array
  value: Float64Array
  stack: Float64Array
}

/**
 * A grower is to be used up before the next one is asked for.
 * @param make the loops for a forest of so many bytes; null where there are none but the plain ones
 */
export function forestGrower(
  given: BinnedColumns,
  response: ForestResponse,
  rule: ForestRule,
  make: typeof wasmForestLoops = wasmForestLoops,
): Grow {
  const { rows: n, columns } = given
  const { kernel: loops, room } = make(bytesFor(given, response)) ?? { kernel: plainForestLoops, room: plainRoom }
  const data = { ...given, codes: room.sharedNarrow(given.codes), bins: room.sharedCodes(given.bins) }
  const order = room.int32(columns)
  const drawn = order.subarray(0, Math.min(rule.mtry, columns))
  const criterion = criterionFor(data, response, room)
  loops.setup(criterion, data, drawn)
  const growing: Growing = {
    data,
    rule,
    criterion,
    loops,
    rows: [room.int32(n + 1), room.int32(n + 1)],
    others: [room.int32(n + 1), room.int32(n + 1)],
    outOfBag: room.int32(n),
    outOfBagLeaf: room.int32(n),
    order,
    drawn,
    cut: { score: -1, column: -1, low: 0, high: 0, missingLeft: false, leftWeight: 0, leftSum: 0 },
    leaves: {
      count: 0,
      used: 0,
      start: new Int32Array(256),
      classes: new Uint16Array(256),
      shares: new Float64Array(256),
    },
    split: new Int32Array(256),
    child: new Int32Array(256),
    value: new Float64Array(256),
    stack: new Float64Array(64 * FRAME),
  }
  return (draws, below) => growTree(growing, draws, below)
}

/** At least as many bytes as all arrays take of a forest: by row, by row and column, by bin, and what is lost between arrays. */
function bytesFor(data: BinnedColumns, { classes }: ForestResponse): number {
  const byRow = 2 * data.columns + 16 + 6 * 4
  const byBin = 8 * Math.max(classes, 8) + 4 * 8
  return byRow * data.rows + byBin * (widest(data) + 64) + 8 * data.columns + 16 * classes + 1024
}

function growTree(growing: Growing, draws: Int32Array, below: Below): GrownTree {
  const { data, criterion, loops, outOfBag, outOfBagLeaf, order, drawn, cut, leaves } = growing
  const [evenRows, oddRows] = growing.rows
  const [evenOthers, oddOthers] = growing.others
  const { rows: n, columns, codes } = data
  let { split, child, value, stack } = growing
  let inBag = 0
  let notDrawn = 0
  let allDraws = 0
  // Hot, so without a branch: the row is written to both lists, and one of them moves on.
  for (let row = 0; row < n; row++) {
    const isDrawn = -draws[row] >>> 31
    evenRows[inBag] = row
    evenOthers[notDrawn] = row
    inBag += isDrawn
    notDrawn += 1 - isDrawn
    allDraws += draws[row]
  }
  if (!growing.rule.outOfBag) notDrawn = 0
  for (let j = 0; j < columns; j++) order[j] = j
  noteDraws(criterion, draws)
  leaves.count = 0
  leaves.used = 0
  const decrease = new Float64Array(columns)
  let nodes = 1
  let leafCount = 0
  let top = push(stack, 0, 0, 0, 0, inBag, 0, notDrawn, allDraws, sumOf(criterion, evenRows, 0, inBag))
  while (top > 0) {
    top -= FRAME
    const node = stack[top] | 0
    const depth = stack[top + 1] | 0
    const from = stack[top + 2] | 0
    const to = stack[top + 3] | 0
    const othersFrom = stack[top + 4] | 0
    const othersTo = stack[top + 5] | 0
    const weight = stack[top + 6]
    const sum = stack[top + 7]
    const isEven = (depth & 1) === 0
    const rows = isEven ? evenRows : oddRows
    const others = isEven ? evenOthers : oddOthers
    cut.column = -1
    cut.score = Number.NEGATIVE_INFINITY
    if (!isLeaf(growing, weight, sum, depth) && !allEqual(criterion, rows, from, to)) {
      for (let j = 0; j < drawn.length; j++) {
        const other = j + below(columns - j)
        const column = order[other]
        order[other] = order[j]
        order[j] = column
      }
      loops.searchDrawn(criterion, data, rows, drawn, from, to, weight, sum, cut)
    }
    if (cut.column < 0) {
      split[node] = LEAF
      child[node] = leafCount++
      value[node] = leafValue(growing, rows, from, to, weight, sum)
      for (let i = othersFrom; i < othersTo; i++) {
        outOfBag[i] = others[i]
        outOfBagLeaf[i] = node
      }
      continue
    }
    if (nodes + 2 > split.length) {
      split = growing.split = longer(split, new Int32Array(2 * split.length))
      child = growing.child = longer(child, new Int32Array(2 * child.length))
      value = growing.value = longer(value, new Float64Array(2 * value.length))
    }
    if (top + 2 * FRAME > stack.length) {
      stack = growing.stack = longer(stack, new Float64Array(2 * stack.length))
    }
    const { column, low, high, missingLeft, leftWeight, leftSum } = cut
    const rightWeight = weight - leftWeight
    const rightSum = sum - leftSum
    decrease[column] += cut.score / weight
    split[node] = splitCode(column, (leftWeight >= rightWeight ? UNSEEN_LEFT : 0) | (missingLeft ? MISSING_LEFT : 0))
    child[node] = nodes
    // Nothing is at most NaN: all but missing values go right.
    value[node] = low === 0 ? Number.NaN : thresholdBetween(data, column, low, high)
    const othersLow = lastCodeLeft(data, column, low, high)
    if (
      criterion.kind === 'two' &&
      isLeaf(growing, leftWeight, leftSum, depth + 1) &&
      isLeaf(growing, rightWeight, rightSum, depth + 1)
    ) {
      // Hot, as a third of all nodes are such: both leaves at once, without moving a row.
      split[nodes] = LEAF
      child[nodes] = leafCount++
      value[nodes] = leafValue(growing, rows, from, from, leftWeight, leftSum)
      split[nodes + 1] = LEAF
      child[nodes + 1] = leafCount++
      value[nodes + 1] = leafValue(growing, rows, to, to, rightWeight, rightSum)
      for (let i = othersFrom; i < othersTo; i++) outOfBag[i] = others[i]
      loops.assignByCut(codes, column * n, others, othersFrom, othersTo, othersLow, missingLeft, nodes, outOfBagLeaf)
      nodes += 2
      continue
    }
    const nextRows = isEven ? oddRows : evenRows
    const nextOthers = isEven ? oddOthers : evenOthers
    const offset = column * n
    const middle = loops.partitionByCut(codes, offset, rows, nextRows, from, to, low, missingLeft)
    const othersMiddle = loops.partitionByCut(
      codes,
      offset,
      others,
      nextOthers,
      othersFrom,
      othersTo,
      othersLow,
      missingLeft,
    )
    top = push(stack, top, nodes + 1, depth + 1, middle, to, othersMiddle, othersTo, rightWeight, rightSum)
    top = push(stack, top, nodes, depth + 1, from, middle, othersFrom, othersMiddle, leftWeight, leftSum)
    nodes += 2
  }
  // Gini falls twice as much as the variance of 0 and 1.
  if (criterion.kind === 'two') for (let j = 0; j < columns; j++) decrease[j] *= 2
  return {
    tree: {
      split: split.slice(0, nodes),
      child: child.slice(0, nodes),
      value: value.slice(0, nodes),
      sets: new Int32Array(0),
      ...finishedShares(leaves),
    },
    outOfBag: outOfBag.subarray(0, notDrawn),
    outOfBagLeaf: outOfBagLeaf.subarray(0, notDrawn),
    decrease,
  }
}

function isLeaf({ rule, criterion }: Growing, weight: number, sum: number, depth: number): boolean {
  if (weight <= rule.minNode || depth >= rule.maxDepth) return true
  return criterion.kind === 'two' && (sum === 0 || sum === weight)
}

function leafValue(
  { criterion, loops, leaves }: Growing,
  rows: Int32Array,
  from: number,
  to: number,
  weight: number,
  sum: number,
): number {
  const { grid } = criterion.response
  if (criterion.kind === 'many') {
    loops.countClasses(criterion, rows, from, to)
    addLeaf(leaves, criterion.total, weight, grid)
    return 0
  }
  // Numbers are summed anew: the sum that came down the tree was found by subtraction.
  const total = criterion.kind === 'two' ? sum : sumOf(criterion, rows, from, to)
  return Math.round(total / weight / grid) * grid
}

/** Class shares of the leaves of a tree, one leaf after the other, without the classes that a leaf does not have. */
interface LeafShares {
  count: number
  used: number
  start: Int32Array
  classes: Uint16Array
  shares: Float64Array
}

function addLeaf(leaves: LeafShares, counts: Float64Array, weight: number, grid: number): void {
  if (leaves.count + 2 > leaves.start.length) {
    leaves.start = longer(leaves.start, new Int32Array(2 * leaves.start.length))
  }
  while (leaves.used + counts.length > leaves.shares.length) {
    leaves.classes = longer(leaves.classes, new Uint16Array(2 * leaves.classes.length))
    leaves.shares = longer(leaves.shares, new Float64Array(2 * leaves.shares.length))
  }
  const { classes, shares } = leaves
  let { used } = leaves
  leaves.start[leaves.count++] = used
  for (let k = 0; k < counts.length; k++) {
    if (counts[k] === 0) continue
    classes[used] = k
    shares[used++] = Math.round(counts[k] / weight / grid) * grid
  }
  leaves.used = used
}

function finishedShares({ count, used, start, classes, shares }: LeafShares) {
  if (count === 0) return { start: new Int32Array(0), classes: new Uint16Array(0), shares: new Float64Array(0) }
  start[count] = used
  return { start: start.slice(0, count + 1), classes: classes.slice(0, used), shares: shares.slice(0, used) }
}

function push(
  stack: Float64Array,
  top: number,
  node: number,
  depth: number,
  from: number,
  to: number,
  othersFrom: number,
  othersTo: number,
  weight: number,
  sum: number,
): number {
  stack[top] = node
  stack[top + 1] = depth
  stack[top + 2] = from
  stack[top + 3] = to
  stack[top + 4] = othersFrom
  stack[top + 5] = othersTo
  stack[top + 6] = weight
  stack[top + 7] = sum
  return top + FRAME
}

function longer<T extends Int32Array | Uint16Array | Float64Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}

/** What is copied for the kernel stays small beside a large table. */
const ROWS_AT_ONCE = 2 ** 17

function rowsFrom({ columns, values, unseen }: TreeRows, from: number, to: number): TreeRows {
  return {
    rows: to - from,
    columns,
    values: values.subarray(from * columns, to * columns),
    unseen: unseen?.subarray(from * columns, to * columns) ?? null,
  }
}

/**
 * Sums over trees of what they predict for each row: numbers or the share of class 1, one per row; for several classes
 * one per row and class. Exact, since all leaf values are multiples of one power of two.
 */
export function forestSums(trees: readonly ForestTree[], data: TreeRows, classes: number): Float64Array {
  const width = classes > 2 ? classes : 1
  const sums = new Float64Array(data.rows * width)
  for (let from = 0; from < data.rows; from += ROWS_AT_ONCE) {
    const block = rowsFrom(data, from, Math.min(data.rows, from + ROWS_AT_ONCE))
    const descend = descender(trees, block)
    for (const tree of trees) {
      const nodes = descend(tree)
      if (width === 1) {
        const { value } = tree
        for (let row = 0; row < block.rows; row++) sums[from + row] += value[nodes[row]]
      } else for (let row = 0; row < block.rows; row++) addShares(tree, nodes[row], sums, (from + row) * width)
    }
  }
  return sums
}

/** Adds the class shares of a leaf to `sums` at `at`. */
export function addShares(tree: ForestTree, node: number, sums: Float64Array, at: number): void {
  const leaf = tree.child[node]
  const end = tree.start[leaf + 1]
  for (let i = tree.start[leaf]; i < end; i++) sums[at + tree.classes[i]] += tree.shares[i]
}
