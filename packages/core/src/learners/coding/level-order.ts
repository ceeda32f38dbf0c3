import { type CategoricalColumn, MISSING_CODE } from '../../table/column.js'
import type { Response } from '../learner.js'

/**
 * Ranks the levels of a column by the response, so that a tree may cut between them as between numbers: by the mean for
 * numbers, by the share of the class that appears second for two classes (among the cuts of this order is then the best of
 * all partitions: Breiman et al. 1984), and for more classes by the first principal component of the class shares, weighted
 * by the size of the levels (Coppersmith, Hong and Hosking 1999). Levels that do not occur get -1, equal ones stay in the
 * order in which they appear. `weights` null means equal.
 *
 * Levels and classes are gone through in the order of their first row, never in that of their names or codes, so that
 * renaming them changes not a bit. Ordered levels have an order of their own and are left in it.
 */
export function rankLevelsByResponse(
  column: CategoricalColumn,
  response: Response,
  weights: Float64Array | null,
): Int32Array {
  const ranks = ranksByAppearance(column.codes, column.levels.length)
  const present = orderOf(ranks)
  const places = response.kind === 'numbers' ? null : ranksByAppearance(response.codes, response.levels.length)
  const dimensions = places === null ? 1 : orderOf(places).length
  const size = new Float64Array(ranks.length)
  const sums = new Float64Array(ranks.length * dimensions)
  for (let row = 0; row < column.codes.length; row++) {
    const level = column.codes[row]
    if (level === MISSING_CODE) continue
    const weight = weights === null ? 1 : weights[row]
    size[level] += weight
    if (response.kind === 'numbers') sums[level] += weight * response.values[row]
    else if (places !== null) sums[level * dimensions + places[response.codes[row]]] += weight
  }
  const shares = sums.map((sum, at) => sum / size[Math.floor(at / dimensions)])
  const score =
    dimensions > 2
      ? principalScores(shares, size, present, dimensions)
      : Float64Array.from(size, (_, level) => shares[level * dimensions + dimensions - 1])
  present.sort((a, b) => score[a] - score[b] || ranks[a] - ranks[b])
  const ordered = new Int32Array(ranks.length).fill(-1)
  for (const [rank, level] of present.entries()) ordered[level] = rank
  return ordered
}

/** The rank of each code by its first row, -1 for those that do not occur. */
export function ranksByAppearance(codes: Int32Array, count: number): Int32Array {
  const ranks = new Int32Array(count).fill(-1)
  let next = 0
  for (let row = 0; row < codes.length && next < count; row++) {
    const code = codes[row]
    if (code !== MISSING_CODE && ranks[code] < 0) ranks[code] = next++
  }
  return ranks
}

function orderOf(ranks: Int32Array): number[] {
  return Array.from(ranks.keys())
    .filter((code) => ranks[code] >= 0)
    .sort((a, b) => ranks[a] - ranks[b])
}

const MOST_STEPS = 200
const CONVERGED = 1e-14

/** Scores on the first principal component by power iteration, which starts from the row farthest from the mean. */
function principalScores(
  shares: Float64Array,
  size: Float64Array,
  present: readonly number[],
  dimensions: number,
): Float64Array {
  const centred = shares.slice()
  const total = present.reduce((sum, level) => sum + size[level], 0)
  for (let k = 0; k < dimensions; k++) {
    const mean = present.reduce((sum, level) => sum + size[level] * shares[level * dimensions + k], 0) / total
    for (const level of present) centred[level * dimensions + k] -= mean
  }
  const rowOf = (level: number) => centred.subarray(level * dimensions, (level + 1) * dimensions)
  const spread = (level: number) => size[level] * dot(rowOf(level), rowOf(level))
  const farthest = present.reduce((best, level) => (spread(level) > spread(best) ? level : best), present[0] ?? 0)
  let direction = unit(rowOf(farthest).slice())
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = new Float64Array(dimensions)
    for (const level of present) {
      const along = size[level] * dot(rowOf(level), direction)
      for (let k = 0; k < dimensions; k++) next[k] += along * centred[level * dimensions + k]
    }
    unit(next)
    const change = next.reduce((sum, value, k) => sum + (value - direction[k]) ** 2, 0)
    direction = next
    if (change < CONVERGED) break
  }
  const scores = new Float64Array(size.length)
  for (const level of present) scores[level] = dot(rowOf(level), direction)
  return scores
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k]
  return sum
}

function unit(vector: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const length = Math.sqrt(dot(vector, vector))
  if (length > 0) for (let k = 0; k < vector.length; k++) vector[k] /= length
  return vector
}
