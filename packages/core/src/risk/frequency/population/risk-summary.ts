import { math } from '@scrim/kernels'
import { histogram } from '../../../stats/histogram.js'
import { mad, quantileSorted } from '../../../stats/quantile.js'
import { type Repeated, recordsOf, recordsUpTo } from '../../../stats/repeated.js'
import { sum } from '../../../stats/sums.js'
import { jointCodes, type Part, rowsOfPart } from '../../../table/classes.js'
import { labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'
import type { PopulationModel, RecordRisk } from './record-risk.js'

/** What is reported of the risks of records: bands, outliers, levels of keys. */
export const MOST_LEVELS = 200

const BANDS = [
  { band: '1', above: 1 - 1e-12 },
  { band: '0.5 to 1', above: 0.5 },
  { band: '0.2 to 0.5', above: 0.2 },
  { band: '0.1 to 0.2', above: 0.1 },
  { band: '0.05 to 0.1', above: 0.05 },
  { band: 'up to 0.05', above: -1 },
]

const OUTLIER_SPREADS = 3

/** Of risks in ascending order. */
export function summarise(sorted: Repeated, threshold: number) {
  const { values, times } = sorted
  const n = recordsOf(sorted)
  const total = sum(values, times)
  const [p25, p50, p75, p90, p95] = [0.25, 0.5, 0.75, 0.9, 0.95].map((p) => quantileSorted(values, p, times) ?? 0)
  const outlying = p50 + OUTLIER_SPREADS * (mad(values, undefined, times) ?? 0)
  const above = n - recordsUpTo(sorted, threshold)
  const starts = BANDS.map(({ above: bound }) => recordsUpTo(sorted, bound))
  return {
    globalRisk: total / n,
    expectedReidentifications: total,
    maximum: values[values.length - 1],
    quantiles: { p25, p50, p75, p90, p95 },
    threshold,
    aboveThreshold: above,
    aboveThresholdShare: above / n,
    /** Records far above the rest: over median + 3 scaled median absolute deviations, and over 0.1. */
    outliers: n - recordsUpTo(sorted, Math.max(outlying, 0.1)),
    bands: BANDS.map(({ band }, k) => ({ band, records: (k === 0 ? n : starts[k - 1]) - starts[k] })),
    histogram: histogram(values, 20, 0, 1, times),
  }
}

/**
 * The r* with Σ min(r, r*) = g n: with the k largest risks capped, the others still add up to what they are. Capping every
 * risk at `threshold` gives exactly the target; null when the file is below it already. `observedThreshold` is the largest
 * risk that occurs and stays below the target, as sdcMicro reports it; 0 if none does.
 */
export function thresholdFor(sorted: Repeated, globalRisk: number) {
  const { values, times } = sorted
  const allowed = globalRisk * recordsOf(sorted)
  let below = sum(values, times)
  if (below < allowed) return { globalRisk, threshold: null, observedThreshold: values[values.length - 1] }
  let threshold: number | null = null
  let observedThreshold = 0
  let capped = 0
  for (let row = values.length - 1; row >= 0; row--) {
    const records = times?.[row] ?? 1
    if (observedThreshold === 0 && below + capped * values[row] < allowed) observedThreshold = values[row]
    below -= records * values[row]
    capped += records
    const candidate = (allowed - below) / capped
    if (threshold === null && candidate >= (row === 0 ? 0 : values[row - 1])) threshold = candidate
    if (threshold !== null && observedThreshold !== 0) break
  }
  return { globalRisk, threshold, observedThreshold }
}

/** τ1: sample uniques expected to be population unique; τ2: expected correct matches among the sample uniques. */
export function describeModel({ own, risk }: RecordRisk, { fit, nu }: PopulationModel) {
  let tau1 = 0
  let tau2 = 0
  for (let row = 0; row < nu.length; row++) {
    if (own.f[row] !== 1) continue
    tau1 += math.exp(-nu[row])
    tau2 += risk[row]
  }
  const { model, gridCells, emptyCells, iterations, converged } = fit
  return { model, gridCells, emptyCells, iterations, converged, tau1, tau2 }
}

/** Each value of a column with the risk of its records; f is that of the whole file, never of the subgroup. */
export function byLevel(release: Release, part: Part, name: string, risk: Float64Array, threshold: number) {
  const joint = jointCodes(release, name)
  const codes = rowsOfPart(release, joint, joint.codes, part)
  const size = joint.cardinality + 1
  const records = new Int32Array(size)
  const high = new Int32Array(size)
  const sums = new Float64Array(size)
  const maxima = new Float64Array(size)
  for (let row = 0; row < risk.length; row++) {
    const r = risk[row]
    if (Number.isNaN(r)) continue
    const at = codes[row] + 1
    records[at]++
    sums[at] += r
    if (r > maxima[at]) maxima[at] = r
    if (r > threshold) high[at]++
  }
  const allHigh = high.reduce((a, b) => a + b, 0)
  return ['(missing)', ...labelsOf(joint)]
    .map((level, at) => ({
      level,
      records: records[at],
      mean: sums[at] / records[at],
      maximum: maxima[at],
      aboveThreshold: high[at],
      aboveThresholdShare: high[at] / records[at],
      /** Of all records above the threshold, those with this value. */
      shareOfHighRisk: allHigh === 0 ? null : high[at] / allHigh,
    }))
    .filter((level) => level.records > 0)
}
