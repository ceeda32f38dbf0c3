import * as math from './elementary.js'
/**
 * Records of numbers and categories as points: numbers row after row, then codes row after row. The squared distance of two
 * of them is Σ (x - y)² over the numbers plus 1 for every category that differs (as if each level were a column of 0 and
 * 1/√2).
 */
export interface MixedRows {
  readonly rows: number
  readonly numbers: number
  readonly values: Float64Array
  readonly categories: number
  readonly codes: Int32Array
  /** How often each record counts. */
  readonly weights: Float64Array
}

/** Records `from` to `to - 1`. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** Which function of the squared distance is summed, and over which scale: `distance` needs none. */
export type PairFunction = 'distance' | 'gaussian' | 'rational quadratic'

/** Scales at which kernels are summed: half the given σ, σ itself, and twice it. */
export const KERNEL_SCALES = 3

/**
 * Sums of w_i w_j f(|z_i - z_j|) over the pairs i < j with i in `range`; into `sums` for pairs within the first `split`
 * records, across, and within the others: for `distance` 3 numbers, for a kernel 3 for each of the scales σ/2, σ, 2σ.
 * `gaussian` is exp(-r² / 2σ²), `rational quadratic` 1 / (1 + r² / 2σ²). Hot: N² / 2 pairs in the end; no pair is stored.
 */
export function addPairSums(
  records: MixedRows,
  split: number,
  range: RowRange,
  pairFunction: PairFunction,
  sigma: number,
  sums: Float64Array,
): void {
  const { rows, numbers, values, categories, codes, weights } = records
  const widest = 1 / (8 * sigma * sigma)
  for (let i = range.from; i < range.to; i++) {
    const atI = i * numbers
    const codesI = i * categories
    // Partial sums of one record keep rounding errors short and the order of addition the same for any cut of the work.
    let [first, second, third] = [0, 0, 0]
    for (let j = i + 1; j <= rows; j++) {
      if (j === rows || j === split) {
        const place = j <= split ? 0 : i < split ? 1 : 2
        const factor = weights[i]
        if (pairFunction === 'distance') sums[place] += factor * first
        else {
          sums[place] += factor * first
          sums[3 + place] += factor * second
          sums[6 + place] += factor * third
        }
        first = second = third = 0
        if (j === rows) break
      }
      let square = 0
      for (let k = 0, atJ = j * numbers; k < numbers; k++) {
        const gap = values[atI + k] - values[atJ + k]
        square += gap * gap
      }
      let differ = 0
      for (let k = 0, codesJ = j * categories; k < categories; k++) {
        // 1 where the codes differ, without a branch that could be mispredicted.
        const gap = codes[codesI + k] ^ codes[codesJ + k]
        differ += (gap | -gap) >>> 31
      }
      square += differ
      const weight = weights[j]
      if (pairFunction === 'distance') first += weight * Math.sqrt(square)
      else if (pairFunction === 'gaussian') {
        // exp(-r² / 2σ²) at σ is the fourth power of that at 2σ.
        const wide = math.exp(-square * widest)
        const middle = wide * wide * wide * wide
        first += weight * middle * middle * middle * middle
        second += weight * middle
        third += weight * wide
      } else {
        const wide = square * widest
        first += weight / (1 + 16 * wide)
        second += weight / (1 + 4 * wide)
        third += weight / (1 + wide)
      }
    }
  }
}
