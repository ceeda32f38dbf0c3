import { double, doubles, int, ints, reserve, setDouble, setInt } from './memory'

/** The search for the best split of a node, for rows of equal weight. What is computed is told in `src/trees/cart-split.ts`. */
let minbucket: i32
let classes: i32
let binRows: usize
let binWeight: usize
let binSum: usize
let binCounts: usize
let groups: usize
let keys: usize
let leftCounts: usize
let rightCounts: usize
let direction: usize
let classLeft: usize
/** Rows by class of a node, or of those that have a value to split on. */
export let classTotal: usize

/** The best split so far. */
export let bestColumn: i32
export let bestGain: f64
let bar: f64
/** Ranked columns: the ranks on both sides of the cut. */
export let below: i32
export let above: i32
/** Leveled columns: the levels that occur, those of one side first. */
export let levels: usize
export let levelCount: i32
export let firstSide: i32

/** @param codes of the counted column that has most */
export function createSearch(fewestRows: i32, classCount: i32, codes: i32): void {
  minbucket = fewestRows
  classes = classCount
  levels = ints(codes)
  binRows = zeros(codes, 4)
  binWeight = zeros(codes, 8)
  binSum = zeros(classCount === 0 ? codes : 0, 8)
  binCounts = zeros(codes * classCount, 8)
  groups = ints(codes)
  keys = doubles(codes)
  leftCounts = doubles(classCount)
  rightCounts = doubles(classCount)
  direction = doubles(classCount)
  classTotal = ints(classCount)
  classLeft = ints(classCount)
}

export function startSearch(floor: f64): void {
  bestColumn = -1
  bestGain = 0
  bar = floor
}

export function totalClasses(classCodes: usize, rows: usize, start: i32, n: i32): void {
  for (let c = 0; c < classes; c++) setInt(classTotal, c, 0)
  for (let k = start; k < start + n; k++) {
    const c = int(classCodes, int(rows, k))
    setInt(classTotal, c, int(classTotal, c) + 1)
  }
}

/** False when the column is constant, here and below. */
export function searchSortedNumbers(
  column: i32,
  order: usize,
  rank: usize,
  values: usize,
  from: i32,
  count: i32,
  n: i32,
  mean: f64,
): bool {
  const end = from + count
  if (int(rank, int(order, from)) === int(rank, int(order, end - 1))) return false
  cutNumbers(column, order, rank, values, from, end, n, mean)
  return true
}

function cutNumbers(
  column: i32,
  order: usize,
  rank: usize,
  values: usize,
  from: i32,
  end: i32,
  n: i32,
  mean: f64,
): void {
  let sum: f64 = 0
  const count = end - from
  const weight = count as f64
  if (count < n) for (let k = from; k < end; k++) sum += double(values, int(order, k)) - mean
  const base = (sum * sum) / weight
  let leftSum: f64 = 0
  let leftWeight: f64 = 0
  const first = from + minbucket - 1
  const last = end - minbucket
  let row = int(order, from)
  for (let k = from; k < first && k < last; k++) {
    leftWeight += 1
    leftSum += double(values, row) - mean
    row = int(order, k + 1)
  }
  let here = int(rank, row)
  for (let k = first; k < last; k++) {
    leftWeight += 1
    leftSum += double(values, row) - mean
    row = int(order, k + 1)
    const next = int(rank, row)
    if (next !== here) {
      const rightSum = sum - leftSum
      const gain = (leftSum * leftSum) / leftWeight + (rightSum * rightSum) / (weight - leftWeight) - base
      if (gain > bar) foundCut(column, gain, here, next)
      here = next
    }
  }
}

/** @param counts of the node, by class */
export function searchSortedClasses(
  column: i32,
  order: usize,
  rank: usize,
  classCodes: usize,
  from: i32,
  count: i32,
  n: i32,
  counts: usize,
): bool {
  const end = from + count
  if (int(rank, int(order, from)) === int(rank, int(order, end - 1))) return false
  if (count < n) totalClasses(classCodes, order, from, count)
  else for (let c = 0; c < classes; c++) setInt(classTotal, c, double(counts, c) as i32)
  if (classes === 2) cutTwoClasses(column, order, rank, classCodes, from, end)
  else cutClasses(column, order, rank, classCodes, from, end)
  return true
}

const NEARLY: f64 = 1 - 1e-12

