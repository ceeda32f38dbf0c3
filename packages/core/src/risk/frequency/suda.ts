import { MOST_COLUMNS } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, real, whole } from '../../option-kinds.js'
import { count, percent, significant } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { quantileSorted } from '../../stats/quantile.js'
import { ascending, recordsOf } from '../../stats/repeated.js'
import { choose } from '../../stats/special.js'
import { sum } from '../../stats/sums.js'
import { countWhere, droppedWarning, FILE_STRUCTURE } from './counts/frequencies.js'
import {
  findUniques,
  MANY_DISTINCT_KEYS,
  MAX_MSU_FOR_MANY,
  MOST_KEYS_SEARCHED_WHOLLY,
  readKeys,
} from './counts/minimal-uniques.js'
import { contributionsOf, largestKeySets, recordScores, sizeWeights, tallyUniques } from './counts/unique-scores.js'
import { disBands, disScores, samplingFraction, USUAL_DIS_FRACTION } from './population/dis-scores.js'

/**
 * SUDA, special uniques detection (Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008): a set S of keys is a
 * minimal sample unique (MSU) of record i when i is the only record with its values on S and on no proper subset of S.
 * Small and many MSUs make a record easy to single out; with a_k MSUs of size k, m keys and sets up to size M
 *   elliot   S_i = sum_k a_k prod_{j=k}^{M-1} (m - j)
 *   halving  S_i = sum_k a_k 2^(1-k)
 *   ihsn     S_i = sum_k a_k (2^(m-k) - 1) / C(m, k)
 * DIS-SUDA spreads the chance that a unique match is correct (Skinner and Elliot 2002) over the records by their scores:
 *   DIS_i = 1 / (1 + P (1 - d) / (d S_i^Q A)),  Q = 1 + (8 - m) / 20,  A = sum over S_i > 0 of S_i^-Q,
 * with sampling fraction d and P records in pairs. The headline is the mean of DIS_i over all records.
 * Blind to sensitive values, and, for synthetic data, to whether the records are anybody's.
 */
const options = z.object({
  score: choice(['elliot', 'halving', 'ihsn'], 'elliot').describe('how the minimal uniques of a record add up'),
  maxMsu: whole(null, { min: 1 }).describe(
    `largest key set looked for; null: all keys, or ${MAX_MSU_FOR_MANY} with more than ${MOST_KEYS_SEARCHED_WHOLLY} keys and ${MANY_DISTINCT_KEYS} combinations of them`,
  ),
  missing: choice(['auto', 'drop', 'noMatch', 'category', 'wildcard'], 'auto').describe(
    'how a missing key value is read; noMatch is the reading of sdcMicro',
  ),
  disFraction: real(null, { above: 0, max: 1 }).describe(
    `sampling fraction for DIS; null: from weights or population, else ${USUAL_DIS_FRACTION}`,
  ),
  highRisk: real(0.1, { min: 0, max: 1 }).describe('a record with DIS above this counts as high risk'),
  maxNodes: z
    .number()
    .int()
    .min(MOST_COLUMNS)
    .nullable()
    .default(100_000)
    .describe('at most this many key sets are searched; when they do not suffice, only smaller sets are'),
})

export type Options = z.output<typeof options>

export const suda = measure({
  ...FILE_STRUCTURE,
  id: 'suda',
  title: 'Special uniques (SUDA)',
  summary: 'mean DIS-SUDA score: how easily few keys single a record out, and how likely such a match is correct',
  unit: 'score',
  isOfCounts: () => true,
  blindTo: "sensitive values, and whether a synthetic record is anybody's",
  options,
  compute,
  citations: ['elliot2002'],
  records: {
    score: { riskier: 'higher', meaning: 'SUDA score: how special the record is on few keys' },
    dis: { riskier: 'higher', meaning: 'DIS-SUDA: probability that a match of a unique record is right' },
    msus: { riskier: 'higher', meaning: 'minimal sample uniques of the record' },
    'msusOfSize*': { riskier: 'higher', meaning: 'minimal sample uniques over this many keys' },
    'contribution *': { riskier: null, meaning: 'share of this key in the score' },
  },
  sentence: ({ details }) =>
    details.msus === 0
      ? `no record is unique on ${details.searchedSize === details.keys ? 'the keys' : `${details.searchedSize} keys or fewer`}`
      : `${count(details.withMsu, 'record')} (${percent(details.withMsuShare)}) ${details.withMsu === 1 ? 'is' : 'are'} unique on some of the keys, the smallest such set having ${count(details.smallestMsu ?? 0, 'key')}; mean DIS ${significant(details.meanDis)}`,
  tables: ({ details }) => [
    findingTable('sizes', 'Minimal sample uniques by size', details.msusBySize, [
      [column.number('keys'), ({ size }) => size],
      [column.count('minimal uniques'), ({ msus }) => msus],
      [column.count('records'), ({ records }) => records],
    ]),
  ],
  charts: ({ details }, { name, original }) => [
    barChart(
      {
        name: 'msu-sizes',
        title: `Minimal uniques by number of keys: ${name}`,
        x: 'keys in the set',
        y: 'minimal uniques',
      },
      [...(original === null ? [] : sizeBars(original.details, 'original')), ...sizeBars(details, 'release')],
    ),
    histogramChart(
      {
        name: 'scores',
        title: `Scores of records with a minimal unique: ${name}`,
        x: `SUDA score (${details.score})`,
        y: 'records',
      },
      details.scoreHistogram,
      details.meanPositiveScore === null ? [] : [{ value: details.meanPositiveScore, label: 'mean' }],
    ),
    barChart(
      { name: 'contributions', title: `Share of the total score that involves a key: ${name}`, x: 'key', y: 'share' },
      details.contributions.map(({ key, share }) => ({ label: key, value: share })),
    ),
  ],
})

