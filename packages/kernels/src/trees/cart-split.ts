import type { RankedColumn } from '../order.js'

/** A column whose values have no order: codes 0 to `levels` - 1, -1 for missing. */
export interface LeveledColumn {
  readonly kind: 'leveled'
  readonly codes: Int32Array
  readonly levels: number
}

export type CartColumn = RankedColumn | LeveledColumn

/** How many codes a column has, missing not counted. */
export function codesOf(column: CartColumn): number {
  return column.kind === 'leveled' ? column.levels : column.distinct.length
}

/** The rows a tree grows on. Rows are numbered from 0; arrays by row may be longer than the number of rows. */
export interface Sample {
  /** By column, by row: rank or level; -1 for missing. */
  readonly codes: readonly Int32Array[]
  /** By column: its rows in ascending order within each node; null for columns that are counted, not walked through. */
  readonly sorted: readonly (Int32Array | null)[]
  /** The response: a number, or else a class. */
  readonly numbers: Float64Array
  readonly classCodes: Int32Array
  readonly weights: Float64Array | null
  /** The rows of each node side by side. */
  readonly rows: Int32Array
}

/** The best split so far of a node. Gain and bar begin as no numbers, which V8 knows for doubles from the start. */
interface BestSplit {
  /** -1 while there is none. */
  column: number
  gain: number
  /** What the next must exceed: gains within a relative 1e-9 are equal, and the first of equals is kept. */
  bar: number
  /** Ranked columns: the ranks on both sides of the cut. */
  below: number
  above: number
  /** Leveled columns: the levels that occur, those of one side first. */
  readonly levels: Int32Array
  levelCount: number
  firstSide: number
}

/** What a search needs besides the rows. */
export interface Search {
  readonly classes: number
  minbucket: number
  readonly best: BestSplit
  /** By code: rows, weight and sum of the response less the node's mean, or weight by class. Zero between searches. */
  readonly binRows: Int32Array
  readonly binWeight: Float64Array
  readonly binSum: Float64Array
  readonly binCounts: Float64Array
  /** The codes that occur in the node, in the order in which cuts are tried. */
  readonly groups: Int32Array
  readonly keys: Float64Array
  /** Weight by class left and right of the cut, and of all rows. */
  readonly leftCounts: Float64Array
  readonly rightCounts: Float64Array
  readonly direction: Float64Array
  /** The same in rows, without weights: of all rows, and left of the cut. */
  readonly classTotal: Int32Array
  readonly classLeft: Int32Array
}

/** A node as the search sees it. */
export interface NodeRows {
  readonly start: number
  readonly n: number
  /** Numbers: their mean. */
  readonly mean: number
  /** Classes: weight by class from this place on. */
  readonly counts: Float64Array
  readonly countsFrom: number
}

const TIE = 1e-9
/** Leaves room for rounding where a gain is compared without being computed. */
const NEARLY = 1 - 1e-12
/** Factors with more levels in a node are not searched exhaustively when there are three classes or more. */
const EXHAUSTIVE_LEVELS = 12
/** Columns with at most so many cells (codes times classes) are counted rather than kept sorted. */
const COUNTED_CELLS = 512

/** The same where all columns of a node are counted in one go. */
const COUNTED_TOGETHER = 1024

/** @param together two classes without weights, which `cart-bins.ts` counts */
export function isCounted(column: CartColumn, classes: number, together: boolean): boolean {
  if (column.kind === 'leveled') return true
  const { length } = column.distinct
  return together ? length <= COUNTED_TOGETHER : length * Math.max(1, classes) <= COUNTED_CELLS
}

/** Codes of the counted column that has most. */
export function countedCodes(columns: readonly CartColumn[], classes: number): number {
  let codes = 1
  for (const column of columns) if (isCounted(column, classes, classes === 2)) codes = Math.max(codes, codesOf(column))
  return codes
}

