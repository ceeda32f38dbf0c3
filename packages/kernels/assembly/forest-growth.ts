import { double, int, setDouble, setInt } from './memory'

/**
 * Grows a tree of a forest. What is computed is told by the twin, `src/trees/plain-forest.ts`; both give the same bits. The host lays
 * out the memory and sets the variables that are exported. Codes have 16 bits, column after column.
 */
export let rowCount: i32
export let columns: i32
export let mtry: i32
export let minNode: i32
export let maxDepth: i32
/** Whether rows that were not drawn are sent down to the leaves too. */
export let outOfBag: i32
/** 0 for numbers. */
export let classes: i32
/** Leaf values are multiples of it. */
export let grid: f64

export let codes: usize
/** By column: how many bins, and where their smallest and largest values begin in `lower` and `upper`. */
export let bins: usize
export let start: usize
export let lower: usize
export let upper: usize
/** By row: how often it was drawn, and its class; or its number. */
export let draws: usize
export let classOf: usize
export let numbers: usize

/** By row: draws, and draws times the response, side by side; not for more than two classes. */
export let pairs: usize
/** Drawn rows, and all others, each node's together, for nodes of even and of odd depth; one more than there are rows. */
export let evenRows: usize
export let oddRows: usize
export let evenOthers: usize
export let oddOthers: usize
/** All columns; the first are those drawn for a node. */
export let order: usize
export let stack: usize

/** Room for the bins of columns that are counted together, and for bins that are listed with their codes. */
export let histograms: usize
export let listedBins: usize
export let listed: usize
/** A bit for each code of a column. */
export let touched: usize
/** By class: draws of a node, and of those left of a cut. */
export let total: usize
export let left: usize

/** The tree, and how much each column lowered the impurity. */
export let split: usize
export let child: usize
export let value: usize
export let decrease: usize
/** By leaf where its shares begin, for more than two classes. */
export let shareStart: usize
export let shareClasses: usize
export let shares: usize
/** Rows that were not drawn as they arrive at their leaves, with these leaves. */
export let arrived: usize
export let arrivedLeaf: usize
export let nodes: i32
export let leaves: i32
export let shareCount: i32
export let notDrawn: i32

/** Random words, from `words` on, that the host makes anew when they are used up. */
declare function refill(): void
const WORDS_AT_ONCE: i32 = 256
export let words: usize
let wordsUsed: i32

function columnAt(column: i32): usize {
  return codes + (((column as usize) * (rowCount as usize)) << 1)
}

function codeAt(column: usize, row: i32): usize {
  return load<u16>(column + ((row as usize) << 1)) as usize
}

/** A whole number in [0, n): the upper word of the product of a random word and n, as `below` of a stream. */
function below(n: u32): i32 {
  let product: u64
  do {
    if (wordsUsed === WORDS_AT_ONCE) {
      refill()
      wordsUsed = 0
    }
    product = (load<u32>(words + ((wordsUsed++ as usize) << 2)) as u64) * (n as u64)
  } while ((product as u32) < n && (product as u32) < (0 - n) % n)
  return (product >> 32) as i32
}

/** A node that waits for its turn, the last one to come first. */
@unmanaged
class Waiting {
  node: i32
  depth: i32
  from: i32
  to: i32
  othersFrom: i32
  othersTo: i32
  weight: f64
  sum: f64
}

let top: usize

function push(node: i32, depth: i32, from: i32, to: i32, othersFrom: i32, othersTo: i32, weight: f64, sum: f64): void {
  const waiting = changetype<Waiting>(top)
  waiting.node = node
  waiting.depth = depth
  waiting.from = from
  waiting.to = to
  waiting.othersFrom = othersFrom
  waiting.othersTo = othersTo
  waiting.weight = weight
  waiting.sum = sum
  top += offsetof<Waiting>()
}

/** Whether a pair of draws fits into 32 bits: what is the case while all draws together are fewer than 2^16. */
let small: bool

