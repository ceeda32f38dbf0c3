import * as math from '../elementary.js'
import { descend } from './descent.js'
import { fillPairs, widest } from './histograms.js'
import {
  type BinnedColumns,
  BY_SET,
  LEAF,
  lastCodeLeft,
  MISSING_LEFT,
  partitionByTable,
  splitCode,
  type Tree,
  type TreeRows,
  thresholdBetween,
  UNSEEN_LEFT,
} from './tree.js'

/**
 * Growing one tree of gradient boosting (Friedman 2001; second-order form of Chen and Guestrin 2016): each row has a
 * gradient g and a Hessian h of its loss, and a split gains
 *
 *   S(G_L, H_L) + S(G_R, H_R) - S(G, H),   S(G, H) = T(G)^2 / (H + lambda),   T(G) = sign(G) max(|G| - alpha, 0),
 *
 * with G and H summed over the rows of a side. A leaf adds -eta T(G) / (H + lambda). Histograms of a node hold G and H by
 * code; the larger child's are the parent's less the smaller child's. Gradients are expected on a grid on which all sums
 * are exact (`roundToGrid`), so that this subtraction is exact too and the order of rows changes no bit.
 */
export interface BoostingRule {
  readonly eta: number
  readonly maxDepth: number
  readonly minChildWeight: number
  readonly lambda: number
  readonly alpha: number
  readonly gamma: number
  /**
   * Added to H when levels are put in order of G / H, so that rare ones do not go to the ends by chance, and to lambda
   * in the gain of splits between more than two levels, since the order was chosen to gain.
   */
  readonly smoothing: number
  /** How each column may be split. */
  readonly splits: readonly SplitKind[]
}

/**
 * - `cut`: between neighbouring codes; missing values go to the side that gains more.
 * - `set`: levels are put in order of G / H and cut there, missing being one more level.
 * - `one`: one level goes right, all others left. `one-but-first`: the same, but not the level of code 1.
 */
export type SplitKind = 'cut' | 'set' | 'one' | 'one-but-first'

export interface BoostedTree {
  readonly tree: Tree
  /** Gain of each column, summed over its splits. */
  readonly gain: Float64Array
}

/** A gain must be larger than this to be one, as in xgboost. */
const LEAST_GAIN = 1e-6

interface Split {
  gain: number
  column: number
  low: number
  high: number
  missingLeft: boolean
  leftG: number
  leftH: number
  /** By code: 1 left, 0 right. Found with splits by set; filled in for the others. */
  readonly left: Uint8Array
}

/**
 * Grows a tree on `rows` (reordered in place) from the columns given, and adds what it says to the margins of these rows
 * and of the `others`, which had no part in it.
 */
type GrowBoosted = (
  gradient: Float64Array,
  hessian: Float64Array,
  rows: Int32Array,
  others: Int32Array,
  columns: Int32Array,
  margins: Float64Array,
) => BoostedTree

