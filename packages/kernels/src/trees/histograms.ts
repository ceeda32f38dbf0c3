import type { BinnedColumns, Codes } from './tree.js'

/**
 * Histograms over the codes of a column: what the rows of a node have in each bin, from which forests and boosting find
 * their splits. A large node reads all bins; a small one remembers in a bitmap which bins it touched, so that it costs
 * what its rows cost and not what the bins cost.
 *
 * Filling histograms is where growing trees spends its time. Several rows per turn, since a turn of the loop itself costs
 * as much as a row; arrays and numbers are looked at before the loop, or the compiler would check in every turn that they
 * are what they are. The simple version of all of them: for each row, histogram[code of row] += what the row has.
 */

/** Codes of the column that has most, missing included: a histogram of this width holds any column. */
export function widest(data: BinnedColumns): number {
  let most = 0
  for (const count of data.bins) most = Math.max(most, count)
  return most + 1
}

/** Two sums per bin, side by side: draws and responses of a forest, gradients and Hessians of boosting. */
export function fillPairs(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  firsts: Float64Array,
  seconds: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
): void {
  if (codes.length === 0 || rows.length === 0 || firsts.length === 0 || seconds.length === 0 || histogram.length === 0)
    return
  from |= 0
  to |= 0
  offset |= 0
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
    histogram[atA] += firsts[a]
    histogram[atA + 1] += seconds[a]
    histogram[atB] += firsts[b]
    histogram[atB + 1] += seconds[b]
    histogram[atC] += firsts[c]
    histogram[atC + 1] += seconds[c]
    histogram[atD] += firsts[d]
    histogram[atD + 1] += seconds[d]
  }
  for (; i < to; i++) {
    const at = codes[offset + rows[i]] << 1
    histogram[at] += firsts[rows[i]]
    histogram[at + 1] += seconds[rows[i]]
  }
}

/** The same where both lie side by side by row, too; remembers the touched bins. */
export function fillPairsTouching(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  pairs: Float64Array,
  from: number,
  to: number,
  histogram: Float64Array,
  touched: Int32Array,
): void {
  for (let i = from; i < to; i++) {
    const row = rows[i]
    const code = codes[offset + row]
    histogram[code << 1] += pairs[2 * row]
    histogram[(code << 1) + 1] += pairs[2 * row + 1]
    touched[code >>> 5] |= 1 << code
  }
}

/** As many counts per bin as there are classes, side by side. */
export function fillClasses(
  codes: Codes,
  offset: number,
  rows: Int32Array,
  draws: Int32Array,
  classOf: Int32Array,
  classes: number,
  from: number,
  to: number,
  histogram: Float64Array,
  touched: Int32Array,
): void {
  if (codes.length === 0 || rows.length === 0 || draws.length === 0 || histogram.length === 0) return
  from |= 0
  to |= 0
  offset |= 0
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

/** Words of 32 bits that hold one bit per code. */
export function wordsFor(codes: number): number {
  return (codes + 31) >>> 5
}

/** The bins that a node has rows in, in order, with their draws and sums of responses. */
export interface FoundBins {
  count: number
  readonly codes: Int32Array
  readonly weights: Float64Array
  readonly sums: Float64Array
}

export function foundBins(width: number): FoundBins {
  return { count: 0, codes: new Int32Array(width), weights: new Float64Array(width), sums: new Float64Array(width) }
}

/** Lists the touched codes in ascending order and forgets them. */
export function listTouched(touched: Int32Array, codes: number, bins: FoundBins): void {
  const words = (codes + 31) >>> 5
  const list = bins.codes
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
  bins.count = count
}

/** Takes the pairs out of the bins that are listed. */
export function takeFound(histogram: Float64Array, { count, codes, weights, sums }: FoundBins): void {
  for (let i = 0; i < count; i++) {
    const bin = 2 * codes[i]
    weights[i] = histogram[bin]
    sums[i] = histogram[bin + 1]
    histogram[bin] = 0
    histogram[bin + 1] = 0
  }
}
