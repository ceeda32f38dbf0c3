import { z } from 'zod'
import { barChart, histogramChart, lineChart } from '../../chart/chart.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import type { Part } from '../../table/classes.js'
import { groupByKeys, rowsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Baselines, baselinesAt } from './baselines.js'
import { type Cells, cellsOf, countCells, isWholeClassInRelease } from './cells.js'
import { type Chance, chanceOfDcap, chanceOfDisco } from './chance.js'
import { claimsOf, isGuess, type TauPoint, tauCurve, tauPoint } from './claims.js'
import {
  addedOf,
  againstOthers,
  type GuessScores,
  keptShares,
  lookAtOutsiders,
  meanOver,
  scoresOf,
} from './guess-scores.js'
import { capByClass, type MarginalRisk, marginalDcap, marginalDisco } from './holdout.js'
import { targetGroups } from './target.js'

/**
 * What the release tells about the target of the people in it beyond what other people's records tell. An intruder looks the
 * keys of a person up in the release and guesses the target in proportion to what is found there:
 *   score_i = share of i's value among the released records with i's keys, or in the whole release where there is none.
 * The mean score stands beside three controls on the same original:
 *   nothing     the release's margin of the target alone, whatever the keys: what independent marginals give in the mean
 *   fair        everybody's records but i's own: (d_tq - 1) / (d_q - 1), the margin (d_t - 1) / (N - 1) where i is alone
 *   everything  the original itself: d_tq / d_q
 * and, with a holdout, beside the mean score of people who are not in the release. Compared is what the keys add to the
 * margin, at the size of the smaller file, so that a constant target, a fact about the population, a common value and a
 * larger sample count for nothing; a copy counts in full. The standard error is that of records clustered by key class, or, where
 * larger, that of the records dealt out anew between original and release. The score is the correct attribution probability of
 * Elliot (2014) and Taub et al. (2018).
 * Also here: what is claimed for certain and beyond prior knowledge, the curve over tau, the exact chance level, and
 * self-supported records, whose key and target occur once in the original and stand in the release.
 * Blind to what only a model sees that borrows strength between keys (`rapid`).
 */
const options = z.object({
  tau: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('how sure the intruder must be to claim: share of the most frequent value in the class'),
  targetGroups,
})

type Details = {
  readonly DiSCO: number
  readonly DCAPd: number
  readonly chosen: TauPoint
  readonly tau: readonly TauPoint[]
  readonly chance: { readonly DiSCO: Chance; readonly DCAPd: Chance }
  readonly baselines: Baselines
  /** Mean score of the release, of everybody else's records, of the original and of people outside. */
  readonly scores: {
    readonly release: number
    readonly others: number
    readonly original: number
    readonly outsiders: number | null
  }
  readonly selfSupported: SelfSupported
  readonly selfSupportedInHoldout: SelfSupported | null
  readonly marginal: { readonly DiSCO: MarginalRisk; readonly DCAPd: MarginalRisk } | null
  readonly byClassSize: readonly { readonly size: string; readonly records: number; readonly disclosed: number }[]
  readonly byLevel: readonly { readonly level: string | null; readonly records: number; readonly disclosed: number }[]
  readonly cap: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
  readonly targetGrouping: string
}

/** A comparison with fewer people says nothing that leave-one-out does not say better. */
const FEWEST_OUTSIDERS = 30

type SelfSupported = {
  /** Share of records whose key and target occur once in the original and at least once in the release; strict: exactly once. */
  readonly share: number
  readonly strict: number
  /** The same over all variables: unique full records that stand in the release. */
  readonly fullRecords: number
}

