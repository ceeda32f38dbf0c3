import { type CartColumn, codesOf, foundCut, foundLevels, isCounted, raise, type Search } from './cart-split.js'

/**
 * Two classes without weights, where trees are grown by the hundred on permuted labels: all columns with few codes are
 * counted in one pass over the rows of a node. The cells of a row, one per column, lie side by side and say into which of
 * the bins of all columns it falls; a bin holds records + 2^16 x records of the second class in one number, so that one
 * addition counts both. Of two children only the smaller is counted: the other is what it leaves of their parent.
 * Everything is a whole number, so gains, and trees, are those of the search by columns, bit by bit.
 */
export interface Bins {
  /** Cells of a row. */
  readonly width: number
  /** By column of the tree: its place among the cells, -1 for columns that are not counted here. */
  readonly place: Int32Array
  /** By place: its first bin. The last of its bins takes missing values. */
  readonly first: Int32Array
  /** Row after row. */
  readonly cells: Uint16Array
  /** By row: 1, and 2^16 more for the second class. */
  readonly marks: Int32Array
  readonly bins: number
  /** By depth: the counts of the node that is being split there; of its right child while the left one grows. */
  readonly counts: Int32Array[]
}

const SHIFT = 16
const MOST = 2 ** SHIFT - 1

/** With the labels of another tree on the same columns. */
export function relabelled({ marks, ...bins }: Bins, classCodes: Int32Array): Bins {
  for (let row = 0; row < marks.length; row++) marks[row] = 1 + (classCodes[row] << SHIFT)
  return { ...bins, marks }
}

/** Null for too many rows, or codes, to count in 16 bits. */
export function binsOf(
  columns: readonly CartColumn[],
  codes: readonly Int32Array[],
  classCodes: Int32Array,
): Bins | null {
  const place = new Int32Array(columns.length).fill(-1)
  const first: number[] = []
  let bins = 0
  columns.forEach((column, c) => {
    if (!isCounted(column, 2, true)) return
    place[c] = first.length
    first.push(bins)
    bins += codesOf(column) + 1
  })
  const rows = classCodes.length
  if (bins > MOST || rows > MOST) return null
  const width = first.length
  const cells = new Uint16Array(rows * width)
  codes.forEach((own, c) => {
    const at = place[c]
    if (at < 0) return
    const missing = first[at] + codesOf(columns[c])
    for (let row = 0; row < rows; row++) cells[row * width + at] = own[row] < 0 ? missing : first[at] + own[row]
  })
  const empty = { width, place, first: Int32Array.from(first), cells, marks: new Int32Array(rows), bins, counts: [] }
  return relabelled(empty, classCodes)
}

function countsAt({ counts, bins }: Bins, depth: number): Int32Array {
  while (counts.length <= depth) counts.push(new Int32Array(bins))
  return counts[depth]
}

/** The root of a tree. */
export function countRoot(bins: Bins, rows: Int32Array, n: number): void {
  countRows(bins, rows, 0, n, countsAt(bins, 0))
}

/** Hot. */
function countRows({ width, cells, marks }: Bins, rows: Int32Array, start: number, n: number, into: Int32Array): void {
  into.fill(0)
  for (let k = start; k < start + n; k++) {
    const row = rows[k]
    const mark = marks[row]
    const end = row * width + width
    for (let at = row * width; at < end; at++) into[cells[at]] += mark
  }
}

/** The children of a node that was split, its rows in two runs: left below it, right in its place. */
export function countChildren(
  bins: Bins,
  rows: Int32Array,
  start: number,
  n: number,
  left: number,
  depth: number,
): void {
  const own = countsAt(bins, depth)
  const below = countsAt(bins, depth + 1)
  if (left <= n - left) {
    countRows(bins, rows, start, left, below)
    for (let bin = 0; bin < own.length; bin++) own[bin] -= below[bin]
  } else {
    countRows(bins, rows, start + left, n - left, below)
    for (let bin = 0; bin < own.length; bin++) own[bin] -= below[bin]
    enterRightBins(bins, depth)
  }
}

/** The right child is next. */
export function enterRightBins(bins: Bins, depth: number): void {
  const below = countsAt(bins, depth + 1)
  bins.counts[depth + 1] = bins.counts[depth]
  bins.counts[depth] = below
}

