import { z } from 'zod'
import { evidenceOf } from '../../evidence/looks.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { type Interval, normalInterval } from '../../stats/intervals.js'
import { clusterRobustVariance } from '../../stats/tests.js'
import { clusteredVariance, leaveOneOut, leaveOneOutAmong } from './baselines.js'
import { type CapScores, type CapSummary, capCharts, capScores } from './cap-scores.js'
import { type Cells, countCells } from './cells.js'
import { type ChanceLevel, chanceOfDcap, chanceOfDcapAmong } from './chance.js'
import {
  type Among,
  BY_DISTANCE,
  capGains,
  classSums,
  dealtAtRandom,
  lookAtOthers,
  lookAtOutsidersMean,
  meanGain,
  ONE_CLASS,
  perRecord,
  theOriginal,
} from './gains.js'
import { type MarginalRisk, marginalMean } from './holdout.js'
import { type Matches, type MatchingOptions, matchesOf, matchingOptions } from './matches.js'
import { type Prepared, preparationOptions, prepare } from './preparation.js'
import { type RiskutilityWording, riskutilityWording } from './riskutility-wording.js'
import { changeOfGuesses, varianceOverFiles } from './variance-over-files.js'

/**
 * Differential correct attribution probability (Elliot 2014; Taub et al. 2018). CAP of an original record is the share of
 * its target value among the released records that match its keys; DCAPd is the mean over all original records, those that
 * nothing matches counting 0, since a key that is not in the release gives nothing away.
 *   DCAPd = (1/N_d) sum over i of s_{t_i q_i} / s_{q_i}
 * Beside it stand its exact chance level (targets of the release dealt out at random), what everybody else's records
 * would have told (leave-one-out), and with a holdout the same figure for people who are not in the data. The effect is the
 * mean of `capGains`, which a release that does not know the person's own record does not raise.
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
  readonly leaveOneOut: { readonly mean: number; readonly gain: number }
  readonly marginal: MarginalRisk | null
  /** What riskutility prints about the ratio; null under the other definition. */
  readonly riskutility: RiskutilityWording | null
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
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  needsWith: ({ matching }, { keys, numericKeys }) =>
    matching === 'gower' && keys.length === 0 && numericKeys.length > 0
      ? ['numeric keys', 'target']
      : ['keys', 'target'],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'how sure a guess is: many half-sure guesses weigh as much as a few certain ones',
  fooledBy: {
    'leave the step': 'keys that are numbers off the step match nobody; attribution rounds them back',
    'pad with noise': 'records with the same keys and any target drown what the others say',
  },
  pools: true,
  options,
  compute,
  citations: ['taub2018', 'raab2024'],
  records: {
    cap: { riskier: 'higher', meaning: 'share of released records with this key that have the person’s target value' },
    matches: { riskier: null, meaning: 'released records that match the keys' },
    others: { riskier: null, meaning: 'the same from other people’s records' },
  },
  thresholds: {
    literature: [
      { value: 1.5, meaning: 'ratio to the modal baseline above which risk is elevated', source: 'riskutility' },
    ],
  },
  sentence: ({ controls, details: { definition, DCAPd, mean, chance, matchedShare, ratio } }) =>
    definition === 'scrim'
      ? `a guess is right for ${percent(DCAPd)} of people (chance ${percent(chance.expected)}${controls?.fair === undefined ? '' : `, from ${controls.fair.what} ${percent(controls.fair.value)}`}); ${percent(matchedShare)} have a match`
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
  const exact = chosen.matching === 'exact'
  const matches = matchesOf(release, cells, 'truth', chosen)
  const scores = capScores(cells, matches)
  const { summary } = scores
  const chance = exact ? chanceOfDcap(summary.DCAPd, cells) : chanceOfDcapAmong(summary.DCAPd, cells, matches)
  const others = fromOthers(prepared, chosen)
  const heldMatches = held === null ? null : matchesOf(release, held, 'truth', chosen)
  const outsiders =
    held === null || heldMatches === null ? null : { cells: held, found: heldMatches, ...capScores(held, heldMatches) }
  const modalBaseline = cells.sLevel.reduce((a, b) => Math.max(a, b), 0) / cells.ns
  const ratio = summary.mean === null ? null : summary.mean / modalBaseline
  const asRiskutility = chosen.definition === 'riskutility'
  const value = asRiskutility ? summary.mean : summary.DCAPd
  const gains = exact ? capGains(release, cells) : null
  return {
    value,
    ...(value === null
      ? { reason: 'no record of the original has a match in the release' }
      : evidence(prepared, value, { cells, found: matches, ...scores }, outsiders, chance, gains, chosen)),
    interval: asRiskutility ? intervalOfMatched(cells, scores) : intervalOf(cells, scores, exact),
    ...(gains === null ? {} : { added: () => prepared.toRows(perRecord(cells, gains)) }),
    details: {
      ...summary,
      definition: chosen.definition,
      matching: exact ? 'exact' : `gower ${chosen.threshold}`,
      chance,
      baseCAPd: cells.dLevel.reduce((sum, count) => sum + (count / cells.nd) ** 2, 0),
      modalBaseline,
      difference: summary.mean === null ? null : summary.mean - modalBaseline,
      medianDifference: summary.median === null ? null : summary.median - modalBaseline,
      ratio,
      leaveOneOut: { mean: others.mean, gain: summary.DCAPd - others.mean },
      marginal: outsiders === null ? null : marginalMean(cells, scores.classSums, outsiders.cells, outsiders.classSums),
      riskutility: asRiskutility ? riskutilityWording(ratio) : null,
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

interface Attacked extends CapScores {
  readonly cells: Cells
  readonly found: Matches
}

/** riskutility's mean is over the people who have a match, ours over all; the controls are taken over the same people. */
function evidence(
  { release, own }: Prepared,
  value: number,
  members: Attacked,
  outsiders: Attacked | null,
  chance: ChanceLevel,
  gains: Float64Array | null,
  chosen: MatchingOptions & { readonly definition: 'scrim' | 'riskutility' },
) {
  const { cells, summary } = members
  const asRiskutility = chosen.definition === 'riskutility'
  const per = asRiskutility ? summary.matchedShare : 1
  const itself = own()
  const copied = capScores(itself, matchesOf(release, itself, 'truth', chosen)).summary.DCAPd
  const rest = {
    nothing: dealtAtRandom(chance.expected / per, chance.sd === null ? null : chance.sd / per),
    everything: theOriginal(copied),
  }
  const among = (of: Attacked) => (asRiskutility ? matchedCells(of) : undefined)
  const meanOf = (of: Attacked) => {
    const counted = among(of)
    return {
      cells: of.cells,
      sums: of.classSums,
      ...(counted === undefined ? {} : { sizes: classSums(of.cells, counted) }),
    }
  }
  const n = cells.cellOfTruth.length
  const others =
    gains === null
      ? []
      : lookAtOthers(
          value,
          meanGain(cells, gains, among(members)),
          meanGain(itself, capGains(release, itself)),
          rest,
          n,
        )
  const outside = outsiders === null ? [] : lookAtOutsidersMean(meanOf(members), meanOf(outsiders), rest, n)
  return evidenceOf([...others, ...outside], rest, gains === null ? BY_DISTANCE : ONE_CLASS)
}

function matchedCells({ cells, found }: Attacked): Among {
  return Uint8Array.from(cells.classOf, (q) => (found.records[q] > 0 ? 1 : 0))
}

/** What the original's other records say about each record, found by the same matching. */
function fromOthers({ release, cells }: Prepared, chosen: MatchingOptions) {
  const own =
    chosen.matching === 'exact' ? cells : countCells(release, 'original', 'original', cells.keys, cells.target)
  const told =
    chosen.matching === 'exact' ? leaveOneOut(own) : leaveOneOutAmong(own, matchesOf(release, own, 'truth', chosen))
  const total = told.reduce((sum, share, cell) => sum + own.d[cell] * share, 0)
  return { mean: total / own.nd, perRecord: Float64Array.from(own.cellOfTruth, (cell) => told[cell]) }
}

/** Over people and releases; where records are found by a distance, clustered by key class. */
function intervalOf(cells: Cells, { summary, classSums: sums }: CapScores, exact: boolean): Interval | null {
  if (!exact) return within01(summary.DCAPd, clusteredVariance(cells, sums))
  const { s, sClass, classOf } = cells
  const cap = Float64Array.from(s, (same, cell) => (same === 0 ? 0 : same / sClass[classOf[cell]]))
  return within01(
    summary.DCAPd,
    varianceOverFiles(
      cells,
      cap,
      changeOfGuesses(cells, () => 0),
    ),
    'over both files',
  )
}

function intervalOfMatched(cells: Cells, { cap, summary }: CapScores): Interval | null {
  if (summary.mean === null) return null
  const rows = Int32Array.from(cap.keys()).filter((row) => !Number.isNaN(cap[row]))
  const values = Float64Array.from(rows, (row) => cap[row])
  const classes = rows.map((row) => cells.classOf[cells.cellOfTruth[row]])
  return within01(summary.mean, clusterRobustVariance(values, classes, cells.classes))
}

function within01(mean: number, variance: number | null, method = 'clustered by key class'): Interval | null {
  if (variance === null) return null
  const { lower, upper, ...how } = normalInterval(mean, Math.sqrt(variance))
  return { ...how, lower: Math.max(0, lower), upper: Math.min(1, upper), method }
}
