import { histogramChart, type Rule } from '../../../chart/chart.js'
import { histogram } from '../../../stats/histogram.js'
import { quantiles } from '../../../stats/quantile.js'
import { known, recordsOf } from '../../../stats/repeated.js'
import { mean, standardDeviation, total } from '../../../stats/sums.js'
import type { Attacked } from '../counts/attack.js'
import { classSums, perRecord } from '../counts/cells.js'

/**
 * The correct attribution probability of each original record: the share of its own target value among the released
 * records that match it (Elliot 2014). Undefined, not 0, where nothing matches.
 */
export function capScores({ cells, matches: { records, agreeing } }: Attacked) {
  const isMatched = (cell: number) => records[cells.classOf[cell]] > 0
  const capOf = (cell: number) => agreeing[cell] / records[cells.classOf[cell]]
  const sums = classSums(
    cells,
    Float64Array.from(agreeing, (_, cell) => (isMatched(cell) ? capOf(cell) : 0)),
  )
  const matchedWeight = total(cells.d.filter((_, cell) => isMatched(cell)))
  const cap = perRecord(cells, (cell) => (isMatched(cell) ? capOf(cell) : Number.NaN))
  const matches = cells.cellOfTruth.map((cell) => records[cells.classOf[cell]])
  return {
    /** Per record of the truth, NaN where nothing matches. */
    cap,
    matches,
    /** Sum of CAP over each class, unmatched records counting 0. */
    classSums: sums,
    summary: {
      ...spread(cap, matches, cells.timesOfTruth),
      /** Share of records that match (iS). */
      matchedShare: matchedWeight / cells.nd,
      /** Mean over all records, unmatched ones as 0. */
      DCAPd: total(sums) / cells.nd,
      /** Mean over the matched records only; null without any. */
      mean: matchedWeight > 0 ? total(sums) / matchedWeight : null,
    },
  }
}

export type CapScores = ReturnType<typeof capScores>

const PROBABILITIES = [0, 0.25, 0.5, 0.75, 0.9, 1]
const BINS = 20

/** Everything that does not depend on weights, over the matched records. */
function spread(cap: Float64Array, matches: Int32Array, ofRows: Int32Array | null) {
  const matched = known({ values: cap, times: ofRows })
  const { values, times } = matched
  const found = Float64Array.from(matches.filter((count) => count > 0))
  const at = quantiles(values, PROBABILITIES, times)
  const most = found.reduce((largest, count) => Math.max(largest, count), 0)
  return {
    matched: recordsOf(matched),
    unmatched: recordsOf({ values: cap, times: ofRows }) - recordsOf(matched),
    median: at?.[2] ?? null,
    sd: standardDeviation(values, times),
    max: at?.[5] ?? null,
    quantiles: at === null ? null : { min: at[0], q25: at[1], q50: at[2], q75: at[3], q90: at[4], max: at[5] },
    /** Mean number of released records that match a matched record. */
    meanMatches: mean(found, times),
    histogram: histogram(values, BINS, 0, 1, times),
    matchHistogram: histogram(found, Math.min(BINS, Math.max(1, most)), 0, most, times),
  }
}

/** Share of the most frequent target value in the release, and how far the mean over matched records is above it. */
export function modalFigures({ cells }: Attacked, { mean: ofMatched }: CapScores['summary']) {
  const modalBaseline = cells.sLevel.reduce((a, b) => Math.max(a, b), 0) / cells.ns
  return { modalBaseline, ratio: ofMatched === null ? null : ofMatched / modalBaseline }
}

export function capCharts(
  { histogram: cap, matchHistogram, meanMatches }: CapScores['summary'],
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