export function createSearch(columns: readonly CartColumn[], classes: number): Search {
  const codes = countedCodes(columns, classes)
  return {
    classes,
    minbucket: 1,
    best: {
      column: -1,
      gain: Number.NaN,
      bar: Number.NaN,
      below: 0,
      above: 0,
      levels: new Int32Array(codes),
      levelCount: 0,
      firstSide: 0,
    },
    binRows: new Int32Array(codes),
    binWeight: new Float64Array(codes),
    binSum: new Float64Array(classes === 0 ? codes : 0),
    binCounts: new Float64Array(codes * classes),
    groups: new Int32Array(codes),
    keys: new Float64Array(codes),
    leftCounts: new Float64Array(classes),
    rightCounts: new Float64Array(classes),
    direction: new Float64Array(classes),
    classTotal: new Int32Array(classes),
    classLeft: new Int32Array(classes),
  }
}

/** Forgets the best split; the next must gain more than `floor`. */
export function startSearch(search: Search, floor: number): void {
  search.best.column = -1
  search.best.gain = 0
  search.best.bar = floor
}

/**
 * Tries every cut of a column whose rows are kept sorted, at `from` to `from + count - 1`, for a numeric response. With sums S
 * of y - mean and weights W the squared error falls by SL^2 / WL + SR^2 / WR - S^2 / W. False when the column is constant.
 */
export function searchSortedNumbers(
  search: Search,
  sample: Sample,
  column: number,
  from: number,
  count: number,
  node: NodeRows,
): boolean {
  const order = sample.sorted[column]
  if (order === null || count === 0) return false
  const rank = sample.codes[column]
  const end = from + count
  if (rank[order[from]] === rank[order[end - 1]]) return false
  cutNumbers(search, sample, column, order, rank, from, end, node)
  return true
}

/** Hot. */
function cutNumbers(
  { best, minbucket }: Search,
  { numbers: y, weights }: Sample,
  column: number,
  order: Int32Array,
  rank: Int32Array,
  from: number,
  end: number,
  { n, mean }: NodeRows,
): void {
  let sum = 0
  let weight = end - from
  if (weights !== null || weight < n) {
    weight = 0
    for (let k = from; k < end; k++) {
      const w = weights === null ? 1 : weights[order[k]]
      weight += w
      sum += w * (y[order[k]] - mean)
    }
  }
  const base = (sum * sum) / weight
  let leftSum = 0
  let leftWeight = 0
  const first = from + minbucket - 1
  const last = end - minbucket
  let row = order[from]
  for (let k = from; k < first && k < last; k++) {
    const w = weights === null ? 1 : weights[row]
    leftWeight += w
    leftSum += w * (y[row] - mean)
    row = order[k + 1]
  }
  let here = rank[row]
  for (let k = first; k < last; k++) {
    const w = weights === null ? 1 : weights[row]
    leftWeight += w
    leftSum += w * (y[row] - mean)
    row = order[k + 1]
    const next = rank[row]
    if (next !== here) {
      const rightSum = sum - leftSum
      const gain = (leftSum * leftSum) / leftWeight + (rightSum * rightSum) / (weight - leftWeight) - base
      if (gain > best.bar) foundCut(best, column, gain, here, next)
      here = next
    }
  }
}

/**
 * The same for classes: with Q the sum over classes of squared weights, the Gini impurity W - Q / W falls by
 * QL / WL + QR / WR - Q / W.
 */
export function searchSortedClasses(
  search: Search,
  sample: Sample,
  column: number,
  from: number,
  count: number,
  node: NodeRows,
): boolean {
  const order = sample.sorted[column]
  if (order === null || count === 0) return false
  const rank = sample.codes[column]
  const end = from + count
  if (rank[order[from]] === rank[order[end - 1]]) return false
  if (sample.weights !== null) cutWeightedClasses(search, sample, sample.weights, column, order, rank, from, end)
  else {
    const { classTotal, classes } = search
    if (count < node.n) totalClasses(search, sample.classCodes, order, from, count)
    else for (let c = 0; c < classes; c++) classTotal[c] = node.counts[node.countsFrom + c]
    if (classes === 2) cutTwoClasses(search, sample.classCodes, column, order, rank, from, end)
    else cutClasses(search, sample.classCodes, column, order, rank, from, end)
  }
  return true
}

/** How many rows of each class there are, into `classTotal`. */
export function totalClasses(
  { classTotal }: Search,
  classCodes: Int32Array,
  rows: Int32Array,
  start: number,
  n: number,
): void {
  classTotal.fill(0)
  for (let k = start; k < start + n; k++) classTotal[classCodes[rows[k]]]++
}

