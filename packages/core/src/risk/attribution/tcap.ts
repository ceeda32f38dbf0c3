import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { evidenceOf, lookAtOutsiders, tally } from '../../evidence/looks.js'
import { measure, type Subject } from '../../measure.js'
import { choice } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { wilson } from '../../stats/intervals.js'
import { countWhere } from '../frequency/counts/frequencies.js'
import {
  ATTACK_SCORES,
  ATTRIBUTE_ATTACK,
  type Attack,
  type Attacked,
  attackOn,
  attackOptions,
  type IntruderSteps,
  intruderSteps,
  isRightForSure,
  preparationOptions,
} from './counts/attack.js'
import { perRecord } from './counts/cells.js'
import { type Baselines, baselinesAt } from './figures/baselines.js'
import { capCharts, capScores, modalFigures } from './figures/cap-scores.js'
import { chanceOfDisco } from './figures/chance.js'
import { BY_DISTANCE, claimGains, lookAtOthers, meanGain, ONE_CLASS, theOriginal } from './figures/gains.js'
import { marginalShare } from './figures/holdout.js'

/**
 * Targeted correct attribution probability (Taub et al. 2018), seen from the original's records: when the released records
 * that match a person all show one target value, is it the right one? Three shares go by this name:
 *   conditional  right / one value shown    DiSCO / DiS, synthpop's TCAP since 1.9-3: how far the intruder can trust it
 *   matched      right / matched            DiSCO / iS, synthpop's TCAP before
 *   certain      right, and the key is homogeneous in the original too / matched   DiSDiO / iS
 * A share without a denominator is null, not 0: nothing was claimed, which is not the same as claims that were wrong.
 * Beside it stands how often the same claims would be right without the release (b3), and with a holdout about people who are
 * not in the data. Blind to how many people are concerned: conditional on success the figure hardly moves with the size of
 * the release and can rise while fewer people are at risk.
 */
const options = z.object({
  kind: choice(['conditional', 'matched', 'certain'], 'conditional').describe(
    'which share is the headline; all three are always given',
  ),
  ...attackOptions,
  ...preparationOptions,
})

type Kind = z.output<typeof options>['kind']

export const tcap = measure({
  ...ATTRIBUTE_ATTACK,
  id: 'tcap',
  title: 'Targeted correct attribution probability (TCAP)',
  summary: 'when the release shows one target value for a key, how often it is the right one',
  blindTo: 'how many people are concerned: it looks only at those about whom the release seems sure',
  isOfCounts: () => true,
  options,
  compute: (subject: Subject, chosen: z.output<typeof options>) => tcapFinding(attackOn(subject, chosen), chosen.kind),
  citations: ['taub2018', 'raab2024'],
  records: {
    cap: ATTACK_SCORES.cap,
    right: { riskier: 'higher', meaning: '1: the value shown is the person’s' },
    oneValueShown: ATTACK_SCORES.oneValueShown,
    matches: ATTACK_SCORES.matches,
  },
  literature: [
    { value: 0.1, meaning: 'certain above 10 % is warned of', source: 'riskutility' },
    { value: 0.8, meaning: 'a record with CAP of 0.8 or more is at high risk', source: 'riskutility' },
  ],
  sentence: ({ details: { conditional, DiS, DiSCO, baselines, chance } }) =>
    `for ${percent(DiS)} of people the release shows one value${conditional.share === null ? '' : `, right in ${percent(conditional.share)} of cases`}${baselines?.b2.mean == null ? '' : ` (one key alone: ${percent(baselines.b2.mean)})`}; right for ${percent(DiSCO)} of all, by chance ${percent(chance.expected)}`,
  tables: ({ details: { certain, matched, conditional } }) => [
    findingTable('kinds', 'TCAP by definition', Object.entries({ certain, matched, conditional }), [
      [column.text('kind'), ([kind]) => kind],
      [column.share('share'), ([, { share }]) => share],
      [column.count('records'), ([, { count: records }]) => records],
      [column.count('of'), ([, { of: all }]) => all],
    ]),
  ],
  charts: ({ details }, { name }) => [
    ...capCharts(details.cap, name, [
      ...(details.cap.mean === null ? [] : [{ value: details.cap.mean, label: 'mean' }]),
      ...(details.cap.max === null ? [] : [{ value: details.cap.max, label: 'max' }]),
      { value: details.modalBaseline, label: 'baseline' },
    ]),
    barChart({ name: 'levels', red: 'high', title: `Matched records by CAP: ${name}`, x: '', y: 'records' }, [
      { label: 'low (< 0.5)', value: details.levels.low },
      { label: 'medium (0.5 to 0.8)', value: details.levels.medium },
      { label: 'high (>= 0.8)', value: details.levels.high, alarm: details.levels.high > 0 },
    ]),
  ],
})