/** Grows a tree on the rows that were drawn. */
export function grow(): void {
  const allDraws = shareOutRows()
  const inBag = rowCount - notDrawn
  if (outOfBag === 0) notDrawn = 0
  notePairs(allDraws)
  for (let j = 0; j < columns; j++) {
    setInt(order, j, j)
    setDouble(decrease, j, 0)
  }
  wordsUsed = WORDS_AT_ONCE
  nodes = 1
  leaves = 0
  shareCount = 0
  top = stack
  push(0, 0, 0, inBag, 0, notDrawn, allDraws as f64, sumOf(evenRows, 0, inBag))
  while (top > stack) {
    top -= offsetof<Waiting>()
    growNode(changetype<Waiting>(top))
  }
  // Gini falls twice as much as the variance of 0 and 1.
  if (isTwo()) for (let j = 0; j < columns; j++) setDouble(decrease, j, 2 * double(decrease, j))
}

/** Hot, so without a branch: a row is written to both lists, and one of them moves on. Gives how many draws there are. */
function shareOutRows(): i32 {
  let allDraws = 0
  notDrawn = 0
  for (let row = 0; row < rowCount; row++) {
    const times = int(draws, row)
    setInt(evenRows, row - notDrawn, row)
    setInt(evenOthers, notDrawn, row)
    notDrawn += times === 0 ? 1 : 0
    allDraws += times
  }
  return allDraws
}

function isTwo(): bool {
  return classes > 0 && classes <= 2
}

function notePairs(allDraws: i32): void {
  small = allDraws < 1 << 16
  if (classes > 2) return
  for (let row = 0; row < rowCount; row++) {
    const times = int(draws, row)
    if (classes === 0) {
      const pair = pairs + ((row as usize) << 4)
      setDouble(pair, 0, times as f64)
      setDouble(pair, 1, (times as f64) * double(numbers, row))
    } else if (small) setInt(pairs, row, times | (int(classOf, row) === 0 ? 0 : times << 16))
    else
      store<i64>(pairs + ((row as usize) << 3), (times as i64) | (int(classOf, row) === 0 ? 0 : (times as i64) << 32))
  }
}

/** Sum of the responses of rows, draws of class 1 for two classes; for more there is none. */
function sumOf(rows: usize, from: i32, to: i32): f64 {
  let sum: f64 = 0
  if (classes > 2) return sum
  for (let i = from; i < to; i++) {
    const row = int(rows, i)
    if (classes === 0) sum += double(pairs + ((row as usize) << 4), 1)
    else sum += (int(classOf, row) * int(draws, row)) as f64
  }
  return sum
}

/** Whether all rows have the same response; not asked for two classes, where the sum says it. */
function allEqual(rows: usize, from: i32, to: i32): bool {
  if (isTwo()) return false
  const first = int(rows, from)
  for (let i = from + 1; i < to; i++) {
    const row = int(rows, i)
    if (classes === 0 ? double(numbers, row) !== double(numbers, first) : int(classOf, row) !== int(classOf, first))
      return false
  }
  return true
}

function isLeaf(weight: f64, sum: f64, depth: i32): bool {
  if (weight <= (minNode as f64) || depth >= maxDepth) return true
  return isTwo() && (sum === 0 || sum === weight)
}

/** The best cut of a node so far: `low` and `high` are the codes on both sides of it, both present in the node. */
let score: f64
let column: i32
let low: i32
let high: i32
let missingLeft: bool
let leftWeight: f64
let leftSum: f64

