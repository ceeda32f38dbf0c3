import { double, int, setDouble, setInt } from './memory'

/**
 * Grows a tree of a forest. What is computed is told by the twin, `src/trees/plain-forest.ts`; both give the same bits. The host lays
 * out the memory and sets the variables that are exported.
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

/** By column where its codes begin, by row; of one byte where its bins are at most `BYTE_BINS`, else of two. */
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

/** By row, or by mark: draws, and draws times the response, side by side; not for more than two classes. */
export let pairs: usize
/**
 * Drawn rows, which may have marks, and all others, each node's together, for nodes of even and of odd depth; with room for three more before
 * the first and behind the last.
 */
export let evenRows: usize
export let oddRows: usize
export let evenOthers: usize
export let oddOthers: usize
/** All columns; the first are those drawn for a node. */
export let order: usize
export let stack: usize

/** Room for the bins of columns that are counted together, twice, and of one counted alone; and for bins that are listed with their codes. */
export let histograms: usize
export let listedBins: usize
export let listed: usize
/** A bit for each code of a column, and a bit for each word of these. */
export let touched: usize
export let touchedWords: usize
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

const BYTE_BINS = 255

/** Whether codes of a column have two bytes. */
function isWide(one: i32): bool {
  return int(bins, one) > BYTE_BINS
}

function columnAt(one: i32): usize {
  return int(codes, one) as usize
}

/** Where the code of a row lies; `C` is the type of the codes. */
function placeOf<C>(codesOfColumn: usize, row: i32): usize {
  return codesOfColumn + (row as usize) * sizeof<C>()
}

