import {
  type BinnedColumns,
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

export interface GrownTree {
  readonly tree: ForestTree
  /** The rows that were not drawn, and the leaf of each, as a node. Valid until the next tree is grown. */
  readonly outOfBag: Int32Array
  readonly outOfBagLeaf: Int32Array
  /** How much each column lowered the impurity, summed over its cuts. */
  readonly decrease: Float64Array
}

/** Draws a whole number in [0, n). */
export type Below = (n: number) => number

/** Grows a tree on rows drawn so many times each. */
export type Grow = (draws: Int32Array, below: Below) => GrownTree

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

/** How one kind of response finds cuts and fills leaves. */
interface Criterion {
  /** Prepares for a tree. */
  begin(draws: Int32Array): void
  /** Sum of the responses of the rows in [from, to), as far as the kind has one. */
  sum(from: number, to: number): number
  /** Takes up a node, before its columns are searched. */
  enter(from: number, to: number): void
  /** Looks for a better cut in a column, or in as many of the drawn columns from `at` on as it takes at once. */
  search(drawn: Int32Array, at: number, from: number, to: number, weight: number, sum: number, cut: Cut): number
  /** The value of a leaf. */
  leaf(from: number, to: number, weight: number, sum: number): number
  /** How much the impurity falls per unit of score. */
  readonly decreasePerScore: number
  /** A leaf is known by its weight and sum, without its rows. */
  readonly leafNeedsNoRows: boolean
}

/** Fewer rows per bin than this: remember the touched bins. */
const SPARSE_ROWS_PER_BIN = 1

/** A node waiting for its turn takes this many numbers on the stack. */
const FRAME = 8

export function forestGrower(data: BinnedColumns, response: ForestResponse, rule: ForestRule): Grow {
  const { rows: n, columns, codes } = data
  const rows = new Int32Array(n + 1)
  const others = new Int32Array(n + 1)
  const spare = new Int32Array(n)
  const othersLeaf = new Int32Array(n)
  const order = new Int32Array(columns)
  const mtry = Math.min(rule.mtry, columns)
  const drawn = order.subarray(0, mtry)
  const leaves = leafShares()
  const criterion =
    response.classes > 2
      ? manyClasses(data, response, rows, leaves)
      : response.classes > 0
        ? twoClasses(data, response, rows)
        : numbers(data, response, rows)
  const cut: Cut = { score: -1, column: -1, low: 0, high: 0, missingLeft: false, leftWeight: 0, leftSum: 0 }
  let split = new Int32Array(256)
  let child = new Int32Array(256)
  let value = new Float64Array(256)
  let stack = new Float64Array(64 * FRAME)

  function isLeaf(weight: number, depth: number): boolean {
    return weight <= rule.minNode || depth >= rule.maxDepth
  }

  function isPure(from: number, to: number): boolean {
    const { values } = response
    const first = values[rows[from]]
    for (let i = from + 1; i < to; i++) if (values[rows[i]] !== first) return false
    return true
  }

  function findCut(from: number, to: number, weight: number, sum: number, below: Below): void {
    criterion.enter(from, to)
    for (let j = 0; j < mtry; j++) {
      const other = j + below(columns - j)
      const column = order[other]
      order[other] = order[j]
      order[j] = column
    }
    for (let j = 0; j < mtry; ) j += criterion.search(drawn, j, from, to, weight, sum, cut)
  }

  return (draws, below) => {
    let inBag = 0
    let notDrawn = 0
    let allDraws = 0
    // Hot, so without a branch: the row is written to both lists, and one of them moves on.
    for (let row = 0; row < n; row++) {
      const isDrawn = -draws[row] >>> 31
      rows[inBag] = row
      others[notDrawn] = row
      inBag += isDrawn
      notDrawn += 1 - isDrawn
      allDraws += draws[row]
    }
    for (let j = 0; j < columns; j++) order[j] = j
    criterion.begin(draws)
    leaves.begin()
    const decrease = new Float64Array(columns)
    let nodes = 1
    let leafCount = 0
    let top = 0
    top = push(stack, top, 0, 0, 0, inBag, 0, notDrawn, allDraws, criterion.sum(0, inBag))
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
      cut.column = -1
      cut.score = Number.NEGATIVE_INFINITY
      if (!isLeaf(weight, depth) && !isPure(from, to)) findCut(from, to, weight, sum, below)
      if (cut.column < 0) {
        split[node] = LEAF
        child[node] = leafCount++
        value[node] = criterion.leaf(from, to, weight, sum)
        for (let i = othersFrom; i < othersTo; i++) othersLeaf[i] = node
        continue
      }
      if (nodes + 2 > split.length) {
        split = longer(split, new Int32Array(2 * split.length))
        child = longer(child, new Int32Array(2 * child.length))
        value = longer(value, new Float64Array(2 * value.length))
      }
      if (top + 2 * FRAME > stack.length) stack = longer(stack, new Float64Array(2 * stack.length))
      const { column, low, high, missingLeft, leftWeight, leftSum } = cut
      const rightWeight = weight - leftWeight
      decrease[column] += (cut.score * criterion.decreasePerScore) / weight
      const flags = (leftWeight >= rightWeight ? UNSEEN_LEFT : 0) | (missingLeft ? MISSING_LEFT : 0)
      split[node] = splitCode(column, flags)
      child[node] = nodes
      // Nothing is at most NaN: all but missing values go right.
      value[node] = low === 0 ? Number.NaN : thresholdBetween(data, column, low, high)
      const childrenAreLeaves = isLeaf(leftWeight, depth + 1) && isLeaf(rightWeight, depth + 1)
      const middle =
        childrenAreLeaves && criterion.leafNeedsNoRows
          ? from
          : partitionByCut(codes, column * n, rows, spare, from, to, low, missingLeft)
      const othersLow = lastCodeLeft(data, column, low, high)
      const othersMiddle = partitionByCut(
        codes,
        column * n,
        others,
        spare,
        othersFrom,
        othersTo,
        othersLow,
        missingLeft,
      )
      top = push(stack, top, nodes + 1, depth + 1, middle, to, othersMiddle, othersTo, rightWeight, sum - leftSum)
      top = push(stack, top, nodes, depth + 1, from, middle, othersFrom, othersMiddle, leftWeight, leftSum)
      nodes += 2
    }
    return {
      tree: {
        split: split.slice(0, nodes),
        child: child.slice(0, nodes),
        value: value.slice(0, nodes),
        sets: new Int32Array(0),
        ...leaves.end(),
      },
      outOfBag: others.subarray(0, notDrawn),
      outOfBagLeaf: othersLeaf.subarray(0, notDrawn),
      decrease,
    }
  }
}