function growNode(waiting: Waiting): void {
  const node = waiting.node
  const depth = waiting.depth
  const from = waiting.from
  const to = waiting.to
  const othersFrom = waiting.othersFrom
  const othersTo = waiting.othersTo
  const weight = waiting.weight
  const sum = waiting.sum
  const isEven = (depth & 1) === 0
  const rows = isEven ? evenRows : oddRows
  const others = isEven ? evenOthers : oddOthers
  score = -Infinity
  column = -1
  if (!isLeaf(weight, sum, depth) && !allEqual(rows, from, to)) {
    drawColumns()
    if (classes > 2) searchClasses(rows, from, to, weight)
    else if (classes === 0) searchSums<v128>(rows, from, to, weight, sum)
    else if (small) searchSums<i32>(rows, from, to, weight, sum)
    else searchSums<i64>(rows, from, to, weight, sum)
  }
  if (column < 0) {
    addLeaf(node, rows, from, to, weight, sum)
    for (let i = othersFrom; i < othersTo; i++) {
      setInt(arrived, i, int(others, i))
      setInt(arrivedLeaf, i, node)
    }
    return
  }
  const rightWeight = weight - leftWeight
  const rightSum = sum - leftSum
  setDouble(decrease, column, double(decrease, column) + score / weight)
  setInt(split, node, (column << 3) | (leftWeight >= rightWeight ? UNSEEN_LEFT : 0) | (missingLeft ? MISSING_LEFT : 0))
  setInt(child, node, nodes)
  // Nothing is at most NaN: all but missing values go right.
  setDouble(value, node, low === 0 ? NaN : threshold())
  const codesOfColumn = columnAt(column)
  const othersLow = lastCodeLeft()
  const leftNode = nodes
  nodes += 2
  if (isTwo() && isLeaf(leftWeight, leftSum, depth + 1) && isLeaf(rightWeight, rightSum, depth + 1)) {
    // Hot, as a third of all nodes are such: both leaves at once, without moving a row.
    addLeaf(leftNode, rows, from, from, leftWeight, leftSum)
    addLeaf(leftNode + 1, rows, to, to, rightWeight, rightSum)
    arrive(codesOfColumn, others, othersFrom, othersTo, othersLow, leftNode)
    return
  }
  const nextRows = isEven ? oddRows : evenRows
  const nextOthers = isEven ? oddOthers : evenOthers
  const middle = partition(codesOfColumn, rows, nextRows, from, to, low)
  const othersMiddle = partition(codesOfColumn, others, nextOthers, othersFrom, othersTo, othersLow)
  push(leftNode + 1, depth + 1, middle, to, othersMiddle, othersTo, rightWeight, rightSum)
  push(leftNode, depth + 1, from, middle, othersFrom, othersMiddle, leftWeight, leftSum)
}

const UNSEEN_LEFT = 1
const MISSING_LEFT = 2
const LEAF = -1

function drawColumns(): void {
  for (let j = 0; j < mtry; j++) {
    const other = j + below(columns - j)
    const drawn = int(order, other)
    setInt(order, other, int(order, j))
    setInt(order, j, drawn)
  }
}

/** Halfway between the two bins; the lower value itself where doubles have nothing between. */
function threshold(): f64 {
  const first = int(start, column) - 1
  const a = double(upper, first + low)
  const b = double(lower, first + high)
  const middle = a / 2 + b / 2
  return middle >= a && middle < b ? middle : a
}

/** The largest code that goes left, where codes between `low` and `high` go by the threshold and the middle of their bins. */
function lastCodeLeft(): i32 {
  if (low === 0 || high === low + 1) return low
  const limit = threshold()
  const first = int(start, column) - 1
  let goesLeft = low
  let goesRight = high
  while (goesRight - goesLeft > 1) {
    const code = (goesLeft + goesRight) >>> 1
    if (double(lower, first + code) / 2 + double(upper, first + code) / 2 <= limit) goesLeft = code
    else goesRight = code
  }
  return goesLeft
}

/** 1 where a row goes right of a cut; with missing values on the right their code becomes the largest. */
function goesRight(codesOfColumn: usize, row: i32, lastLeft: i32, shift: i32): i32 {
  return (lastLeft - shift - (((codeAt(codesOfColumn, row) as i32) - shift) & 0xffff)) >>> 31
}

/** Rows that go left to the front in their order, the others to the end in reverse; where these begin. Hot, so without a branch. */
function partition(codesOfColumn: usize, source: usize, target: usize, from: i32, to: i32, lastLeft: i32): i32 {
  const shift = missingLeft ? 0 : 1
  let front = target + ((from as usize) << 2)
  let end = target + ((to as usize) << 2) - 4
  const last = source + ((to as usize) << 2)
  for (let at = source + ((from as usize) << 2); at < last; at += 4) {
    const row = load<i32>(at)
    const right = goesRight(codesOfColumn, row, lastLeft, shift) << 2
    store<i32>(front, row)
    store<i32>(end, row)
    end -= right
    front += 4 - right
  }
  return ((front - target) >> 2) as i32
}

