import { z } from 'zod'
import { type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { type Interval, normalInterval } from '../../stats/intervals.js'
import { clusterRobustVariance } from '../../stats/tests.js'
import { clusteredVariance, leaveOneOut, leaveOneOutAmong } from './baselines.js'
import { type CapScores, type CapSummary, capCharts, capScores } from './cap-scores.js'
import { type Cells, countCells } from './cells.js'
import { type ChanceLevel, chanceOfDcap, chanceOfDcapAmong } from './chance.js'
import { type MarginalRisk, marginalMean } from './holdout.js'
import { type MatchingOptions, matchesOf, matchingOptions } from './matches.js'
import { type Prepared, preparationOptions, prepare } from './preparation.js'
import { capVerdict, ratioVerdict } from './verdict.js'

/**
 * Differential correct attribution probability (Elliot 2014; Taub et al. 2018). CAP of an original record is the share of
 * its target value among the released records that match its keys; DCAPd is the mean over all original records, those that
 * nothing matches counting 0, since a key that is not in the release gives nothing away.
 *   DCAPd = (1/N_d) sum over i of s_{t_i q_i} / s_{q_i}
 * Beside it stand its exact chance level (targets of the release dealt out at random), what everybody else's records
 * would have told (leave-one-out), and with a holdout the same figure for people who are not in the data.
 * `riskutility` is that package's dcap: the mean over matched records only, against the share of the most frequent value.
 * Blind to how sure the intruder is: a record guessed with 0.5 counts as much as half a record that is certain.
 */
const options = z.object({
  definition: z
    .enum(['scrim', 'riskutility'])
    .default('scrim')
    .describe('scrim: unmatched records count 0; riskutility: mean over matched records, modal baseline'),
  ...matchingOptions,
  ...preparationOptions,
})

type Details = CapSummary & {
  readonly definition: 'scrim' | 'riskutility'
  readonly matching: string
  readonly chance: ChanceLevel
  /** Sum of squared target shares of the original: a guess drawn from its margin (synthpop: baseCAPd). */
  readonly baseCAPd: number
  /** Share of the most frequent target value in the release, and the mean over matched records against it (riskutility). */
  readonly modalBaseline: number
  readonly difference: number | null
  readonly medianDifference: number | null
  readonly ratio: number | null
  /** Mean over records of what everybody else's records say, and by how much CAP exceeds it. */
  readonly leaveOneOut: { readonly mean: number; readonly gain: number; readonly interval: Interval | null }
  readonly marginal: MarginalRisk | null
  readonly dropped: { readonly original: number; readonly released: number }
  readonly targetGrouping: string
}

export const dcap = measure({
  id: 'dcap',
  version: 1,
  title: 'Correct attribution probability (DCAP)',
  summary: 'how often a guess from the released records with the same keys would be right',
  family: 'attribution',
  threat: 'attribute',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  pools: true,
  options,
  compute,
  thresholds: {
    literature: [
      { value: 1.5, meaning: 'ratio to the modal baseline above which risk is elevated', source: 'riskutility' },
    ],
  },
  sentence: ({ details: { definition, DCAPd, mean, chance, matchedShare, leaveOneOut: others, ratio } }) =>
    definition === 'scrim'
      ? `a guess is right for ${percent(DCAPd)} of people (chance ${percent(chance.expected)}, from other people's records ${percent(others.mean)}); ${percent(matchedShare)} have a match`
      : `a guess is right for ${percent(mean ?? 0)} of the people with a match, ${(ratio ?? 0).toFixed(2)} times the most frequent value`,
  charts: ({ details }, { name }) =>
    capCharts(details, name, [
      ...(details.mean === null ? [] : [{ value: details.mean, label: 'mean' }]),
      details.definition === 'scrim'
        ? { value: details.chance.expected, label: 'chance' }
        : { value: details.modalBaseline, label: 'baseline' },
    ]),
})

function compute(subject: Subject, chosen: z.output<typeof options>): Finding<Details> {
  const prepared = prepare(subject, chosen, chosen.definition)
  const { cells, held, release } = prepared
  const matches = matchesOf(release, cells, 'truth', chosen)
  const scores = capScores(cells, matches)
  const { summary } = scores
  const chance =
    chosen.matching === 'exact' ? chanceOfDcap(summary.DCAPd, cells) : chanceOfDcapAmong(summary.DCAPd, cells, matches)
  const others = fromOthers(prepared, scores, chosen)
  const marginal =
    held === null
      ? null
      : marginalMean(
          cells,
          scores.classSums,
          held,
          capScores(held, matchesOf(release, held, 'truth', chosen)).classSums,
        )
  const modalBaseline = cells.sLevel.reduce((a, b) => Math.max(a, b), 0) / cells.ns
  const ratio = summary.mean === null ? null : summary.mean / modalBaseline
  const asRiskutility = chosen.definition === 'riskutility'
  const value = asRiskutility ? summary.mean : summary.DCAPd
  return {
    value,
    ...(value === null ? { reason: 'no record of the original has a match in the release' } : {}),
    interval: asRiskutility ? intervalOfMatched(cells, scores) : intervalOf(cells, summary.DCAPd, scores.classSums),
    reference:
      marginal !== null && !asRiskutility
        ? { value: marginal.holdout, what: 'of outsiders' }
        : asRiskutility
          ? { value: modalBaseline, what: 'share of the most frequent value' }
          : { value: chance.expected, what: 'chance' },
    verdict: asRiskutility ? ratioVerdict(ratio) : capVerdict(others.gain, others.interval, marginal),
    details: {
      ...summary,
      definition: chosen.definition,
      matching: chosen.matching === 'exact' ? 'exact' : `gower ${chosen.threshold}`,
      chance,
      baseCAPd: cells.dLevel.reduce((sum, count) => sum + (count / cells.nd) ** 2, 0),
      modalBaseline,
      difference: summary.mean === null ? null : summary.mean - modalBaseline,
      medianDifference: summary.median === null ? null : summary.median - modalBaseline,
      ratio,
      leaveOneOut: { mean: others.mean, gain: others.gain, interval: others.interval },
      marginal,
      dropped: prepared.dropped,
      targetGrouping: cells.target.grouping,
    },
    warnings: prepared.warnings,
    records: () => ({
      cap: prepared.toRows(scores.cap),
      matches: prepared.toRows(scores.matches),
      others: prepared.toRows(others.perRecord),
    }),
  }
}

/** What the original's other records say about each record, found by the same matching. */
function fromOthers({ release, cells }: Prepared, scores: CapScores, chosen: MatchingOptions) {
  const own =
    chosen.matching === 'exact' ? cells : countCells(release, 'original', 'original', cells.keys, cells.target)
  const told =
    chosen.matching === 'exact' ? leaveOneOut(own) : leaveOneOutAmong(own, matchesOf(release, own, 'truth', chosen))
  const gains = scores.classSums.slice()
  let total = 0
  for (let cell = 0; cell < own.d.length; cell++) {
    gains[own.classOf[cell]] -= own.d[cell] * told[cell]
    total += own.d[cell] * told[cell]
  }
  const mean = total / own.nd
  const gain = scores.summary.DCAPd - mean
  const variance = clusteredVariance(cells, gains)
  return {
    mean,
    gain,
    interval: variance === null ? null : normalInterval(gain, Math.sqrt(variance)),
    perRecord: Float64Array.from(own.cellOfTruth, (cell) => told[cell]),
  }
}

function intervalOf(cells: Cells, mean: number, classSums: Float64Array): Interval | null {
  return within01(mean, clusteredVariance(cells, classSums))
}

function intervalOfMatched(cells: Cells, { cap, summary }: CapScores): Interval | null {
  if (summary.mean === null) return null
  const rows = Int32Array.from(cap.keys()).filter((row) => !Number.isNaN(cap[row]))
  const values = Float64Array.from(rows, (row) => cap[row])
  const classes = rows.map((row) => cells.classOf[cells.cellOfTruth[row]])
  return within01(summary.mean, clusterRobustVariance(values, classes, cells.classes))
}

function within01(mean: number, variance: number | null): Interval | null {
  if (variance === null) return null
  const { lower, upper, ...how } = normalInterval(mean, Math.sqrt(variance))
  return { ...how, lower: Math.max(0, lower), upper: Math.min(1, upper), method: 'clustered by key class' }
}
