import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { unknownName } from '../../errors.js'
import { column, figureTable, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { real } from '../../option-kinds.js'
import { count, expected, percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { mad, quantileSorted } from '../../stats/quantile.js'
import { countUpTo } from '../../stats/sorted.js'
import { sum } from '../../stats/sums.js'
import { jointCodes, type Part, rowsOfPart } from '../../table/classes.js'
import { labelsOf } from '../../table/joint.js'
import type { Release } from '../../table/release.js'
import { columnNames, findColumn } from '../../table/table.js'
import { CLASS_SIZE, countedDetails, countWhere, droppedWarning, FILE_STRUCTURE } from './frequencies.js'
import {
  type PopulationModel,
  type RecordRisk,
  recordRisk,
  recordRiskOptions,
  recordRiskProblems,
} from './record-risk.js'
import { summariseSampling } from './sampling.js'
import { meanBySize } from './sizes.js'

/**
 * Individual risk: for each record the probability r(i) that an intruder who knows the key picks the right person,
 * E(1/F | f) with F the persons of the population who share the key (Benedetti and Franconi 1998; Franconi and Polettini
 * 2004). The headline is the global risk Σ r(i)/n; the sum itself is the expected number of re-identifications.
 * Estimators are in record-risk.ts. Blind to what an intruder would learn, and to whether synthetic records are anybody's;
 * without sampling information it is J/n, the number of classes over the number of records, whatever the data look like.
 */
const DEFAULT_THRESHOLD = 0.1
const MOST_LEVELS = 200

const options = z.object({
  ...recordRiskOptions,
  threshold: real(DEFAULT_THRESHOLD, { above: 0, below: 1 }).describe('a record above this is at high risk'),
  maxGlobalRisk: real(0.01, { above: 0, below: 1 }).describe(
    'global risk to reach by capping the risk of single records',
  ),
  by: z.string().nullable().default(null).describe('a column; the risk is summarised for each of its values'),
})

type Options = z.output<typeof options>

export const individualRisk = measure({
  ...FILE_STRUCTURE,
  id: 'individual-risk',
  version: 1,
  title: 'Individual risk',
  summary: 'expected share of records that an intruder who knows the keys would re-identify',
  blindTo: "what an intruder would learn, and whether a synthetic record is anybody's",
  options,
  check,
  compute,
  citations: ['franconi2004', 'templ2015'],
  records: {
    risk: { riskier: 'higher', meaning: 'probability of re-identification' },
    classSize: CLASS_SIZE,
    populationFrequency: { riskier: 'lower', meaning: 'estimated people of the population with the same key' },
  },
  thresholds: {
    literature: [
      { value: 0.05, meaning: 'low mean risk', source: 'riskutility 0.2.0' },
      { value: DEFAULT_THRESHOLD, meaning: 'mean risk usually accepted', source: 'riskutility 0.2.0' },
    ],
  },
  sentence: ({ details }) =>
    `an intruder is expected to re-identify ${expected(details.expectedReidentifications)} of ${count(details.records, 'record')} (${percent(details.globalRisk, 2)}); ${count(details.aboveThreshold, 'record')} ${details.aboveThreshold === 1 ? 'has' : 'have'} a risk above ${details.threshold}`,
  tables: ({ details }) => [
    figureTable('quantiles', 'Quantiles of the risk of a record', details.quantiles, column.share),
    findingTable('bands', 'Records by risk', details.bands, [
      [column.text('risk'), ({ band }) => band],
      [column.count('records'), ({ records }) => records],
    ]),
  ],
  charts: ({ details }, { name }) => [
    histogramChart(
      { name: 'risk', title: `Risk of single records: ${name}`, x: 'risk', y: 'records' },
      details.histogram,
      [
        { value: details.threshold, label: 'threshold' },
        { value: details.globalRisk, label: 'mean' },
      ],
    ),
    barChart(
      {
        name: 'risk-by-size',
        title: `Mean risk by class size: ${name}`,
        x: 'records with the same key',
        y: 'mean risk',
      },
      details.bySize.map(({ size, mean }) => ({ label: size, value: mean, alarm: mean > details.threshold })),
      [{ value: details.threshold, label: 'threshold' }],
    ),
  ],
})

function check(release: Release, chosen: Options): string[] {
  return [...recordRiskProblems(release, chosen), ...(chosen.by === null ? [] : levelProblems(release, chosen.by))]
}

/** The column to summarise by must be in every file, and have few enough values to be read. */
function levelProblems(release: Release, name: string): string[] {
  const without = [release.original, ...release.released].find((file) => findColumn(file, name) === undefined)
  if (without !== undefined) return [`option by: ${unknownName('column', name, columnNames(without))}`]
  const { cardinality } = jointCodes(release, name)
  if (cardinality <= MOST_LEVELS) return []
  return [
    `option by: "${name}" has ${cardinality} values, at most ${MOST_LEVELS} can be told apart; make groups of them first`,
  ]
}

function compute({ release, part }: Subject, chosen: Options) {
  const estimated = recordRisk(release, part, chosen)
  const { risk, own, sampling, model } = estimated
  const sorted = risk.filter((value) => !Number.isNaN(value)).sort()
  const { by, threshold } = chosen
  const details = {
    ...summarise(sorted, threshold),
    ...countedDetails(own),
    method: estimated.method,
    sampling: summariseSampling(sampling),
    uniques: countWhere(own.f, (size) => size === 1),
    target: thresholdFor(sorted, chosen.maxGlobalRisk),
    logLinear: model === null ? null : describeModel(estimated, model),
    bySize: meanBySize(own.f, risk).map(({ size, count: records, mean }) => ({ size, records, mean })),
    by: by === null ? null : { variable: by, levels: byLevel(release, part, by, risk, threshold) },
  }
  return {
    value: details.globalRisk,
    interval: null,
    details,
    warnings: [...estimated.notes, ...droppedWarning(own.dropped)],
    records: () => ({ risk, classSize: own.f, populationFrequency: sampling.populationFrequency }),
  }
}

const BANDS = [
  { band: '1', above: 1 - 1e-12 },
  { band: '0.5 to 1', above: 0.5 },
  { band: '0.2 to 0.5', above: 0.2 },
  { band: '0.1 to 0.2', above: 0.1 },
  { band: '0.05 to 0.1', above: 0.05 },
  { band: 'up to 0.05', above: -1 },
]
const OUTLIER_SPREADS = 3

function summarise(sorted: Float64Array, threshold: number) {
  const n = sorted.length
  const total = sum(sorted)
  const [p25, p50, p75, p90, p95] = [0.25, 0.5, 0.75, 0.9, 0.95].map((share) => quantileSorted(sorted, share) ?? 0)
  const outlying = p50 + OUTLIER_SPREADS * (mad(sorted) ?? 0)
  const above = n - countUpTo(sorted, threshold)
  const starts = BANDS.map(({ above: bound }) => countUpTo(sorted, bound))
  return {
    globalRisk: total / n,
    expectedReidentifications: total,
    maximum: sorted[n - 1],
    quantiles: { p25, p50, p75, p90, p95 },
    threshold,
    aboveThreshold: above,
    aboveThresholdShare: above / n,
    /** Records far above the rest: over median + 3 scaled median absolute deviations, and over 0.1. */
    outliers: n - countUpTo(sorted, Math.max(outlying, 0.1)),
    bands: BANDS.map(({ band }, k) => ({ band, records: (k === 0 ? n : starts[k - 1]) - starts[k] })),
    histogram: histogram(sorted, 20, 0, 1),
  }
}

/**
 * The r* with Σ min(r, r*) = g n: with the k largest risks capped, the others still add up to what they are. Capping every
 * risk at `threshold` gives exactly the target; null when the file is below it already. `observedThreshold` is the largest
 * risk that occurs and stays below the target, as sdcMicro reports it; 0 if none does.
 */
function thresholdFor(sorted: Float64Array, globalRisk: number) {
  const n = sorted.length
  const allowed = globalRisk * n
  let below = sum(sorted)
  if (below < allowed) return { globalRisk, threshold: null, observedThreshold: sorted[n - 1] }
  let threshold: number | null = null
  let observedThreshold = 0
  for (let row = n - 1; row >= 0; row--) {
    const capped = n - 1 - row
    if (observedThreshold === 0 && below + capped * sorted[row] < allowed) observedThreshold = sorted[row]
    below -= sorted[row]
    const candidate = (allowed - below) / (capped + 1)
    if (threshold === null && candidate >= (row === 0 ? 0 : sorted[row - 1])) threshold = candidate
    if (threshold !== null && observedThreshold !== 0) break
  }
  return { globalRisk, threshold, observedThreshold }
}

/** τ1: sample uniques expected to be population unique; τ2: expected correct matches among the sample uniques. */
function describeModel({ own, risk }: RecordRisk, { fit, nu }: PopulationModel) {
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
function byLevel(release: Release, part: Part, name: string, risk: Float64Array, threshold: number) {
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
