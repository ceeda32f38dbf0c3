import { ascendingOrder } from '@scrim/kernels'
import type { Stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { logGamma } from '../../stats/special.js'
import { mean, standardDeviation, sum } from '../../stats/sums.js'
import type { MixedRecords } from './mixed-records.js'
import type { PairMeans } from './pair-means.js'
import { startsOf } from './random-features.js'

/**
 * Mean distances between pairs of records in O(N log N) per direction: the distance of two points is κ_d times the mean, over
 * directions θ on the sphere, of the distance of their projections, κ_d = √π Γ((d + 1) / 2) / Γ(d / 2); and on a line the mean
 * distance is 2 ∫ F (1 - F) within a sample and ∫ F (1 - G) + G (1 - F) across two. Exact on average over directions, with the
 * standard error that their spread gives. Directions come in orthogonal blocks, which cuts that error. A category is as many
 * coordinates as it has levels.
 */
export interface SlicedMeans extends PairMeans {
  /** Of 2 across - within - within, with all pairs. */
  readonly se: number
}

export function slicedMeans(records: MixedRecords, directions: number, random: (index: number) => Stream): SlicedMeans {
  const { levels, numbers, split, weights } = records
  const d = numbers + levels.reduce((total, count) => total + count, 0)
  const factor = sphereFactor(d)
  const [n1, n2] = [sum(weights.subarray(0, split)), sum(weights.subarray(split))]
  const squares = [weights.subarray(0, split), weights.subarray(split)].map((side) => sum(side.map((w) => w * w)))
  const gaps: number[] = []
  const totals = new Float64Array(3)
  for (let k = 0, block: Float64Array[] = []; k < directions; k++) {
    const place = k % Math.min(d, BLOCK)
    if (place === 0) block = orthonormal(d, Math.min(d, BLOCK, directions - k), random(k))
    const [xx, xy, yy] = onLine(projected(records, block[place]), weights, split, n1, n2)
    totals[0] += xx
    totals[1] += xy
    totals[2] += yy
    gaps.push(factor * (2 * xy - xx - yy))
  }
  const [xx, xy, yy] = totals.map((total) => (factor * total) / directions)
  const different = (all: number, total: number, square: number) =>
    total * total > square ? (all * total * total) / (total * total - square) : 0
  return {
    withinAll: [xx, yy],
    within: [different(xx, n1, squares[0]), different(yy, n2, squares[1])],
    across: xy,
    se: directions > 1 ? (standardDeviation(gaps) ?? 0) / Math.sqrt(directions) : (mean(gaps) ?? 0),
  }
}

/** Directions made orthogonal at once: more would cost more than they save. */
const BLOCK = 32

export function sphereFactor(d: number): number {
  return Math.sqrt(Math.PI) * Math.exp(logGamma((d + 1) / 2) - logGamma(d / 2))
}

/** Random orthonormal directions: normal draws, each less its part along those before it (Gram and Schmidt, twice). */
function orthonormal(d: number, count: number, random: Stream): Float64Array[] {
  const made: Float64Array[] = []
  for (let k = 0; k < count; k++) {
    const next = Float64Array.from({ length: d }, () => drawNormal(random))
    for (let round = 0; round < 2; round++)
      for (const before of made) {
        let along = 0
        for (let j = 0; j < d; j++) along += before[j] * next[j]
        for (let j = 0; j < d; j++) next[j] -= along * before[j]
      }
    const length = Math.sqrt(next.reduce((total, value) => total + value * value, 0))
    made.push(next.map((value) => value / length))
  }
  return made
}

function projected({ rows, numbers, values, categories, codes, levels }: MixedRecords, direction: Float64Array) {
  const starts = startsOf(numbers, levels)
  const line = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    let along = 0
    for (let j = 0, at = row * numbers; j < numbers; j++) along += direction[j] * values[at + j]
    let levelsAlong = 0
    for (let k = 0, at = row * categories; k < categories; k++) levelsAlong += direction[starts[k] + codes[at + k]]
    line[row] = along + levelsAlong * Math.SQRT1_2
  }
  return line
}

/** Mean distances on a line: within the first, across, within the second. */
function onLine(line: Float64Array, weights: Float64Array, split: number, n1: number, n2: number) {
  const order = ascendingOrder(line)
  let [f, g, xx, xy, yy] = [0, 0, 0, 0, 0]
  for (let k = 0; k + 1 < order.length; k++) {
    const row = order[k]
    if (row < split) f += weights[row] / n1
    else g += weights[row] / n2
    const width = line[order[k + 1]] - line[row]
    if (width === 0) continue
    xx += 2 * f * (1 - f) * width
    yy += 2 * g * (1 - g) * width
    xy += (f * (1 - g) + g * (1 - f)) * width
  }
  return [xx, xy, yy]
}