/** Hot. Moving a row from right to left changes one term of QL and QR. */
function cutWeightedClasses(
  { best, minbucket, leftCounts: left, rightCounts: right }: Search,
  { classCodes }: Sample,
  weights: Float64Array,
  column: number,
  order: Int32Array,
  rank: Int32Array,
  from: number,
  end: number,
): void {
  left.fill(0)
  right.fill(0)
  let weight = 0
  for (let k = from; k < end; k++) {
    const w = weights[order[k]]
    weight += w
    right[classCodes[order[k]]] += w
  }
  let rightSquares = sumOfSquares(right)
  const base = rightSquares / weight
  let leftSquares = 0
  let leftWeight = 0
  const first = from + minbucket - 1
  const last = end - minbucket
  let row = order[from]
  let here = rank[row]
  for (let k = from; k < last; k++) {
    const w = weights[row]
    const c = classCodes[row]
    leftSquares += w * (2 * left[c] + w)
    rightSquares += w * (w - 2 * right[c])
    left[c] += w
    right[c] -= w
    leftWeight += w
    row = order[k + 1]
    const next = rank[row]
    if (next !== here) {
      if (k >= first) {
        const gain = leftSquares / leftWeight + rightSquares / (weight - leftWeight) - base
        if (gain > best.bar) foundCut(best, column, gain, here, next)
      }
      here = next
    }
  }
}

/**
 * Hot. Without weights all are whole numbers, and a cut that cannot win is told without a division: QL / WL + QR / WR
 * exceeds a bar where QL WR + QR WL exceeds WL WR times the bar. Only what comes near is computed as above.
 */
function cutClasses(
  { best, minbucket, classTotal: total, classLeft: left }: Search,
  classCodes: Int32Array,
  column: number,
  order: Int32Array,
  rank: Int32Array,
  from: number,
  end: number,
): void {
  const count = end - from
  left.fill(0)
  let rightSquares = 0
  for (let c = 0; c < total.length; c++) rightSquares += total[c] * total[c]
  const base = rightSquares / count
  let bar = (best.bar + base) * NEARLY
  let leftSquares = 0
  const first = from + minbucket - 1
  const last = end - minbucket
  let row = order[from]
  let here = rank[row]
  for (let k = from; k < last; k++) {
    const c = classCodes[row]
    const before = left[c]
    left[c] = before + 1
    leftSquares += 2 * before + 1
    rightSquares += 1 - 2 * (total[c] - before)
    row = order[k + 1]
    const next = rank[row]
    if (next === here) continue
    if (k >= first) {
      const leftRows = k + 1 - from
      const rightRows = count - leftRows
      if (leftSquares * rightRows + rightSquares * leftRows > bar * (leftRows * rightRows)) {
        const gain = leftSquares / leftRows + rightSquares / rightRows - base
        if (gain > best.bar) {
          foundCut(best, column, gain, here, next)
          bar = (best.bar + base) * NEARLY
        }
      }
    }
    here = next
  }
}

/** Hot. The same where the rows of the second class tell those of the first. */
function cutTwoClasses(
  { best, minbucket, classTotal }: Search,
  classCodes: Int32Array,
  column: number,
  order: Int32Array,
  rank: Int32Array,
  from: number,
  end: number,
): void {
  const count = end - from
  const zeros = classTotal[0]
  const ones = classTotal[1]
  const base = (zeros * zeros + ones * ones) / count
  let bar = (best.bar + base) * NEARLY
  let leftOnes = 0
  const last = end - minbucket
  let k = from
  for (; k < from + minbucket - 1 && k < last; k++) leftOnes += classCodes[order[k]]
  let row = order[k]
  let here = rank[row]
  for (; k < last; k++) {
    leftOnes += classCodes[row]
    row = order[k + 1]
    const next = rank[row]
    if (next === here) continue
    const leftRows = k + 1 - from
    const rightRows = count - leftRows
    const leftZeros = leftRows - leftOnes
    const rightZeros = zeros - leftZeros
    const rightOnes = ones - leftOnes
    const leftSquares = leftZeros * leftZeros + leftOnes * leftOnes
    const rightSquares = rightZeros * rightZeros + rightOnes * rightOnes
    if (leftSquares * rightRows + rightSquares * leftRows > bar * (leftRows * rightRows)) {
      const gain = leftSquares / leftRows + rightSquares / rightRows - base
      if (gain > best.bar) {
        foundCut(best, column, gain, here, next)
        bar = (best.bar + base) * NEARLY
      }
    }
    here = next
  }
}