/** Rows that were not drawn come to the leaf `leftNode` or to the next one. */
function arrive(codesOfColumn: usize, others: usize, from: i32, to: i32, lastLeft: i32, leftNode: i32): void {
  const shift = missingLeft ? 0 : 1
  for (let i = from; i < to; i++) {
    const row = int(others, i)
    setInt(arrived, i, row)
    setInt(arrivedLeaf, i, leftNode + goesRight(codesOfColumn, row, lastLeft, shift))
  }
}

function addLeaf(node: i32, rows: usize, from: i32, to: i32, weight: f64, sum: f64): void {
  setInt(split, node, LEAF)
  setInt(child, node, leaves)
  if (classes > 2) {
    setDouble(value, node, 0)
    addShares(rows, from, to, weight)
  } else {
    // Numbers are summed anew: the sum that came down the tree was found by subtraction.
    setDouble(value, node, onGrid((isTwo() ? sum : sumOf(rows, from, to)) / weight))
  }
  leaves++
}

function addShares(rows: usize, from: i32, to: i32, weight: f64): void {
  countClasses(rows, from, to)
  setInt(shareStart, leaves, shareCount)
  for (let k = 0; k < classes; k++) {
    const count = double(total, k)
    if (count === 0) continue
    store<u16>(shareClasses + ((shareCount as usize) << 1), k as u16)
    setDouble(shares, shareCount++, onGrid(count / weight))
  }
}

function onGrid(number: f64): f64 {
  return Math.round(number / grid) * grid
}

/** So many columns are counted in one pass over the rows of a node. */
const TOGETHER = 3
/** A column with fewer bins for each row is looked at bin after bin. */
const DENSE = 3

function binsOf(one: i32): i32 {
  return int(bins, one) + 1
}

/** Whether it costs less to look at all bins of a column than to list those that so many rows touched. */
function isDense(one: i32, rows: i32): bool {
  return binsOf(one) < DENSE * rows
}

/**
 * Looks for the best cut among the drawn columns, for numbers or two classes. The first bin is of missing values. Pairs are two sums in
 * one: of 16 or 32 bits for two classes, as two doubles for numbers.
 */
function searchSums<T>(rows: usize, from: i32, to: i32, weight: f64, sum: f64): void {
  let widest = 0
  for (let j = 0; j < mtry; j++) widest = max(widest, binsOf(int(order, j)))
  const columnBytes = bytesOf<T>(widest)
  for (let first = 0; first < mtry; ) {
    let end = first
    while (end < mtry && end < first + TOGETHER && isDense(int(order, end), to - from)) end++
    if (end === first) {
      searchTouched<T>(int(order, first++), rows, from, to, weight, sum)
      continue
    }
    fill<T>(rows, from, to, first, end - first, columnBytes)
    let own = histograms
    for (; first < end; first++) {
      const one = int(order, first)
      if (!isAlone<T>(own, codeAt(columnAt(one), int(rows, from)), weight)) {
        tryColumn<T>(own, binsOf(one), one, weight, sum)
        clear(own, bytesOf<T>(binsOf(one)))
      }
      own += columnBytes
    }
  }
}

/** A column with many bins for few rows. */
function searchTouched<T>(one: i32, rows: usize, from: i32, to: i32, weight: f64, sum: f64): void {
  const codesOfColumn = columnAt(one)
  fillTouching<T>(codesOfColumn, rows, from, to)
  const code = codeAt(codesOfColumn, int(rows, from))
  if (isAlone<T>(histograms, code, weight)) {
    store<i64>(touched + ((code >> 6) << 3), 0)
    return
  }
  const count = listBins<T>(binsOf(one))
  if (tryColumn<T>(listedBins, count, one, weight, sum)) {
    low = int(listed, low)
    high = int(listed, high)
  }
}

