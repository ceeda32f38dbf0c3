import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { quantileSorted } from '../../stats/quantile.js'
import { sum } from '../../stats/sums.js'
import { jointCodes, type Part, rowsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Frequencies, frequencies, missingOptions } from './frequencies.js'
import { negativeBinomialRisk } from './record-risk.js'
import { type Sampling, type SamplingSummary, samplingOf, samplingOptions, summariseSampling } from './sampling.js'

/**
 * Attacker risk (El Emam and Arbuckle 2013; ARX). With f the records and F the persons who share a key, three attackers:
 * the prosecutor knows that the victim is in the file, 1/f; the journalist knows only that the victim is in the
 * population, 1/F; the marketer wants as many correct matches as possible, the mean of 1/F. For each: R_a the share of
 * records above the threshold, R_b the largest risk, R_c the average.
 * Where F is estimated, E(1/F | f) of the negative binomial model takes the place of 1/F, which would be too low.
 * Blind to what is learnt; the prosecutor's average is the number of classes over the number of records, nothing else.
 */
const DEFAULT_THRESHOLD = 0.2
const ACCEPTED = 0.1
/** What riskutility assumes without being told. */
const RISKUTILITY_FRACTION = 0.01

const options = z.object({
  attacker: z
    .enum(['prosecutor', 'journalist', 'marketer'])
    .default('prosecutor')
    .describe('whose average risk is the headline'),
  threshold: z
    .number()
    .gt(0)
    .lt(1)
    .default(DEFAULT_THRESHOLD)
    .describe('a record above this is at risk (0.2: fewer than 5 share its key)'),
  ...samplingOptions,
  ...missingOptions,
  definition: z
    .enum(['standard', 'riskutility', 'sdcmicro'])
    .default('standard')
    .describe(
      "riskutility: the formulas of riskutility 0.2.0; sdcmicro: all-missing records counted as sdcMicro's freqCalc does",
    ),
})

type Options = z.output<typeof options>

export const attackerRisk = measure({
  id: 'attacker-risk',
  version: 1,
  title: 'Prosecutor, journalist and marketer risk',
  summary: 'average chance that an attacker who knows the keys picks the right record',
  family: 'frequency',
  threat: 'identity',
  role: 'structure',
  orientation: 'risk',
  scope: 'file',
  needs: ['keys'],
  unit: 'share',
  blindTo: "what is learnt from a match, and whether a synthetic record is anybody's",
  options,
  compute,
  records: {
    prosecutor: {
      riskier: 'higher',
      meaning: 're-identification by somebody who knows that the person is in the file',
    },
    journalist: { riskier: 'higher', meaning: 're-identification by somebody who does not' },
    classSize: { riskier: 'lower', meaning: 'records of the file with the same key' },
  },
  thresholds: {
    literature: [
      {
        value: DEFAULT_THRESHOLD,
        meaning: 'largest risk of a record, for classes of at least 5',
        source: 'El Emam and Arbuckle 2013',
      },
      { value: 0.05, meaning: 'average prosecutor risk called acceptable', source: 'riskutility 0.2.0' },
      { value: ACCEPTED, meaning: 'average prosecutor risk usually accepted', source: 'riskutility 0.2.0' },
    ],
  },
  sentence: ({ details }) =>
    `average risk ${percent(details.prosecutor.average)} from a prosecutor, ${percent(details.journalist.average)} from a journalist, ${percent(details.marketer)} from a marketer; ${percent(details.prosecutor.atRisk)} of the records are above ${details.threshold} for the prosecutor`,
  charts: ({ details }, { name }) => [
    histogramChart(
      { name: 'prosecutor', title: `Prosecutor risk of single records: ${name}`, x: 'risk', y: 'records' },
      details.histogram,
      [{ value: details.threshold, label: 'threshold' }],
    ),
    barChart(
      { name: 'attackers', title: `Risk by attacker: ${name}`, x: '', y: 'risk' },
      [
        { label: 'prosecutor mean', value: details.prosecutor.average },
        { label: 'journalist mean', value: details.journalist.average },
        { label: 'marketer', value: details.marketer },
        { label: 'prosecutor max', value: details.prosecutor.largest },
        { label: 'journalist max', value: details.journalist.largest },
        { label: 'prosecutor at risk', value: details.prosecutor.atRisk },
        { label: 'journalist at risk', value: details.journalist.atRisk },
      ],
      [{ value: ACCEPTED, label: 'accepted average' }],
    ),
  ],
})

function compute({ release, part }: Subject, chosen: Options): Finding<Details> {
  const { definition } = chosen
  const isRiskutility = definition === 'riskutility'
  const counting = { ...chosen, definition: definition === 'riskutility' ? 'standard' : definition } as const
  const own = frequencies(release, part, release.keys, counting)
  const sampling = samplingOf(release, part, own, counting)
  const suppressed = suppressedRows(release, part)
  const counted = own.f.map((size, row) => (suppressed.flags[row] === 1 ? Number.NaN : size))
  const n = counted.reduce((rows, size) => rows + (Number.isNaN(size) ? 0 : 1), 0)
  if (n === 0) throw new NotApplicable('every record has all of its keys missing')
  const warnings: string[] = []
  const records = isRiskutility
    ? riskutilityRisks(counted, chosen.samplingFraction, warnings)
    : standardRisks(counted, own, sampling)
  if (!isRiskutility) warnings.push(...sampling.notes)
  if (suppressed.count > 0)
    warnings.push(`${suppressed.count} records with all keys missing are left out: there is nothing to match them by`)
  if (own.dropped > 0) warnings.push(`${own.dropped} records with a missing key were dropped, which hides their risk`)
  const classes = classTotals(own, counted, sampling)
  const marketer = meanOf(records.marketer)
  const plugIn = meanOf(records.plugIn)
  const journalist = summarise(records.journalist, chosen.threshold)
  const overClasses = isRiskutility || classes === null ? 0 : classes.count / classes.population
  const details: Details = {
    prosecutor: summarise(records.prosecutor, chosen.threshold),
    journalist: { ...journalist, average: Math.max(journalist.average, overClasses) },
    marketer,
    plugIn: { average: plugIn, largest: maximumOf(records.plugIn) },
    definition: chosen.definition,
    threshold: chosen.threshold,
    records: n,
    dropped: own.dropped,
    suppressed: suppressed.count,
    missingPolicy: own.policy,
    classes: classes?.count ?? null,
    uniques: counted.reduce((rows, size) => rows + (size === 1 ? 1 : 0), 0),
    sampling: summariseSampling(sampling),
    histogram: histogram(records.prosecutor, 20, 0, 1),
  }
  return {
    value: headline(details, chosen),
    interval: null,
    details,
    warnings,
    records: () => ({ prosecutor: records.prosecutor, journalist: records.journalist, classSize: own.f }),
  }
}

