import { countIds, MOST_COLUMNS } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, real, whole } from '../../option-kinds.js'
import { count, percent, precise } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { quantileSorted } from '../../stats/quantile.js'
import { choose } from '../../stats/special.js'
import { sum } from '../../stats/sums.js'
import { jointCodes } from '../../table/classes.js'
import { labelsOf } from '../../table/joint.js'
import { countWhere, droppedWarning, FILE_STRUCTURE } from './counts/frequencies.js'
import {
  bitCount,
  findUniques,
  type KeyFile,
  keysOf,
  MANY_DISTINCT_KEYS,
  MAX_MSU_FOR_MANY,
  MOST_KEYS_SEARCHED_WHOLLY,
  readKeys,
  type Uniques,
} from './counts/minimal-uniques.js'
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
      : `${count(details.withMsu, 'record')} (${percent(details.withMsuShare)}) ${details.withMsu === 1 ? 'is' : 'are'} unique on some of the keys, the smallest such set having ${count(details.smallestMsu ?? 0, 'key')}; mean DIS ${precise(details.meanDis, 3)}`,
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
  const found = findUniques(file, chosen, context)
  const weights = sizeWeights(chosen.score, file.keys.length, found.searchedSize)
  const tally = tallyUniques(file, found, weights)
  const fraction = samplingFraction(file, chosen)
  const { dis, fileDis } = disScores(tally.scores, file, fraction.value)
  const n = file.rows.length
  const sorted = tally.scores.slice().sort()
  const positive = sorted.filter((score) => score > 0)
  const total = sum(tally.scores)
  const maxScore = sorted[n - 1]
  const withMsu = countWhere(tally.msus, (msus) => msus > 0)
  const sizes = Array.from({ length: found.searchedSize }, (_, k) => k + 1)
  const details = {
    score: chosen.score,
    keys: file.keys.length,
    records: n,
    dropped: file.own.dropped,
    incomplete: file.incomplete,
    missingPolicy: file.policy,
    /** Largest set asked for, and largest size of which every set was searched. */
    maxMsu: found.maxMsu,
    searchedSize: found.searchedSize,
    partial: found.partialBecause !== null,
    partialBecause: found.partialBecause,
    keySetsSearched: found.nodes,
    uniques: file.uniques,
    pairs: file.pairs,
    withMsu,
    withMsuShare: withMsu / n,
    msus: found.rows.length,
    smallestMsu: sizes.find((size) => tally.msusBySize[size] > 0) ?? null,
    msusBySize: sizes.map((size) => ({ size, msus: tally.msusBySize[size], records: tally.recordsBySize[size] })),
    meanMsus: found.rows.length / n,
    maxMsus: tally.msus.reduce((a, b) => Math.max(a, b), 0),
    meanScore: total / n,
    medianScore: quantileSorted(sorted, 0.5),
    maxScore,
    meanPositiveScore: positive.length === 0 ? null : total / positive.length,
    /** The largest score that any record could have. */
    scoreBound: Math.max(...sizes.map((size) => weights[size] * choose(file.keys.length, size))),
    scoreQuantiles: QUANTILES.map((p) => ({ p, score: quantileSorted(sorted, p) })),
    scoreHistogram: positive.length === 0 ? [] : histogram(positive, SCORE_BINS, 0, maxScore),
    meanDis: sum(dis) / n,
    maxDis: dis.reduce((a, b) => Math.max(a, b), 0),
    disBands: disBands(dis),
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
    records: () => recordScores(file, found, tally, dis, weights),
  }
}

type Details = ReturnType<typeof compute>['details']
/** By size k of a minimal unique, what it adds to the score; index 0 is unused. */
function sizeWeights(score: Options['score'], m: number, maxMsu: number): Float64Array {
  const weights = new Float64Array(maxMsu + 1)
  for (let k = 1; k <= maxMsu; k++) {
    if (score === 'halving') weights[k] = 2 ** (1 - k)
    else if (score === 'ihsn') weights[k] = (2 ** (m - k) - 1) / choose(m, k)
    else {
      weights[k] = 1
      for (let j = k; j < maxMsu; j++) weights[k] *= m - j
    }
  }
  return weights
}

type Tally = ReturnType<typeof tallyUniques>