/** Whether a bin has all draws of the node, and there is nothing to cut; it is emptied then. */
function isAlone<T>(own: usize, code: usize, weight: f64): bool {
  const bin = own + code * sizeof<T>()
  if (weightIn<T>(load<T>(bin)) < weight) return false
  empty<T>(bin)
  return true
}

/** Bytes of so many bins and one more, a multiple of 16. */
function bytesOf<T>(count: i32): usize {
  return (((count as usize) + 1) * sizeof<T>() + 15) & ~15
}

function empty<T>(bin: usize): void {
  if (isVector<T>()) v128.store(bin, i32x4.splat(0))
  else store<T>(bin, 0 as T)
}

function clear(from: usize, bytes: usize): void {
  for (let at = from; at < from + bytes; at += 16) v128.store(at, i32x4.splat(0))
}

function plus<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.add(a, b) as T
  return a + b
}

function add<T>(own: usize, code: usize, more: T): void {
  const bin = own + code * sizeof<T>()
  store<T>(bin, plus<T>(load<T>(bin), more))
}

/** Hot. A row is read once for all columns that are counted together. */
function fill<T>(rows: usize, from: i32, to: i32, first: i32, count: i32, columnBytes: usize): void {
  const a = columnAt(int(order, first))
  const b = count > 1 ? columnAt(int(order, first + 1)) : 0
  const c = count > 2 ? columnAt(int(order, first + 2)) : 0
  const binsOfA = histograms
  const binsOfB = binsOfA + columnBytes
  const binsOfC = binsOfB + columnBytes
  const pairsOfRows = pairs
  const last = rows + ((to as usize) << 2)
  let at = rows + ((from as usize) << 2)
  for (; count === 3 && at < last; at += 4) {
    const row = load<i32>(at)
    const more = load<T>(pairsOfRows + (row as usize) * sizeof<T>())
    add<T>(binsOfA, codeAt(a, row), more)
    add<T>(binsOfB, codeAt(b, row), more)
    add<T>(binsOfC, codeAt(c, row), more)
  }
  for (; count === 2 && at < last; at += 4) {
    const row = load<i32>(at)
    const more = load<T>(pairsOfRows + (row as usize) * sizeof<T>())
    add<T>(binsOfA, codeAt(a, row), more)
    add<T>(binsOfB, codeAt(b, row), more)
  }
  for (; at < last; at += 4) {
    const row = load<i32>(at)
    add<T>(binsOfA, codeAt(a, row), load<T>(pairsOfRows + (row as usize) * sizeof<T>()))
  }
}

function touch(code: usize): void {
  const word = touched + ((code >> 6) << 3)
  store<i64>(word, load<i64>(word) | ((1 as i64) << (code as i64)))
}

function fillTouching<T>(codesOfColumn: usize, rows: usize, from: i32, to: i32): void {
  const own = histograms
  const pairsOfRows = pairs
  const last = rows + ((to as usize) << 2)
  for (let at = rows + ((from as usize) << 2); at < last; at += 4) {
    const row = load<i32>(at)
    const code = codeAt(codesOfColumn, row)
    add<T>(own, code, load<T>(pairsOfRows + (row as usize) * sizeof<T>()))
    touch(code)
  }
}

/** Moves touched bins side by side to `listedBins`, that of missing values first, however empty, and an empty one behind; how many. */
function listBins<T>(count: i32): i32 {
  const own = histograms
  touch(0)
  const length = listTouched(count)
  let to = listedBins
  for (let i = 0; i < length; i++) {
    const bin = own + (int(listed, i) as usize) * sizeof<T>()
    store<T>(to, load<T>(bin))
    empty<T>(bin)
    to += sizeof<T>()
  }
  empty<T>(to)
  return length
}

/** The codes that were touched, ascending, to `listed`; which were is forgotten. */
function listTouched(count: i32): i32 {
  let next = listed
  let at = touched
  for (let code = 0; code < count; code += 64) {
    let word = load<i64>(at)
    store<i64>(at, 0)
    at += 8
    while (word !== 0) {
      store<i32>(next, code + (ctz(word) as i32))
      word &= word - 1
      next += 4
    }
  }
  return ((next - listed) >> 2) as i32
}