/** A column with few codes: its rows are counted by code, then cuts between codes are tried. False when constant. */
export function searchCounted(
  search: Search,
  sample: Sample,
  column: number,
  ofColumn: CartColumn,
  node: NodeRows,
): boolean {
  const codes = sample.codes[column]
  const groups =
    search.classes === 0 ? countNumbers(search, sample, codes, node) : countClasses(search, sample, codes, node)
  sortByCode(search, groups, codesOf(ofColumn))
  const varies = groups > 1
  if (varies) {
    if (ofColumn.kind === 'ranked') searchGroups(search, column, groups, false)
    else if (search.classes <= 2) searchGroups(search, column, orderByMean(search, groups), true)
    else if (groups <= EXHAUSTIVE_LEVELS) searchSubsets(search, column, groups)
    else searchGroups(search, column, orderByPrincipalComponent(search, groups), true)
  }
  clearBins(search, groups)
  return varies
}

/** Hot. Fills the bins, and `groups` with the codes that occur; returns how many these are. */
function countNumbers(search: Search, sample: Sample, codes: Int32Array, { start, n, mean }: NodeRows): number {
  const { binRows, binWeight, binSum, groups } = search
  const { rows, weights, numbers: y } = sample
  let count = 0
  for (let k = start; k < start + n; k++) {
    const row = rows[k]
    const code = codes[row]
    if (code < 0) continue
    const w = weights === null ? 1 : weights[row]
    if (binRows[code]++ === 0) groups[count++] = code
    binWeight[code] += w
    binSum[code] += w * (y[row] - mean)
  }
  return count
}

/** Hot. */
function countClasses(search: Search, sample: Sample, codes: Int32Array, { start, n }: NodeRows): number {
  const { binRows, binWeight, binCounts, groups, classes } = search
  const { rows, weights, classCodes } = sample
  let count = 0
  for (let k = start; k < start + n; k++) {
    const row = rows[k]
    const code = codes[row]
    if (code < 0) continue
    const w = weights === null ? 1 : weights[row]
    if (binRows[code]++ === 0) groups[count++] = code
    binWeight[code] += w
    binCounts[code * classes + classCodes[row]] += w
  }
  return count
}

/** The codes that occur, ascending: by looking through all codes if these are few, else by sorting. */
function sortByCode({ binRows, groups }: Search, count: number, codes: number): void {
  if (codes > 8 * count) {
    groups.subarray(0, count).sort()
    return
  }
  let at = 0
  for (let code = 0; code < codes; code++) if (binRows[code] > 0) groups[at++] = code
}

function clearBins({ binRows, binWeight, binSum, binCounts, groups, classes }: Search, count: number): void {
  for (let g = 0; g < count; g++) {
    const code = groups[g]
    binRows[code] = 0
    binWeight[code] = 0
    if (classes === 0) binSum[code] = 0
    else binCounts.fill(0, code * classes, (code + 1) * classes)
  }
}

/** Tries the cuts between successive groups. */
function searchGroups(search: Search, column: number, count: number, leveled: boolean): void {
  const { best, groups } = search
  const cut = search.classes === 0 ? cutGroupsOfNumbers(search, count) : cutGroupsOfClasses(search, count)
  if (cut < 0) return
  if (leveled) foundLevels(best, column, best.gain, groups, count, cut + 1)
  else foundCut(best, column, best.gain, groups[cut], groups[cut + 1])
}

/** The place of the last group left of the best cut, -1 when no cut gains more than the best split so far. */
function cutGroupsOfNumbers({ best, minbucket, binRows, binWeight, binSum, groups }: Search, count: number): number {
  let weight = 0
  let sum = 0
  let rows = 0
  for (let g = 0; g < count; g++) {
    rows += binRows[groups[g]]
    weight += binWeight[groups[g]]
    sum += binSum[groups[g]]
  }
  const base = (sum * sum) / weight
  let cut = -1
  let leftRows = 0
  let leftWeight = 0
  let leftSum = 0
  for (let g = 0; g < count - 1; g++) {
    const code = groups[g]
    leftRows += binRows[code]
    leftWeight += binWeight[code]
    leftSum += binSum[code]
    if (leftRows < minbucket) continue
    if (rows - leftRows < minbucket) break
    const rightSum = sum - leftSum
    const gain = (leftSum * leftSum) / leftWeight + (rightSum * rightSum) / (weight - leftWeight) - base
    if (gain > best.bar) {
      raise(best, gain)
      cut = g
    }
  }
  return cut
}

