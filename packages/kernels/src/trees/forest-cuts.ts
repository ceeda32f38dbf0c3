import {
  bitmap,
  type FoundBins,
  fillClasses,
  fillPacked,
  fillPackedSparse,
  fillPackedThree,
  fillPackedTwo,
  fillPairs,
  fillPairsSparse,
  foundBins,
  listFilled,
  listTouched,
  PACK,
  takeAll,
  takeFound,
  widest,
} from './histograms.js'
import type { BinnedColumns } from './tree.js'

/**
 * The cut of a forest's node that lowers the impurity most: the variance for numbers, Gini for classes (Breiman et al.
 * 1984), found on histograms over the codes of the drawn columns. Missing values are tried on both sides, and alone;
 * where a node has none, they will go where more draws went.
 */

/** What is to be predicted: a number, or one of some classes. */
export interface ForestResponse {
  /** The number, or the class as a number from 0 on. */
  readonly values: Float64Array
  /** 0 for numbers. */
  readonly classes: number
  /** Leaf values are rounded to multiples of this power of two, which makes sums over trees exact in any order. */
  readonly grid: number
}

/** The best cut of a node so far; `column` is -1 while there is none. */
export interface Cut {
  score: number
  column: number
  /** Codes on both sides of the cut, both present in the node; `low` is 0 when only missing values go left. */
  low: number
  high: number
  missingLeft: boolean
  leftWeight: number
  leftSum: number
}

/** What each kind of response needs to find cuts and fill leaves. */
export type Criterion = Numbers | TwoClasses | ManyClasses

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

/**
 * Several classes: draws of all classes are packed into one double, Σ draws x base^class, in nodes of fewer draws than the base, and
 * counted class by class in others.
 */
interface ManyClasses extends Bins {
  readonly kind: 'many'
  readonly response: ForestResponse
  readonly classOf: Int32Array
  readonly draws: Int32Array
  readonly base: number
  readonly packed: Float64Array
  /** By class: draws of the node, and of those left of a cut. */
  readonly total: Float64Array
  readonly left: Float64Array
  /** Sum of the squares of `total`. */
  squares: number
}

/** So many columns of a node are counted in one pass over its rows. */
const TOGETHER = 3

/** Fewer rows per bin than this: remember the touched bins. */
const SPARSE_ROWS_PER_BIN = 1

export function criterionFor(data: BinnedColumns, response: ForestResponse): Criterion {
  if (response.classes > 2) return manyClasses(data, response)
  return response.classes > 0 ? twoClasses(data, response) : numbers(data, response)
}

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

/** Bits of a whole number that a double holds exactly. */
const EXACT_BITS = 53

function manyClasses(data: BinnedColumns, response: ForestResponse): ManyClasses {
  const { classes } = response
  return {
    kind: 'many',
    ...binsFor(data, classes),
    response,
    classOf: Int32Array.from(response.values),
    draws: new Int32Array(data.rows),
    base: 2 ** Math.floor(EXACT_BITS / classes),
    packed: new Float64Array(data.rows),
    total: new Float64Array(classes),
    left: new Float64Array(classes),
    squares: 0,
  }
}

