import { math } from '@scrim/kernels'
import type { Variable } from '../generator/records.js'
import type { Likelihoods, SimulationSettings, Worlds } from './engine.js'
import { cellBoxes, type SimulatedCounts, simulateCounts } from './simulated.js'

/**
 * Approximate Bayesian computation: of all simulated sets the `accept` nearest to the released one are kept; a world's
 * likelihood is its share of its own sets among them. The distance is total variation ½ Σ |s_c/n - x_c/n| of the cells, or,
 * where a variable has too many numbers for cells, the Euclidean distance of summaries (shares of levels and of missing
 * values, means, variances and covariances of numbers), each divided by its standard deviation over all simulated sets.
 * Weak by nature: the distance is mostly noise of the common cells, and the one that tells worlds apart hardly counts.
 */
export async function abcLikelihoods(worlds: Worlds, settings: SimulationSettings): Promise<Likelihoods> {
  const counts = await simulateCounts(worlds, settings)
  const bySummaries = worlds.variables.some(({ kind, codes }) => kind === 'numbers' && codes > MOST_VALUES)
  const [simulated, released, distance] = bySummaries
    ? summarised(worlds.variables, counts)
    : ([counts.simulated, counts.released, totalVariation] as const)
  const shares = released.map((set) => acceptedShares(simulated, set, settings.accept, distance))
  return {
    logs: simulated.map((_, k) => Float64Array.from(shares, (share) => math.log(share[k]))),
    notes: [
      `the engine abc sees only how near simulated sets are${bySummaries ? ' in means, covariances and shares' : ''}; it finds less than there is`,
    ],
    unreliable: null,
    boxes: cellBoxes(counts),
  }
}

/** Numbers with more values are compared by their moments. */
const MOST_VALUES = 20

type Distance = (a: ArrayLike<number>, b: ArrayLike<number>) => number

/** By world: the share of its sets among those kept. Sets as far away as the last one kept are kept too. */
export function acceptedShares(
  simulated: readonly (readonly Float64Array[])[],
  released: Float64Array,
  accept: number,
  distance: Distance = totalVariation,
): number[] {
  const distances = simulated.map((world) => world.map((x) => distance(x, released)))
  const all = distances.flat().sort((a, b) => a - b)
  const farthest = all[Math.max(1, Math.ceil(accept * all.length)) - 1]
  return distances.map((world) => world.filter((far) => far <= farthest).length / world.length)
}

/** ½ Σ |a_c / n_a - b_c / n_b|. */
export function totalVariation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const sumOf = (counts: ArrayLike<number>) => Array.from(counts).reduce((sum, count) => sum + count, 0) || 1
  const [n, m] = [sumOf(a), sumOf(b)]
  let sum = 0
  for (let c = 0; c < a.length; c++) sum += Math.abs(a[c] / n - b[c] / m)
  return sum / 2
}

function summarised(
  variables: readonly Variable[],
  { records, simulated, released }: SimulatedCounts,
): readonly [Float64Array[][], Float64Array[], Distance] {
  const summaryOf = (counts: Float64Array) => summaries(variables, records, counts)
  const ofWorlds = simulated.map((world) => world.map(summaryOf))
  const scale = deviations(ofWorlds.flat())
  const distance: Distance = (a, b) => {
    let sum = 0
    for (let k = 0; k < a.length; k++) if (scale[k] > 0) sum += ((a[k] - b[k]) / scale[k]) ** 2
    return Math.sqrt(sum)
  }
  return [ofWorlds, released.map(summaryOf), distance]
}

/** Shares of levels and of missing numbers; means, variances and covariances of numbers, those missing at the mean. */
export function summaries(
  variables: readonly Variable[],
  records: readonly Int32Array[],
  counts: Float64Array,
): Float64Array {
  const n = counts.reduce((sum, count) => sum + count, 0) || 1
  const summary: number[] = []
  const centred: Float64Array[] = []
  for (const [j, { kind, codes, missing, numbers }] of variables.entries()) {
    const shares = new Float64Array(codes + 1)
    for (let c = 0; c < counts.length; c++) shares[records[c][j]] += counts[c] / n
    if (kind === 'levels') {
      summary.push(...shares)
      continue
    }
    const known = (code: number) => code !== missing && code < codes
    let mean = 0
    let weight = 0
    for (let code = 0; code < codes; code++) {
      if (!known(code)) continue
      mean += shares[code] * numbers[code]
      weight += shares[code]
    }
    mean = weight > 0 ? mean / weight : 0
    summary.push(1 - weight, mean)
    centred.push(Float64Array.from(records, (record) => (known(record[j]) ? numbers[record[j]] - mean : 0)))
  }
  for (const [a, x] of centred.entries())
    for (const y of centred.slice(a)) {
      let sum = 0
      for (let c = 0; c < counts.length; c++) sum += (counts[c] / n) * x[c] * y[c]
      summary.push(sum)
    }
  return Float64Array.from(summary)
}

function deviations(rows: readonly Float64Array[]): Float64Array {
  const width = rows[0]?.length ?? 0
  return Float64Array.from({ length: width }, (_, k) => {
    const mean = rows.reduce((sum, row) => sum + row[k], 0) / rows.length
    return Math.sqrt(rows.reduce((sum, row) => sum + (row[k] - mean) ** 2, 0) / rows.length)
  })
}
