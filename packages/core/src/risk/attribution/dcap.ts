import { z } from 'zod'
import { column, figureTable } from '../../evidence/finding-table.js'
import { evidenceOf } from '../../evidence/looks.js'
import { measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import {
  ATTACK_SCORES,
  ATTRIBUTE_ATTACK,
  type Attack,
  type Attacked,
  attackOn,
  attackOptions,
  preparationOptions,
} from './counts/attack.js'
import { capOfCells, classSums, marginAgreement, meanOver, perRecord } from './counts/cells.js'
import { clusteredVariance, leaveOneOut } from './figures/baselines.js'
import { type CapScores, capCharts, capScores, modalFigures } from './figures/cap-scores.js'
import { type Chance, chanceOfDcap } from './figures/chance.js'
import {
  BY_DISTANCE,
  capGains,
  dealtAtRandom,
  lookAtOthers,
  lookAtOutsidersMean,
  meanGain,
  ONE_CLASS,
  theOriginal,
} from './figures/gains.js'
import { marginalMean } from './figures/holdout.js'
import { changeOfGuesses, intervalWithin01, varianceOverFiles } from './figures/variance-over-files.js'

/**
 * Differential correct attribution probability (Elliot 2014; Taub et al. 2018). CAP of an original record is the share of
 * its target value among the released records that match its keys; DCAPd is the mean over all original records, those that
 * nothing matches counting 0, since a key that is not in the release gives nothing away.
 *   DCAPd = (1/N_d) sum over i of s_{t_i q_i} / s_{q_i}
 * Beside it stand its exact chance level (targets of the release dealt out at random), what everybody else's records
 * would have told (leave-one-out), and with a holdout the same figure for people who are not in the data. The effect is the
 * mean of `capGains`, which a release that does not know the person's own record does not raise.
 * Blind to how sure the intruder is: a record guessed with 0.5 counts as much as half a record that is certain.
 */
const options = z.object({ ...attackOptions, ...preparationOptions })

export type Options = z.output<typeof options>

export const dcap = measure({
  ...ATTRIBUTE_ATTACK,
  id: 'dcap',
  title: 'Correct attribution probability (DCAP)',
  summary: 'how often a guess from the released records with the same keys would be right',
  needsWith: ({ matching }, { keys, numericKeys }) =>
    matching === 'gower' && keys.length === 0 && numericKeys.length > 0
      ? ['numeric keys', 'target']
      : ['keys', 'target'],
  blindTo: 'how sure a guess is: many half-sure guesses weigh as much as a few certain ones',
  fooledBy: {
    ...ATTRIBUTE_ATTACK.fooledBy,
    'pad with noise': 'records with the same keys and any target drown what the others say',
  },
  isOfCounts: () => true,
  options,
  compute: (subject: Subject, chosen: Options) => dcapFinding(attackOn(subject, chosen)),
  citations: ['taub2018', 'raab2024'],
  records: { cap: ATTACK_SCORES.cap, matches: ATTACK_SCORES.matches, others: ATTACK_SCORES.others },
  literature: [
    { value: 1.5, meaning: 'ratio to the modal baseline above which risk is elevated', source: 'riskutility' },
  ],
  sentence: ({ controls, details: { DCAPd, chance, matchedShare } }) =>
    `a guess is right for ${percent(DCAPd)} of people (chance ${percent(chance.expected)}${controls?.fair === undefined ? '' : `, from ${controls.fair.what} ${percent(controls.fair.value)}`}); ${percent(matchedShare)} have a match`,
  tables: ({ details }) => [
    figureTable('quantiles', 'Quantiles of the probability of a right guess', details.quantiles ?? {}, column.share),
  ],
  charts: ({ details }, { name }) =>
    capCharts(details, name, [
      ...(details.mean === null ? [] : [{ value: details.mean, label: 'mean' }]),
      { value: details.chance.expected, label: 'chance' },
    ]),
})

/** The cells whose people a mean is taken over, marked with 1. */
type Counted = (people: Attacked) => Uint8Array

/** The mean over all people, or over those that are counted. */
export function dcapFinding(attack: Attack, counted?: Counted) {
  const { cells, outsiders, exact, release } = attack
  const scores = capScores(attack)
  const { summary } = scores
  const chance = chanceOfDcap(summary.DCAPd, cells, attack.near)
  const { cells: people, matches: among } = attack.itself()
  const fromOthers = leaveOneOut(people, among)
  const others = meanOver(people, fromOthers)
  const { modalBaseline, ratio } = modalFigures(attack, summary)
  const value = counted === undefined ? summary.DCAPd : summary.mean
  const gains = exact ? capGains(release, cells) : null
  return {
    value,
    ...(value === null
      ? { reason: 'no record of the original has a match in the release' }
      : evidence(attack, value, scores, chance, gains, counted)),
    interval: intervalOf(attack, scores),
    ...(gains === null ? {} : { added: () => attack.toRows(perRecord(cells, (cell) => gains[cell])) }),
    details: {
      ...summary,
      matching: attack.matching,
      chance,
      baseCAPd: marginAgreement(cells),
      modalBaseline,
      difference: summary.mean === null ? null : summary.mean - modalBaseline,
      medianDifference: summary.median === null ? null : summary.median - modalBaseline,
      ratio,
      /** Mean over records of what everybody else's records say, and by how much CAP exceeds it. */
      leaveOneOut: { mean: others, gain: summary.DCAPd - others },
      marginal:
        outsiders === null
          ? null
          : marginalMean(cells, scores.classSums, outsiders.cells, capScores(outsiders).classSums),
      dropped: attack.dropped,
      targetGrouping: cells.target.grouping,
    },
    warnings: attack.warnings,
    records: () => ({
      cap: attack.toRows(scores.cap),
      matches: attack.toRows(scores.matches),
      others: attack.toRows(perRecord(people, (cell) => fromOthers[cell])),
    }),
  }
}

/** The controls are means over the same people as the value. */
function evidence(
  attack: Attack,
  value: number,
  { summary }: CapScores,
  chance: Chance,
  gains: Float64Array | null,
  counted?: Counted,
) {
  const { release, cells, outsiders } = attack
  const share = counted === undefined ? 1 : summary.matchedShare
  const itself = attack.itself()
  const ends = {
    nothing: dealtAtRandom(chance.expected / share, chance.sd === null ? null : chance.sd / share),
    everything: theOriginal(capScores(itself).summary.DCAPd),
  }
  const meansOf = (people: Attacked) => ({
    cells: people.cells,
    sums: capScores(people).classSums,
    sizes: counted && classSums(people.cells, counted(people)),
  })
  const ceiling = meanGain(itself.cells, capGains(release, itself.cells))
  const others = gains === null ? [] : lookAtOthers(value, meanGain(cells, gains, counted?.(attack)), ceiling, ends)
  const outside = outsiders === null ? [] : lookAtOutsidersMean(meansOf(attack), meansOf(outsiders), ends)
  return evidenceOf([...others, ...outside], ends, gains === null ? BY_DISTANCE : ONE_CLASS)
}

/** Over people and releases; where records are found by a distance, clustered by key class. */
function intervalOf({ cells, exact }: Attack, { summary, classSums: sums }: CapScores) {
  if (exact) {
    const change = changeOfGuesses(cells, () => 0)
    return intervalWithin01(summary.DCAPd, varianceOverFiles(cells, capOfCells(cells), change))
  }
  const variance = clusteredVariance(cells, sums)
  return variance === null ? null : intervalWithin01(summary.DCAPd, variance, CLUSTERED)
}

export const CLUSTERED = 'clustered by key class'