function cutClasses(column: i32, order: usize, rank: usize, classCodes: usize, from: i32, end: i32): void {
  const count = end - from
  let rightSquares: f64 = 0
  for (let c = 0; c < classes; c++) {
    setInt(classLeft, c, 0)
    const total = int(classTotal, c) as f64
    rightSquares += total * total
  }
  const base = rightSquares / (count as f64)
  let near = (bar + base) * NEARLY
  let leftSquares: f64 = 0
  const first = from + minbucket - 1
  const last = end - minbucket
  let row = int(order, from)
  let here = int(rank, row)
  for (let k = from; k < last; k++) {
    const c = int(classCodes, row)
    const before = int(classLeft, c)
    setInt(classLeft, c, before + 1)
    leftSquares += (2 * before + 1) as f64
    rightSquares += (1 - 2 * (int(classTotal, c) - before)) as f64
    row = int(order, k + 1)
    const next = int(rank, row)
    if (next === here) continue
    if (k >= first) {
      const leftRows = (k + 1 - from) as f64
      const rightRows = (count as f64) - leftRows
      if (leftSquares * rightRows + rightSquares * leftRows > near * (leftRows * rightRows)) {
        const gain = leftSquares / leftRows + rightSquares / rightRows - base
        if (gain > bar) {
          foundCut(column, gain, here, next)
          near = (bar + base) * NEARLY
        }
      }
    }
    here = next
  }
}

function cutTwoClasses(column: i32, order: usize, rank: usize, classCodes: usize, from: i32, end: i32): void {
  const count = (end - from) as f64
  const zeros = int(classTotal, 0) as f64
  const ones = int(classTotal, 1) as f64
  const base = (zeros * zeros + ones * ones) / count
  let near = (bar + base) * NEARLY
  let leftOnes: f64 = 0
  const last = end - minbucket
  let k = from
  for (; k < from + minbucket - 1 && k < last; k++) leftOnes += int(classCodes, int(order, k)) as f64
  let row = int(order, k)
  let here = int(rank, row)
  for (; k < last; k++) {
    leftOnes += int(classCodes, row) as f64
    row = int(order, k + 1)
    const next = int(rank, row)
    if (next === here) continue
    const leftRows = (k + 1 - from) as f64
    const rightRows = count - leftRows
    const leftZeros = leftRows - leftOnes
    const rightZeros = zeros - leftZeros
    const rightOnes = ones - leftOnes
    const leftSquares = leftZeros * leftZeros + leftOnes * leftOnes
    const rightSquares = rightZeros * rightZeros + rightOnes * rightOnes
    if (leftSquares * rightRows + rightSquares * leftRows > near * (leftRows * rightRows)) {
      const gain = leftSquares / leftRows + rightSquares / rightRows - base
      if (gain > bar) {
        foundCut(column, gain, here, next)
        near = (bar + base) * NEARLY
      }
    }
    here = next
  }
}

const EXHAUSTIVE_LEVELS = 12

/** The column was counted: `count` codes occur, of `codes`. */
export function searchCounted(column: i32, count: i32, codes: i32, isRanked: bool): bool {
  const varies = count > 1
  if (varies) {
    sortByCode(count, codes)
    if (isRanked) searchGroups(column, count, false)
    else if (classes <= 2) {
      orderByMean(count)
      searchGroups(column, count, true)
    } else if (count <= EXHAUSTIVE_LEVELS) cutSubsets(column, count)
    else {
      orderByPrincipalComponent(count)
      searchGroups(column, count, true)
    }
  }
  clearBins(count)
  return varies
}

export function countNumbers(codes: usize, rows: usize, values: usize, start: i32, n: i32, mean: f64): i32 {
  let count = 0
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const code = int(codes, row)
    if (code < 0) continue
    const before = int(binRows, code)
    setInt(binRows, code, before + 1)
    if (before === 0) setInt(groups, count++, code)
    setDouble(binSum, code, double(binSum, code) + (double(values, row) - mean))
  }
  weighBins(count)
  return count
}

export function countClasses(codes: usize, rows: usize, classCodes: usize, start: i32, n: i32): i32 {
  let count = 0
  for (let k = start; k < start + n; k++) {
    const row = int(rows, k)
    const code = int(codes, row)
    if (code < 0) continue
    const before = int(binRows, code)
    setInt(binRows, code, before + 1)
    if (before === 0) setInt(groups, count++, code)
    const cell = code * classes + int(classCodes, row)
    setDouble(binCounts, cell, double(binCounts, cell) + 1)
  }
  weighBins(count)
  return count
}

function weighBins(count: i32): void {
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    setDouble(binWeight, code, int(binRows, code) as f64)
  }
}