function cutGroupsOfClasses(search: Search, count: number): number {
  const { best, minbucket, binRows, binWeight, binCounts, groups, classes, leftCounts, rightCounts } = search
  const { rows, weight } = startClasses(search, count)
  const base = sumOfSquares(rightCounts) / weight
  let cut = -1
  let leftRows = 0
  let leftWeight = 0
  for (let g = 0; g < count - 1; g++) {
    const code = groups[g]
    leftRows += binRows[code]
    leftWeight += binWeight[code]
    for (let k = 0; k < classes; k++) {
      leftCounts[k] += binCounts[code * classes + k]
      rightCounts[k] -= binCounts[code * classes + k]
    }
    if (leftRows < minbucket) continue
    if (rows - leftRows < minbucket) break
    const gain = sumOfSquares(leftCounts) / leftWeight + sumOfSquares(rightCounts) / (weight - leftWeight) - base
    if (gain > best.bar) {
      raise(best, gain)
      cut = g
    }
  }
  return cut
}

/** All rows to the right. */
function startClasses(search: Search, count: number): { rows: number; weight: number } {
  const { binRows, binWeight, binCounts, groups, classes, leftCounts, rightCounts } = search
  leftCounts.fill(0)
  rightCounts.fill(0)
  let rows = 0
  let weight = 0
  for (let g = 0; g < count; g++) {
    const code = groups[g]
    rows += binRows[code]
    weight += binWeight[code]
    for (let k = 0; k < classes; k++) rightCounts[k] += binCounts[code * classes + k]
  }
  return { rows, weight }
}

function searchSubsets(search: Search, column: number, count: number): void {
  const { best, groups } = search
  const subset = cutSubsets(search, count)
  if (subset === 0) return
  let firstSide = 0
  let place = 0
  for (const side of [1, 0]) {
    for (let g = 0; g < count; g++) if (((subset >>> g) & 1) === side) best.levels[place++] = groups[g]
    if (side === 1) firstSide = place
  }
  best.column = column
  best.levelCount = count
  best.firstSide = firstSide
}

/**
 * Hot. Every way to cut the groups in two, by a Gray code: each differs from the one before in one group, and the last group
 * never moves, as the two sides are alike. Returns the groups of one side of the best as bits, 0 where none gains more than the
 * best split so far.
 */
function cutSubsets(search: Search, count: number): number {
  const { best, minbucket, binRows, binWeight, binCounts, groups, classes, leftCounts, rightCounts } = search
  const { rows, weight } = startClasses(search, count)
  const base = sumOfSquares(rightCounts) / weight
  let leftRows = 0
  let leftWeight = 0
  let subset = 0
  let bestSubset = 0
  for (let step = 1; step < 1 << (count - 1); step++) {
    const g = 31 - Math.clz32(step & -step)
    subset ^= 1 << g
    const code = groups[g]
    const sign = (subset >>> g) & 1 ? 1 : -1
    leftRows += sign * binRows[code]
    leftWeight += sign * binWeight[code]
    for (let k = 0; k < classes; k++) {
      const moved = sign * binCounts[code * classes + k]
      leftCounts[k] += moved
      rightCounts[k] -= moved
    }
    if (leftRows < minbucket || rows - leftRows < minbucket) continue
    const gain = sumOfSquares(leftCounts) / leftWeight + sumOfSquares(rightCounts) / (weight - leftWeight) - base
    if (gain > best.bar) {
      raise(best, gain)
      bestSubset = subset
    }
  }
  return bestSubset
}

/**
 * Levels by the mean of the response, or the share of the first class: one of the cuts between them is the best of all
 * bipartitions (Fisher 1958), unless that one has too few rows on a side.
 */
