import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { choice, real } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { quantileSorted } from '../../stats/quantile.js'
import { ascending, type Repeated, recordsOf } from '../../stats/repeated.js'
import { sum } from '../../stats/sums.js'
import { jointCodes, rowsOfPart } from '../../table/classes.js'
import {
  CLASS_SIZE,
  countWhere,
  droppedWarning,
  FILE_STRUCTURE,
  type Frequencies,
  frequencies,
  type MissingOptions,
  missingOptions,
} from './counts/frequencies.js'
import { negativeBinomialRisk } from './population/record-risk.js'
import { type Sampling, samplingOf, samplingOptions, summariseSampling } from './population/sampling.js'

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

const options = z.object({
  attacker: choice(['prosecutor', 'journalist', 'marketer'], 'prosecutor').describe(
    'whose average risk is the headline',
  ),
  threshold: real(DEFAULT_THRESHOLD, { above: 0, below: 1 }).describe(
    'a record above this is at risk (0.2: fewer than 5 share its key)',
  ),
  ...samplingOptions,
  missing: missingOptions.missing,
  alpha: missingOptions.alpha,
})

export type Options = z.output<typeof options>

export const attackerRisk = measure({
  ...FILE_STRUCTURE,
  id: 'attacker-risk',
  title: 'Prosecutor, journalist and marketer risk',
  summary: 'average chance that an attacker who knows the keys picks the right record',
  blindTo: "what is learnt from a match, and whether a synthetic record is anybody's",
  isOfCounts: () => true,
  options,
  compute: (subject: Subject, chosen: Options) => attackerFinding(subject, chosen),
  records: {
    prosecutor: {
      riskier: 'higher',
      meaning: 're-identification by somebody who knows that the person is in the file',
    },
    journalist: { riskier: 'higher', meaning: 're-identification by somebody who does not' },
    classSize: CLASS_SIZE,
  },
  literature: [
    {
      value: DEFAULT_THRESHOLD,
      meaning: 'largest risk of a record, for classes of at least 5',
      source: 'El Emam and Arbuckle 2013',
    },
    { value: 0.05, meaning: 'average prosecutor risk called acceptable', source: 'riskutility 0.2.0' },
    { value: ACCEPTED, meaning: 'average prosecutor risk usually accepted', source: 'riskutility 0.2.0' },
  ],
  sentence: ({ details }) =>
    `average risk ${percent(details.prosecutor.average)} from a prosecutor, ${percent(details.journalist.average)} from a journalist, ${percent(details.marketer)} from a marketer; ${percent(details.prosecutor.atRisk)} of the records are above ${details.threshold} for the prosecutor`,
  tables: ({ details: { prosecutor, journalist, threshold } }) => [
    findingTable(
      'attackers',
      'Risk by attacker',
      [
        { who: 'prosecutor', ...prosecutor },
        { who: 'journalist', ...journalist },
      ],
      [
        [column.text('attacker'), ({ who }) => who],
        [column.share('average'), ({ average }) => average],
        [column.share('largest'), ({ largest }) => largest],
        [column.share(`above ${threshold}`), ({ atRisk }) => atRisk],
        [column.count('records above'), ({ atRiskRecords }) => atRiskRecords],
      ],
    ),
  ],
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

/** Per row the risk from each attacker, NaN for a record that does not count; `plugIn` is 1/F. */
export interface Risks {
  readonly prosecutor: Float64Array
  readonly journalist: Float64Array
  readonly marketer: Float64Array
  readonly plugIn: Float64Array
  /** The journalist's average is at least this. */
  readonly leastAverage: number
  readonly notes: readonly string[]
}

export function attackerFinding(
  { release, part }: Subject,
  chosen: Options,
  risksOf: (counted: Float64Array, own: Frequencies, sampling: Sampling) => Risks = standardRisks,
  definition: MissingOptions['definition'] = 'standard',
) {
  const own = frequencies(release, part, release.keys, { ...chosen, definition })
  const sampling = samplingOf(release, part, own, { ...chosen, definition })
  const columns = release.keys.map((name) => {
    const joint = jointCodes(release, name)
    return rowsOfPart(release, joint, joint.codes, part)
  })
  // A record with all keys missing cannot be matched by any.
  const isSuppressed = (row: number) => columns.every((codes) => codes[row] < 0)
  const { times } = own
  const suppressed = countWhere(Int32Array.from(own.f.keys()), isSuppressed, times)
  const counted = own.f.map((size, row) => (isSuppressed(row) ? Number.NaN : size))
  const n = countWhere(counted, (size) => !Number.isNaN(size), times)
  if (n === 0) throw new NotApplicable('every record has all of its keys missing')
  const risks = risksOf(counted, own, sampling)
  const summaryOf = (values: Float64Array) => summarise(ascending({ values, times }), chosen.threshold)
  const journalist = summaryOf(risks.journalist)
  const plugIn = summaryOf(risks.plugIn)
  const details = {
    prosecutor: summaryOf(risks.prosecutor),
    journalist: { ...journalist, average: Math.max(journalist.average, risks.leastAverage) },
    marketer: summaryOf(risks.marketer).average,
    /** Mean and maximum of 1/F: what the journalist's risk would be if F were known to be its estimate. */
    plugIn: { average: plugIn.average, largest: plugIn.largest },
    threshold: chosen.threshold,
    records: n,
    dropped: own.dropped,
    /** Records with all keys missing, left out. */
    suppressed,
    missingPolicy: own.policy,
    classes: own.classes === null ? null : classTotals(own, counted, sampling).count,
    uniques: countWhere(counted, (size) => size === 1, times),
    sampling: summariseSampling(sampling),
    histogram: histogram(risks.prosecutor, 20, 0, 1, times),
  }
  return {
    value: chosen.attacker === 'marketer' ? details.marketer : details[chosen.attacker].average,
    interval: null,
    details,
    warnings: [
      ...risks.notes,
      ...(suppressed > 0
        ? [`${suppressed} records with all keys missing are left out: there is nothing to match them by`]
        : []),
      ...droppedWarning(own.dropped),
    ],
    records: () => ({ prosecutor: risks.prosecutor, journalist: risks.journalist, classSize: own.f }),
  }
}

function standardRisks(counted: Float64Array, keyCounts: Frequencies, sampling: Sampling): Risks {
  const prosecutor = counted.map((size) => 1 / size)
  const only = (risk: Float64Array) => risk.map((value, row) => (Number.isNaN(counted[row]) ? Number.NaN : value))
  const plugIn = only(sampling.populationFrequency.map((size) => 1 / size))
  const known = sampling.source === 'population' || sampling.source === 'none'
  const journalist = known ? plugIn : only(negativeBinomialRisk(keyCounts, sampling))
  const { count, population } = classTotals(keyCounts, counted, sampling)
  const leastAverage = keyCounts.classes === null ? 0 : count / population
  return { prosecutor, journalist, marketer: journalist, plugIn, leastAverage, notes: sampling.notes }
}

/** J and Σ F over the classes of the counted records; none where compatibility takes the place of classes. */
function classTotals({ classes }: Frequencies, counted: Float64Array, { populationFrequency }: Sampling) {
  const seen = new Set<number>()
  let population = 0
  for (let row = 0; row < counted.length; row++) {
    if (classes === null || Number.isNaN(counted[row]) || seen.has(classes.ids[row])) continue
    seen.add(classes.ids[row])
    population += populationFrequency[row]
  }
  return { count: seen.size, population }
}

/** R_c, R_b and R_a of the literature, and quantiles. */
function summarise(sorted: Repeated, threshold: number) {
  const { values, times } = sorted
  const n = recordsOf(sorted)
  const [p25, p50, p75, p90] = [0.25, 0.5, 0.75, 0.9].map((share) => quantileSorted(values, share, times) ?? 0)
  const atRiskRecords = countWhere(values, (risk) => risk > threshold, times)
  return {
    average: sum(values, times) / n,
    largest: values[values.length - 1],
    atRisk: atRiskRecords / n,
    atRiskRecords,
    quantiles: { p25, p50, p75, p90 },
  }
}