function clearBins(count: i32): void {
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    setInt(binRows, code, 0)
    setDouble(binWeight, code, 0)
    if (classes === 0) setDouble(binSum, code, 0)
    else for (let k = 0; k < classes; k++) setDouble(binCounts, code * classes + k, 0)
  }
}

function sortByCode(count: i32, codes: i32): void {
  if (codes > 8 * count) {
    for (let g = 0; g < count; g++) setDouble(keys, int(groups, g), int(groups, g) as f64)
    sortGroups(count)
    return
  }
  let at = 0
  for (let code = 0; code < codes; code++) if (int(binRows, code) > 0) setInt(groups, at++, code)
}

function searchGroups(column: i32, count: i32, leveled: bool): void {
  const cut = classes === 0 ? cutGroupsOfNumbers(count) : cutGroupsOfClasses(count)
  if (cut < 0) return
  if (leveled) foundLevels(column, count, cut + 1)
  else foundCut(column, bestGain, int(groups, cut), int(groups, cut + 1))
}

function cutGroupsOfNumbers(count: i32): i32 {
  let weight: f64 = 0
  let sum: f64 = 0
  let rows = 0
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    rows += int(binRows, code)
    weight += double(binWeight, code)
    sum += double(binSum, code)
  }
  const base = (sum * sum) / weight
  let cut = -1
  let leftRows = 0
  let leftWeight: f64 = 0
  let leftSum: f64 = 0
  for (let g = 0; g < count - 1; g++) {
    const code = int(groups, g)
    leftRows += int(binRows, code)
    leftWeight += double(binWeight, code)
    leftSum += double(binSum, code)
    if (leftRows < minbucket) continue
    if (rows - leftRows < minbucket) break
    const rightSum = sum - leftSum
    const gain = (leftSum * leftSum) / leftWeight + (rightSum * rightSum) / (weight - leftWeight) - base
    if (gain > bar) {
      raise(gain)
      cut = g
    }
  }
  return cut
}

function cutGroupsOfClasses(count: i32): i32 {
  const rows = startClasses(count)
  const weight = rows as f64
  const base = sumOfSquares(rightCounts) / weight
  let cut = -1
  let leftRows = 0
  for (let g = 0; g < count - 1; g++) {
    const code = int(groups, g)
    leftRows += int(binRows, code)
    moveGroup(code, 1)
    if (leftRows < minbucket) continue
    if (rows - leftRows < minbucket) break
    const gain = gainOf(leftRows as f64, weight, base)
    if (gain > bar) {
      raise(gain)
      cut = g
    }
  }
  return cut
}

/** All rows to the right; their number. */
function startClasses(count: i32): i32 {
  for (let k = 0; k < classes; k++) {
    setDouble(leftCounts, k, 0)
    setDouble(rightCounts, k, 0)
  }
  let rows = 0
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    rows += int(binRows, code)
    for (let k = 0; k < classes; k++)
      setDouble(rightCounts, k, double(rightCounts, k) + double(binCounts, code * classes + k))
  }
  return rows
}

function moveGroup(code: i32, sign: f64): void {
  for (let k = 0; k < classes; k++) {
    const moved = sign * double(binCounts, code * classes + k)
    setDouble(leftCounts, k, double(leftCounts, k) + moved)
    setDouble(rightCounts, k, double(rightCounts, k) - moved)
  }
}

function gainOf(leftWeight: f64, weight: f64, base: f64): f64 {
  return sumOfSquares(leftCounts) / leftWeight + sumOfSquares(rightCounts) / (weight - leftWeight) - base
}

function cutSubsets(column: i32, count: i32): void {
  const rows = startClasses(count)
  const weight = rows as f64
  const base = sumOfSquares(rightCounts) / weight
  let leftRows = 0
  let subset = 0
  let bestSubset = 0
  for (let step = 1; step < 1 << (count - 1); step++) {
    const g = 31 - clz(step & -step)
    subset ^= 1 << g
    const code = int(groups, g)
    const sign = (subset >>> g) & 1 ? 1 : -1
    leftRows += sign * int(binRows, code)
    moveGroup(code, sign as f64)
    if (leftRows < minbucket || rows - leftRows < minbucket) continue
    const gain = gainOf(leftRows as f64, weight, base)
    if (gain > bar) {
      raise(gain)
      bestSubset = subset
    }
  }
  if (bestSubset !== 0) foundSubset(column, bestSubset, count)
}

