import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { unknownName } from '../../errors.js'
import { column, figureTable, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { openText, real } from '../../option-kinds.js'
import { count, expected, percent } from '../../print.js'
import { ascending } from '../../stats/repeated.js'
import { jointCodes } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { columnNames, findColumn } from '../../table/table.js'
import { CLASS_SIZE, countedDetails, countWhere, droppedWarning, FILE_STRUCTURE } from './counts/frequencies.js'
import { meanBySize } from './counts/sizes.js'
import { recordRisk, recordRiskOptions, recordRiskProblems } from './population/record-risk.js'
import { byLevel, describeModel, MOST_LEVELS, summarise, thresholdFor } from './population/risk-summary.js'
import { summariseSampling } from './population/sampling.js'

/**
 * Individual risk: for each record the probability r(i) that an intruder who knows the key picks the right person,
 * E(1/F | f) with F the persons of the population who share the key (Benedetti and Franconi 1998; Franconi and Polettini
 * 2004). The headline is the global risk Σ r(i)/n; the sum itself is the expected number of re-identifications.
 * Estimators are in record-risk.ts. Blind to what an intruder would learn, and to whether synthetic records are anybody's;
 * without sampling information it is J/n, the number of classes over the number of records, whatever the data look like.
 */
const DEFAULT_THRESHOLD = 0.1

const options = z.object({
  ...recordRiskOptions,
  threshold: real(DEFAULT_THRESHOLD, { above: 0, below: 1 }).describe('a record above this is at high risk'),
  maxGlobalRisk: real(0.01, { above: 0, below: 1 }).describe(
    'global risk to reach by capping the risk of single records',
  ),
  by: openText().describe('a column; the risk is summarised for each of its values'),
})

type Options = z.output<typeof options>

export const individualRisk = measure({
  ...FILE_STRUCTURE,
  id: 'individual-risk',
  title: 'Individual risk',
  summary: 'expected share of records that an intruder who knows the keys would re-identify',
  blindTo: "what an intruder would learn, and whether a synthetic record is anybody's",
  isOfCounts: ({ by }) => by === null,
  options,
  check,
  compute,
  citations: ['franconi2004', 'templ2015'],
  records: {
    risk: { riskier: 'higher', meaning: 'probability of re-identification' },
    classSize: CLASS_SIZE,
    populationFrequency: { riskier: 'lower', meaning: 'estimated people of the population with the same key' },
  },
  literature: [
    { value: 0.05, meaning: 'low mean risk', source: 'riskutility 0.2.0' },
    { value: DEFAULT_THRESHOLD, meaning: 'mean risk usually accepted', source: 'riskutility 0.2.0' },
  ],
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
  const sorted = ascending({ values: risk, times: own.times })
  const { by, threshold } = chosen
  const details = {
    ...summarise(sorted, threshold),
    ...countedDetails(own),
    method: estimated.method,
    sampling: summariseSampling(sampling),
    uniques: countWhere(own.f, (size) => size === 1, own.times),
    target: thresholdFor(sorted, chosen.maxGlobalRisk),
    logLinear: model === null ? null : describeModel(estimated, model),
    bySize: meanBySize(own.f, risk, own.times).map(({ size, count: records, mean }) => ({ size, records, mean })),
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