function orderByMean(search: Search, count: number): number {
  const { groups, keys, binWeight, binSum, binCounts, classes } = search
  for (let g = 0; g < count; g++) {
    const code = groups[g]
    const sum = classes === 0 ? binSum[code] : binCounts[code * classes]
    keys[code] = binWeight[code] > 0 ? sum / binWeight[code] : 0
  }
  return sortGroups(search, count)
}

const POWER_STEPS = 200
const POWER_TOLERANCE = 1e-14

/**
 * Levels by the first principal component of their class shares, weighted by their size (Coppersmith, Hong and Hosking
 * 1999, "Partitioning nominal attributes in decision trees"), found by power iteration: v becomes the sum over levels of
 * w_l (p_l - p) (p_l - p)'v.
 */
function orderByPrincipalComponent(search: Search, count: number): number {
  const { groups, keys, binWeight, binCounts, classes, direction, leftCounts: mean, rightCounts: next } = search
  const { weight } = startClasses(search, count)
  for (let k = 0; k < classes; k++) mean[k] = next[k] / weight
  let farthest = 0
  let spread = -1
  for (let g = 0; g < count; g++) {
    const code = groups[g]
    const w = binWeight[code]
    let squares = 0
    for (let k = 0; k < classes; k++) if (w > 0) squares += w * (binCounts[code * classes + k] / w - mean[k]) ** 2
    if (squares > spread) {
      spread = squares
      farthest = code
    }
  }
  for (let k = 0; k < classes; k++) {
    direction[k] = binCounts[farthest * classes + k] / (binWeight[farthest] || 1) - mean[k]
  }
  normalise(direction)
  for (let step = 0; step < POWER_STEPS; step++) {
    next.fill(0)
    for (let g = 0; g < count; g++) {
      const code = groups[g]
      const w = binWeight[code]
      if (w <= 0) continue
      const score = scoreOf(search, code)
      for (let k = 0; k < classes; k++) next[k] += w * score * (binCounts[code * classes + k] / w - mean[k])
    }
    if (!normalise(next)) break
    let change = 0
    for (let k = 0; k < classes; k++) {
      change += (next[k] - direction[k]) ** 2
      direction[k] = next[k]
    }
    if (change < POWER_TOLERANCE) break
  }
  for (let g = 0; g < count; g++) keys[groups[g]] = scoreOf(search, groups[g])
  return sortGroups(search, count)
}

function scoreOf({ binWeight, binCounts, classes, direction, leftCounts: mean }: Search, code: number): number {
  const w = binWeight[code]
  let score = 0
  for (let k = 0; k < classes; k++) if (w > 0) score += (binCounts[code * classes + k] / w - mean[k]) * direction[k]
  return score
}

function normalise(vector: Float64Array): boolean {
  const length = Math.sqrt(sumOfSquares(vector))
  if (!(length > 0)) return false
  for (let k = 0; k < vector.length; k++) vector[k] /= length
  return true
}

const INSERTION_SORT_MOST = 32

/** Groups by their keys, equal keys by code. */
function sortGroups({ groups, keys }: Search, count: number): number {
  if (count > INSERTION_SORT_MOST) groups.subarray(0, count).sort((a, b) => keys[a] - keys[b] || a - b)
  else {
    for (let g = 1; g < count; g++) {
      const code = groups[g]
      let at = g
      for (; at > 0 && keys[groups[at - 1]] > keys[code]; at--) groups[at] = groups[at - 1]
      groups[at] = code
    }
  }
  return count
}

export function foundCut(best: BestSplit, column: number, gain: number, below: number, above: number): void {
  raise(best, gain)
  best.column = column
  best.below = below
  best.above = above
}

export function foundLevels(
  best: BestSplit,
  column: number,
  gain: number,
  groups: Int32Array,
  count: number,
  first: number,
): void {
  raise(best, gain)
  best.column = column
  for (let g = 0; g < count; g++) best.levels[g] = groups[g]
  best.levelCount = count
  best.firstSide = first
}

export function raise(best: BestSplit, gain: number): void {
  best.gain = gain
  best.bar = gain * (1 + TIE)
}

function sumOfSquares(values: Float64Array): number {
  let sum = 0
  for (let k = 0; k < values.length; k++) sum += values[k] * values[k]
  return sum
}