/** Takes note of how often each row was drawn. */
export function noteDraws(criterion: Criterion, draws: Int32Array): void {
  if (criterion.kind === 'many') {
    const { packed, classOf, base } = criterion
    criterion.draws.set(draws)
    const units = new Float64Array(criterion.response.classes).fill(1)
    for (let k = 1; k < units.length; k++) units[k] = units[k - 1] * base
    for (let row = 0; row < packed.length; row++) packed[row] = draws[row] * units[classOf[row]]
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
export function sumOf(criterion: Criterion, rows: Int32Array, from: number, to: number): number {
  let total = 0
  if (criterion.kind === 'numbers') for (let i = from; i < to; i++) total += criterion.sums[rows[i]]
  if (criterion.kind === 'two') for (let i = from; i < to; i++) total += Math.floor(criterion.packed[rows[i]] / PACK)
  return total
}

/** Whether all rows have the same response; not asked for two classes, where the sum says it. */
export function allEqual(criterion: Criterion, rows: Int32Array, from: number, to: number): boolean {
  if (criterion.kind === 'two') return false
  const { values } = criterion.response
  const first = values[rows[from]]
  for (let i = from + 1; i < to; i++) if (values[rows[i]] !== first) return false
  return true
}

/** Looks for the best cut among the drawn columns. */
export function searchDrawn(
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
    countClasses(criterion, rows, from, to, weight)
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

function bestBySums(bins: FoundBins, column: number, weight: number, sum: number, cut: Cut): void {
  const { count, codes, weights, sums } = bins
  if (count < 2) return
  if (codes[0] === 0) {
    bestWithMissing(bins, column, weight, sum, cut)
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
function bestWithMissing(bins: FoundBins, column: number, weight: number, sum: number, cut: Cut): void {
  const { count, codes, weights, sums } = bins
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
  const { histogram, touched, found, classOf, draws, packed, base, response } = criterion
  const { codes, bins } = data
  const offset = column * data.rows
  const count = bins[column] + 1
  const isPacked = weight < base
  const walk = isPacked ? walkPacked : walkClasses
  if (isPacked && to - from >= count * SPARSE_ROWS_PER_BIN) {
    fillPacked(codes, offset, rows, packed, from, to, histogram)
    listFilled(histogram, count, found)
  } else {
    if (isPacked) fillPackedSparse(codes, offset, rows, packed, from, to, histogram, touched)
    else fillClasses(codes, offset, rows, draws, classOf, response.classes, from, to, histogram, touched)
    listTouched(touched, count, found)
  }
  if (found.count > 1) {
    const hasMissing = found.codes[0] === 0
    walk(criterion, cut, column, hasMissing ? 1 : 0, false, weight)
    if (hasMissing) walk(criterion, cut, column, 0, true, weight)
    else if (cut.column === column) cut.missingLeft = 2 * cut.leftWeight >= weight
  }
  clearFound(found, isPacked ? 1 : response.classes, histogram)
}

/** Hot. Not by `fill`: a call for each bin would cost more than all else. */
function clearFound({ count, codes }: FoundBins, perBin: number, histogram: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const bin = Math.imul(codes[i], perBin)
    for (let k = 0; k < perBin; k++) histogram[bin + k] = 0
  }
}

/** Leaves room for rounding where a score is compared without being computed. */
const NEARLY = 1 - 1e-12

/**
 * Tries the cuts behind the listed bins from `first` on; missing values, if first, are on the left in all of them. All sums
 * are of whole numbers, hence exact.
 *
 * Hot, so the classes left of a cut are unpacked from one sum, their squares on the right follow from
 * Q_R = Σ (T_k - L_k)^2 = Q - 2 Σ T_k L_k + Q_L, and a cut that cannot win is told without a division: its
 * Q_L n_R + Q_R n_L is no larger than n_L n_R times what Q_L / n_L + Q_R / n_R must exceed.
 */
function walkPacked(
  { histogram, found, total, base, response, squares }: ManyClasses,
  cut: Cut,
  column: number,
  first: number,
  missingLeft: boolean,
  weight: number,
): void {
  const { classes } = response
  const { codes, count } = found
  const share = 1 / base
  let left = 0
  let bar = ((cut.score + squares) / weight) * NEARLY
  for (let i = first; i < count - 1; i++) {
    left += histogram[codes[i]]
    let rest = left
    let leftWeight = 0
    let leftSquares = 0
    let products = 0
    for (let k = 0; k < classes; k++) {
      const higher = Math.floor(rest * share)
      const onLeft = rest - higher * base
      rest = higher
      leftWeight += onLeft
      leftSquares += onLeft * onLeft
      products += onLeft * total[k]
    }
    const rightSquares = squares - 2 * products + leftSquares
    const rightWeight = weight - leftWeight
    if (!(leftSquares * rightWeight + rightSquares * leftWeight > bar * (leftWeight * rightWeight))) continue
    const score = (leftSquares / leftWeight + rightSquares / rightWeight) * weight - squares
    if (!(score > cut.score)) continue
    bar = ((score + squares) / weight) * NEARLY
    foundCut(cut, score, column, codes[i], codes[i + 1], missingLeft, leftWeight)
  }
}

/** The same where a node has too many draws for one sum. */
function walkClasses(
  { histogram, found, total, left, response, squares }: ManyClasses,
  cut: Cut,
  column: number,
  first: number,
  missingLeft: boolean,
  weight: number,
): void {
  const { classes } = response
  const { codes, count } = found
  left.fill(0)
  let leftWeight = 0
  for (let i = first; i < count - 1; i++) {
    const bin = codes[i] * classes
    let leftSquares = 0
    let products = 0
    for (let k = 0; k < classes; k++) {
      const more = histogram[bin + k]
      left[k] += more
      leftWeight += more
      leftSquares += left[k] * left[k]
      products += left[k] * total[k]
    }
    const rightSquares = squares - 2 * products + leftSquares
    const score = (leftSquares / leftWeight + rightSquares / (weight - leftWeight)) * weight - squares
    if (score > cut.score) foundCut(cut, score, column, codes[i], codes[i + 1], missingLeft, leftWeight)
  }
}

function foundCut(
  cut: Cut,
  score: number,
  column: number,
  low: number,
  high: number,
  missingLeft: boolean,
  leftWeight: number,
): void {
  cut.score = score
  cut.column = column
  cut.low = low
  cut.high = high
  cut.missingLeft = missingLeft
  cut.leftWeight = leftWeight
}

/** Hot. Draws of each class, and the sum of their squares. */
export function countClasses(criterion: ManyClasses, rows: Int32Array, from: number, to: number, weight: number): void {
  const { total, classOf, draws, packed, base } = criterion
  if (weight < base) {
    let sum = 0
    for (let i = from; i < to; i++) sum += packed[rows[i]]
    for (let k = 0; k < total.length; k++) {
      const higher = Math.floor(sum / base)
      total[k] = sum - higher * base
      sum = higher
    }
  } else {
    total.fill(0)
    for (let i = from; i < to; i++) total[classOf[rows[i]]] += draws[rows[i]]
  }
  criterion.squares = 0
  for (let k = 0; k < total.length; k++) criterion.squares += total[k] * total[k]
}
