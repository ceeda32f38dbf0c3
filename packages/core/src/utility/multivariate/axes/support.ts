import { math } from '@scrim/kernels'
import type { Context } from '../../../measure.js'
import { runsOf, type Searched, searched, searchOf } from '../../../neighbors/tasks.js'
import { countBelow } from '../../../stats/sorted.js'
import type { Task } from '../../../tasks/task.js'
import type { Pair } from '../../pair.js'
import { spaceOf } from './fresh-pair.js'
import { type Coordinates, coordinates } from './principal-axes.js'

/**
 * The typical part of a file: the α-support holds the share α of its records that lie nearest to its centre, in coordinates
 * in which numbers have the original's sd and categories weigh by their rarity (Alaa et al. 2022, with the mean as centre).
 */

/** Distance of each row from the mean of a file. */
function fromCentre({ width }: Coordinates, rows: Float64Array, file: Float64Array): Float64Array {
  const centre = new Float64Array(width)
  const n = file.length / width
  for (let row = 0; row < n; row++) for (let j = 0; j < width; j++) centre[j] += file[row * width + j] / n
  return Float64Array.from({ length: rows.length / width }, (_, row) => {
    let square = 0
    for (let j = 0; j < width; j++) square += (rows[row * width + j] - centre[j]) ** 2
    return Math.sqrt(square)
  })
}

/** For each distance the least α whose support holds it, 1.000...1 beyond all: the share of a file's distances at or below it. */
function supportRanks(distances: Float64Array, ofFile: Float64Array): Float64Array {
  const sorted = ofFile.slice().sort()
  return distances.map((distance) => {
    const low = countBelow(sorted, distance - TIE * (1 + distance))
    return low >= sorted.length ? BEYOND : (low + 1) / sorted.length
  })
}

const TIE = 1e-9
const BEYOND = 2

const LEVELS: readonly number[] = Array.from({ length: 20 }, (_, k) => (k + 1) / 20)

export type SupportCurve = readonly { readonly level: number; readonly share: number }[]

/** 1 - 2 ∫ |share - level|, from the mean over the levels; at least 0. */
export function integrated(curve: SupportCurve): number {
  const gap = curve.reduce((sum, { level, share }) => sum + Math.abs(share - level), 0)
  const most = curve.reduce((sum, { level }) => sum + level, 0)
  return Math.max(0, 1 - gap / most)
}

/** P_α: the share of released records in the α-support of the original. */
export function precisionCurve(pair: Pair): SupportCurve | null {
  const points = coordinates(pair, pair.variables, true)
  if (points.width === 0) return null
  const own = fromCentre(points, points.original, points.original)
  const ranks = supportRanks(fromCentre(points, points.released, points.original), own)
  return LEVELS.map((level) => ({ level, share: shareUpTo(ranks, level) }))
}

function shareUpTo(ranks: Float64Array, level: number): number {
  let within = 0
  for (const rank of ranks) if (rank <= level + TIE) within++
  return ranks.length === 0 ? 0 : within / ranks.length
}

interface CoverShared {
  readonly real: Searched
  readonly released: Searched
  /** By point: the least support of the release that holds it. */
  readonly ranks: Float64Array
  readonly k: number
}

/** Per original point: the least β at which it is covered, 2 where it is not. */
export const coverTask: Task<CoverShared, Int32Array, Float64Array> = {
  name: 'utility/cover',
  run({ real, released, ranks, k }, queries) {
    const among = searchOf(real)
    const nearby = searchOf(released)
    return Float64Array.from(queries, (query) => {
      const own = among.nearest(query, k, true)
      const radius = own.count === 0 ? Number.POSITIVE_INFINITY : own.sums[own.count - 1]
      const found = nearby.nearest(query, 1)
      if (found.count === 0 || found.sums[0] > radius + TIE) return BEYOND
      let least = BEYOND
      for (let place = 0; place < found.count; place++) least = Math.min(least, ranks[found.points[place]])
      return least
    })
  },
}

/**
 * R_β: the share of originals whose nearest released record is no farther than their k-th nearest other original and lies in
 * the β-support of the release; divided by what a new sample of m records covers, 1 - (n / (n + m))^k.
 */
export async function recallCurve(pair: Pair, k: number, context: Context): Promise<SupportCurve | null> {
  const coordinate = coordinates(pair, pair.variables, true)
  if (coordinate.width === 0 || pair.original.rows < 2) return null
  const space = spaceOf(pair)
  const { training, released } = space
  const own = fromCentre(coordinate, coordinate.released, coordinate.released)
  const rankOf = supportRanks(own, own)
  const ranks = new Float64Array(space.count).fill(BEYOND)
  released.ids.forEach((point, row) => {
    ranks[point] = Math.min(ranks[point], rankOf[row])
  })
  const near = Math.min(k, training.ids.length - 1)
  const shared: CoverShared = {
    real: await searched(context, space, training),
    released: await searched(context, space, released),
    ranks,
    k: near,
  }
  const runs = await context.tasks.map(coverTask, shared, runsOf(training.points), context)
  const byPoint = new Float64Array(space.count)
  let at = 0
  for (const run of runs) for (const value of run) byPoint[training.points[at++]] = value
  const [n, m] = [training.ids.length, released.ids.length]
  const most = 1 - math.pow(n / (n + m), near)
  const covered = Float64Array.from(training.ids, (point) => byPoint[point])
  return LEVELS.map((level) => ({ level, share: shareUpTo(covered, level) / most }))
}
