import {
  assignByCut,
  type BinnedColumns,
  type Codes,
  descend,
  LEAF,
  lastCodeLeft,
  MISSING_LEFT,
  partitionByCut,
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
 *
 * Cuts are found on histograms over the codes of a column. A large node reads all bins; a small one remembers in a
 * bitmap which bins it touched, so that it costs what its rows cost and not what the bins cost.
 */
export interface ForestRule {
  readonly mtry: number
  readonly minNode: number
  readonly maxDepth: number
}

/** What is to be predicted: a number, or one of some classes. */
export interface ForestResponse {
  /** The number, or the class as a number from 0 on. */
  readonly values: Float64Array
  /** 0 for numbers. */
  readonly classes: number
  /** Leaf values are rounded to multiples of this power of two, which makes sums over trees exact in any order. */
  readonly grid: number
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

/** The best cut of a node so far; `column` is -1 while there is none. */
interface Cut {
  score: number
  column: number
  /** Codes on both sides of the cut, both present in the node; `low` is 0 when only missing values go left. */
  low: number
  high: number
  missingLeft: boolean
  leftWeight: number
  leftSum: number
}

/** Fewer rows per bin than this: remember the touched bins. */
const SPARSE_ROWS_PER_BIN = 1

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

export function forestGrower(data: BinnedColumns, response: ForestResponse, rule: ForestRule): Grow {
  const { rows: n, columns } = data
  const order = new Int32Array(columns)
  const growing: Growing = {
    data,
    rule,
    criterion:
      response.classes > 2
        ? manyClasses(data, response)
        : response.classes > 0
          ? twoClasses(data, response)
          : numbers(data, response),
    rows: [new Int32Array(n + 1), new Int32Array(n + 1)],
    others: [new Int32Array(n + 1), new Int32Array(n + 1)],
    outOfBag: new Int32Array(n),
    outOfBagLeaf: new Int32Array(n),
    order,
    drawn: order.subarray(0, Math.min(rule.mtry, columns)),
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

function growTree(growing: Growing, draws: Int32Array, below: Below): GrownTree {
  const { data, criterion, outOfBag, outOfBagLeaf, order, drawn, cut, leaves } = growing
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
  for (let j = 0; j < columns; j++) order[j] = j
  begin(criterion, draws)
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
      search(criterion, data, rows, drawn, from, to, weight, sum, cut)
    }
    if (cut.column < 0) {
      split[node] = LEAF
      child[node] = leafCount++
      value[node] = leafValue(criterion, leaves, rows, from, to, weight, sum)
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
      value[nodes] = leafValue(criterion, leaves, rows, from, from, leftWeight, leftSum)
      split[nodes + 1] = LEAF
      child[nodes + 1] = leafCount++
      value[nodes + 1] = leafValue(criterion, leaves, rows, to, to, rightWeight, rightSum)
      for (let i = othersFrom; i < othersTo; i++) outOfBag[i] = others[i]
      assignByCut(codes, column * n, others, othersFrom, othersTo, othersLow, missingLeft, nodes, outOfBagLeaf)
      nodes += 2
      continue
    }
    const nextRows = isEven ? oddRows : evenRows
    const nextOthers = isEven ? oddOthers : evenOthers
    const offset = column * n
    const middle = partitionByCut(codes, offset, rows, nextRows, from, to, low, missingLeft)
    const othersMiddle = partitionByCut(codes, offset, others, nextOthers, othersFrom, othersTo, othersLow, missingLeft)
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

/** What each kind of response needs to find cuts and fill leaves. */
type Criterion = Numbers | TwoClasses | ManyClasses

/** All that criteria have in common: by bin what a node has there, and how to know which bins it touched. */
interface Bins {
  readonly width: number
  readonly histogram: Float64Array
  readonly touched: Int32Array
  readonly found: FoundBins
}

/** Numbers: draws of each row, and that times its response. */
interface Numbers extends Bins {
  readonly kind: 'numbers'
  readonly response: ForestResponse
  readonly weights: Float64Array
  readonly sums: Float64Array
}

/**
 * Two classes: Gini and the variance of 0 and 1 choose the same cuts. Draws of both classes are packed into one double,
 * draws + PACK * (draws of class 1), so that a row costs one addition; exact below 2^26 draws.
 */
interface TwoClasses extends Bins {
  readonly kind: 'two'
  readonly response: ForestResponse
  readonly packed: Float64Array
}

interface ManyClasses extends Bins {
  readonly kind: 'many'
  readonly response: ForestResponse
  readonly classOf: Int32Array
  readonly draws: Int32Array
  readonly total: Int32Array
  readonly left: Int32Array
}

const PACK = 2 ** 26

/** So many columns of a node are counted in one pass over its rows. */
const TOGETHER = 3

function binsFor(data: BinnedColumns, perBin: number): Bins {
  const width = widest(data)
  return { width, histogram: new Float64Array(perBin * width), touched: bitmap(width), found: foundBins(width) }
}

function numbers(data: BinnedColumns, response: ForestResponse): Numbers {
  const weights = new Float64Array(data.rows)
  const sums = new Float64Array(data.rows)
  return { kind: 'numbers', ...binsFor(data, 2), response, weights, sums }
}

function twoClasses(data: BinnedColumns, response: ForestResponse): TwoClasses {
  return { kind: 'two', ...binsFor(data, TOGETHER), response, packed: new Float64Array(data.rows) }
}

function manyClasses(data: BinnedColumns, response: ForestResponse): ManyClasses {
  return {
    kind: 'many',
    ...binsFor(data, response.classes),
    response,
    classOf: Int32Array.from(response.values),
    draws: new Int32Array(data.rows),
    total: new Int32Array(response.classes),
    left: new Int32Array(response.classes),
  }
}

/** Takes note of how often each row was drawn. */
function begin(criterion: Criterion, draws: Int32Array): void {
  if (criterion.kind === 'many') {
    criterion.draws.set(draws)
    return
  }
  const { values } = criterion.response
  if (criterion.kind === 'two') {
    const { packed } = criterion
    for (let row = 0; row < packed.length; row++) packed[row] = draws[row] * (1 + PACK * values[row])
    return
  }
  const { weights, sums } = criterion
  for (let row = 0; row < weights.length; row++) {
    weights[row] = draws[row]
    sums[row] = draws[row] * values[row]
  }
}

/** Sum of the responses of rows, draws of class 1 for two classes; for more there is none. */
function sumOf(criterion: Criterion, rows: Int32Array, from: number, to: number): number {
  let total = 0
  if (criterion.kind === 'numbers') for (let i = from; i < to; i++) total += criterion.sums[rows[i]]
  if (criterion.kind === 'two') for (let i = from; i < to; i++) total += Math.floor(criterion.packed[rows[i]] / PACK)
  return total
}

/** Whether all rows have the same response; not asked for two classes, where the sum says it. */
function allEqual(criterion: Criterion, rows: Int32Array, from: number, to: number): boolean {
  if (criterion.kind === 'two') return false
  const { values } = criterion.response
  const first = values[rows[from]]
  for (let i = from + 1; i < to; i++) if (values[rows[i]] !== first) return false
  return true
}

function leafValue(
  criterion: Criterion,
  leaves: LeafShares,
  rows: Int32Array,
  from: number,
  to: number,
  weight: number,
  sum: number,
): number {
  const { grid } = criterion.response
  if (criterion.kind === 'many') {
    countClasses(criterion, rows, from, to)
    addLeaf(leaves, criterion.total, weight, grid)
    return 0
  }
  // Numbers are summed anew: the sum that came down the tree was found by subtraction.
  const total = criterion.kind === 'two' ? sum : sumOf(criterion, rows, from, to)
  return Math.round(total / weight / grid) * grid
}

/** Looks for the best cut among the drawn columns. */
function search(
  criterion: Criterion,
  data: BinnedColumns,
  rows: Int32Array,
  drawn: Int32Array,
  from: number,
  to: number,
  weight: number,
  sum: number,
  cut: Cut,
): void {
  if (criterion.kind === 'two') {
    for (let j = 0; j < drawn.length; )
      j += searchTwoClasses(criterion, data, rows, drawn, j, from, to, weight, sum, cut)
  } else if (criterion.kind === 'numbers') {
    for (const column of drawn) searchNumbers(criterion, data, rows, column, from, to, weight, sum, cut)
  } else {
    countClasses(criterion, rows, from, to)
    for (const column of drawn) searchClasses(criterion, data, rows, column, from, to, weight, cut)
  }
}

/**
 * Numbers: the cut with the largest d^2 / (n_L n_R), d = S_L n - S n_L, where n counts draws and S sums responses. That
 * is n times the fall of the sum of squares, with nothing subtracted that could cancel.
 */
function searchNumbers(
  criterion: Numbers,
  data: BinnedColumns,
  rows: Int32Array,
  column: number,
  from: number,
  to: number,
  weight: number,
  sum: number,
  cut: Cut,
): void {
  const { histogram, touched, found, weights, sums } = criterion
  const count = data.bins[column] + 1
  const offset = column * data.rows
  if (to - from < count * SPARSE_ROWS_PER_BIN) {
    fillPairsSparse(data.codes, offset, rows, weights, sums, from, to, histogram, touched)
    listTouched(touched, count, found)
  } else {
    fillPairs(data.codes, offset, rows, weights, sums, from, to, histogram)
    found.count = 0
    for (let code = 0; code < count; code++) if (histogram[2 * code] > 0) found.codes[found.count++] = code
  }
  for (let i = 0; i < found.count; i++) {
    const bin = 2 * found.codes[i]
    found.weights[i] = histogram[bin]
    found.sums[i] = histogram[bin + 1]
    histogram[bin] = 0
    histogram[bin + 1] = 0
  }
  bestBySums(found, column, weight, sum, cut)
}

/** As for numbers 0 and 1, in the drawn column at `at` and those behind it that can be counted with it; says how many. */
function searchTwoClasses(
  criterion: TwoClasses,
  data: BinnedColumns,
  rows: Int32Array,
  drawn: Int32Array,
  at: number,
  from: number,
  to: number,
  weight: number,
  sum: number,
  cut: Cut,
): number {
  const { histogram, touched, found, packed, width } = criterion
  const { rows: n, codes, bins } = data
  const first = drawn[at]
  if (to - from < (bins[first] + 1) * SPARSE_ROWS_PER_BIN) {
    fillPackedSparse(codes, first * n, rows, packed, from, to, histogram, touched)
    listTouched(touched, bins[first] + 1, found)
    takeFound(histogram, found)
    bestBySums(found, first, weight, sum, cut)
    return 1
  }
  let together = 1
  while (
    together < TOGETHER &&
    at + together < drawn.length &&
    to - from >= (bins[drawn[at + together]] + 1) * SPARSE_ROWS_PER_BIN
  ) {
    together++
  }
  if (together === 1) fillPacked(codes, first * n, rows, packed, from, to, histogram)
  else if (together === 2) fillPackedTwo(codes, first * n, drawn[at + 1] * n, rows, packed, from, to, histogram, width)
  else {
    const second = drawn[at + 1] * n
    fillPackedThree(codes, first * n, second, drawn[at + 2] * n, rows, packed, from, to, histogram, width)
  }
  for (let j = 0; j < together; j++) {
    const column = drawn[at + j]
    const start = j * width
    if (histogram[start] === 0) takeBest(histogram, start, bins[column] + 1, column, weight, sum, cut)
    else {
      takeAll(histogram, start, bins[column] + 1, found)
      bestBySums(found, column, weight, sum, cut)
    }
  }
  return together
}

/** Unpacks and clears the bins that are listed. */
function takeFound(histogram: Float64Array, { count, codes, weights, sums }: FoundBins): void {
  for (let i = 0; i < count; i++) {
    const both = histogram[codes[i]]
    const ones = Math.floor(both / PACK)
    weights[i] = both - ones * PACK
    sums[i] = ones
    histogram[codes[i]] = 0
  }
}

/** Lists, unpacks and clears the bins of one histogram. */
function takeAll(histogram: Float64Array, start: number, count: number, found: FoundBins): void {
  const { codes, weights, sums } = found
  let taken = 0
  for (let code = 0; code < count; code++) {
    const both = histogram[start + code]
    if (both === 0) continue
    histogram[start + code] = 0
    const ones = Math.floor(both / PACK)
    codes[taken] = code
    weights[taken] = both - ones * PACK
    sums[taken++] = ones
  }
  found.count = taken
}

/** Hot: `takeAll` and `bestBySums` in one pass, when there are no missing values. */
function takeBest(
  histogram: Float64Array,
  start: number,
  count: number,
  column: number,
  weight: number,
  sum: number,
  cut: Cut,
): void {
  let leftWeight = 0
  let leftSum = 0
  let last = 0
  let best = cut.score
  let low = -1
  for (let code = 1; code < count; code++) {
    const both = histogram[start + code]
    if (both === 0) continue
    histogram[start + code] = 0
    if (leftWeight > 0) {
      const d = leftSum * weight - sum * leftWeight
      const score = (d * d) / (leftWeight * (weight - leftWeight))
      if (score > best) {
        best = score
        low = last
        cut.high = code
        cut.leftWeight = leftWeight
        cut.leftSum = leftSum
      }
    }
    const ones = Math.floor(both / PACK)
    leftWeight += both - ones * PACK
    leftSum += ones
    last = code
  }
  if (low < 0) return
  cut.score = best
  cut.column = column
  cut.low = low
  cut.missingLeft = 2 * cut.leftWeight >= weight
}

/** The bins that a node has rows in, in order, with their draws and sums of responses. */
interface FoundBins {
  count: number
  readonly codes: Int32Array
  readonly weights: Float64Array
  readonly sums: Float64Array
}

function bestBySums(found: FoundBins, column: number, weight: number, sum: number, cut: Cut): void {
  const { count, codes, weights, sums } = found
  if (count < 2) return
  if (codes[0] === 0) {
    bestWithMissing(found, column, weight, sum, cut)
    return
  }
  let leftWeight = 0
  let leftSum = 0
  let best = cut.score
  let at = -1
  for (let i = 0; i < count - 1; i++) {
    leftWeight += weights[i]
    leftSum += sums[i]
    const d = leftSum * weight - sum * leftWeight
    const score = (d * d) / (leftWeight * (weight - leftWeight))
    if (score > best) {
      best = score
      at = i
      cut.leftWeight = leftWeight
      cut.leftSum = leftSum
    }
  }
  if (at < 0) return
  cut.score = best
  cut.column = column
  cut.low = codes[at]
  cut.high = codes[at + 1]
  cut.missingLeft = 2 * cut.leftWeight >= weight
}

/** The first bin holds missing values: alone on the left, or with each cut of the others on either side. */
function bestWithMissing(found: FoundBins, column: number, weight: number, sum: number, cut: Cut): void {
  const { count, codes, weights, sums } = found
  let leftWeight = 0
  let leftSum = 0
  for (let i = 0; i < count - 1; i++) {
    if (i > 0) {
      leftWeight += weights[i]
      leftSum += sums[i]
    }
    for (let side = i === 0 ? 1 : 0; side < 2; side++) {
      const w = side === 0 ? leftWeight : leftWeight + weights[0]
      const s = side === 0 ? leftSum : leftSum + sums[0]
      const d = s * weight - sum * w
      const score = (d * d) / (w * (weight - w))
      if (score > cut.score) {
        cut.score = score
        cut.column = column
        cut.low = codes[i]
        cut.high = codes[i + 1]
        cut.missingLeft = side === 1
        cut.leftWeight = w
        cut.leftSum = s
      }
    }
  }
}

/** Several classes: the largest n (sum_k L_k^2 / n_L + sum_k R_k^2 / n_R) - sum_k T_k^2, n times the fall of Gini. */
function searchClasses(
  criterion: ManyClasses,
  data: BinnedColumns,
  rows: Int32Array,
  column: number,
  from: number,
  to: number,
  weight: number,
  cut: Cut,
): void {
  const { histogram, touched, found, classOf, draws, total } = criterion
  const { classes } = criterion.response
  fillClasses(data.codes, column * data.rows, rows, draws, classOf, classes, from, to, histogram, touched)
  listTouched(touched, data.bins[column] + 1, found)
  if (found.count > 1) {
    let squares = 0
    for (let k = 0; k < classes; k++) squares += total[k] * total[k]
    const hasMissing = found.codes[0] === 0
    walkCuts(criterion, cut, column, hasMissing ? 1 : 0, false, weight, squares)
    if (hasMissing) walkCuts(criterion, cut, column, 0, true, weight, squares)
    else if (cut.column === column) cut.missingLeft = 2 * cut.leftWeight >= weight
  }
  for (let i = 0; i < found.count; i++) {
    const bin = found.codes[i] * classes
    histogram.fill(0, bin, bin + classes)
  }
}

/** Tries the cuts behind the listed bins from `first` on; missing values, if first, are on the left in all of them. */
function walkCuts(
  { histogram, found, response, total, left }: ManyClasses,
  cut: Cut,
  column: number,
  first: number,
  missingLeft: boolean,
  weight: number,
  squares: number,
): void {
  const { classes } = response
  left.fill(0)
  let leftWeight = 0
  // Sums of squares of whole numbers, kept up to date exactly.
  let leftSquares = 0
  let rightSquares = squares
  for (let i = first; i < found.count - 1; i++) {
    const bin = found.codes[i] * classes
    for (let k = 0; k < classes; k++) {
      const more = histogram[bin + k]
      if (more === 0) continue
      const onLeft = left[k]
      leftWeight += more
      leftSquares += more * (2 * onLeft + more)
      rightSquares -= more * (2 * (total[k] - onLeft) - more)
      left[k] = onLeft + more
    }
    const score = (leftSquares / leftWeight + rightSquares / (weight - leftWeight)) * weight - squares
    if (!(score > cut.score)) continue
    cut.score = score
    cut.column = column
    cut.low = found.codes[i]
    cut.high = found.codes[i + 1]
    cut.missingLeft = missingLeft
    cut.leftWeight = leftWeight
  }
}

function countClasses({ total, classOf, draws }: ManyClasses, rows: Int32Array, from: number, to: number): void {
  total.fill(0)
  for (let i = from; i < to; i++) total[classOf[rows[i]]] += draws[rows[i]]
}

/** Class shares of the leaves of a tree, one leaf after the other, without the classes that a leaf does not have. */
interface LeafShares {
  count: number
  used: number
  start: Int32Array
  classes: Uint16Array
  shares: Float64Array
}

function addLeaf(leaves: LeafShares, counts: Int32Array, weight: number, grid: number): void {
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

// Filling histograms is where a forest spends its time. Four rows per turn, since a turn of the loop itself costs as
// much as a row; arrays and numbers are looked at before the loop, or the compiler would check in every turn that they
// are what they are. The simple version of all of them: for each row, histogram[code of row] += what the row has.

function fillPacked(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  packed: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
): void {
  if (codes.length === 0 || rows.length === 0 || packed.length === 0 || histogram.length === 0) return
  from |= 0
  to |= 0
  offset |= 0
  let i = from
  for (; i + 4 <= to; i += 4) {
    const a = rows[i]
    const b = rows[i + 1]
    const c = rows[i + 2]
    const d = rows[i + 3]
    histogram[codes[offset + a]] += packed[a]
    histogram[codes[offset + b]] += packed[b]
    histogram[codes[offset + c]] += packed[c]
    histogram[codes[offset + d]] += packed[d]
  }
  for (; i < to; i++) histogram[codes[offset + rows[i]]] += packed[rows[i]]
}

function fillPackedTwo(
  codes: Codes,
  first: number,
  second: number,
  rows: Int32Array,
  packed: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
  width: number,
): void {
  if (codes.length === 0 || rows.length === 0 || packed.length === 0 || histogram.length === 0) return
  from |= 0
  to |= 0
  first |= 0
  second |= 0
  width |= 0
  let i = from
  for (; i + 2 <= to; i += 2) {
    const a = rows[i]
    const b = rows[i + 1]
    const valueA = packed[a]
    const valueB = packed[b]
    histogram[codes[first + a]] += valueA
    histogram[width + codes[second + a]] += valueA
    histogram[codes[first + b]] += valueB
    histogram[width + codes[second + b]] += valueB
  }
  for (; i < to; i++) {
    const row = rows[i]
    histogram[codes[first + row]] += packed[row]
    histogram[width + codes[second + row]] += packed[row]
  }
}

function fillPackedThree(
  codes: Codes,
  first: number,
  second: number,
  third: number,
  rows: Int32Array,
  packed: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
  width: number,
): void {
  if (codes.length === 0 || rows.length === 0 || packed.length === 0 || histogram.length === 0) return
  from |= 0
  to |= 0
  first |= 0
  second |= 0
  third |= 0
  width |= 0
  const twice = 2 * width
  let i = from
  for (; i + 2 <= to; i += 2) {
    const a = rows[i]
    const b = rows[i + 1]
    const valueA = packed[a]
    const valueB = packed[b]
    histogram[codes[first + a]] += valueA
    histogram[width + codes[second + a]] += valueA
    histogram[twice + codes[third + a]] += valueA
    histogram[codes[first + b]] += valueB
    histogram[width + codes[second + b]] += valueB
    histogram[twice + codes[third + b]] += valueB
  }
  for (; i < to; i++) {
    const row = rows[i]
    histogram[codes[first + row]] += packed[row]
    histogram[width + codes[second + row]] += packed[row]
    histogram[twice + codes[third + row]] += packed[row]
  }
}

function fillPackedSparse(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  packed: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
  touched: Int32Array,
): void {
  if (codes.length === 0 || rows.length === 0 || packed.length === 0 || histogram.length === 0) return
  from |= 0
  to |= 0
  offset |= 0
  let i = from
  for (; i + 2 <= to; i += 2) {
    const a = rows[i]
    const b = rows[i + 1]
    const codeA = codes[offset + a]
    const codeB = codes[offset + b]
    histogram[codeA] += packed[a]
    touched[codeA >>> 5] |= 1 << codeA
    histogram[codeB] += packed[b]
    touched[codeB >>> 5] |= 1 << codeB
  }
  for (; i < to; i++) {
    const code = codes[offset + rows[i]]
    histogram[code] += packed[rows[i]]
    touched[code >>> 5] |= 1 << code
  }
}

function fillPairs(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  weights: Float64Array,
  sums: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
): void {
  if (codes.length === 0 || rows.length === 0 || weights.length === 0 || sums.length === 0 || histogram.length === 0)
    return
  from |= 0
  to |= 0
  offset |= 0
  let i = from
  for (; i + 4 <= to; i += 4) {
    const a = rows[i]
    const b = rows[i + 1]
    const c = rows[i + 2]
    const d = rows[i + 3]
    const atA = codes[offset + a] << 1
    const atB = codes[offset + b] << 1
    const atC = codes[offset + c] << 1
    const atD = codes[offset + d] << 1
    histogram[atA] += weights[a]
    histogram[atA + 1] += sums[a]
    histogram[atB] += weights[b]
    histogram[atB + 1] += sums[b]
    histogram[atC] += weights[c]
    histogram[atC + 1] += sums[c]
    histogram[atD] += weights[d]
    histogram[atD + 1] += sums[d]
  }
  for (; i < to; i++) {
    const at = codes[offset + rows[i]] << 1
    histogram[at] += weights[rows[i]]
    histogram[at + 1] += sums[rows[i]]
  }
}

function fillPairsSparse(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  weights: Float64Array,
  sums: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
  touched: Int32Array,
): void {
  for (let i = from; i < to; i++) {
    const row = rows[i]
    const code = codes[offset + row]
    histogram[code << 1] += weights[row]
    histogram[(code << 1) + 1] += sums[row]
    touched[code >>> 5] |= 1 << code
  }
}

function fillClasses(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  draws: Int32Array,
  classOf: Int32Array,
  classes: number,
  from: number,
  to: number,
  histogram: Float64Array,
  touched: Int32Array,
): void {
  let i = from
  for (; i + 2 <= to; i += 2) {
    const a = rows[i]
    const b = rows[i + 1]
    const codeA = codes[offset + a]
    const codeB = codes[offset + b]
    histogram[Math.imul(codeA, classes) + classOf[a]] += draws[a]
    histogram[Math.imul(codeB, classes) + classOf[b]] += draws[b]
    touched[codeA >>> 5] |= 1 << codeA
    touched[codeB >>> 5] |= 1 << codeB
  }
  for (; i < to; i++) {
    const code = codes[offset + rows[i]]
    histogram[Math.imul(code, classes) + classOf[rows[i]]] += draws[rows[i]]
    touched[code >>> 5] |= 1 << code
  }
}

/** Lists the touched codes in ascending order and forgets them. */
function listTouched(touched: Int32Array, codes: number, found: FoundBins): void {
  const words = (codes + 31) >>> 5
  const list = found.codes
  let count = 0
  for (let word = 0; word < words; word++) {
    let bits = touched[word]
    touched[word] = 0
    while (bits !== 0) {
      const lowest = bits & -bits
      bits ^= lowest
      list[count++] = (word << 5) + 31 - Math.clz32(lowest)
    }
  }
  found.count = count
}

function widest(data: BinnedColumns): number {
  let most = 0
  for (const count of data.bins) most = Math.max(most, count)
  return most + 1
}

function bitmap(codes: number): Int32Array {
  return new Int32Array((codes + 31) >>> 5)
}

function foundBins(width: number): FoundBins {
  return { count: 0, codes: new Int32Array(width), weights: new Float64Array(width), sums: new Float64Array(width) }
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

/**
 * Sums over trees of what they predict for each row: numbers or the share of class 1, one per row; for several classes
 * one per row and class. Exact, since all leaf values are multiples of one power of two.
 */
export function forestSums(trees: readonly ForestTree[], data: TreeRows, classes: number): Float64Array {
  const width = classes > 2 ? classes : 1
  const sums = new Float64Array(data.rows * width)
  const nodes = new Int32Array(data.rows)
  for (const tree of trees) {
    descend(tree, data, 0, data.rows, nodes)
    if (width === 1) {
      const { value } = tree
      for (let row = 0; row < data.rows; row++) sums[row] += value[nodes[row]]
    } else for (let row = 0; row < data.rows; row++) addShares(tree, nodes[row], sums, row * width)
  }
  return sums
}

/** Adds the class shares of a leaf to `sums` at `at`. */
export function addShares(tree: ForestTree, node: number, sums: Float64Array, at: number): void {
  const leaf = tree.child[node]
  const end = tree.start[leaf + 1]
  for (let i = tree.start[leaf]; i < end; i++) sums[at + tree.classes[i]] += tree.shares[i]
}
