import { ascendingOrder } from '@scrim/kernels'
import type { Costs } from '../costs/costs.js'
import { distanceCost, type MissingMode, numbersOf } from '../costs/key-costs.js'
import { hasDistances, type LinkedFiles, type Side } from '../costs/linked-files.js'
import { weightedCosts } from './gower.js'

/**
 * Rank-based linkage: as by Gower's distance, but every number is replaced by its place in its own file, (mean rank - ½) / n
 * of the n known ones, so that no strictly monotone change of a key (a shift, other units, a logarithm) protects anybody.
 */
export function rankCosts(files: LinkedFiles, weights: readonly number[], missing: MissingMode): Costs {
  return weightedCosts(files, weights, missing, (key, weight) => {
    if (!hasDistances(key)) return distanceCost({ key, files, weight, missing })
    const { query, search } = numbersOf(key)
    const numbers = { query: placesOf(files.query, query), search: placesOf(files.search, search) }
    return distanceCost({ key, files, weight, missing, numbers })
  })
}

/** Per class, from the ranks of all records of the file. */
export function placesOf({ counts }: Pick<Side, 'counts'>, values: Float64Array): Float64Array {
  const order = ascendingOrder(values)
  const places = new Float64Array(values.length).fill(Number.NaN)
  let known = 0
  for (let from = 0, to = 0; from < order.length; from = to) {
    let tied = 0
    for (; to < order.length && values[order[to]] === values[order[from]]; to++) tied += counts[order[to]]
    for (let k = from; k < to; k++) places[order[k]] = known + tied / 2
    known += tied
  }
  return places.map((place) => place / known)
}