export function boostingGrower(data: BinnedColumns, rule: BoostingRule): GrowBoosted {
  const { rows: n, codes, bins } = data
  const offsets = new Int32Array(data.columns + 1)
  for (let j = 0; j < data.columns; j++) offsets[j + 1] = offsets[j] + 2 * (bins[j] + 1)
  const width = widest(data)
  const spare = new Int32Array(n)
  const pool: Float64Array[] = []
  const levels = levelOrder(width)
  const best: Split = {
    gain: 0,
    column: -1,
    low: 0,
    high: 0,
    missingLeft: false,
    leftG: 0,
    leftH: 0,
    left: new Uint8Array(width),
  }

  return (gradient, hessian, rows, others, columns, margins) => {
    const split: number[] = []
    const child: number[] = []
    const value: number[] = []
    const gains: number[] = []
    const spans: number[] = []
    const sets: number[] = []

    function fill(histogram: Float64Array, from: number, to: number): void {
      for (const j of columns) {
        const ofColumn = histogram.subarray(offsets[j], offsets[j + 1])
        ofColumn.fill(0)
        fillPairs(codes, j * n, rows, gradient, hessian, from, to, ofColumn)
      }
    }

    function subtract(histogram: Float64Array, part: Float64Array): void {
      for (const j of columns) for (let at = offsets[j]; at < offsets[j + 1]; at++) histogram[at] -= part[at]
    }

    function find(histogram: Float64Array, G: number, H: number): void {
      best.gain = LEAST_GAIN
      best.column = -1
      const score = nodeScore(G, H, rule)
      for (const j of columns) {
        const kind = rule.splits[j]
        if (kind === 'cut') searchCuts(histogram, offsets[j], bins[j], j, G, H, score, rule, best)
        else if (kind === 'set') searchSets(histogram, offsets[j], bins[j], j, G, H, score, rule, best, levels)
        else searchOnes(histogram, offsets[j], bins[j], j, G, H, score, rule, best, kind === 'one' ? 1 : 2)
      }
    }

    function expand(
      node: number,
      depth: number,
      from: number,
      to: number,
      othersFrom: number,
      othersTo: number,
      histogram: Float64Array | null,
      G: number,
      H: number,
    ): void {
      split[node] = LEAF
      value[node] = H + rule.lambda > 0 ? (-rule.eta * shrunk(G, rule.alpha)) / (H + rule.lambda) : 0
      spans[4 * node] = from
      spans[4 * node + 1] = to
      spans[4 * node + 2] = othersFrom
      spans[4 * node + 3] = othersTo
      if (histogram === null || depth >= rule.maxDepth) return
      find(histogram, G, H)
      if (best.column < 0) return
      const { column, gain, leftG, leftH, low, high } = best
      const bySet = rule.splits[column] !== 'cut'
      const oneLevel = bySet && rule.splits[column] !== 'set'
      const offset = column * n
      if (!bySet) cutTable(best.left, low, bins[column], best.missingLeft)
      const middle = partitionByTable(codes, offset, rows, spare, from, to, best.left)
      const unseenLeft = 2 * (middle - from) >= to - from
      const at = offsets[column]
      const hasMissing = histogram[at + 1] > 0
      // One level against all others: missing values and levels that training did not see are among the others.
      const missingLeft = oneLevel || (hasMissing ? best.left[0] === 1 : unseenLeft)
      if (!bySet) cutTable(best.left, lastCodeLeft(data, column, low, high), bins[column], missingLeft)
      else if (!oneLevel) {
        for (let code = 0; code <= bins[column]; code++)
          if (histogram[at + 2 * code + 1] === 0) best.left[code] = unseenLeft ? 1 : 0
      }
      const othersMiddle = partitionByTable(codes, offset, others, spare, othersFrom, othersTo, best.left)
      const unseenFlag = oneLevel || unseenLeft ? UNSEEN_LEFT : 0
      const left = split.length
      gains[node] = gain
      split[node] = splitCode(column, unseenFlag | (missingLeft ? MISSING_LEFT : 0) | (bySet ? BY_SET : 0))
      child[node] = left
      const leafValue = value[node]
      const setsBefore = sets.length
      value[node] = bySet
        ? addSet(sets, best.left, bins[column])
        : low === 0
          ? Number.NaN
          : thresholdBetween(data, column, low, high)
      for (const fresh of [left, left + 1]) {
        split[fresh] = LEAF
        child[fresh] = 0
        gains[fresh] = 0
      }
      const last = depth + 1 >= rule.maxDepth
      const leftIsSmaller = middle - from <= to - middle
      const small = last ? null : (pool.pop() ?? new Float64Array(offsets[data.columns]))
      if (small !== null) {
        if (leftIsSmaller) fill(small, from, middle)
        else fill(small, middle, to)
        subtract(histogram, small)
      }
      const large = last ? null : histogram
      expand(left, depth + 1, from, middle, othersFrom, othersMiddle, leftIsSmaller ? small : large, leftG, leftH)
      const rightHistogram = leftIsSmaller ? large : small
      expand(left + 1, depth + 1, middle, to, othersMiddle, othersTo, rightHistogram, G - leftG, H - leftH)
      if (small !== null) pool.push(small)
      if (gain < rule.gamma && split[left] === LEAF && split[left + 1] === LEAF) {
        split[node] = LEAF
        value[node] = leafValue
        gains[node] = 0
        split.length = left
        sets.length = setsBefore
      }
    }

    let G = 0
    let H = 0
    for (const row of rows) {
      G += gradient[row]
      H += hessian[row]
    }
    const histogram = pool.pop() ?? new Float64Array(offsets[data.columns])
    fill(histogram, 0, rows.length)
    child[0] = 0
    expand(0, 0, 0, rows.length, 0, others.length, histogram, G, H)
    pool.push(histogram)

    const gain = new Float64Array(data.columns)
    let leaf = 0
    for (let node = 0; node < split.length; node++) {
      if (split[node] !== LEAF) {
        gain[split[node] >> 3] += gains[node]
        continue
      }
      child[node] = leaf++
      for (let i = spans[4 * node]; i < spans[4 * node + 1]; i++) margins[rows[i]] += value[node]
      for (let i = spans[4 * node + 2]; i < spans[4 * node + 3]; i++) margins[others[i]] += value[node]
    }
    const nodes = split.length
    const tree = {
      split: Int32Array.from(split),
      child: Int32Array.from(child.slice(0, nodes)),
      value: Float64Array.from(value.slice(0, nodes)),
      sets: Int32Array.from(sets),
    }
    return { tree, gain }
  }
}