/** The place of the best cut so far among the bins of a column, -1 for none. */
let place: i32

/**
 * Tries all cuts of a column with missing values on the right, then on the left; of cuts as good the first in order of codes counts, and
 * missing values on the right before those on the left. Whether there is a cut better than all before, which then is told as one of places.
 */
function tryColumn<T>(own: usize, count: i32, one: i32, weight: f64, sum: f64): bool {
  const before = score
  const missing = load<T>(own)
  empty<T>(own)
  const none = load<T>(own)
  tryCuts<T>(own, count, none, weight - weightIn<T>(missing), weight, sum)
  let isLeft = false
  const hasMissing = weightIn<T>(missing) > 0
  if (hasMissing) {
    const other = score
    const otherPlace = place
    score = before
    tryCuts<T>(own, count, missing, weight, weight, sum)
    isLeft = place >= 0 && (otherPlace < 0 || score > other || (score === other && place < otherPlace))
    if (!isLeft) {
      score = other
      place = otherPlace
    }
  }
  if (place < 0) return false
  let pair = none
  for (let i = 0; i <= place; i++) pair = plus<T>(pair, load<T>(own + (i as usize) * sizeof<T>()))
  if (isLeft) pair = plus<T>(pair, missing)
  column = one
  low = place
  high = place + 1
  while (weightIn<T>(load<T>(own + (high as usize) * sizeof<T>())) === 0) high++
  leftWeight = weightIn<T>(pair)
  leftSum = sumIn<T>(pair)
  missingLeft = hasMissing ? isLeft : 2 * leftWeight >= weight
  return true
}

function weightIn<T>(pair: T): f64 {
  if (isVector<T>()) return f64x2.extract_lane(pair, 0)
  return (sizeof<T>() === 4 ? (pair as i32) & 0xffff : (pair as i32)) as f64
}

function sumIn<T>(pair: T): f64 {
  if (isVector<T>()) return f64x2.extract_lane(pair, 1)
  return (pair >>> (4 * sizeof<T>())) as f64
}

/**
 * Hot: two cuts at a time, also those behind empty bins, which gain what the cut before them does, or divide 0 by 0. Behind the
 * last row, where draws on the left reach `limit`, there is no cut, which may look good for numbers, as their sums are rounded.
 */
function tryCuts<T>(own: usize, count: i32, missing: T, limit: f64, weight: f64, sum: f64): void {
  const weights = f64x2.splat(weight)
  const sums = f64x2.splat(sum)
  const limits = f64x2.splat(limit)
  let best = f64x2.splat(score)
  let bestPlaces = f64x2.splat(-1)
  let places = f64x2(0, 1)
  let before = i32x4.splat(0)
  if (!isVector<T>()) before = widened<T>(missing)
  for (let at = own, last = own + (count as usize) * sizeof<T>(); at < last; at += 2 * sizeof<T>()) {
    let w: v128
    let s: v128
    if (isVector<T>()) {
      const first = f64x2.add(before, v128.load(at))
      before = f64x2.add(first, v128.load(at, 16))
      const a = f64x2.add(first, missing)
      const b = f64x2.add(before, missing)
      w = f64x2.shuffle(a, b, 0, 2)
      s = f64x2.shuffle(a, b, 1, 3)
    } else {
      const two = sizeof<T>() === 4 ? v128.load_ext<u16>(at) : v128.load(at)
      const running = i32x4.add(before, i32x4.add(two, i64x2.shuffle(i32x4.splat(0), two, 0, 2)))
      before = i64x2.shuffle(running, running, 1, 1)
      w = f64x2.convert_low_i32x4_s(i32x4.shuffle(running, running, 0, 2, 0, 2))
      s = f64x2.convert_low_i32x4_s(i32x4.shuffle(running, running, 1, 3, 1, 3))
    }
    const d = f64x2.sub(f64x2.mul(s, weights), f64x2.mul(sums, w))
    const gain = f64x2.div(f64x2.mul(d, d), f64x2.mul(w, f64x2.sub(weights, w)))
    let better = f64x2.gt(gain, best)
    if (isVector<T>()) better = v128.and(better, f64x2.lt(w, limits))
    best = v128.bitselect(gain, best, better)
    bestPlaces = v128.bitselect(places, bestPlaces, better)
    places = f64x2.add(places, f64x2.splat(2))
  }
  const second = f64x2.extract_lane(best, 1)
  const secondPlace = f64x2.extract_lane(bestPlaces, 1)
  score = f64x2.extract_lane(best, 0)
  place = f64x2.extract_lane(bestPlaces, 0) as i32
  if (second > score || (second === score && secondPlace < (place as f64))) {
    score = second
    place = secondPlace as i32
  }
}