export const attribution = measure({
  id: 'attribution',
  version: 2,
  title: 'Attribution beyond common knowledge',
  summary: "how often a guess of the target from the release is right, beside other people's records and the original",
  family: 'attribution',
  threat: 'attribute',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'what only a model sees that borrows strength between keys',
  fooledBy: {
    'pad with noise': 'records with the same keys and any target drown what the others say; memorisation is not fooled',
  },
  alsoOutside: true,
  pools: true,
  options,
  compute,
  records: {
    score: { riskier: 'higher', meaning: 'chance of a right guess of the target from the release' },
    others: { riskier: null, meaning: 'the same from other people’s records' },
    cap: { riskier: 'higher', meaning: 'share of released records with this key that have the person’s target value' },
    confidence: {
      riskier: 'higher',
      meaning: 'largest share of one target value among the released records with this key',
    },
    guessedRight: { riskier: 'higher', meaning: '1: the most frequent target value there is the person’s' },
    selfSupported: { riskier: 'higher', meaning: '1: no other original record supports that guess' },
    classSizeOriginal: { riskier: 'lower', meaning: 'original records with the same key' },
    classSizeReleased: { riskier: null, meaning: 'released records with the same key' },
  },
  thresholds: { literature: [] },
  sentence: ({ details: { scores } }) =>
    `a guess of the target from the release is right for ${percent(scores.release)} of people; from other people's records it would be for ${percent(scores.others)}, from the original itself for ${percent(scores.original)}${scores.outsiders === null ? '' : `, and for people outside the release it is for ${percent(scores.outsiders)}`}`,
  charts: ({ details, interval, controls }, { name }) => [
    barChart({ name: 'scores', title: `A guess of the target is right: ${name}`, x: '', y: 'share of people' }, [
      { label: 'margin alone', value: controls?.nothing?.value ?? 0, series: 'original' },
      { label: "others' records", value: details.scores.others, series: 'original' },
      ...(details.scores.outsiders === null
        ? []
        : [{ label: 'outsiders', value: details.scores.outsiders, series: 'original' as const }]),
      { label: 'this release', value: details.scores.release, interval },
      { label: 'the original', value: details.scores.original, series: 'original' },
    ]),
    lineChart(
      {
        name: 'tau',
        title: `Claims by how sure the intruder must be: ${name}`,
        x: 'tau',
        y: 'share of original records',
      },
      details.tau.flatMap(({ tau, coverage, hits, gain, precision }) => [
        { x: tau, y: coverage, series: 'claimed' },
        { x: tau, y: hits, series: 'right' },
        { x: tau, y: gain, series: 'mean CAP' },
        ...(precision === null ? [] : [{ x: tau, y: precision, series: 'precision' }]),
      ]),
    ),
    histogramChart(
      { name: 'cap', title: `Chance of a right guess per record (CAP): ${name}`, x: 'CAP', y: 'records' },
      details.cap,
      [
        { value: details.DCAPd, label: 'mean' },
        { value: details.chance.DCAPd.expected, label: 'chance' },
      ],
    ),
    barChart(
      {
        name: 'baselines',
        title: `Right claims, and what explains them: ${name}`,
        x: '',
        y: 'share of original records',
      },
      [
        { label: 'right', value: details.DiSCO },
        { label: 'beyond chance', value: details.chance.DiSCO.excess },
        { label: 'beyond the margin', value: details.baselines.b1.excess },
        { label: 'beyond one key', value: details.baselines.b2.excess },
        { label: 'beyond the class', value: details.baselines.b3.excess },
      ],
    ),
  ],
})

function addedByRecord(cells: Cells, scores: GuessScores): Float64Array {
  const added = addedOf(cells, scores, 'release', keptShares(cells))
  return Float64Array.from(cells.cellOfTruth, (cell) => added[cell])
}

