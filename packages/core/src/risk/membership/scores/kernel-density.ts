import { math } from '@scrim/kernels'
import type { Members } from '../../../neighbors/search.js'
import type { Points } from '../../../neighbors/space.js'
import { runsOf, type Where } from '../../../neighbors/tasks.js'
import { oncePer } from '../../../once.js'
import { joined } from '../../../stats/joined.js'
import { standardDeviation } from '../../../stats/sums.js'
import type { Task } from '../../../tasks/task.js'

/**
 * Logarithm, up to a constant, of a kernel density estimate at some points: a product over columns of a Gaussian for
 * numbers, with the bandwidth of Silverman's (1986) rule for p columns, h_j = sd_j (4 / ((p + 2) n))^(1 / (p + 4)), and of
 * Aitchison and Aitken's (1976) kernel for categories, 1 - λ for the same one of c and λ / (c - 1) for each other, with
 * λ = n^(-2 / (4 + p)) / 2. Missing is a category of its own, and a whole range away from any number.
 * Compares every query with every record: kernels too small to be seen in the sum are given up early.
 */
interface Density {
  readonly values: Float64Array
  readonly nominal: number
  readonly members: Members
  /** Nominal columns: what another category costs, in logarithms. Others: the bandwidth. */
  readonly scales: Float64Array
  /** What a missing value costs beside a number. */
  readonly missing: Float64Array
  readonly leaveOneOut: boolean
}

/** exp(-37) is below the rounding of 1. */
const INVISIBLE = 37

export const logDensityTask: Task<Density, Int32Array, Float64Array> = {
  name: 'log kernel density',
  run(shared, queries) {
    const { points, records } = shared.members
    return Float64Array.from(queries, (query) => {
      let least = Number.POSITIVE_INFINITY
      let total = 0
      for (let place = 0; place < points.length; place++) {
        const copies = records[place] - (shared.leaveOneOut && points[place] === query ? 1 : 0)
        if (copies === 0) continue
        const cost = costBetween(shared, query, points[place], least + INVISIBLE)
        if (cost >= least + INVISIBLE) continue
        if (cost < least) {
          total = total * math.exp(cost - least) + copies
          least = cost
        } else total += copies * math.exp(least - cost)
      }
      return math.log(total) - least
    })
  },
}

/** Minus the logarithm of the kernel; any number above the limit once it is beyond. */
function costBetween(
  { values, nominal, scales, missing }: Density,
  query: number,
  record: number,
  limit: number,
): number {
  const width = scales.length
  let at = query * width
  let other = record * width
  let cost = 0
  for (let j = 0; j < width && cost < limit; j++) {
    const x = values[at++]
    const y = values[other++]
    if (j < nominal) cost += x === y ? 0 : scales[j]
    else if (Number.isNaN(x) || Number.isNaN(y)) cost += Number.isNaN(x) && Number.isNaN(y) ? 0 : missing[j]
    else cost += ((x - y) / scales[j]) ** 2 / 2
  }
  return cost
}

/** `real` are the points of the records whose spread sets the bandwidths; every query must be a point of the space. */
export async function logDensities(
  where: Where,
  points: Points,
  members: Members,
  real: Int32Array,
  queries: Int32Array,
  leaveOneOut: boolean,
): Promise<Float64Array> {
  const { values, nominal, weights } = points
  const n = members.records.reduce((sum, records) => sum + records, 0) - (leaveOneOut ? 1 : 0)
  const p = weights.length
  const bandwidth = math.pow(4 / ((p + 2) * n), 1 / (p + 4))
  const widths = widthsOf(points, real)
  const scales = weights.map((_, j) =>
    j < nominal ? otherCategoryCost(widths[j], n, p) : bandwidth * (widths[j] || 1),
  )
  const missing = weights.map((weight, j) => (weight / scales[j]) ** 2 / 2)
  const shared = { values, nominal, members, scales, missing, leaveOneOut }
  return joined(await where.tasks.map(logDensityTask, shared, runsOf(queries), where))
}

/** Of a nominal column the number of categories, of any other the standard deviation: the same for released and other records. */
const widthsOf = oncePer((points: Points, real: Int32Array) =>
  points.weights.map((_, j) => (j < points.nominal ? categories(points, j) : spread(points, real, j))),
)

function otherCategoryCost(count: number, n: number, p: number): number {
  const others = Math.max(1, count - 1)
  const lambda = Math.min(math.pow(n, -2 / (4 + p)) / 2, others / (others + 1))
  return math.log((1 - lambda) / (lambda / others))
}

function categories({ count, values, weights }: Points, j: number): number {
  const seen = new Set<number>()
  for (let point = 0; point < count; point++) seen.add(values[point * weights.length + j])
  return seen.size
}

function spread({ values, weights }: Points, real: Int32Array, j: number): number {
  const known = new Float64Array(real.length)
  let count = 0
  for (let at = 0; at < real.length; at++) {
    const value = values[real[at] * weights.length + j]
    if (!Number.isNaN(value)) known[count++] = value
  }
  return standardDeviation(known.subarray(0, count)) ?? 0
}
