import {
  type FoundBins,
  fillClasses,
  fillPairsTouching,
  foundBins,
  listTouched,
  takeFound,
  widest,
  wordsFor,
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

/** The drawn rows of a node, how many draws these are, and the sum of their responses. */
interface Node {
  readonly rows: Int32Array
  readonly weight: number
  readonly sum: number
}

/** What each kind of response needs to find cuts and fill leaves. */
export type Criterion = Sums | ManyClasses

/** All that criteria have in common: by bin what a node has there, and which bins it touched. */
interface Bins {
  readonly response: ForestResponse
  readonly histogram: Float64Array
  readonly touched: Int32Array
  readonly found: FoundBins
}

/**
 * By row two numbers side by side: draws, and draws times the response. For two classes these are whole: Gini and the variance of 0 and 1
 * choose the same cuts.
 */
interface Sums extends Bins {
  readonly kind: 'numbers' | 'two'
  readonly pairs: Float64Array
}

/** Several classes: the class of each row, and its draws. */
interface ManyClasses extends Bins {
  readonly kind: 'many'
  readonly classOf: Int32Array
  readonly draws: Int32Array
  /** By class: draws of the node, and of those left of a cut. */
  readonly total: Float64Array
  readonly left: Float64Array
}

export function criterionFor(data: BinnedColumns, response: ForestResponse): Criterion {
  const { classes } = response
  const width = widest(data)
  const bins = {
    response,
    histogram: new Float64Array(width * Math.max(classes, 2)),
    touched: new Int32Array(wordsFor(width)),
    found: foundBins(width),
  }
  if (classes <= 2) return { kind: classes === 0 ? 'numbers' : 'two', ...bins, pairs: new Float64Array(2 * data.rows) }
  return {
    kind: 'many',
    ...bins,
    classOf: Int32Array.from(response.values),
    draws: new Int32Array(data.rows),
    total: new Float64Array(classes),
    left: new Float64Array(classes),
  }
}

/** Takes note of how often each row was drawn. */
export function noteDraws(criterion: Criterion, draws: Int32Array): void {
  if (criterion.kind === 'many') {
    criterion.draws.set(draws)
    return
  }
  const { pairs } = criterion
  const { values } = criterion.response
  for (let row = 0; row < draws.length; row++) {
    pairs[2 * row] = draws[row]
    pairs[2 * row + 1] = draws[row] * values[row]
  }
}

/** Sum of the responses of rows, draws of class 1 for two classes; for more there is none. */
export function sumOf(criterion: Criterion, rows: Int32Array): number {
  if (criterion.kind === 'many') return 0
  let total = 0
  for (const row of rows) total += criterion.pairs[2 * row + 1]
  return total
}

/** Whether all rows have the same response; not asked for two classes, where the sum says it. */
export function allEqual({ kind, response }: Criterion, rows: Int32Array): boolean {
  return kind !== 'two' && rows.every((row) => response.values[row] === response.values[rows[0]])
}

/** The best cut of a node among the drawn columns. */
export function bestCut(criterion: Criterion, data: BinnedColumns, node: Node, drawn: Int32Array): Cut | null {
  const cut = {
    score: Number.NEGATIVE_INFINITY,
    column: -1,
    low: 0,
    high: 0,
    missingLeft: false,
    leftWeight: 0,
    leftSum: 0,
  }
  if (criterion.kind === 'many') {
    const squares = countClasses(criterion, node.rows)
    for (const column of drawn) searchClasses(criterion, data, node, column, squares, cut)
  } else for (const column of drawn) searchSums(criterion, data, node, column, cut)
  return cut.column < 0 ? null : cut
}

/**
 * Numbers: the cut with the largest d^2 / (n_L n_R), d = S_L n - S n_L, where n counts draws and S sums responses. That
 * is n times the fall of the sum of squares, with nothing subtracted that could cancel.
 */
function searchSums(
  { histogram, touched, found, pairs }: Sums,
  data: BinnedColumns,
  { rows, weight, sum }: Node,
  column: number,
  cut: Cut,
): void {
  fillPairsTouching(data.codes, column * data.rows, rows, pairs, 0, rows.length, histogram, touched)
  listTouched(touched, data.bins[column] + 1, found)
  takeFound(histogram, found)
  bestBySums(found, column, weight, sum, cut)
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
  { rows, weight }: Node,
  column: number,
  squares: number,
  cut: Cut,
): void {
  const { histogram, touched, found, classOf, draws, response } = criterion
  const { classes } = response
  fillClasses(data.codes, column * data.rows, rows, draws, classOf, classes, 0, rows.length, histogram, touched)
  listTouched(touched, data.bins[column] + 1, found)
  if (found.count > 1) {
    const hasMissing = found.codes[0] === 0
    tryClasses(criterion, cut, column, hasMissing ? 1 : 0, false, weight, squares)
    if (hasMissing) tryClasses(criterion, cut, column, 0, true, weight, squares)
    else if (cut.column === column) cut.missingLeft = 2 * cut.leftWeight >= weight
  }
  clearFound(found, classes, histogram)
}

/** Hot. Not by `fill`: a call for each bin would cost more than all else. */
function clearFound({ count, codes }: FoundBins, perBin: number, histogram: Float64Array): void {
  for (let i = 0; i < count; i++) {
    const bin = Math.imul(codes[i], perBin)
    for (let k = 0; k < perBin; k++) histogram[bin + k] = 0
  }
}

/**
 * Tries the cuts behind the listed bins from `first` on; missing values, if first, are on the left in all of them. All sums
 * are of whole numbers, hence exact. Hot: squares on the right follow from Q_R = Σ (T_k - L_k)^2 = Q - 2 Σ T_k L_k + Q_L.
 */
function tryClasses(
  { histogram, found, total, left, response }: ManyClasses,
  cut: Cut,
  column: number,
  first: number,
  missingLeft: boolean,
  weight: number,
  squares: number,
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

/** Draws of each class to `total`; the sum of their squares. */
export function countClasses({ total, classOf, draws }: ManyClasses, rows: Int32Array): number {
  total.fill(0)
  for (const row of rows) total[classOf[row]] += draws[row]
  let squares = 0
  for (const count of total) squares += count * count
  return squares
}