function compute(
  { release, part, target }: Subject,
  chosen: z.output<typeof options>,
  { random }: Context,
): Finding<Details> {
  const cells = cellsOf(release, 'original', part, target, chosen.targetGroups)
  const held = release.holdout === null ? null : cellsOf(release, 'holdout', part, target, chosen.targetGroups)
  const claim = claimsOf(cells)
  const atChosen = tauPoint(cells, claim, chosen.tau)
  const baselines = baselinesAt(release, cells, chosen.tau)
  const marginal = held === null ? null : { DiSCO: marginalDisco(cells, held), DCAPd: marginalDcap(cells, held) }
  const DiSCO = tauPoint(cells, claim, 1).hits
  const DCAPd = capByClass(cells).reduce((sum, one) => sum + one, 0) / cells.nd
  const capOfCell = Float64Array.from(cells.s, (s, cell) => (s === 0 ? 0 : s / cells.sClass[cells.classOf[cell]]))
  const own = scoresOf(cells)
  const outsiders = held === null ? null : lookAtOutsiders(cells, own, held)
  return {
    ...againstOthers(cells, own, (deal) => random('deal', deal)),
    ...(outsiders === null || held === null || held.cellOfTruth.length < FEWEST_OUTSIDERS
      ? {}
      : { looks: [outsiders] }),
    added: () => addedByRecord(cells, own),
    addedWithout: (key) => {
      const keys = groupByKeys(
        release,
        release.keys.filter((name) => name !== key),
      )
      const fewer = countCells(release, 'original', part, keys, cells.target)
      return addedByRecord(fewer, scoresOf(fewer))
    },
    details: {
      DiSCO,
      DCAPd,
      chosen: atChosen,
      tau: tauCurve(cells, claim),
      chance: { DiSCO: chanceOfDisco(DiSCO, cells), DCAPd: chanceOfDcap(DCAPd, cells) },
      baselines,
      scores: {
        release: meanOver(cells, own.release),
        others: meanOver(cells, own.others),
        original: meanOver(cells, own.original),
        outsiders: outsiders?.controls.fair.value ?? null,
      },
      selfSupported: selfSupported(release, cells, 'original', part),
      selfSupportedInHoldout: held === null ? null : selfSupported(release, held, 'holdout', part),
      marginal,
      byClassSize: byClassSize(cells),
      byLevel: byLevel(cells),
      cap: histogram(
        cells.cellOfTruth.length === 0
          ? new Float64Array()
          : Float64Array.from(cells.cellOfTruth, (cell) => capOfCell[cell]),
        20,
        0,
        1,
      ),
      targetGrouping: cells.target.grouping,
    },
    warnings: [
      ...(cells.dLevel.filter((records) => records > 0).length === 1
        ? [`${target} is constant in the original: it carries no information`]
        : []),
      ...(held !== null && held.cellOfTruth.length < FEWEST_OUTSIDERS
        ? [`${count(held.cellOfTruth.length, 'person', 'people')} outside the release are too few to compare with`]
        : []),
    ],
    records: () => ({
      score: Float64Array.from(cells.cellOfTruth, (cell) => own.release[cell]),
      others: Float64Array.from(cells.cellOfTruth, (cell) => own.others[cell]),
      cap: Float64Array.from(cells.cellOfTruth, (cell) => capOfCell[cell]),
      confidence: Float64Array.from(cells.cellOfTruth, (cell) => claim.confidence[cells.classOf[cell]]),
      guessedRight: Float64Array.from(cells.cellOfTruth, (cell) =>
        isGuess(cells, claim, cell) ? 1 / claim.ties[cells.classOf[cell]] : 0,
      ),
      selfSupported: cells.cellOfTruth.map((cell) => (cells.dCount[cell] === 1 && cells.s[cell] > 0 ? 1 : 0)),
      classSizeOriginal: cells.cellOfTruth.map((cell) => cells.dClassCount[cells.classOf[cell]]),
      classSizeReleased: cells.cellOfTruth.map((cell) => cells.sClass[cells.classOf[cell]]),
    }),
  }
}

function selfSupported(release: Release, cells: Cells, truth: Part, part: Part): SelfSupported {
  let share = 0
  let strict = 0
  for (let cell = 0; cell < cells.d.length; cell++) {
    if (cells.dCount[cell] !== 1 || cells.s[cell] === 0) continue
    share += cells.d[cell]
    if (cells.s[cell] === 1) strict += cells.d[cell]
  }
  return { share: share / cells.nd, strict: strict / cells.nd, fullRecords: replicatedRecords(release, truth, part) }
}

/** Share of records of the truth that are unique over all variables and stand in the release. */
function replicatedRecords(release: Release, truth: Part, part: Part): number {
  const all = groupByKeys(release, release.variables)
  const inTruth = rowsOfPart(release, all, all.ids, truth)
  const times = new Int32Array(all.count)
  for (const id of inTruth) times[id]++
  const released = new Uint8Array(all.count)
  for (const id of rowsOfPart(release, all, all.ids, part)) released[id] = 1
  let replicated = 0
  for (const id of inTruth) if (times[id] === 1 && released[id] === 1) replicated++
  return replicated / inTruth.length
}

const CLASS_SIZES = [
  { size: '1', most: 1 },
  { size: '2', most: 2 },
  { size: '3-5', most: 5 },
  { size: '6-10', most: 10 },
  { size: '>10', most: Number.POSITIVE_INFINITY },
]

function byClassSize(cells: Cells): Details['byClassSize'] {
  const rows = CLASS_SIZES.map(({ size }) => ({ size, records: 0, disclosed: 0 }))
  for (let cell = 0; cell < cells.d.length; cell++) {
    const row = rows[CLASS_SIZES.findIndex(({ most }) => cells.dClassCount[cells.classOf[cell]] <= most)]
    row.records += cells.d[cell]
    if (isWholeClassInRelease(cells, cell)) row.disclosed += cells.d[cell]
  }
  return rows
}

/** Target levels by disclosed records, most first; a level that the original lacks is left out. */
function byLevel(cells: Cells): Details['byLevel'] {
  const rows = cells.target.levels.map((level) => ({ level, records: 0, disclosed: 0 }))
  for (let cell = 0; cell < cells.d.length; cell++) {
    rows[cells.level[cell]].records += cells.d[cell]
    if (isWholeClassInRelease(cells, cell)) rows[cells.level[cell]].disclosed += cells.d[cell]
  }
  return rows.filter((row) => row.records > 0).sort((a, b) => b.disclosed - a.disclosed || b.records - a.records)
}