function codeAt<C>(codesOfColumn: usize, row: i32): usize {
  return load<C>(placeOf<C>(codesOfColumn, row)) as usize
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

/**
 * Whether two classes are counted by pairs of 16 bits, as all draws together are fewer than 2^16. The upper byte of an entry in a list of drawn
 * rows is then a mark, its class and how often it was drawn, by which it is counted without a look at the row.
 */
let small: bool
/** The bits of an entry that are the row. */
let rowBits: i32
const MARK_SHIFT = 24
const MARKS = 256
const MOST_DRAWS = 127

/** Grows a tree on the rows that were drawn. */
export function grow(): void {
  const allDraws = countDraws()
  notePairs()
  noteShuffles()
  shareOutRows()
  const inBag = rowCount - notDrawn
  if (outOfBag === 0) notDrawn = 0
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

/** How many draws there are; what they are counted by follows from them. */
function countDraws(): i32 {
  let allDraws = 0
  let most = 0
  for (let row = 0; row < rowCount; row++) {
    const times = int(draws, row)
    allDraws += times
    most = max(most, times)
  }
  small = isTwo() && allDraws < 1 << 16 && most <= MOST_DRAWS && rowCount <= 1 << MARK_SHIFT
  rowBits = small ? (1 << MARK_SHIFT) - 1 : -1
  return allDraws
}

/**
 * Hot, so four rows at a time: they are written to both lists, each time those first that belong there, and the next ones over the others. Up
 * to three behind the last row count as not drawn.
 */
function shareOutRows(): void {
  const marked = i32x4.splat(small ? -1 : 0)
  const table = shuffles
  let rows = i32x4(0, 1, 2, 3)
  let drawn = evenRows
  let others = evenOthers
  for (let at: usize = 0, end = (rowCount as usize) << 2; at < end; at += 16) {
    const times = v128.load(draws + at)
    const marks = v128.or(i32x4.shl(times, MARK_SHIFT), i32x4.shl(v128.load(classOf + at), 31))
    const entries = v128.or(rows, v128.and(marks, marked))
    const isOther = i32x4.bitmask(i32x4.eq(times, i32x4.splat(0)))
    v128.store(drawn, i8x16.swizzle(entries, v128.load(table + ((isOther ^ 15) << 4))))
    v128.store(others, i8x16.swizzle(rows, v128.load(table + (isOther << 4))))
    const more = popcnt(isOther) << 2
    others += more
    drawn += 16 - more
    rows = i32x4.add(rows, i32x4.splat(4))
  }
  notDrawn = rowCount - (((drawn - evenRows) >> 2) as i32)
}

function isTwo(): bool {
  return classes > 0 && classes <= 2
}

function notePairs(): void {
  if (small)
    for (let mark = 0; mark < MARKS; mark++) {
      const times = mark & MOST_DRAWS
      setInt(pairs, mark, mark > MOST_DRAWS ? times | (times << 16) : times)
    }
  else if (classes === 0)
    for (let row = 0; row < rowCount; row++) {
      const times = int(draws, row) as f64
      const pair = pairs + ((row as usize) << 4)
      setDouble(pair, 0, times)
      setDouble(pair, 1, times * double(numbers, row))
    }
  else if (isTwo())
    for (let row = 0; row < rowCount; row++) {
      const times = int(draws, row) as i64
      store<i64>(pairs + ((row as usize) << 3), times | (int(classOf, row) === 0 ? 0 : times << 32))
    }
}

/** Draws of an entry, and draws times the response. */
function pairOf<T>(pairsOfRows: usize, entry: i32): T {
  const at = sizeof<T>() === 4 ? entry >>> MARK_SHIFT : entry
  return load<T>(pairsOfRows + (at as usize) * sizeof<T>())
}

/** Sum of the responses of rows, draws of class 1 for two classes; for more there is none. */
function sumOf(rows: usize, from: i32, to: i32): f64 {
  let sum: f64 = 0
  if (classes > 2) return sum
  for (let i = from; i < to; i++) {
    const row = int(rows, i) & rowBits
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
  const othersLow = lastCodeLeft()
  const leftNode = nodes
  nodes += 2
  if (isTwo() && isLeaf(leftWeight, leftSum, depth + 1) && isLeaf(rightWeight, rightSum, depth + 1)) {
    // Hot, as a third of all nodes are such: both leaves at once, without moving a row.
    addLeaf(leftNode, rows, from, from, leftWeight, leftSum)
    addLeaf(leftNode + 1, rows, to, to, rightWeight, rightSum)
    if (isWide(column)) arrive<u16>(others, othersFrom, othersTo, othersLow, leftNode)
    else arrive<u8>(others, othersFrom, othersTo, othersLow, leftNode)
    return
  }
  const nextRows = isEven ? oddRows : evenRows
  const nextOthers = isEven ? oddOthers : evenOthers
  const middle = isWide(column)
    ? partition<u16>(rows, nextRows, from, to, low)
    : partition<u8>(rows, nextRows, from, to, low)
  const othersMiddle = isWide(column)
    ? partition<u16>(others, nextOthers, othersFrom, othersTo, othersLow)
    : partition<u8>(others, nextOthers, othersFrom, othersTo, othersLow)
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

/** 1 where a row goes right of a cut; with missing values on the right, where `shift` is 1, their code becomes the largest. */
function goesRight<C>(codesOfColumn: usize, row: i32, lastLeft: u32, shift: u32): i32 {
  return ((codeAt<C>(codesOfColumn, row) as u32) - shift > lastLeft - shift) as i32
}

/**
 * Rows that go left to the front in their order, the others to the end in reverse; where these begin. Hot, so four rows at a time: brought into
 * that order they are written to both ends, and the next ones over those that do not belong there. Where the rows are no multiple of four, up to
 * three entries before them, of nodes that are done, go left with the first ones, to where they were.
 */
function partition<C>(source: usize, target: usize, from: i32, to: i32, lastLeft: i32): i32 {
  const codesOfColumn = columnAt(column)
  const shift = missingLeft ? 0 : 1
  const shifts = splat<C>(shift)
  const limits = splat<C>(lastLeft - shift)
  const bits = rowBits
  const surplus = (from - to) & 3
  const back = (target - source) as i32
  let at = source + ((from - surplus) << 2)
  let front = at + back
  const last = source + ((to as usize) << 2)
  let end = last + back
  let alwaysLeft = (1 << surplus) - 1
  while (at < last) {
    let four = i32x4.splat(0)
    four = v128.load_lane<C>(placeOf<C>(codesOfColumn, load<i32>(at) & bits), four, 0)
    four = v128.load_lane<C>(placeOf<C>(codesOfColumn, load<i32>(at, 4) & bits), four, 1)
    four = v128.load_lane<C>(placeOf<C>(codesOfColumn, load<i32>(at, 8) & bits), four, 2)
    four = v128.load_lane<C>(placeOf<C>(codesOfColumn, load<i32>(at, 12) & bits), four, 3)
    const left = (lanesAtMost<C>(v128.sub<C>(four, shifts), limits) & 15) | alwaysLeft
    alwaysLeft = 0
    const sorted = i8x16.swizzle(v128.load(at), v128.load(shuffles + ((left as usize) << 4)))
    v128.store(end - 16, sorted)
    v128.store(front, sorted)
    const moved = popcnt(left) << 2
    front += moved
    end -= 16 - moved
    at += 16
  }
  return ((front - target) >> 2) as i32
}

function splat<C>(code: i32): v128 {
  return sizeof<C>() === 1 ? i8x16.splat(code as i8) : i16x8.splat(code as i16)
}

/** A bit for each code that is at most the limit. */
function lanesAtMost<C>(codesOfRows: v128, limits: v128): i32 {
  return sizeof<C>() === 1
    ? i8x16.bitmask(i8x16.eq(i8x16.min_u(codesOfRows, limits), codesOfRows))
    : i16x8.bitmask(i16x8.eq(i16x8.min_u(codesOfRows, limits), codesOfRows))
}

/** By which of four rows go left: a shuffle that puts them in front, and the others behind in reverse. */
export let shuffles: usize

function noteShuffles(): void {
  for (let left = 0; left < 16; left++) {
    let front = shuffles + ((left as usize) << 4)
    let end = front + 12
    for (let lane = 0; lane < 4; lane++) {
      const goesLeft = (left >> lane) & 1
      const place = goesLeft ? front : end
      store<i32>(place, 0x03020100 + lane * 0x04040404)
      if (goesLeft) front += 4
      else end -= 4
    }
  }
}

/** Rows that were not drawn come to the leaf `leftNode` or to the next one. */
function arrive<C>(others: usize, from: i32, to: i32, lastLeft: i32, leftNode: i32): void {
  const codesOfColumn = columnAt(column)
  const shift = missingLeft ? 0 : 1
  for (let i = from; i < to; i++) {
    const row = int(others, i)
    setInt(arrived, i, row)
    setInt(arrivedLeaf, i, leftNode + goesRight<C>(codesOfColumn, row, lastLeft, shift))
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
  const others = histograms + 2 * TOGETHER * narrowBytes<T>()
  for (let first = 0; first < mtry; first += TOGETHER) {
    const end = min(first + TOGETHER, mtry)
    fillTogether<T>(rows, from, to, first, end)
    let own = histograms
    for (let j = first; j < end; j++) {
      const one = int(order, j)
      if (isWide(one)) searchAlone<T, u16>(others, one, rows, from, to, weight, sum)
      else if (!isDense(one, to - from)) searchTouched<T, u8>(others, one, rows, from, to, weight, sum)
      else {
        searchDense<T, u8>(own, one, rows, from, weight, sum)
        own += narrowBytes<T>()
      }
    }
  }
}

/** Room for the bins of a column with codes of one byte. */
function narrowBytes<T>(): usize {
  return (BYTE_BINS + 1 + 4) * sizeof<T>()
}

/**
 * From so many rows on two rows are counted in two sets of bins in turn: where both have the same code, the second would wait for the first.
 * Not for numbers, whose sums would be rounded differently.
 */
const MANY = 150

/** Counts those columns of a few that have few bins, in one pass over the rows. */
function fillTogether<T>(rows: usize, from: i32, to: i32, first: i32, end: i32): void {
  let a: usize = 0
  let b: usize = 0
  let c: usize = 0
  for (let j = first; j < end; j++) {
    const one = int(order, j)
    if (isWide(one) || !isDense(one, to - from)) continue
    c = b
    b = a
    a = columnAt(one)
  }
  const own = histograms
  const inTurn = !isVector<T>() && b !== 0 && to - from >= MANY
  const second = inTurn ? own + TOGETHER * narrowBytes<T>() : own
  if (c !== 0) fillThree<T>(c, b, a, rows, from, to, own, second)
  else if (b !== 0) fillTwo<T>(b, a, rows, from, to, own, second)
  else if (a !== 0) fillOne<T, u8>(a, rows, from, to, own)
  if (inTurn) merge<T>(own, second)
}

function searchAlone<T, C>(own: usize, one: i32, rows: usize, from: i32, to: i32, weight: f64, sum: f64): void {
  if (isDense(one, to - from)) {
    fillOne<T, C>(columnAt(one), rows, from, to, own)
    searchDense<T, C>(own, one, rows, from, weight, sum)
  } else searchTouched<T, C>(own, one, rows, from, to, weight, sum)
}

function searchDense<T, C>(own: usize, one: i32, rows: usize, from: i32, weight: f64, sum: f64): void {
  if (isAlone<T>(own, codeAt<C>(columnAt(one), int(rows, from) & rowBits), weight)) return
  // No cut of two classes is better than one that tells them apart.
  if (isVector<T>() || score < sum * (weight - sum)) tryColumn<T>(own, binsOf(one), one, weight, sum)
  clear(own, bytesOf<T>(binsOf(one)))
}

/** A column with many bins for few rows. */
function searchTouched<T, C>(own: usize, one: i32, rows: usize, from: i32, to: i32, weight: f64, sum: f64): void {
  const codesOfColumn = columnAt(one)
  fillTouching<T, C>(own, codesOfColumn, rows, from, to)
  const code = codeAt<C>(codesOfColumn, int(rows, from) & rowBits)
  if (isAlone<T>(own, code, weight)) {
    store<i64>(touched + ((code >> 6) << 3), 0)
    store<i64>(touchedWords + ((code >> 12) << 3), 0)
    return
  }
  const count = listBins<T>(own, binsOf(one))
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

/** Hot: a row is read once for three columns. Of two rows in a turn of the loop the second is counted in bins of its own. */
function fillThree<T>(a: usize, b: usize, c: usize, rows: usize, from: i32, to: i32, own: usize, second: usize): void {
  const bits = rowBits
  const pairsOfRows = pairs
  const last = rows + ((to as usize) << 2)
  let at = rows + ((from as usize) << 2)
  if ((to - from) & 1) {
    countThree<T>(a, b, c, load<i32>(at), bits, pairsOfRows, own)
    at += 4
  }
  for (; at < last; at += 8) {
    countThree<T>(a, b, c, load<i32>(at), bits, pairsOfRows, own)
    countThree<T>(a, b, c, load<i32>(at, 4), bits, pairsOfRows, second)
  }
}

function countThree<T>(a: usize, b: usize, c: usize, entry: i32, bits: i32, pairsOfRows: usize, own: usize): void {
  const row = entry & bits
  const more = pairOf<T>(pairsOfRows, entry)
  add<T>(own, codeAt<u8>(a, row), more)
  add<T>(own + narrowBytes<T>(), codeAt<u8>(b, row), more)
  add<T>(own + 2 * narrowBytes<T>(), codeAt<u8>(c, row), more)
}

function fillTwo<T>(a: usize, b: usize, rows: usize, from: i32, to: i32, own: usize, second: usize): void {
  const bits = rowBits
  const pairsOfRows = pairs
  const last = rows + ((to as usize) << 2)
  let at = rows + ((from as usize) << 2)
  if ((to - from) & 1) {
    countTwo<T>(a, b, load<i32>(at), bits, pairsOfRows, own)
    at += 4
  }
  for (; at < last; at += 8) {
    countTwo<T>(a, b, load<i32>(at), bits, pairsOfRows, own)
    countTwo<T>(a, b, load<i32>(at, 4), bits, pairsOfRows, second)
  }
}

function countTwo<T>(a: usize, b: usize, entry: i32, bits: i32, pairsOfRows: usize, own: usize): void {
  const row = entry & bits
  const more = pairOf<T>(pairsOfRows, entry)
  add<T>(own, codeAt<u8>(a, row), more)
  add<T>(own + narrowBytes<T>(), codeAt<u8>(b, row), more)
}

function fillOne<T, C>(codesOfColumn: usize, rows: usize, from: i32, to: i32, own: usize): void {
  const bits = rowBits
  const pairsOfRows = pairs
  const last = rows + ((to as usize) << 2)
  for (let at = rows + ((from as usize) << 2); at < last; at += 4) {
    const entry = load<i32>(at)
    add<T>(own, codeAt<C>(codesOfColumn, entry & bits), pairOf<T>(pairsOfRows, entry))
  }
}

/** Adds the bins that rows counted in turn to the first ones, and empties them. */
function merge<T>(own: usize, second: usize): void {
  for (const end = second; own < end; own += 16, second += 16) {
    const a = v128.load(own)
    const b = v128.load(second)
    v128.store(own, sizeof<T>() === 4 ? i32x4.add(a, b) : i64x2.add(a, b))
    v128.store(second, i32x4.splat(0))
  }
}

function touch(code: usize): void {
  setBit(touched, code)
  setBit(touchedWords, code >> 6)
}

function setBit(bits: usize, at: usize): void {
  const word = bits + ((at >> 6) << 3)
  store<i64>(word, load<i64>(word) | ((1 as i64) << (at as i64)))
}

function fillTouching<T, C>(own: usize, codesOfColumn: usize, rows: usize, from: i32, to: i32): void {
  const bits = rowBits
  const pairsOfRows = pairs
  const last = rows + ((to as usize) << 2)
  for (let at = rows + ((from as usize) << 2); at < last; at += 4) {
    const entry = load<i32>(at)
    const code = codeAt<C>(codesOfColumn, entry & bits)
    add<T>(own, code, pairOf<T>(pairsOfRows, entry))
    touch(code)
  }
}

/** Moves touched bins side by side to `listedBins`, that of missing values first, however empty, and an empty one behind; how many. */
function listBins<T>(own: usize, count: i32): i32 {
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
  for (let base = 0; base < count; base += 64 * 64) {
    let words = load<i64>(touchedWords + (base >> 9))
    store<i64>(touchedWords + (base >> 9), 0)
    for (; words !== 0; words &= words - 1) {
      const code = base + ((ctz(words) as i32) << 6)
      const at = touched + (code >> 3)
      let word = load<i64>(at)
      store<i64>(at, 0)
      do {
        store<i32>(next, code + (ctz(word) as i32))
        word &= word - 1
        next += 4
      } while (word !== 0)
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
  const weights = f64x2.splat(weight)
  const sums = f64x2.splat(sum)
  tryCuts<T>(own, count, none, weight - weightIn<T>(missing), weights, sums)
  let isLeft = false
  const hasMissing = weightIn<T>(missing) > 0
  if (hasMissing) {
    const other = score
    const otherPlace = place
    score = before
    tryCuts<T>(own, count, missing, weight, weights, sums)
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
function tryCuts<T>(own: usize, count: i32, missing: T, limit: f64, weights: v128, sums: v128): void {
  const limits = f64x2.splat(limit)
  let best = f64x2.splat(score)
  // Where the best cuts lie, of which the second has its bin behind; 0 for none that is better.
  let bestAt = i64x2.splat(0)
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
    bestAt = v128.bitselect(i32x4.splat(at as i32), bestAt, better)
  }
  const second = f64x2.extract_lane(best, 1)
  const firstAt = i32x4.extract_lane(bestAt, 0)
  const secondAt = i32x4.extract_lane(bestAt, 2)
  score = f64x2.extract_lane(best, 0)
  const isSecond = second > score || (second === score && (secondAt as u32) < (firstAt as u32))
  if (isSecond) score = second
  const found = isSecond ? secondAt : firstAt
  place = found === 0 ? -1 : (((found as usize) - own) as i32) / (sizeof<T>() as i32) + (isSecond as i32)
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
    if (isWide(one)) fillClasses<u16>(columnAt(one), rows, from, to)
    else fillClasses<u8>(columnAt(one), rows, from, to)
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

function fillClasses<C>(codesOfColumn: usize, rows: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) {
    const row = int(rows, i)
    const code = codeAt<C>(codesOfColumn, row)
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