/** `nothingClaimed` is the conditional share where the release shows one value to nobody. */
export function tcapFinding(attack: Attack, kind: Kind, nothingClaimed: number | null = null) {
  const { cells, matches, exact, release, outsiders } = attack
  const steps = intruderSteps(attack)
  const shares = sharesOf(steps, exact, nothingClaimed)
  const { share } = shares[kind]
  const behind = recordsBehind(steps, kind)
  const scores = capScores(attack)
  const levels = capLevels(scores.cap, cells.timesOfTruth)
  const DiSCO = steps.right / cells.nd
  const baselines = exact ? baselinesAt(release, cells) : null
  const gains = exact && kind !== 'certain' ? claimGains(release, cells) : null
  return {
    value: share,
    ...(share === null ? { reason: undefinedBecause(kind) } : evidence(attack, share, steps, kind, baselines, gains)),
    interval: share === null || behind === 0 ? null : wilson(share * behind, behind),
    ...(gains === null ? {} : { added: () => attack.toRows(perRecord(cells, (cell) => gains[cell])) }),
    details: {
      kind,
      matching: attack.matching,
      ...shares,
      /** Shares of all original records: matched, one value shown, and that one right. */
      iS: steps.matched / cells.nd,
      DiS: steps.shown / cells.nd,
      DiSCO,
      chance: chanceOfDisco(DiSCO, cells, attack.near),
      baselines,
      marginal: outsiders === null ? null : marginalOf(attack, steps, outsiders, kind),
      cap: scores.summary,
      levels,
      highShare: scores.summary.matched > 0 ? levels.high / scores.summary.matched : null,
      ...modalFigures(attack, scores.summary),
      dropped: attack.dropped,
      targetGrouping: cells.target.grouping,
    },
    warnings: attack.warnings,
    records: () => ({
      cap: attack.toRows(scores.cap),
      matches: attack.toRows(scores.matches),
      oneValueShown: attack.toRows(perRecord(cells, (cell) => matches.homogeneous[cells.classOf[cell]])),
      right: attack.toRows(perRecord(cells, (cell) => Number(isRightForSure(attack, cell)))),
    }),
  }
}

/** With Gower a class is not what was matched, so there a right claim is certain as it is. */
function sharesOf(steps: IntruderSteps, exact: boolean, nothingClaimed: number | null = null) {
  const share = (count: number, all: number, otherwise: number | null = null) => ({
    share: all > 0 ? count / all : otherwise,
    count,
    of: all,
  })
  return {
    conditional: share(steps.right, steps.shown, nothingClaimed),
    matched: share(steps.right, steps.matched),
    certain: share(exact ? steps.known : steps.right, steps.matched),
  }
}

function recordsBehind({ records }: IntruderSteps, kind: Kind): number {
  return kind === 'conditional' ? records.shown : records.matched
}

/** How many matched records stand out, by riskutility's cuts at 0.5 and 0.8. */
function capLevels(cap: Float64Array, times: Int32Array | null) {
  const atLeast = (cut: number) => countWhere(cap, (value) => value >= cut, times)
  return { high: atLeast(0.8), medium: atLeast(0.5) - atLeast(0.8), low: atLeast(0) - atLeast(0.5) }
}

/**
 * The same claims made from everybody else's records, and about people outside the release. For `certain` only the right
 * claims are looked at, so that other people's records cannot be right less often.
 */
function evidence(
  attack: Attack,
  share: number,
  steps: IntruderSteps,
  kind: Kind,
  baselines: Baselines | null,
  gains: Float64Array | null,
) {
  const { release, exact, outsiders } = attack
  const itself = attack.itself()
  const copied = sharesOf(intruderSteps(itself), exact)[kind].share
  const margin = baselines === null ? null : marginAlone(baselines, steps, kind)
  const ends = {
    ...(margin === null ? {} : { nothing: { value: margin, se: null, what: 'the margin of the target' } }),
    ...(copied === null ? {} : { everything: theOriginal(copied) }),
  }
  const behind = recordsBehind(steps, kind)
  const gainOf = (people: Attacked, ofCells: Float64Array) =>
    meanGain(people.cells, ofCells, claimedCells(people, kind))
  const others =
    gains === null
      ? []
      : lookAtOthers(share, gainOf(attack, gains), gainOf(itself, claimGains(release, itself.cells)), ends)
  const outside = outsiders === null ? null : intruderSteps(outsiders)
  const theirs = outside === null ? null : sharesOf(outside, exact)[kind].share
  const looks =
    outside === null || theirs === null || behind === 0
      ? []
      : [lookAtOutsiders(tally(share, behind), tally(theirs, recordsBehind(outside, kind)), ends)]
  return { ...evidenceOf([...others, ...looks], ends, whyNot(kind, gains)), people: null }
}

/** How often the claims would be right from the margin of the target alone. */
function marginAlone({ b1, claims }: Baselines, { matched }: IntruderSteps, kind: Kind): number | null {
  if (kind === 'certain' || b1.mean === null) return null
  return kind === 'conditional' ? b1.mean : (b1.mean * claims) / matched
}

/** Cells whose people are in the denominator. */
function claimedCells({ cells, matches: { records, homogeneous } }: Attacked, kind: Kind): Uint8Array {
  return Uint8Array.from(cells.classOf, (q) => (kind === 'conditional' ? homogeneous[q] : Number(records[q] > 0)))
}

function whyNot(kind: Kind, gains: Float64Array | null): string {
  if (kind === 'certain')
    return 'only claims that are right are looked at, which can be compared with people outside the release alone: there is no holdout'
  return gains === null ? BY_DISTANCE : ONE_CLASS
}

function undefinedBecause(kind: Kind): string {
  return kind === 'conditional'
    ? 'no key of the original shows one single target value in the release, so nothing is claimed'
    : 'no record of the original has a match in the release'
}

function marginalOf({ cells, exact }: Attack, steps: IntruderSteps, outsiders: Attacked, kind: Kind) {
  const outside = intruderSteps(outsiders)
  const [own, theirs] = [steps, outside].map((people) => sharesOf(people, exact)[kind].share)
  const [n, m] = [cells.n, outsiders.cells.n]
  return {
    DiSCO: marginalShare(steps.right / cells.nd, n, outside.right / outsiders.cells.nd, m),
    ofKind:
      own === null || theirs === null
        ? null
        : marginalShare(own, recordsBehind(steps, kind), theirs, recordsBehind(outside, kind)),
  }
}