function foundSubset(column: i32, subset: i32, count: i32): void {
  let place = 0
  for (let side = 1; side >= 0; side--) {
    for (let g = 0; g < count; g++) if (((subset >>> g) & 1) === side) setInt(levels, place++, int(groups, g))
    if (side === 1) firstSide = place
  }
  bestColumn = column
  levelCount = count
}

function orderByMean(count: i32): void {
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    const sum = classes === 0 ? double(binSum, code) : double(binCounts, code * classes)
    setDouble(keys, code, sum / double(binWeight, code))
  }
  sortGroups(count)
}

const POWER_STEPS = 200
const POWER_TOLERANCE: f64 = 1e-14

function orderByPrincipalComponent(count: i32): void {
  const weight = startClasses(count) as f64
  const mean = leftCounts
  const next = rightCounts
  for (let k = 0; k < classes; k++) setDouble(mean, k, double(next, k) / weight)
  let farthest = 0
  let spread: f64 = -1
  for (let g = 0; g < count; g++) {
    const code = int(groups, g)
    const w = double(binWeight, code)
    let squares: f64 = 0
    for (let k = 0; k < classes; k++) squares += w * square(shareOf(code, w, k) - double(mean, k))
    if (squares > spread) {
      spread = squares
      farthest = code
    }
  }
  const most = double(binWeight, farthest)
  for (let k = 0; k < classes; k++) setDouble(direction, k, shareOf(farthest, most, k) - double(mean, k))
  normalise(direction)
  for (let step = 0; step < POWER_STEPS; step++) {
    for (let k = 0; k < classes; k++) setDouble(next, k, 0)
    for (let g = 0; g < count; g++) {
      const code = int(groups, g)
      const w = double(binWeight, code)
      const score = scoreOf(code)
      for (let k = 0; k < classes; k++)
        setDouble(next, k, double(next, k) + w * score * (shareOf(code, w, k) - double(mean, k)))
    }
    if (!normalise(next)) break
    let change: f64 = 0
    for (let k = 0; k < classes; k++) {
      change += square(double(next, k) - double(direction, k))
      setDouble(direction, k, double(next, k))
    }
    if (change < POWER_TOLERANCE) break
  }
  for (let g = 0; g < count; g++) setDouble(keys, int(groups, g), scoreOf(int(groups, g)))
  sortGroups(count)
}

function shareOf(code: i32, weight: f64, k: i32): f64 {
  return double(binCounts, code * classes + k) / weight
}

function scoreOf(code: i32): f64 {
  const w = double(binWeight, code)
  let score: f64 = 0
  for (let k = 0; k < classes; k++) score += (shareOf(code, w, k) - double(leftCounts, k)) * double(direction, k)
  return score
}

function normalise(vector: usize): bool {
  const length = sqrt<f64>(sumOfSquares(vector))
  if (!(length > 0)) return false
  for (let k = 0; k < classes; k++) setDouble(vector, k, double(vector, k) / length)
  return true
}

/** Groups by their keys, equal keys by code, by Shell's sort with the gaps of Knuth: 1, 4, 13, 40 ... */
function sortGroups(count: i32): void {
  let gap = 1
  while (gap < count) gap = 3 * gap + 1
  for (; gap > 0; gap = gap / 3) {
    for (let g = gap; g < count; g++) {
      const code = int(groups, g)
      const key = double(keys, code)
      let at = g
      for (; at >= gap; at -= gap) {
        const other = int(groups, at - gap)
        if (!(double(keys, other) > key || (double(keys, other) === key && other > code))) break
        setInt(groups, at, other)
      }
      setInt(groups, at, code)
    }
  }
}

function foundCut(column: i32, gain: f64, rankBelow: i32, rankAbove: i32): void {
  raise(gain)
  bestColumn = column
  below = rankBelow
  above = rankAbove
}

function foundLevels(column: i32, count: i32, first: i32): void {
  bestColumn = column
  memory.copy(levels, groups, (count as usize) << 2)
  levelCount = count
  firstSide = first
}

const TIE: f64 = 1e-9

function raise(gain: f64): void {
  bestGain = gain
  bar = gain * (1 + TIE)
}

function square(x: f64): f64 {
  return x * x
}

function sumOfSquares(values: usize): f64 {
  let sum: f64 = 0
  for (let k = 0; k < classes; k++) sum += square(double(values, k))
  return sum
}

function zeros(length: i32, bytesEach: i32): usize {
  const size = (length as usize) * (bytesEach as usize)
  const at = reserve(size)
  memory.fill(at, 0, size)
  return at
}