/** Adds what a tree says to the margins of all rows of a table; `stride` margins per row, of which this is one. */
export function addBoosted(tree: Tree, data: TreeRows, margins: Float64Array, stride: number, at: number): void {
  const nodes = new Int32Array(data.rows)
  descend(tree, data, nodes)
  for (let row = 0; row < data.rows; row++) margins[row * stride + at] += tree.value[nodes[row]]
}

/**
 * Rounds numbers to multiples of a power of two so coarse that sums over all of them are exact, and so fine that at
 * least 52 - log2(n) bits of the largest remain; numbers above 0 stay above 0 if wished.
 */
export function roundToGrid(values: Float64Array, keepPositive: boolean): void {
  let largest = 0
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]))
  if (largest === 0) return
  const grid = 2 ** (Math.ceil(math.log2(largest)) + Math.ceil(math.log2(values.length)) - 52)
  for (let i = 0; i < values.length; i++) {
    const rounded = Math.round(values[i] / grid) * grid
    values[i] = keepPositive && rounded === 0 && values[i] > 0 ? grid : rounded
  }
}

function shrunk(G: number, alpha: number): number {
  return G > alpha ? G - alpha : G < -alpha ? G + alpha : 0
}

function nodeScore(G: number, H: number, { lambda, alpha }: BoostingRule, more = 0): number {
  const g = shrunk(G, alpha)
  const penalised = H + lambda + more
  return penalised > 0 ? (g * g) / penalised : 0
}

/** The gain of a split with G and H on its left, or -1 when a side has too little weight. */
function splitGain(
  leftG: number,
  leftH: number,
  G: number,
  H: number,
  score: number,
  rule: BoostingRule,
  more = 0,
): number {
  const rightH = H - leftH
  if (leftH < rule.minChildWeight || rightH < rule.minChildWeight) return -1
  return nodeScore(leftG, leftH, rule, more) + nodeScore(G - leftG, rightH, rule, more) - score
}

