import { flag } from '../../../option-kinds.js'
import type { Stream } from '../../../random/stream.js'
import { cholesky } from '../../../stats/matrices/linear-algebra.js'
import { chiSquaredQuantile, robustCovariance } from '../../../stats/matrices/robust-covariance.js'
import { mean } from '../../../stats/sums.js'
import { type Costs, keyCosts } from '../costs/costs.js'
import { distanceCost, type MissingMode, numbersOf } from '../costs/key-costs.js'
import { hasDistances, hasMissing, type LinkedFiles } from '../costs/linked-files.js'
import type { PartialRound, RoundCost } from '../costs/round-cost.js'

/**
 * Linkage by Mahalanobis' distance of the numbers (and places of ordered levels), the covariance being that of the original's
 * complete records, robust (MCD with consistency factors) unless there are few:
 *   d_num = √(δ' Σ⁻¹ δ) / √(2 χ²_{p, 0.975}),
 * 2 because a difference of two draws has covariance 2 Σ. With q_c other keys, d = (p · min(d_num, 1) + mismatches) / (p + q_c).
 * It sees through noise that is small across the correlation of the keys and large along it.
 * Missing numbers: the distance in those known on both sides (ignore), no difference (match), or a part of the distance
 * by share of numbers known, the rest being 1 (mismatch) or the mean distance of two people (expected).
 */
export const mahalanobisOptions = {
  robust: flag(true).describe('mahalanobis: covariance by the minimum covariance determinant'),
}

export interface MahalanobisOptions {
  readonly robust: boolean
  readonly missing: MissingMode
  readonly original: 'query' | 'search'
  readonly random: Stream
}

const REACH = 0.975

export function distanceUnit(p: number): number {
  return Math.sqrt(2 * chiSquaredQuantile(REACH, p))
}

export function mahalanobisCosts(files: LinkedFiles, options: MahalanobisOptions): Costs {
  const { missing, original } = options
  const round = files.keys.filter(hasDistances)
  const others = files.keys.filter((key) => !hasDistances(key))
  const p = round.length
  const numbers = round.map(numbersOf)
  const complete = !numbers.some(({ query, search }) => query.some(Number.isNaN) || search.some(Number.isNaN))
  const divided = missing === 'ignore' && others.length > 0 && files.keys.some(hasMissing)
  const weight = divided ? 1 : 1 / (p + others.length)
  const keys = others.map((key) => distanceCost({ key, files, weight, missing }))
  const triangle = covarianceTriangle(files, numbers, options)
  const cap = others.length > 0 ? 1 : Number.POSITIVE_INFINITY
  const factor = p / (p + others.length)
  const raw = (side: 'query' | 'search') => interleaved(numbers.map((one) => one[side]))
  const plain: RoundCost = {
    width: p,
    query: whiten(raw('query'), p, triangle),
    search: whiten(raw('search'), p, triangle),
    factor: divided ? p : factor,
    unit: distanceUnit(p),
    cap,
    partial: null,
  }
  const rounded = complete
    ? plain
    : {
        ...plain,
        query: raw('query'),
        search: raw('search'),
        partial: partialOf(files, numbers, triangle, missing, original),
      }
  const divideBy = divided ? new Float64Array(keys.length).fill(1) : null
  return { ...keyCosts(keys, files.search.classes, divideBy), round: rounded }
}

type SideNumbers = { readonly query: Float64Array; readonly search: Float64Array }

/** Lower triangle of the covariance of the original's complete records. */
function covarianceTriangle(
  files: LinkedFiles,
  numbers: readonly SideNumbers[],
  { robust, original, random }: MahalanobisOptions,
): Float64Array {
  const p = numbers.length
  const rows = Array.from(files[original].ids).filter((id) => numbers.every((one) => !Number.isNaN(one[original][id])))
  const columns = numbers.map((one) => Float64Array.from(rows, (id) => one[original][id]))
  // Coarse or zero-inflated keys put a majority into a plane: then of more records, and at last of all.
  for (const share of robust && p > 1 ? MAJORITIES : []) {
    const found = robustCovariance(columns, random, 'consistency', share)
    if (found !== null && !found.singular) return found.lower
  }
  return classicalTriangle(columns)
}

const MAJORITIES = [0, 0.75, 0.9]

export function classicalCovariance(columns: readonly Float64Array[]): Float64Array {
  const p = columns.length
  const n = columns[0].length
  const centres = columns.map((column) => mean(column) ?? 0)
  const covariance = new Float64Array(p * p)
  for (let i = 0; i < p; i++)
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let row = 0; row < n; row++) sum += (columns[i][row] - centres[i]) * (columns[j][row] - centres[j])
      covariance[i * p + j] = n > 1 ? sum / (n - 1) : 0
      covariance[j * p + i] = covariance[i * p + j]
    }
  return covariance
}

