import { ascendingOrder } from '@scrim/kernels'
import { principalAxes } from '../../utility/multivariate/axes/principal-axes.js'
import type { Points } from './points.js'

/** Points in the order of their scores, cut into groups of k; the last one has what is left, k to 2k - 1. Equal scores by row. */
export function groupBySorting({ rows }: Points, scores: Float64Array, k: number): Int32Array[] {
  const order = ascendingOrder(scores)
  const groups = Math.floor(order.length / k)
  return Array.from({ length: groups }, (_, group) =>
    order.slice(group * k, group === groups - 1 ? order.length : (group + 1) * k).map((place) => rows[place]),
  )
}

/** The place of each point on the first principal component; a missing value lies at the mean of its variable. */
export function firstAxis({ width, values }: Points): Float64Array {
  const known = values.map((value) => (Number.isNaN(value) ? 0 : value))
  const [axis] = principalAxes(known, width, null).vectors
  return Float64Array.from({ length: values.length / width }, (_, i) => {
    let score = 0
    for (let j = 0; j < width; j++) score += axis[j] * known[i * width + j]
    return score
  })
}
