import { ascendingOrder, math } from '@scrim/kernels'
import { type Stream, stream } from '../../../random/stream.js'
import { drawNormal } from '../../../stats/draws.js'
import { joined } from '../../../stats/joined.js'
import { logGamma } from '../../../stats/special.js'
import { standardDeviation, sum } from '../../../stats/sums.js'
import type { Task, TaskProgress, TaskRunner } from '../../../tasks/task.js'
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

interface Shared {
  readonly records: MixedRecords
  readonly seed: number
  readonly directions: number
}

/** Mean distances within the first file, across, and within the second, along each direction of a block. */
export const sliceTask: Task<Shared, number, Float64Array> = {
  name: 'utility/slices',
  run({ records, seed, directions }, block) {
    const { split, weights } = records
    const d = dimensionsOf(records)
    const size = Math.min(d, BLOCK)
    const made = orthonormal(d, Math.min(size, directions - block * size), stream(seed, 'directions of slices', block))
    const [n1, n2] = [sum(weights.subarray(0, split)), sum(weights.subarray(split))]
    return joined(made.map((direction) => onLine(projected(records, direction), weights, split, n1, n2)))
  },
}

/** Directions are those of the seed: files that are compared with each other are seen along the same. */
export async function slicedMeans(
  where: { readonly tasks: TaskRunner } & TaskProgress,
  records: MixedRecords,
  directions: number,
  seed: number,
): Promise<SlicedMeans> {
  const { split, weights } = records
  const d = dimensionsOf(records)
  const blocks = Array.from({ length: Math.ceil(directions / Math.min(d, BLOCK)) }, (_, k) => k)
  const found = joined(await where.tasks.map(sliceTask, { records, seed, directions }, blocks, where))
  const factor = sphereFactor(d)
  const along = (place: number) => Float64Array.from({ length: directions }, (_, k) => factor * found[3 * k + place])
  const [xx, xy, yy] = [along(0), along(1), along(2)]
  const gaps = xy.map((value, k) => 2 * value - xx[k] - yy[k])
  const withinAll = [sum(xx) / directions, sum(yy) / directions] as const
  const different = (side: number) => {
    const own = side === 0 ? weights.subarray(0, split) : weights.subarray(split)
    const [total, squares] = [sum(own), sum(own.map((weight) => weight * weight))]
    return total * total > squares ? (withinAll[side] * total * total) / (total * total - squares) : 0
  }
  return {
    withinAll,
    within: [different(0), different(1)],
    across: sum(xy) / directions,
    se: directions > 1 ? (standardDeviation(gaps) ?? 0) / Math.sqrt(directions) : Math.abs(gaps[0]),
  }
}

function dimensionsOf({ numbers, levels }: MixedRecords): number {
  return numbers + sum(levels)
}

/** Directions made orthogonal at once: more would cost more than they save. */
const BLOCK = 16

export function sphereFactor(d: number): number {
  return Math.sqrt(Math.PI) * math.exp(logGamma((d + 1) / 2) - logGamma(d / 2))
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
  return Float64Array.of(xx, xy, yy)
}