/** A constant column gets the variance 1; where columns are combinations of others, a little more on the diagonal. */
function classicalTriangle(columns: readonly Float64Array[]): Float64Array {
  const p = columns.length
  const covariance = classicalCovariance(columns)
  let largest = 1
  for (let i = 0; i < p; i++) {
    if (!(covariance[i * p + i] > 0)) covariance[i * p + i] = 1
    largest = Math.max(largest, covariance[i * p + i])
  }
  for (const ridge of [0, 1e-6, 1e-4, 1]) {
    const raised = covariance.slice()
    for (let i = 0; i < p; i++) raised[i * p + i] += ridge * largest
    const lower = cholesky(raised, p)
    if (lower?.every(Number.isFinite)) return lower
  }
  throw new Error('the covariance of the keys has no inverse')
}

function interleaved(columns: readonly Float64Array[]): Float64Array {
  const p = columns.length
  const rows = new Float64Array((columns[0]?.length ?? 0) * p)
  for (let j = 0; j < p; j++) for (let k = 0; k < columns[j].length; k++) rows[k * p + j] = columns[j][k]
  return rows
}

/** L⁻¹ x for every record: Euclidean distances are then Mahalanobis'. */
function whiten(rows: Float64Array, p: number, lower: Float64Array): Float64Array {
  const white = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at += p)
    for (let i = 0; i < p; i++) {
      let value = rows[at + i]
      for (let k = 0; k < i; k++) value -= lower[i * p + k] * white[at + k]
      white[at + i] = value / lower[i * p + i]
    }
  return white
}

function partialOf(
  files: LinkedFiles,
  numbers: readonly SideNumbers[],
  lower: Float64Array,
  missing: MissingMode,
  original: 'query' | 'search',
): PartialRound {
  const p = numbers.length
  const covariance = new Float64Array(p * p)
  for (let i = 0; i < p; i++)
    for (let j = 0; j < p; j++)
      for (let k = 0; k <= Math.min(i, j); k++) covariance[i * p + j] += lower[i * p + k] * lower[j * p + k]
  const triangles = new Map<number, Float64Array>()
  const units = new Map<number, number>()
  for (const set of knownSets(numbers, p)) {
    const chosen = Array.from({ length: p }, (_, k) => k).filter((k) => (set >> k) & 1)
    const size = chosen.length
    if (size === 0) continue
    const part = cholesky(Float64Array.from(chosen.flatMap((i) => chosen.map((j) => covariance[i * p + j]))), size)
    if (part === null) continue
    triangles.set(set, invertLower(part, size))
    units.set(set, distanceUnit(size))
  }
  const rule = missing === 'ignore' || missing === 'match' ? missing : 'instead'
  const unknown = missing === 'expected' ? meanDistance(files, numbers, original, p, lower) : 1
  return { triangles, units, rule, unknown }
}

/** The sets of numbers, as bits, that can be known on both sides of a pair. */
function knownSets(numbers: readonly SideNumbers[], p: number): ReadonlySet<number> {
  const masks = (side: 'query' | 'search') => {
    const sets = new Set<number>()
    for (let k = 0; k < numbers[0][side].length; k++) {
      let set = 0
      for (let v = 0; v < p; v++) if (!Number.isNaN(numbers[v][side][k])) set |= 1 << v
      sets.add(set)
    }
    return sets
  }
  const both = new Set<number>([(1 << p) - 1])
  const theirs = masks('search')
  for (const ours of masks('query')) for (const other of theirs) both.add(ours & other)
  return both
}

function invertLower(lower: Float64Array, p: number): Float64Array {
  const inverse = new Float64Array(p * p)
  for (let j = 0; j < p; j++)
    for (let i = j; i < p; i++) {
      let value = i === j ? 1 : 0
      for (let k = j; k < i; k++) value -= lower[i * p + k] * inverse[k * p + j]
      inverse[i * p + j] = value / lower[i * p + i]
    }
  return inverse
}

/** Pairs of people that the mean distance is taken over. */
const PAIRS = 2000

/** Of complete records of the original: each with the one halfway round the file. */
function meanDistance(
  files: LinkedFiles,
  numbers: readonly SideNumbers[],
  original: 'query' | 'search',
  p: number,
  lower: Float64Array,
): number {
  const rows = Array.from(files[original].ids).filter((id) => numbers.every((one) => !Number.isNaN(one[original][id])))
  if (rows.length < 2) return 1
  const white = whiten(interleaved(numbers.map((one) => Float64Array.from(rows, (id) => one[original][id]))), p, lower)
  const half = rows.length >> 1
  const pairs = Math.min(PAIRS, rows.length)
  let sum = 0
  for (let k = 0; k < pairs; k++) {
    const other = (k + half) % rows.length
    let squares = 0
    for (let j = 0; j < p; j++) squares += (white[k * p + j] - white[other * p + j]) ** 2
    sum += Math.sqrt(squares) / distanceUnit(p)
  }
  return sum / pairs
}
