import { NotApplicable } from '../../../errors.js'
import type { Options } from '../t-closeness.js'
import { type Distance, nominalDistance, orderedDistance, treeDistance } from './earth-movers.js'
import type { Expected } from './random-classes.js'
import { emptyRuns, readRuns, type SensitiveClasses, type SensitiveValues } from './sensitive.js'

/** How far the values of a class are from those of the file, by the distance that suits the values. */
const ROUNDING = 1e-12

/** The distance of the rows of a class, sorted by value, from the file. */
export type DistanceOfRows = (rows: Int32Array, from: number, to: number) => number

type DistanceKind = Exclude<Options['distance'], 'auto'>

export function distanceKind(
  target: string,
  { kind, ordered, numbers }: SensitiveValues,
  { distance }: Options,
): DistanceKind {
  if (distance === 'auto') return kind !== 'categorical' || ordered ? 'ordered' : 'nominal'
  if (distance === 'value' && numbers.length === 0)
    throw new NotApplicable(`the distance "value" needs numbers, and "${target}" has none`)
  return distance
}

export function distanceFor(
  kind: DistanceKind,
  target: string,
  { rows, values }: SensitiveClasses,
  weights: Float64Array | null,
  { tree }: Options,
): Distance {
  const shares = new Float64Array(values.count)
  let total = 0
  for (const row of rows) {
    const weight = weights === null ? 1 : weights[row]
    shares[values.codes[row]] += weight
    total += weight
  }
  for (let value = 0; value < shares.length; value++) shares[value] /= total
  if (kind === 'nominal') return nominalDistance(shares)
  if (kind === 'hierarchical') return treeDistance(shares, values.labels, tree ?? {}, target)
  return orderedDistance(shares, kind === 'value' ? values.numbers : null)
}

export function distanceReader(
  classes: Pick<SensitiveClasses, 'values'>,
  weights: Float64Array | null,
  distance: Distance,
): DistanceOfRows {
  const runs = emptyRuns(classes)
  return (rows, from, to) => {
    readRuns(runs, rows, from, to, classes.values.codes, weights)
    for (let k = 0; k < runs.count; k++) runs.weights[k] /= runs.total
    return distance(runs.values, runs.weights, runs.count)
  }
}

/** Sums over the records of classes of at least `k`. */
export function overClasses(sizes: Int32Array, emd: Float64Array, expected: Expected, t: number, k: number) {
  const sums = {
    classes: 0,
    records: 0,
    achieved: 0,
    violatingClasses: 0,
    violating: 0,
    emdSum: 0,
    expectedSum: 0,
    maxExcess: -1,
  }
  for (let j = 0; j < emd.length; j++) {
    const size = sizes[j]
    if (size < k) continue
    const chance = expected.of(size)
    sums.classes++
    sums.records += size
    sums.achieved = Math.max(sums.achieved, emd[j])
    sums.emdSum += size * emd[j]
    sums.expectedSum += size * chance
    sums.maxExcess = Math.max(sums.maxExcess, emd[j] - chance)
    if (emd[j] > t + ROUNDING) {
      sums.violatingClasses++
      sums.violating += size
    }
  }
  return sums
}
