import { meanRanks } from '../../../stats/samples/ranks.js'
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
export function placesOf({ ids, first, classes }: Side, values: Float64Array): Float64Array {
  const rows = Float64Array.from(ids, (id) => values[id])
  const ranks = meanRanks(rows)
  let known = 0
  for (const value of rows) if (!Number.isNaN(value)) known++
  return Float64Array.from({ length: classes }, (_, k) => (ranks[first[k]] - 0.5) / known)
}