const QUANTILES = [0, 0.25, 0.5, 0.75, 0.9, 0.95, 1]
const SCORE_BINS = 30

function compute({ release, part }: Subject, chosen: Options, context: Context) {
  const file = readKeys(release, part, chosen)
  const uniques = findUniques(file, chosen, context)
  const weights = sizeWeights(chosen.score, file.keys.length, uniques.searchedSize)
  const tally = tallyUniques(file, uniques, weights)
  const fraction = samplingFraction(file, chosen)
  const { dis, fileDis } = disScores(tally.scores, file, fraction.value)
  const sorted = ascending({ values: tally.scores, times: file.times })
  const n = recordsOf(sorted)
  // Who has a minimal unique is alone with it: these stand for one record each.
  const positive = sorted.values.filter((score) => score > 0)
  const total = sum(tally.scores)
  const maxScore = sorted.values[sorted.values.length - 1]
  const withMsu = countWhere(tally.msus, (msus) => msus > 0)
  const sizes = Array.from({ length: uniques.searchedSize }, (_, k) => k + 1)
  const details = {
    score: chosen.score,
    keys: file.keys.length,
    records: n,
    dropped: file.own.dropped,
    incomplete: file.incomplete,
    missingPolicy: file.policy,
    /** Largest set asked for, and largest size of which every set was searched. */
    maxMsu: uniques.maxMsu,
    searchedSize: uniques.searchedSize,
    partial: uniques.partialBecause !== null,
    partialBecause: uniques.partialBecause,
    keySetsSearched: uniques.nodes,
    uniques: file.uniques,
    pairs: file.pairs,
    withMsu,
    withMsuShare: withMsu / n,
    msus: uniques.rows.length,
    smallestMsu: sizes.find((size) => tally.msusBySize[size] > 0) ?? null,
    msusBySize: sizes.map((size) => ({ size, msus: tally.msusBySize[size], records: tally.recordsBySize[size] })),
    meanMsus: uniques.rows.length / n,
    maxMsus: tally.msus.reduce((a, b) => Math.max(a, b), 0),
    meanScore: total / n,
    medianScore: quantileSorted(sorted.values, 0.5, sorted.times),
    maxScore,
    meanPositiveScore: positive.length === 0 ? null : total / positive.length,
    /** The largest score that any record could have. */
    scoreBound: Math.max(...sizes.map((size) => weights[size] * choose(file.keys.length, size))),
    scoreQuantiles: QUANTILES.map((p) => ({ p, score: quantileSorted(sorted.values, p, sorted.times) })),
    scoreHistogram: positive.length === 0 ? [] : histogram(positive, SCORE_BINS, 0, maxScore),
    meanDis: sum(dis) / n,
    maxDis: dis.reduce((a, b) => Math.max(a, b), 0),
    disBands: disBands(dis, file.times),
    highRiskAbove: chosen.highRisk,
    highRisk: countWhere(dis, (value) => value > chosen.highRisk),
    contributions: contributionsOf(file, tally, total),
    /** The key sets with most minimal uniques. */
    keySets: largestKeySets(file.keys, tally.byKeySet),
    keySetsWithMsus: tally.byKeySet.size,
    disFraction: fraction.value,
    disFractionFrom: fraction.from,
    fileDis,
  }
  return {
    value: details.meanDis,
    interval: null,
    details,
    warnings: warningsOf(details),
    records: () => recordScores(file, uniques, tally, dis, weights),
  }
}

type Details = ReturnType<typeof compute>['details']
/** Q is 0 at 28 keys: DIS would then not rise with the score any more. */
const MOST_KEYS_FOR_DIS = 27

function warningsOf(details: {
  readonly partialBecause: string | null
  readonly dropped: number
  readonly withMsu: number
  readonly pairs: number
  readonly keys: number
  readonly disFractionFrom: string
}): string[] {
  return [
    ...(details.partialBecause === null ? [] : [details.partialBecause]),
    ...droppedWarning(details.dropped),
    ...(details.withMsu > 0 && details.pairs === 0
      ? [
          'no two records share a key with nobody else, so DIS has nothing to go by and is 1 for every record with a minimal unique',
        ]
      : []),
    ...(details.keys > MOST_KEYS_FOR_DIS
      ? [`DIS was made for few keys; with ${details.keys} it does not rise with the score`]
      : []),
    ...(details.withMsu > 0 && details.disFractionFrom === 'assumed'
      ? [
          `DIS rests on an assumed sampling fraction of ${USUAL_DIS_FRACTION}; give weights, a population or disFraction`,
        ]
      : []),
  ]
}

function sizeBars({ msusBySize }: Details, series: 'original' | 'release') {
  return msusBySize.map(({ size, msus }) => ({
    label: String(size),
    value: msus,
    series,
    alarm: series === 'release' && size <= 2,
  }))
}