function searchCuts(
  histogram: Float64Array,
  offset: number,
  bins: number,
  column: number,
  G: number,
  H: number,
  score: number,
  rule: BoostingRule,
  best: Split,
): void {
  const missingG = histogram[offset]
  const missingH = histogram[offset + 1]
  let leftG = 0
  let leftH = 0
  let low = 0
  for (let code = 1; code <= bins; code++) {
    const h = histogram[offset + 2 * code + 1]
    if (h === 0) continue
    if (low > 0) {
      const gain = splitGain(leftG, leftH, G, H, score, rule)
      if (gain > best.gain) keepCut(best, gain, column, low, code, false, leftG, leftH)
    }
    if (missingH > 0) {
      const gain = splitGain(leftG + missingG, leftH + missingH, G, H, score, rule)
      if (gain > best.gain) keepCut(best, gain, column, low, code, true, leftG + missingG, leftH + missingH)
    }
    leftG += histogram[offset + 2 * code]
    leftH += h
    low = code
  }
}

function keepCut(
  best: Split,
  gain: number,
  column: number,
  low: number,
  high: number,
  missingLeft: boolean,
  leftG: number,
  leftH: number,
): void {
  best.gain = gain
  best.column = column
  best.low = low
  best.high = high
  best.missingLeft = missingLeft
  best.leftG = leftG
  best.leftH = leftH
}

/** Which codes go left of a cut behind `low`. */
function cutTable(left: Uint8Array, low: number, bins: number, missingLeft: boolean): void {
  left.fill(1, 0, low + 1)
  left.fill(0, low + 1, bins + 1)
  left[0] = missingLeft ? 1 : 0
}

interface LevelOrder {
  readonly codes: Int32Array
  readonly keys: Float64Array
}

function levelOrder(width: number): LevelOrder {
  return { codes: new Int32Array(width), keys: new Float64Array(width) }
}

/** Fisher (1958): the best partition of levels for this score is a cut in the order of G / H. */
function searchSets(
  histogram: Float64Array,
  offset: number,
  bins: number,
  column: number,
  G: number,
  H: number,
  score: number,
  rule: BoostingRule,
  best: Split,
  { codes, keys }: LevelOrder,
): void {
  let count = 0
  for (let code = 0; code <= bins; code++) {
    const h = histogram[offset + 2 * code + 1]
    if (h === 0) continue
    keys[code] = histogram[offset + 2 * code] / (h + rule.smoothing)
    codes[count++] = code
  }
  codes.subarray(0, count).sort((a, b) => keys[a] - keys[b] || a - b)
  let leftG = 0
  let leftH = 0
  let taken = -1
  for (let i = 0; i < count - 1; i++) {
    leftG += histogram[offset + 2 * codes[i]]
    leftH += histogram[offset + 2 * codes[i] + 1]
    const gain = splitGain(leftG, leftH, G, H, score, rule, count > 2 ? rule.smoothing : 0)
    if (!(gain > best.gain)) continue
    keepCut(best, gain, column, 0, 0, false, leftG, leftH)
    taken = i
  }
  if (taken < 0) return
  best.left.fill(0)
  for (let i = 0; i <= taken; i++) best.left[codes[i]] = 1
}

function searchOnes(
  histogram: Float64Array,
  offset: number,
  bins: number,
  column: number,
  G: number,
  H: number,
  score: number,
  rule: BoostingRule,
  best: Split,
  first: number,
): void {
  for (let code = first; code <= bins; code++) {
    const h = histogram[offset + 2 * code + 1]
    if (h === 0 || h === H) continue
    const leftG = G - histogram[offset + 2 * code]
    const gain = splitGain(leftG, H - h, G, H, score, rule)
    if (!(gain > best.gain)) continue
    keepCut(best, gain, column, 0, 0, true, leftG, H - h)
    best.left.fill(1)
    best.left[code] = 0
  }
}

/** Appends the ranks (code - 1) that go left and returns where. */
function addSet(sets: number[], left: Uint8Array, bins: number): number {
  const at = sets.length
  const words = (bins + 31) >>> 5
  sets.push(words)
  for (let word = 0; word < words; word++) {
    let bits = 0
    for (let bit = 0; bit < 32; bit++) {
      const rank = 32 * word + bit
      if (rank < bins && left[rank + 1] === 1) bits |= 1 << bit
    }
    sets.push(bits)
  }
  return at
}