type AttackerSummary = {
  /** R_c. */
  readonly average: number
  /** R_b. */
  readonly largest: number
  /** R_a. */
  readonly atRisk: number
  readonly atRiskRecords: number
  readonly quantiles: Readonly<Record<'p25' | 'p50' | 'p75' | 'p90', number>>
}

type Details = {
  readonly prosecutor: AttackerSummary
  readonly journalist: AttackerSummary
  readonly marketer: number
  /** Mean and maximum of 1/F: what the journalist's risk would be if F were known to be its estimate. */
  readonly plugIn: { readonly average: number; readonly largest: number }
  readonly definition: string
  readonly threshold: number
  readonly records: number
  readonly dropped: number
  /** Records with all keys missing, left out. */
  readonly suppressed: number
  readonly missingPolicy: string
  readonly classes: number | null
  readonly uniques: number
  readonly sampling: SamplingSummary
  readonly histogram: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
}

interface Risks {
  readonly prosecutor: Float64Array
  readonly journalist: Float64Array
  readonly marketer: Float64Array
  readonly plugIn: Float64Array
}

function standardRisks(counted: Float64Array, own: Frequencies, sampling: Sampling): Risks {
  const prosecutor = counted.map((size) => 1 / size)
  const only = (risk: Float64Array) => risk.map((value, row) => (Number.isNaN(counted[row]) ? Number.NaN : value))
  const plugIn = only(sampling.populationFrequency.map((size) => 1 / size))
  const known = sampling.source === 'population' || sampling.source === 'none'
  const journalist = known ? plugIn : only(negativeBinomialRisk(own, sampling))
  return { prosecutor, journalist, marketer: journalist, plugIn }
}

/** riskutility: the journalist's risk is the prosecutor's times the sampling fraction, the marketer's is the prosecutor's. */
function riskutilityRisks(counted: Float64Array, fraction: number | null, warnings: string[]): Risks {
  if (fraction === null)
    warnings.push(
      `no samplingFraction was given; riskutility would assume ${RISKUTILITY_FRACTION}, and so does this definition`,
    )
  const pi = fraction ?? RISKUTILITY_FRACTION
  const prosecutor = counted.map((size) => 1 / size)
  const journalist = counted.map((size) => pi / size)
  return { prosecutor, journalist, marketer: prosecutor, plugIn: journalist }
}

function headline({ prosecutor, journalist, marketer }: Details, { attacker, definition }: Options): number {
  if (definition === 'riskutility') return Math.max(prosecutor.average, journalist.average, marketer)
  return attacker === 'prosecutor' ? prosecutor.average : attacker === 'journalist' ? journalist.average : marketer
}

/** Rows with no key left to match by. */
function suppressedRows(release: Release, part: Part): { flags: Uint8Array; count: number } {
  const columns = release.keys.map((name) => {
    const joint = jointCodes(release, name)
    return rowsOfPart(release, joint, joint.codes, part)
  })
  const flags = Uint8Array.from(columns[0], (_, row) => (columns.every((codes) => codes[row] < 0) ? 1 : 0))
  return { flags, count: flags.reduce((a, b) => a + b, 0) }
}

/** J and Σ F over the classes of the counted records; null where compatibility takes the place of classes. */
function classTotals(
  { classes }: Frequencies,
  counted: Float64Array,
  { populationFrequency }: Sampling,
): { count: number; population: number } | null {
  if (classes === null) return null
  const seen = new Uint8Array(classes.count)
  let count = 0
  let population = 0
  for (let row = 0; row < counted.length; row++) {
    if (Number.isNaN(counted[row]) || seen[classes.ids[row]] === 1) continue
    seen[classes.ids[row]] = 1
    count++
    population += populationFrequency[row]
  }
  return { count, population }
}

function summarise(risks: Float64Array, threshold: number): AttackerSummary {
  const sorted = risks.filter((risk) => !Number.isNaN(risk)).sort()
  const [p25, p50, p75, p90] = [0.25, 0.5, 0.75, 0.9].map((share) => quantileSorted(sorted, share) ?? 0)
  const atRiskRecords = sorted.reduce((rows, risk) => rows + (risk > threshold ? 1 : 0), 0)
  return {
    average: sum(sorted) / sorted.length,
    largest: sorted[sorted.length - 1],
    atRisk: atRiskRecords / sorted.length,
    atRiskRecords,
    quantiles: { p25, p50, p75, p90 },
  }
}

function meanOf(risks: Float64Array): number {
  const known = risks.filter((risk) => !Number.isNaN(risk))
  return sum(known) / known.length
}

function maximumOf(risks: Float64Array): number {
  let most = 0
  for (const risk of risks) if (risk > most) most = risk
  return most
}