/** Weight and sum of class codes by side, of a node that was searched; `sideOf` says where a code of the column goes. */
export function sumBins(
  { counts: byDepth, first, place }: Bins,
  depth: number,
  column: number,
  sideOf: Uint8Array,
  codes: number,
  sideWeight: Float64Array,
  sideSum: Float64Array,
): void {
  const counts = byDepth[depth]
  const from = first[place[column]]
  for (let code = 0; code <= codes; code++) {
    const packed = counts[from + code]
    if (packed === 0) continue
    sideWeight[sideOf[code]] += packed & MOST
    sideSum[sideOf[code]] += packed >>> SHIFT
  }
}

/** Of a node of `n` rows, `second` of them of the second class. False when the column is constant. */
export function searchBins(
  search: Search,
  { counts: byDepth, first, place }: Bins,
  depth: number,
  column: number,
  coded: CartColumn,
  n: number,
  second: number,
): boolean {
  const counts = byDepth[depth]
  const from = first[place[column]]
  if (coded.kind === 'leveled') return searchLeveled(search, counts, from, coded.levels, column)
  const to = from + coded.distinct.length
  const missing = counts[to] >>> SHIFT
  return searchRanked(search, counts, from, to, column, n - (counts[to] & MOST), second - missing)
}

/** Hot. Cuts between neighbouring codes that occur; the gain is that of `searchSortedClasses`. */
function searchRanked(
  { best, minbucket }: Search,
  counts: Int32Array,
  from: number,
  to: number,
  column: number,
  rows: number,
  second: number,
): boolean {
  const zeros = rows - second
  const base = (zeros * zeros + second * second) / rows
  let leftRows = 0
  let leftSecond = 0
  let before = -1
  let varies = false
  for (let bin = from; bin < to; bin++) {
    const packed = counts[bin]
    if (packed === 0) continue
    if (before >= 0) {
      varies = true
      if (leftRows >= minbucket && rows - leftRows >= minbucket) {
        const left = leftRows - leftSecond
        const right = zeros - left
        const rightSecond = second - leftSecond
        const gain =
          (left * left + leftSecond * leftSecond) / leftRows +
          (right * right + rightSecond * rightSecond) / (rows - leftRows) -
          base
        if (gain > best.bar) foundCut(best, column, gain, before, bin - from)
      }
    }
    leftRows += packed & MOST
    leftSecond += packed >>> SHIFT
    before = bin - from
  }
  return varies
}

/**
 * Hot. Levels in the order of their share of the first class, equal ones by code, as `orderByMean` has them; then cuts between
 * neighbours.
 */
function searchLeveled(search: Search, counts: Int32Array, from: number, levels: number, column: number): boolean {
  const { best, minbucket, groups, keys } = search
  let count = 0
  let rows = 0
  let second = 0
  for (let level = 0; level < levels; level++) {
    const packed = counts[from + level]
    if (packed === 0) continue
    const own = packed & MOST
    const ofSecond = packed >>> SHIFT
    const share = (own - ofSecond) / own
    rows += own
    second += ofSecond
    keys[level] = share
    let at = count++
    for (; at > 0 && keys[groups[at - 1]] > share; at--) groups[at] = groups[at - 1]
    groups[at] = level
  }
  if (count < 2) return false
  const zeros = rows - second
  const base = (zeros * zeros + second * second) / rows
  let leftRows = 0
  let leftSecond = 0
  let cut = 0
  for (let g = 0; g < count - 1; g++) {
    const packed = counts[from + groups[g]]
    leftRows += packed & MOST
    leftSecond += packed >>> SHIFT
    if (leftRows < minbucket) continue
    if (rows - leftRows < minbucket) break
    const left = leftRows - leftSecond
    const right = zeros - left
    const rightSecond = second - leftSecond
    const gain =
      (left * left + leftSecond * leftSecond) / leftRows +
      (right * right + rightSecond * rightSecond) / (rows - leftRows) -
      base
    if (gain > best.bar) {
      raise(best, gain)
      cut = g + 1
    }
  }
  if (cut > 0) foundLevels(best, column, best.gain, groups, count, cut)
  return true
}
