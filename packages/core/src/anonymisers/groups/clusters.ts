import type { Stream } from '../../random/stream.js'
import type { Points } from './points.js'

/**
 * Clusters by k-means (Lloyd 1982), begun as Arthur and Vassilvitskii (2007) propose: each further centre is a point drawn
 * with probability proportional to its squared distance to the nearest centre so far. A missing value takes no part in
 * a distance. A cluster of fewer than `fewest` points is dissolved: its points go to the nearest of the others. The
 * result is a local optimum that depends on the draws.
 */
export function clusterPoints(points: Points, wanted: number, fewest: number, random: Stream): Int32Array[] {
  const n = points.rows.length
  let centres = firstCentres(points, Math.min(wanted, Math.max(1, Math.floor(n / fewest))), random)
  let belongs: Int32Array = new Int32Array(n)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = assign(points, centres)
    const settled = round > 0 && next.every((cluster, i) => cluster === belongs[i])
    belongs = next
    if (settled) break
    centres = centroids(points, belongs, centres)
  }
  for (;;) {
    const sizes = sizesOf(belongs, centres.length)
    const small = sizes.reduce((least, size, cluster) => (size < sizes[least] ? cluster : least), 0)
    if (sizes[small] >= fewest || centres.length === 1) break
    centres = centres.filter((_, cluster) => cluster !== small)
    belongs = assign(points, centres)
  }
  return centres.map((_, cluster) => Int32Array.from(belongs.keys()).filter((i) => belongs[i] === cluster))
}

const MOST_ROUNDS = 100

function firstCentres(points: Points, wanted: number, random: Stream): Float64Array[] {
  const n = points.rows.length
  const centres = [pointAt(points, random.below(n))]
  const nearest = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
  while (centres.length < wanted) {
    let total = 0
    for (let i = 0; i < n; i++) {
      nearest[i] = Math.min(nearest[i], squaredDistance(points, i, centres[centres.length - 1]))
      total += nearest[i]
    }
    if (total === 0) break
    let left = random.uniform() * total
    let drawn = 0
    while (drawn < n - 1 && left >= nearest[drawn]) left -= nearest[drawn++]
    centres.push(pointAt(points, drawn))
  }
  return centres
}

function pointAt({ width, values }: Points, i: number): Float64Array {
  return values.slice(i * width, (i + 1) * width)
}

function squaredDistance({ width, values }: Points, i: number, centre: Float64Array): number {
  let total = 0
  for (let j = 0; j < width; j++) {
    const difference = values[i * width + j] - centre[j]
    if (!Number.isNaN(difference)) total += difference * difference
  }
  return total
}

/** The nearest centre of each point, the first of equals. */
function assign(points: Points, centres: readonly Float64Array[]): Int32Array {
  return Int32Array.from(points.rows, (_, i) => {
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (let cluster = 0; cluster < centres.length; cluster++) {
      const distance = squaredDistance(points, i, centres[cluster])
      if (distance < least) {
        least = distance
        best = cluster
      }
    }
    return best
  })
}

/** Means of the clusters over the values that are there; without any the centre stays where it was. */
function centroids({ width, values }: Points, belongs: Int32Array, before: readonly Float64Array[]): Float64Array[] {
  const sums = before.map(() => new Float64Array(width))
  const counts = before.map(() => new Int32Array(width))
  for (let i = 0, at = 0; i < belongs.length; i++)
    for (let j = 0; j < width; j++, at++)
      if (!Number.isNaN(values[at])) {
        sums[belongs[i]][j] += values[at]
        counts[belongs[i]][j]++
      }
  return sums.map((sum, cluster) =>
    sum.map((total, j) => (counts[cluster][j] === 0 ? before[cluster][j] : total / counts[cluster][j])),
  )
}

function sizesOf(belongs: Int32Array, clusters: number): Int32Array {
  const sizes = new Int32Array(clusters)
  for (const cluster of belongs) sizes[cluster]++
  return sizes
}
