import { addLevels, addNode, makeLeaf, nodes, startNodes } from './cart-nodes'
import {
  ABSENT,
  addCodesToSides,
  addToSides,
  LEFT,
  numberRows,
  partition,
  pickCodes,
  pickNumbers,
  RIGHT,
  settleSides,
  sidesByLevel,
  sidesByRank,
  sumNumbers,
  sumSquares,
} from './cart-rows'
import {
  above,
  below,
  bestColumn,
  bestGain,
  classTotal,
  countClasses,
  countNumbers,
  createSearch,
  firstSide,
  levelCount,
  levels,
  searchCounted,
  searchSortedClasses,
  searchSortedNumbers,
  startSearch,
  totalClasses,
} from './cart-split'
import { byte, bytes, double, doubles, int, ints, reserve, reserveFrom, setByte, setDouble, setInt } from './memory'

/**
 * Grows a whole classification or regression tree on rows of equal weight. What is computed is told by its twin, `growPlain` in
 * `src/trees/cart.ts`; both give the same bits. The host lays out columns and response.
 */

/** A column, as the host describes it. */
@unmanaged
class Column {
  isRanked: i32
  /** How many codes it has, missing not counted. */
  codeCount: i32
  /** By row: rank or level; -1 for missing. */
  codes: usize
  /** Its rows in ascending order, and how many they are; for columns that are counted 0, and all rows. */
  order: usize
  rows: i32
}

/** The rows that a tree, or a part of it, grows on. */
@unmanaged
class Sample {
  /** By column: addresses of codes by row, and of rows in order. */
  codes: usize
  sorted: usize
  /** By row: a number, or else a class. */
  response: usize
  rows: usize
  side: usize
  spare: usize
  /** By depth and column: where the rows of the node lie in `sorted`, how many they are, and how many of them go left. */
  from: usize
  count: usize
  leftCount: usize
  /** Where row place 0 lies among all rows of the tree. */
  base: i32
  /** Branches of at most so many rows are copied into `part`. */
  partRows: i32
  part: Sample
  /** By row of the part: the row here; and by row here: the row of the part. */
  origin: usize
  local: usize
}

let columnTable: usize
let columns: i32
let classes: i32
let minsplit: i32
let cp: f64
let maxDepth: i32
let collapsesByGain: bool
let levelSide: usize
let sideWeight: usize
let sideSum: usize
let alpha: f64
let branchRisk: f64
let branchSplits: i32

const NO_GAIN: f64 = 1e-10
const NO_GAIN_OF_ALL: f64 = 1e-12
const LARGE_PART = 65536
const SMALL_PART = 4096

/**
 * @param codes of the counted column that has most
 * @param mostLevels of any column
 * @param mostNodes as many as there may be at a time
 * @param behind where the arrays of the host end
 */
export function grow(
  columnsAt: usize,
  columnCount: i32,
  response: usize,
  classCount: i32,
  rows: i32,
  splitFrom: i32,
  minbucket: i32,
  costOfSplit: f64,
  deepest: i32,
  byGain: i32,
  codes: i32,
  mostLevels: i32,
  mostNodes: i32,
  behind: usize,
): usize {
  columnTable = columnsAt
  columns = columnCount
  classes = classCount
  minsplit = splitFrom
  cp = costOfSplit
  maxDepth = deepest
  collapsesByGain = byGain !== 0
  reserveFrom(behind)
  createSearch(minbucket, classCount, codes)
  levelSide = bytes(mostLevels)
  sideWeight = doubles(3)
  sideSum = doubles(3)
  const sample = wholeSample(response, rows)
  addPart(addPart(sample, rows, LARGE_PART), min(rows, LARGE_PART), SMALL_PART)
  startNodes(mostNodes, classCount, sample.rows)
  growBranch(sample, 0, rows, 0, 1, Infinity)
  return changetype<usize>(nodes)
}

function columnAt(c: i32): Column {
  return changetype<Column>(columnTable + (c as usize) * offsetof<Column>())
}

function wholeSample(response: usize, rows: i32): Sample {
  const sample = emptySample(rows)
  sample.response = response
  for (let k = 0; k < rows; k++) setInt(sample.rows, k, k)
  for (let c = 0; c < columns; c++) {
    const column = columnAt(c)
    setInt(sample.codes, c, column.codes as i32)
    setInt(sample.sorted, c, column.order as i32)
    setInt(sample.from, c, 0)
    setInt(sample.count, c, column.rows)
  }
  return sample
}

/** Room for branches of at most `size` rows, unless a sample of `rows` rows is no larger; returns the smaller sample. */
function addPart(sample: Sample, rows: i32, size: i32): Sample {
  if (size >= rows) return sample
  const part = emptySample(size)
  part.response = classes === 0 ? doubles(size) : ints(size)
  for (let c = 0; c < columns; c++) {
    setInt(part.codes, c, ints(size) as i32)
    setInt(part.sorted, c, int(sample.sorted, c) === 0 ? 0 : (ints(size) as i32))
  }
  sample.partRows = size
  sample.part = part
  sample.origin = ints(size)
  sample.local = ints(rows)
  return part
}