/**
 * Numbers: the cut with the largest d^2 / (n_L n_R), d = S_L n - S n_L, where n counts draws and S sums responses. That
 * is n times the fall of the sum of squares, with nothing subtracted that could cancel.
 */
function numbers(data: BinnedColumns, response: ForestResponse, rows: Int32Array): Criterion {
  const { rows: n, codes, bins } = data
  const { values, grid } = response
  const weights = new Float64Array(n)
  const sums = new Float64Array(n)
  const width = widest(data)
  const histogram = new Float64Array(2 * width)
  const touched = bitmap(width)
  const found = foundBins(width)

  return {
    decreasePerScore: 1,
    leafNeedsNoRows: false,
    begin(draws) {
      for (let row = 0; row < n; row++) {
        weights[row] = draws[row]
        sums[row] = draws[row] * values[row]
      }
    },
    sum(from, to) {
      let total = 0
      for (let i = from; i < to; i++) total += sums[rows[i]]
      return total
    },
    enter() {},
    search(drawn, at, from, to, weight, sum, cut) {
      const column = drawn[at]
      const count = bins[column] + 1
      if (to - from < count * SPARSE_ROWS_PER_BIN) {
        fillPairsSparse(codes, column * n, rows, weights, sums, from, to, histogram, touched)
        listTouched(touched, count, found)
      } else {
        fillPairs(codes, column * n, rows, weights, sums, from, to, histogram)
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
      return 1
    },
    // Summed anew: the sum that came down the tree was found by subtraction.
    leaf(from, to, weight) {
      let total = 0
      for (let i = from; i < to; i++) total += sums[rows[i]]
      return Math.round(total / weight / grid) * grid
    },
  }
}

/** Draws of both classes in one double: draws + PACK * (draws of class 1), exact below 2^26 draws. */
const PACK = 2 ** 26

/** So many columns of a node are counted in one pass over its rows. */
const TOGETHER = 3

/**
 * Two classes: Gini and the variance of 0/1 choose the same cuts, and Gini falls by twice as much. The histogram holds
 * packed numbers, so that a row costs one addition.
 */
function twoClasses(data: BinnedColumns, response: ForestResponse, rows: Int32Array): Criterion {
  const { rows: n, codes, bins } = data
  const { values, grid } = response
  const packed = new Float64Array(n)
  const width = widest(data)
  const histogram = new Float64Array(TOGETHER * width)
  const touched = bitmap(width)
  const found = foundBins(width)

  /** Unpacks and clears the bins that are listed. */
  function takeFound(): void {
    for (let i = 0; i < found.count; i++) {
      const both = histogram[found.codes[i]]
      const ones = Math.floor(both / PACK)
      found.weights[i] = both - ones * PACK
      found.sums[i] = ones
      histogram[found.codes[i]] = 0
    }
  }

  /** Lists, unpacks and clears the bins of one histogram. */
  function takeAll(start: number, count: number): void {
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

  return {
    decreasePerScore: 2,
    leafNeedsNoRows: true,
    begin(draws) {
      for (let row = 0; row < n; row++) packed[row] = draws[row] * (1 + PACK * values[row])
    },
    sum(from, to) {
      let total = 0
      for (let i = from; i < to; i++) total += Math.floor(packed[rows[i]] / PACK)
      return total
    },
    enter() {},
    search(drawn, at, from, to, weight, sum, cut) {
      const first = drawn[at]
      if (to - from < bins[first] + 1) {
        fillPackedSparse(codes, first * n, rows, packed, from, to, histogram, touched)
        listTouched(touched, bins[first] + 1, found)
        takeFound()
        bestBySums(found, first, weight, sum, cut)
        return 1
      }
      let together = 1
      while (together < TOGETHER && at + together < drawn.length && to - from > bins[drawn[at + together]]) together++
      if (together === 1) fillPacked(codes, first * n, rows, packed, from, to, histogram)
      else if (together === 2)
        fillPackedTwo(codes, first * n, drawn[at + 1] * n, rows, packed, from, to, histogram, width)
      else {
        const second = drawn[at + 1] * n
        fillPackedThree(codes, first * n, second, drawn[at + 2] * n, rows, packed, from, to, histogram, width)
      }
      for (let j = 0; j < together; j++) {
        takeAll(j * width, bins[drawn[at + j]] + 1)
        bestBySums(found, drawn[at + j], weight, sum, cut)
      }
      return together
    },
    leaf(_from, _to, weight, sum) {
      return Math.round(sum / weight / grid) * grid
    },
  }
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

/** Several classes: the largest n (sum_k L_k^2 / n_L + sum_k R_k^2 / n_R - sum_k T_k^2 / n), n times the fall of Gini. */
function manyClasses(data: BinnedColumns, response: ForestResponse, rows: Int32Array, leaves: LeafShares): Criterion {
  const { rows: n, codes, bins } = data
  const { classes, grid } = response
  const classOf = Int32Array.from(response.values)
  const width = widest(data)
  const histogram = new Int32Array(classes * width)
  const touched = bitmap(width)
  const found = foundBins(width)
  const total = new Int32Array(classes)
  const left = new Int32Array(classes)
  let draws = new Int32Array(0)
  let squares = 0

  function count(from: number, to: number): void {
    total.fill(0)
    for (let i = from; i < to; i++) total[classOf[rows[i]]] += draws[rows[i]]
  }

  function tryCut(cut: Cut, column: number, i: number, missing: boolean, w: number, weight: number, ss: number): void {
    let right = 0
    for (let k = 0; k < classes; k++) right += (total[k] - left[k]) * (total[k] - left[k])
    const score = (ss / w + right / (weight - w)) * weight - squares
    if (!(score > cut.score)) return
    cut.score = score
    cut.column = column
    cut.low = found.codes[i]
    cut.high = found.codes[i + 1]
    cut.missingLeft = missing
    cut.leftWeight = w
  }

  /** Walks over the cuts with missing values on one side; `first` is the first bin that is not missing. */
  function walk(cut: Cut, column: number, first: number, missingLeft: boolean, weight: number): void {
    left.fill(0)
    let leftWeight = 0
    let leftSquares = 0
    for (let i = missingLeft ? 0 : first; i < found.count - 1; i++) {
      const at = found.codes[i] * classes
      for (let k = 0; k < classes; k++) {
        const more = histogram[at + k]
        if (more === 0) continue
        leftSquares += more * (2 * left[k] + more)
        left[k] += more
        leftWeight += more
      }
      tryCut(cut, column, i, missingLeft, leftWeight, weight, leftSquares)
    }
  }

  return {
    decreasePerScore: 1,
    leafNeedsNoRows: false,
    begin(given) {
      draws = given as Int32Array<ArrayBuffer>
    },
    sum: () => 0,
    enter(from, to) {
      count(from, to)
      squares = 0
      for (let k = 0; k < classes; k++) squares += total[k] * total[k]
    },
    search(drawn, at, from, to, weight, _sum, cut) {
      const column = drawn[at]
      const width = bins[column] + 1
      fillClasses(codes, column * n, rows, draws, classOf, classes, from, to, histogram, touched)
      listTouched(touched, width, found)
      if (found.count > 1) {
        const hasMissing = found.codes[0] === 0
        walk(cut, column, hasMissing ? 1 : 0, false, weight)
        if (hasMissing) walk(cut, column, 1, true, weight)
        else if (cut.column === column) cut.missingLeft = 2 * cut.leftWeight >= weight
      }
      for (let i = 0; i < found.count; i++) {
        const bin = found.codes[i] * classes
        histogram.fill(0, bin, bin + classes)
      }
      return 1
    },
    leaf(from, to, weight) {
      count(from, to)
      leaves.add(total, weight, grid)
      return 0
    },
  }
}

/** Class shares of the leaves of a tree, one leaf after the other, without the classes that a leaf does not have. */
interface LeafShares {
  begin(): void
  add(counts: Int32Array, weight: number, grid: number): void
  end(): { start: Int32Array; classes: Uint16Array; shares: Float64Array }
}

function leafShares(): LeafShares {
  let start = new Int32Array(256)
  let classes = new Uint16Array(256)
  let shares = new Float64Array(256)
  let leaves = 0
  let used = 0
  return {
    begin() {
      leaves = 0
      used = 0
    },
    add(counts, weight, grid) {
      if (leaves + 2 > start.length) start = longer(start, new Int32Array(2 * start.length))
      while (used + counts.length > shares.length) {
        classes = longer(classes, new Uint16Array(2 * classes.length))
        shares = longer(shares, new Float64Array(2 * shares.length))
      }
      start[leaves++] = used
      for (let k = 0; k < counts.length; k++) {
        if (counts[k] === 0) continue
        classes[used] = k
        shares[used++] = Math.round(counts[k] / weight / grid) * grid
      }
    },
    end() {
      start[leaves] = used
      const length = leaves === 0 ? 0 : leaves + 1
      return { start: start.slice(0, length), classes: classes.slice(0, used), shares: shares.slice(0, used) }
    },
  }
}

// Filling histograms is where a forest spends its time. Four rows per turn, since a turn of the loop itself costs as
// much as a row. The simple version of all of them: for each row, histogram[code of row] += what the row has.

function fillPacked(
  codes: Uint16Array,
  offset: number,
  rows: Int32Array,
  packed: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
): void {
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
  codes: Uint16Array,
  first: number,
  second: number,
  rows: Int32Array,
  packed: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
  width: number,
): void {
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
  codes: Uint16Array,
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
  codes: Uint16Array,
  offset: number,
  rows: Int32Array,
  packed: Float64Array,
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
  codes: Uint16Array,
  offset: number,
  rows: Int32Array,
  weights: Float64Array,
  sums: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
): void {
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
  codes: Uint16Array,
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
  codes: Uint16Array,
  offset: number,
  rows: Int32Array,
  draws: Int32Array,
  classOf: Int32Array,
  classes: number,
  from: number,
  to: number,
  histogram: Int32Array,
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