/** The minimal uniques of one record stand together, as the search gives them. */
function tallyUniques({ rows, codes, cardinalities }: KeyFile, found: Uniques, weights: Float64Array) {
  const scores = new Float64Array(rows.length)
  const msusBySize = new Float64Array(weights.length)
  const recordsBySize = new Float64Array(weights.length)
  const lastOfSize = new Int32Array(weights.length).fill(-1)
  /** By key and code (0 for missing): the part of the total score that involves the key. */
  const byLevel = cardinalities.map((cardinality) => new Float64Array(cardinality + 1))
  const byKeySet = new Map<number, number>()
  for (let msu = 0; msu < found.rows.length; msu++) {
    const row = found.rows[msu]
    const mask = found.masks[msu]
    const size = bitCount(mask)
    const weight = weights[size]
    scores[row] += weight
    msusBySize[size]++
    if (lastOfSize[size] !== row) recordsBySize[size]++
    lastOfSize[size] = row
    for (let left = mask; left !== 0; left &= left - 1) {
      const v = 31 - Math.clz32(left & -left)
      byLevel[v][codes[v][row] + 1] += weight
    }
    byKeySet.set(mask, (byKeySet.get(mask) ?? 0) + 1)
  }
  return { scores, msus: countIds(found.rows, rows.length), msusBySize, recordsBySize, byLevel, byKeySet }
}

/** A level is named only when this many records have it; rarer ones are pooled, since they point at persons. */
const NAMED_LEVEL_RECORDS = 10
const MOST_LEVELS_NAMED = 10

/** Of each key the share of the score, and of that what falls on records with each level. Shares of keys sum to more than 1. */
function contributionsOf({ release, keys, codes }: KeyFile, { byLevel }: Tally, total: number) {
  return keys.map((key, v) => {
    const own = sum(byLevel[v])
    if (own === 0) return { key, share: 0, levels: [], otherLevels: 0 }
    const labels = labelsOf(jointCodes(release, key))
    const holders = new Int32Array(labels.length + 1)
    for (const code of codes[v]) holders[code + 1]++
    const levels = Array.from(labels, (level, code) => ({ level, code, share: byLevel[v][code + 1] / own }))
      .filter(({ code, share }) => share > 0 && holders[code + 1] >= NAMED_LEVEL_RECORDS)
      .sort((a, b) => b.share - a.share || a.code - b.code)
      .slice(0, MOST_LEVELS_NAMED)
      .map(({ level, share }) => ({ level, share }))
    return {
      key,
      share: own / total,
      levels,
      otherLevels: Math.max(0, 1 - levels.reduce((named, { share }) => named + share, 0)),
    }
  })
}

const MOST_KEY_SETS_LISTED = 50

function largestKeySets(keys: readonly string[], byKeySet: ReadonlyMap<number, number>) {
  return [...byKeySet]
    .sort(([maskA, a], [maskB, b]) => b - a || maskA - maskB)
    .slice(0, MOST_KEY_SETS_LISTED)
    .map(([mask, msus]) => ({ keys: keysOf(keys, mask), msus }))
}

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

/** Scores along the rows of the table, NaN for a dropped record. */
function recordScores(file: KeyFile, found: Uniques, tally: Tally, dis: Float64Array, weights: Float64Array) {
  const along = (values: ArrayLike<number>) => {
    const all = new Float64Array(file.own.f.length).fill(Number.NaN)
    for (let k = 0; k < file.rows.length; k++) all[file.rows[k]] = values[k]
    return all
  }
  const ofSize = Array.from(tally.msusBySize, () => new Float64Array(file.rows.length))
  const ofKey = file.keys.map(() => new Float64Array(file.rows.length))
  for (let msu = 0; msu < found.rows.length; msu++) {
    const row = found.rows[msu]
    const size = bitCount(found.masks[msu])
    ofSize[size][row]++
    for (let v = 0; v < ofKey.length; v++) if ((found.masks[msu] & (1 << v)) !== 0) ofKey[v][row] += weights[size]
  }
  for (const shares of ofKey)
    for (let row = 0; row < shares.length; row++) if (shares[row] > 0) shares[row] /= tally.scores[row]
  return {
    score: along(tally.scores),
    dis: along(dis),
    msus: along(tally.msus),
    ...Object.fromEntries(
      ofSize.flatMap((counts, size) => (tally.msusBySize[size] > 0 ? [[`msusOfSize${size}`, along(counts)]] : [])),
    ),
    ...Object.fromEntries(ofKey.map((shares, v) => [`contribution ${file.keys[v]}`, along(shares)])),
  }
}

function sizeBars({ msusBySize }: Details, series: 'original' | 'release') {
  return msusBySize.map(({ size, msus }) => ({
    label: String(size),
    value: msus,
    series,
    alarm: series === 'release' && size <= 2,
  }))
}
