import { sampleWithoutReplacement, shuffle } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { median } from '../../../stats/quantile.js'
import { mean, standardDeviation, sum } from '../../../stats/sums.js'
import { tailP } from '../../univariate/columns/column-tests.js'
import { chosenRecords, type MixedRecords } from './mixed-records.js'

/**
 * What a discrepancy V = 2 m_XY - m_XX - m_YY of mean distances (or minus that, of kernels) would be if both files were samples
 * of one population. V / (1/n₁ + 1/n₂) has then a distribution that does not depend on the sizes, found by dealing out the
 * labels of at most 400 records of both files again and again; with no more records than that it is the permutation test
 * itself. V is computed by blocks as means over the pairs of this sample.
 */
export interface PairNull {
  /** Of V / (1/n₁ + 1/n₂). */
  readonly draws: Float64Array
  readonly cv: number
}

const MOST_RECORDS = 400
const DRAWS = 299

/** @param f of the squared distance; its sign such that V is not negative: minus the distance, or the kernel */
export function pairNull(
  records: MixedRecords,
  f: (square: number) => number,
  random: Stream,
  mostRecords = MOST_RECORDS,
): PairNull {
  const few = sampledRecords(records, mostRecords, random)
  const matrix = pairMatrix(few, f)
  const n = few.rows
  const n1 = Math.min(n - 1, Math.max(1, few.split))
  const u = 1 / n1 + 1 / (n - n1)
  const order = Int32Array.from({ length: n }, (_, k) => k)
  const rowSums = Float64Array.from(order, (row) => sum(matrix.subarray(row * n, (row + 1) * n)))
  const draws = new Float64Array(DRAWS)
  for (let draw = 0; draw < DRAWS; draw++) {
    shuffle(random, order)
    draws[draw] = labelled(matrix, rowSums, order.slice(0, n1).sort()) / u
  }
  const centre = mean(draws) ?? 0
  const spread = standardDeviation(draws) ?? 0
  return { draws, cv: centre > 0 ? spread / centre : 1 }
}

/** p of a discrepancy of two files of these (effective) sizes. */
export function pairTest({ draws }: PairNull, v: number, n1: number, n2: number): number {
  return tailP(v / (1 / n1 + 1 / n2), draws)
}

/** At most so many records, from each file in proportion. */
function sampledRecords(records: MixedRecords, most: number, random: Stream): MixedRecords {
  if (records.rows <= most) return records
  return chosenRecords(records, sampleWithoutReplacement(random, records.rows, most).sort())
}

/** f for all pairs, row after row; only ever of a few hundred records. */
function pairMatrix(records: MixedRecords, f: (square: number) => number): Float64Array {
  const n = records.rows
  const matrix = new Float64Array(n * n)
  for (let i = 0; i < n; i++)
    for (let j = i; j < n; j++) {
      const value = f(squareBetween(records, i, j))
      matrix[i * n + j] = value
      matrix[j * n + i] = value
    }
  return matrix
}

function squareBetween({ numbers, values, categories, codes }: MixedRecords, i: number, j: number): number {
  let square = 0
  for (let k = 0; k < numbers; k++) {
    const gap = values[i * numbers + k] - values[j * numbers + k]
    square += gap * gap
  }
  for (let k = 0; k < categories; k++) if (codes[i * categories + k] !== codes[j * categories + k]) square++
  return square
}

/**
 * Σ a_i a_j f_ij with a = 1/n₁ for the records of a file and -1/n₂ for the others, from the sum S over pairs within the file, R of
 * its rows and T of all: S/n₁² + (T - 2R + S)/n₂² - 2 (R - S)/(n₁ n₂). So only pairs within one file are visited.
 */
function labelled(matrix: Float64Array, rowSums: Float64Array, inFile: Int32Array): number {
  const n = rowSums.length
  const [n1, n2] = [inFile.length, n - inFile.length]
  let [twice, own, rows, all] = [0, 0, 0, 0]
  for (let a = 0; a < n1; a++) {
    const at = inFile[a] * n
    own += matrix[at + inFile[a]]
    rows += rowSums[inFile[a]]
    for (let b = a + 1; b < n1; b++) twice += matrix[at + inFile[b]]
  }
  for (const row of rowSums) all += row
  const within = 2 * twice + own
  return within / (n1 * n1) + (all - 2 * rows + within) / (n2 * n2) - (2 * (rows - within)) / (n1 * n2)
}

/** Records whose distances are looked at for their median: all up to so many, as riskutility, and random ones of more. */
export const MOST_FOR_MEDIAN = 2000

/** Median distance between two different records of both files together, 1 when it is 0: the usual scale of a kernel. */
export function medianDistance(records: MixedRecords, random: Stream, most = MOST_FOR_MEDIAN): number {
  const few = sampledRecords(records, most, random)
  const distances = new Float64Array((few.rows * (few.rows - 1)) / 2)
  for (let i = 0, at = 0; i < few.rows; i++)
    for (let j = i + 1; j < few.rows; j++) distances[at++] = Math.sqrt(squareBetween(few, i, j))
  return median(distances) || 1
}
