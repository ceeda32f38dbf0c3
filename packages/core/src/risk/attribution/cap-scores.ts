import { histogramChart, type Rule } from '../../chart/chart.js'
import { histogram } from '../../stats/histogram.js'
import { quantiles } from '../../stats/quantile.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import type { Cells } from './cells.js'
import type { Matches } from './matches.js'

/**
 * The correct attribution probability of each original record: the share of its own target value among the released
 * records that match it (Elliot 2014). Undefined, not 0, where nothing matches.
 */
export interface CapScores {
  /** Per record of the truth, NaN where nothing matches. */
  readonly cap: Float64Array
  readonly matches: Int32Array
  /** Sum of CAP over each class, unmatched records counting 0. */
  readonly classSums: Float64Array
  readonly summary: CapSummary
}

/** A bin of a histogram. */
export type Bin = { readonly lower: number; readonly upper: number; readonly count: number }

export type CapSummary = {
  readonly matched: number
  readonly unmatched: number
  /** Share of records that match (iS). */
  readonly matchedShare: number
  /** Mean over all records, unmatched ones as 0. */
  readonly DCAPd: number
  /** Mean and spread over the matched records only; null without any. */
  readonly mean: number | null
  readonly median: number | null
  readonly sd: number | null
  readonly max: number | null
  /** Minimum, quartiles, 90th percentile and maximum over the matched records. */
  readonly quantiles: {
    readonly min: number
    readonly q25: number
    readonly q50: number
    readonly q75: number
    readonly q90: number
    readonly max: number
  } | null
  /** Mean number of released records that match a matched record. */
  readonly meanMatches: number | null
  readonly histogram: readonly Bin[]
  readonly matchHistogram: readonly Bin[]
}

export function capScores(cells: Cells, { records, agreeing }: Matches): CapScores {
  const capOfCell = Float64Array.from(agreeing, (same, cell) => {
    const all = records[cells.classOf[cell]]
    return all > 0 ? same / all : Number.NaN
  })
  const classSums = new Float64Array(cells.classes)
  let matchedWeight = 0
  for (let cell = 0; cell < cells.d.length; cell++) {
    if (cells.d[cell] === 0 || Number.isNaN(capOfCell[cell])) continue
    classSums[cells.classOf[cell]] += cells.d[cell] * capOfCell[cell]
    matchedWeight += cells.d[cell]
  }
  const total = classSums.reduce((sum, one) => sum + one, 0)
  const cap = Float64Array.from(cells.cellOfTruth, (cell) => capOfCell[cell])
  const matches = cells.cellOfTruth.map((cell) => records[cells.classOf[cell]])
  return {
    cap,
    matches,
    classSums,
    summary: {
      ...spread(cap, matches),
      matchedShare: matchedWeight / cells.nd,
      DCAPd: total / cells.nd,
      mean: matchedWeight > 0 ? total / matchedWeight : null,
    },
  }
}

const PROBABILITIES = [0, 0.25, 0.5, 0.75, 0.9, 1]
const BINS = 20

/** Everything that does not depend on weights. */
function spread(cap: Float64Array, matches: Int32Array): Omit<CapSummary, 'matchedShare' | 'DCAPd' | 'mean'> {
  const known = cap.filter((value) => !Number.isNaN(value))
  const found = Float64Array.from(matches.filter((count) => count > 0))
  const at = quantiles(known, PROBABILITIES)
  const most = found.reduce((largest, count) => Math.max(largest, count), 0)
  return {
    matched: known.length,
    unmatched: cap.length - known.length,
    median: at?.[2] ?? null,
    sd: standardDeviation(known),
    max: at?.[5] ?? null,
    quantiles: at === null ? null : { min: at[0], q25: at[1], q50: at[2], q75: at[3], q90: at[4], max: at[5] },
    meanMatches: mean(found),
    histogram: histogram(known, BINS, 0, 1),
    matchHistogram: histogram(found, Math.min(BINS, Math.max(1, most)), 0, most),
  }
}

/** How many matched records stand out, by riskutility's cuts at 0.5 and 0.8. */
export type CapLevels = { readonly high: number; readonly medium: number; readonly low: number }

export function capLevels(cap: Float64Array): CapLevels {
  let high = 0
  let medium = 0
  let low = 0
  for (const value of cap) {
    if (value >= 0.8) high++
    else if (value >= 0.5) medium++
    else if (value >= 0) low++
  }
  return { high, medium, low }
}

export function capCharts(
  { histogram: cap, matchHistogram, meanMatches }: CapSummary,
  name: string,
  rules: readonly Rule[],
) {
  return [
    histogramChart(
      { name: 'cap', title: `Chance of a right guess per matched record (CAP): ${name}`, x: 'CAP', y: 'records' },
      cap,
      rules,
    ),
    histogramChart(
      { name: 'matches', title: `Released records that match a record: ${name}`, x: 'matches', y: 'records' },
      matchHistogram,
      meanMatches === null ? [] : [{ value: meanMatches, label: 'mean' }],
    ),
  ]
}