/** A pair of whole numbers in each half of a register. */
function widened<T>(pair: T): v128 {
  return i64x2.splat(
    sizeof<T>() === 4 ? ((pair as i64) & 0xffff) | (((pair as i64) & 0xffff0000) << 16) : (pair as i64),
  )
}

function binOf(code: i32): usize {
  return histograms + (((code as usize) * (classes as usize)) << 2)
}

/** The same for more than two classes, whose bins have an integer for each. */
function searchClasses(rows: usize, from: i32, to: i32, weight: f64): void {
  const squares = countClasses(rows, from, to)
  for (let j = 0; j < mtry; j++) {
    const one = int(order, j)
    fillClasses(columnAt(one), rows, from, to)
    const count = listTouched(binsOf(one))
    if (count > 1) {
      tryClasses(count, one, weight, squares)
      if (column === one && int(listed, 0) > 0) missingLeft = 2 * leftWeight >= weight
    }
    for (let i = 0; i < count; i++) {
      const bin = binOf(int(listed, i))
      for (let k = 0; k < classes; k++) setInt(bin, k, 0)
    }
  }
}

function fillClasses(codesOfColumn: usize, rows: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) {
    const row = int(rows, i)
    const code = codeAt(codesOfColumn, row)
    const bin = binOf(code as i32) + ((int(classOf, row) as usize) << 2)
    store<i32>(bin, load<i32>(bin) + int(draws, row))
    touch(code)
  }
}

/** Each cut with missing values on the right, then each with missing values on the left. */
function tryClasses(count: i32, one: i32, weight: f64, squares: f64): void {
  const sides = int(listed, 0) === 0 ? 2 : 1
  for (let side = 0; side < sides; side++) {
    for (let k = 0; k < classes; k++) setDouble(left, k, 0)
    let weightLeft: f64 = 0
    for (let i = sides - 1 - side; i < count - 1; i++) {
      const bin = binOf(int(listed, i))
      let leftSquares: f64 = 0
      let products: f64 = 0
      for (let k = 0; k < classes; k++) {
        const more = int(bin, k) as f64
        const sum = double(left, k) + more
        setDouble(left, k, sum)
        weightLeft += more
        leftSquares += sum * sum
        products += sum * double(total, k)
      }
      const rightSquares = squares - 2 * products + leftSquares
      const gain = (leftSquares / weightLeft + rightSquares / (weight - weightLeft)) * weight - squares
      if (gain > score) {
        score = gain
        column = one
        low = int(listed, i)
        high = int(listed, i + 1)
        missingLeft = side === 1
        leftWeight = weightLeft
        leftSum = 0
      }
    }
  }
}

/** Draws of each class, and the sum of their squares. */
function countClasses(rows: usize, from: i32, to: i32): f64 {
  for (let k = 0; k < classes; k++) setDouble(total, k, 0)
  for (let i = from; i < to; i++) {
    const row = int(rows, i)
    const k = int(classOf, row)
    setDouble(total, k, double(total, k) + (int(draws, row) as f64))
  }
  let squares: f64 = 0
  for (let k = 0; k < classes; k++) squares += double(total, k) * double(total, k)
  return squares
}
