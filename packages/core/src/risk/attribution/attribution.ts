import { z } from 'zod'
import { barChart, histogramChart, lineChart } from '../../chart/chart.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { normalInterval } from '../../stats/intervals.js'
import type { Part } from '../../table/classes.js'
import { groupByKeys, rowsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Baselines, baselinesAt, leaveOneOut } from './baselines.js'
import { type Cells, cellsOf, isWholeClassInRelease } from './cells.js'
import { type Chance, chanceOfDcap, chanceOfDisco } from './chance.js'
import { claimsOf, isGuess, type TauPoint, tauCurve, tauPoint } from './claims.js'
import { capByClass, type MarginalRisk, marginalDcap, marginalDisco } from './holdout.js'
import { targetGroups } from './target.js'
import { attributionVerdict } from './verdict.js'

/**
 * What the release gives away about a target beyond what could be known without it. An intruder looks the keys of a person
 * up in the release and claims the target when the class shows one value (tau = 1). From the share of right claims is taken
 * what a holdout of other people loses too, or, without one, what the best single key of everybody else would have told (b2).
 * A constant target, a fact about the population and a common value therefore count for nothing; a copy counts in full.
 * Also here: the curve over tau, the exact chance level, and self-supported records, whose key and target occur once in
 * the original and stand in the release.
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
  readonly basis: 'holdout' | 'leave-one-out'
  readonly DiSCO: number
  readonly DCAPd: number
  readonly chosen: TauPoint
  readonly tau: readonly TauPoint[]
  readonly chance: { readonly DiSCO: Chance; readonly DCAPd: Chance }
  readonly baselines: Baselines
  /** Mean over records of what everybody else's records say, and by how much CAP exceeds it. */
  readonly leaveOneOut: { readonly mean: number; readonly gain: number }
  readonly selfSupported: SelfSupported
  readonly selfSupportedInHoldout: SelfSupported | null
  readonly marginal: { readonly DiSCO: MarginalRisk; readonly DCAPd: MarginalRisk } | null
  readonly byClassSize: readonly { readonly size: string; readonly records: number; readonly disclosed: number }[]
  readonly byLevel: readonly { readonly level: string | null; readonly records: number; readonly disclosed: number }[]
  readonly cap: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
  readonly targetGrouping: string
}

type SelfSupported = {
  /** Share of records whose key and target occur once in the original and at least once in the release; strict: exactly once. */
  readonly share: number
  readonly strict: number
  /** The same over all variables: unique full records that stand in the release. */
  readonly fullRecords: number
}

export const attribution = measure({
  id: 'attribution',
  version: 1,
  title: 'Attribution beyond common knowledge',
  summary: 'right claims about the target that neither chance, nor population facts, nor other people explain',
  family: 'attribution',
  threat: 'attribute',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  range: [-1, 1],
  pools: true,
  options,
  compute,
  thresholds: {
    literature: [
      { value: 0.01, meaning: 'elevated from here', source: 'scrim' },
      { value: 0.05, meaning: 'high from here', source: 'scrim' },
    ],
  },
  sentence: ({ value, details: { basis, DiSCO, chance, marginal } }) =>
    basis === 'holdout' && marginal !== null
      ? `the target of ${percent(marginal.DiSCO.original)} of people is disclosed, against ${percent(marginal.DiSCO.holdout)} of people who are not in the data`
      : `the target of ${percent(DiSCO)} of people is disclosed, ${value !== null && value > 0 ? percent(value) : 'none'} beyond what one key alone tells (${percent(chance.DiSCO.expected)} by chance)`,
  charts: ({ details }, { name }) => [
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

function compute({ release, part, target }: Subject, chosen: z.output<typeof options>): Finding<Details> {
  const cells = cellsOf(release, 'original', part, target, chosen.targetGroups)
  const held = release.holdout === null ? null : cellsOf(release, 'holdout', part, target, chosen.targetGroups)
  const claim = claimsOf(cells)
  const atChosen = tauPoint(cells, claim, chosen.tau)
  const baselines = baselinesAt(release, cells, chosen.tau)
  const marginal = held === null ? null : { DiSCO: marginalDisco(cells, held), DCAPd: marginalDcap(cells, held) }
  const DiSCO = tauPoint(cells, claim, 1).hits
  const DCAPd = capByClass(cells).reduce((sum, one) => sum + one, 0) / cells.nd
  const others = leaveOneOut(cells)
  const expectedFromOthers = others.reduce((sum, share, cell) => sum + cells.d[cell] * share, 0) / cells.nd
  const capOfCell = Float64Array.from(cells.s, (s, cell) => (s === 0 ? 0 : s / cells.sClass[cells.classOf[cell]]))
  const { se, excess } = baselines.b2
  return {
    value: marginal?.DiSCO.difference ?? excess,
    interval: marginal === null ? (se === null ? null : normalInterval(excess, se)) : marginal.DiSCO.interval,
    reference: { value: 0, what: 'no gain' },
    verdict: attributionVerdict(baselines, marginal?.DiSCO ?? null),
    details: {
      basis: marginal === null ? 'leave-one-out' : 'holdout',
      DiSCO,
      DCAPd,
      chosen: atChosen,
      tau: tauCurve(cells, claim),
      chance: { DiSCO: chanceOfDisco(DiSCO, cells), DCAPd: chanceOfDcap(DCAPd, cells) },
      baselines,
      leaveOneOut: { mean: expectedFromOthers, gain: DCAPd - expectedFromOthers },
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
    warnings:
      cells.dLevel.filter((records) => records > 0).length === 1
        ? [`${target} is constant in the original: it carries no information`]
        : [],
    records: () => ({
      cap: Float64Array.from(cells.cellOfTruth, (cell) => capOfCell[cell]),
      others: Float64Array.from(cells.cellOfTruth, (cell) => others[cell]),
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