function emptySample(rows: i32): Sample {
  const sample = changetype<Sample>(reserve(offsetof<Sample>()))
  const places = (min(maxDepth, rows) + 2) * columns
  sample.codes = ints(columns)
  sample.sorted = ints(columns)
  sample.rows = ints(rows)
  sample.side = bytes(rows)
  sample.spare = ints(rows)
  sample.from = ints(places)
  sample.count = ints(places)
  sample.leftCount = ints(places)
  sample.base = 0
  sample.partRows = 0
  return sample
}

/** Grows the branch and returns its top node; leaves its risk and number of splits in `branchRisk` and `branchSplits`. */
function growBranch(sample: Sample, start: i32, n: i32, depth: i32, number: f64, bound: f64): i32 {
  if (n <= sample.partRows && n >= minsplit) return growInPart(sample, start, n, depth, number, bound)
  const node = addNode(number, sample.base + start, n)
  const impurity = classes === 0 ? describeNumbers(sample, node, start, n) : describeClasses(sample, node, start, n)
  const risk = double(nodes.risk, node)
  if (number === 1) alpha = cp * risk
  const most = min(risk, bound)
  setDouble(nodes.complexity, node, alpha)
  branchRisk = risk
  branchSplits = 0
  if (n < minsplit || most <= alpha || depth === maxDepth) return node
  findSplit(sample, start, n, depth, node, impurity)
  if (bestColumn < 0) return node

  const levelsBefore = nodes.levelsUsed
  const leftRows = splitNode(sample, start, n, depth, node)
  const left = growBranch(sample, start, leftRows, depth + 1, 2 * number, most - alpha)
  let leftRisk = branchRisk
  let leftSplits = branchSplits
  enterRight(sample, depth)
  const achieved = max((risk - leftRisk) / ((leftSplits + 1) as f64), risk - double(nodes.risk, left))
  const rightBound = min(bound, achieved) - alpha
  const right = growBranch(sample, start + leftRows, n - leftRows, depth + 1, 2 * number + 1, rightBound)
  let rightRisk = branchRisk
  let rightSplits = branchSplits
  setInt(nodes.left, node, left)
  setInt(nodes.right, node, right)

  const isLeftFirst = double(nodes.complexity, left) < double(nodes.complexity, right)
  for (let turn = 0; turn < 2; turn++) {
    const cost = costOf(risk - leftRisk - rightRisk, leftSplits + rightSplits)
    if ((turn === 0) === isLeftFirst) {
      if (cost <= double(nodes.complexity, left)) continue
      leftRisk = double(nodes.risk, left)
      leftSplits = 0
    } else {
      if (cost <= double(nodes.complexity, right)) continue
      rightRisk = double(nodes.risk, right)
      rightSplits = 0
    }
  }
  const cost = costOf(risk - leftRisk - rightRisk, leftSplits + rightSplits)
  setDouble(nodes.complexity, node, cost)
  if (cost <= alpha + NO_GAIN_OF_ALL * double(nodes.risk, 0)) {
    nodes.nodes = node + 1
    nodes.levelsUsed = levelsBefore
    makeLeaf(node)
    branchRisk = risk
    branchSplits = 0
  } else {
    branchRisk = leftRisk + rightRisk
    branchSplits = leftSplits + rightSplits + 1
  }
  return node
}

/** What each split below a node, and its own, lessen the risk by. */
function costOf(lessened: f64, splitsBelow: i32): f64 {
  return lessened / ((splitsBelow + 1) as f64)
}

function describeNumbers(sample: Sample, node: i32, start: i32, n: i32): f64 {
  const mean = sumNumbers(sample.response, sample.rows, start, n) / (n as f64)
  const squares = sumSquares(sample.response, sample.rows, start, n, mean)
  setDouble(nodes.weight, node, n as f64)
  setDouble(nodes.value, node, mean)
  setDouble(nodes.risk, node, squares)
  return squares
}

function describeClasses(sample: Sample, node: i32, start: i32, n: i32): f64 {
  totalClasses(sample.response, sample.rows, start, n)
  const counts = countsOf(node)
  let squares: f64 = 0
  let largest = 0
  for (let k = 0; k < classes; k++) {
    const count = int(classTotal, k) as f64
    setDouble(counts, k, count)
    squares += count * count
    if (count > double(counts, largest)) largest = k
  }
  const weight = n as f64
  const impurity = n > 0 ? weight - squares / weight : 0
  setDouble(nodes.weight, node, weight)
  setDouble(nodes.value, node, largest as f64)
  setDouble(nodes.risk, node, collapsesByGain ? impurity : weight - double(counts, largest))
  return impurity
}

function countsOf(node: i32): usize {
  return nodes.counts + (((node * classes) as usize) << 3)
}

