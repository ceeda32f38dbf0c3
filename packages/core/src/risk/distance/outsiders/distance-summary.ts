import { column, type FindingTable, findingTable } from '../../../evidence/finding-table.js'
import { median, quantiles } from '../../../stats/quantile.js'
import { firstWhere } from '../../../stats/sorted.js'
import { mean, standardDeviation } from '../../../stats/sums.js'

/** Distances from many records as aggregates, and how two such sets compare, without the distance of any one of them. */
export type DistanceSummary = ReturnType<typeof summarise>

const PERCENTS = [0, 1, 5, 10, 25, 50, 75, 90, 95, 100]

/** There is at least one distance. */
export function summarise(distances: Float64Array) {
  const found = quantiles(
    distances,
    PERCENTS.map((percent) => percent / 100),
  )
  return {
    mean: mean(distances) ?? 0,
    median: median(distances) ?? 0,
    /** Null for one record. */
    sd: standardDeviation(distances),
    /** Type 7, by probability in percent. */
    quantiles: Object.fromEntries(PERCENTS.map((percent, k) => [String(percent), found?.[k] ?? 0])),
    /** Records at distance 0. */
    identical: distances.reduce((count, distance) => count + (distance === 0 ? 1 : 0), 0),
  }
}

/** Sums of the same terms in another order may exceed a limit by rounding; 0 is exact. */
const ROUNDING = 1e-9

/** Share of distances up to each limit. */
export function sharesWithin(distances: Float64Array, limits: readonly number[]): number[] {
  const sorted = distances.slice().sort()
  return limits.map((limit) => firstWhere(0, sorted.length, (k) => !isWithin(sorted[k], limit)) / sorted.length)
}

export function isWithin(distance: number, limit: number): boolean {
  return distance <= limit * (1 + ROUNDING)
}

/** `steps + 1` limits from 0 to the largest of the distances. */
export function limitsUpTo(steps: number, ...distances: readonly Float64Array[]): number[] {
  const most = distances.reduce((most, some) => some.reduce((a, b) => Math.max(a, b), most), 0)
  return Array.from({ length: steps + 1 }, (_, k) => (most * k) / steps)
}

/** Mean and quantiles of distances, one row for each file. */
export function quantileTable(files: Readonly<Record<string, DistanceSummary | null>>): FindingTable {
  const known = Object.entries(files).flatMap(([name, summary]) => (summary === null ? [] : [{ name, ...summary }]))
  const shares = PERCENTS.map(String)
  return findingTable('quantiles', 'Quantiles of the distances', known, [
    [column.text('distances'), ({ name }) => name],
    [column.number('mean', 3), (summary) => summary.mean],
    ...shares.map(
      (share) => [column.number(`${share} %`, 3), (summary: DistanceSummary) => summary.quantiles[share]] as const,
    ),
  ])
}