function findSplit(sample: Sample, start: i32, n: i32, depth: i32, node: i32, impurity: f64): void {
  const rows = sample.rows
  const response = sample.response
  const mean = double(nodes.value, node)
  startSearch(impurity * NO_GAIN)
  for (let c = 0; c < columns; c++) {
    const place = depth * columns + c
    const from = int(sample.from, place)
    const count = int(sample.count, place)
    if (count === 0) continue
    const codes = int(sample.codes, c) as usize
    const order = int(sample.sorted, c) as usize
    let varies: bool
    if (order !== 0) {
      varies =
        classes === 0
          ? searchSortedNumbers(c, order, codes, response, from, count, n, mean)
          : searchSortedClasses(c, order, codes, response, from, count, n, countsOf(node))
    } else {
      const groups =
        classes === 0
          ? countNumbers(codes, rows, response, start, n, mean)
          : countClasses(codes, rows, response, start, n)
      const column = columnAt(c)
      varies = searchCounted(c, groups, column.codeCount, column.isRanked !== 0)
    }
    if (!varies) setInt(sample.count, place, 0)
  }
}

/** Splits the node's rows by the best split, notes the split, and returns how many rows are in the left child. */
function splitNode(sample: Sample, start: i32, n: i32, depth: i32, node: i32): i32 {
  const rows = sample.rows
  const side = sample.side
  const column = columnAt(bestColumn)
  const codes = int(sample.codes, bestColumn) as usize
  if (column.isRanked !== 0) sidesByRank(codes, rows, start, n, below, side)
  else {
    for (let k = 0; k < levelCount; k++) setByte(levelSide, int(levels, k), k < firstSide ? LEFT : RIGHT)
    sidesByLevel(codes, rows, start, n, levelSide, side)
  }
  for (let k = 0; k <= ABSENT; k++) {
    setDouble(sideWeight, k, 0)
    setDouble(sideSum, k, 0)
  }
  if (classes === 0) addToSides(rows, start, n, side, sample.response, sideWeight, sideSum)
  else addCodesToSides(rows, start, n, side, sample.response, sideWeight, sideSum)
  const leftWeight = double(sideWeight, LEFT)
  const rightWeight = double(sideWeight, RIGHT)
  const swapped = !(double(sideSum, LEFT) / leftWeight < double(sideSum, RIGHT) / rightWeight)
  const heavier = (swapped ? rightWeight >= leftWeight : leftWeight >= rightWeight) ? LEFT : RIGHT
  const leftRows = settleSides(rows, start, n, side, heavier, swapped ? 1 : 0)
  setInt(nodes.variable, node, bestColumn)
  setDouble(nodes.improve, node, bestGain)
  if (column.isRanked !== 0) {
    setInt(nodes.below, node, below)
    setInt(nodes.above, node, above)
    setByte(nodes.lessGoesLeft, node, swapped ? 0 : 1)
  } else {
    const from = addLevels(column.codeCount)
    setInt(nodes.levelStart, node, from)
    for (let k = 0; k < levelCount; k++) {
      const level = int(levels, k)
      setByte(nodes.levelSide, from + level, (byte(levelSide, level) === LEFT) === swapped ? 1 : -1)
    }
  }
  partition(rows, start, n, side, sample.spare)
  enterLeft(sample, depth, max(leftRows, n - leftRows) >= minsplit && depth + 1 < maxDepth)
  return leftRows
}

function enterLeft(sample: Sample, depth: i32, searched: bool): void {
  for (let c = 0; c < columns; c++) {
    const above = depth * columns + c
    const order = int(sample.sorted, c) as usize
    const from = int(sample.from, above)
    const count = searched ? int(sample.count, above) : 0
    const left = order === 0 || count === 0 ? count : partition(order, from, count, sample.side, sample.spare)
    setInt(sample.count, above, count)
    setInt(sample.leftCount, above, left)
    setInt(sample.from, above + columns, from)
    setInt(sample.count, above + columns, left)
  }
}

function enterRight(sample: Sample, depth: i32): void {
  for (let c = 0; c < columns; c++) {
    const above = depth * columns + c
    const left = int(sample.sorted, c) === 0 ? 0 : int(sample.leftCount, above)
    setInt(sample.from, above + columns, int(sample.from, above) + left)
    setInt(sample.count, above + columns, int(sample.count, above) - left)
  }
}

function growInPart(sample: Sample, start: i32, n: i32, depth: i32, number: f64, bound: f64): i32 {
  const part = sample.part
  const origin = sample.origin
  const local = sample.local
  numberRows(sample.rows, start, n, origin, local, part.rows)
  if (classes === 0) pickNumbers(sample.response, origin, n, part.response)
  else pickCodes(sample.response, origin, 0, n, part.response)
  for (let c = 0; c < columns; c++) {
    const place = depth * columns + c
    const count = int(sample.count, place)
    setInt(part.from, place, 0)
    setInt(part.count, place, count)
    if (count === 0) continue
    pickCodes(int(sample.codes, c) as usize, origin, 0, n, int(part.codes, c) as usize)
    const order = int(sample.sorted, c) as usize
    if (order !== 0) pickCodes(local, order, int(sample.from, place), count, int(part.sorted, c) as usize)
  }
  part.base = sample.base + start
  const node = growBranch(part, 0, n, depth, number, bound)
  pickCodes(origin, part.rows, 0, n, sample.rows + ((start as usize) << 2))
  return node
}
