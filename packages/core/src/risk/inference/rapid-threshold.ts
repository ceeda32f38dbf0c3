import { z } from 'zod'
import { lineChart, linesOver } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, real, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { attackRelease } from './attack/attack.js'
import { attackOptions, attackProblems } from './attack/attackers.js'
import { withThreshold } from './rates/curve.js'
import { flagOptions, flagsOf, RAPID, worstAttack } from './rates/evaluation.js'
import { compareWithChance, gridOf, placeOf, studentisedRates, type ThresholdRow } from './rates/threshold-search.js'

/**
 * A threshold for RAPID that comes from the data. On a grid of thresholds t the rate R(t) is compared with the rates R*(t)
 * under permuted targets, the same permutations for all t:
 *
 *   largest-significant  the most demanding t (largest tau, smallest epsilon) at which R(t) exceeds chance
 *   null-floor           the least demanding t at which the upper quantile of R*(t) is at most `floor`
 *
 * R(t) exceeds chance when (R(t) - m(t)) / s(t), m and s the exact mean and standard deviation of R*(t), is larger than the
 * 1 - alpha quantile of the maximum of the same over the grid (Westfall and Young 1993), so that alpha is the error of the
 * whole search; `pointwise` compares R(t) with the quantile of R*(t) alone, as riskutility does.
 * A threshold found so must not be used for a test on the same data, and it says nothing about what is tolerable. The rate at it
 * has no interval: other people would have led to another threshold.
 */
const options = z.object({
  ...attackOptions,
  ...flagOptions,
  rule: choice(['largest-significant', 'null-floor'], 'largest-significant').describe(
    'largest-significant: the most demanding threshold that exceeds chance; null-floor: the least demanding one that chance rarely passes',
  ),
  control: choice(['simultaneous', 'pointwise'], 'simultaneous').describe(
    'alpha is the error over the whole grid, or at each threshold (riskutility)',
  ),
  alpha: real(SIGNIFICANCE, { above: 0, below: 1 }).describe('error probability'),
  floor: real(0.05, { min: 0, max: 1 }).describe('null-floor: the rate by chance that is tolerated'),
  permutations: whole(199, { min: 1 }).describe('permutations of the target'),
  grid: z
    .array(z.number())
    .min(1)
    .readonly()
    .nullable()
    .default(null)
    .describe(
      'thresholds to choose from; null: 0.05 to 0.95 in steps of 0.05, for numbers 0.01 to 0.49 in steps of 0.02',
    ),
})

export type Options = z.output<typeof options>

const REUSE = 'the threshold was chosen from these data; do not test at it on the same data'

export const rapidThreshold = measure({
  id: 'rapid-threshold',
  title: 'RAPID: threshold from the data',
  summary: 'RAPID at the threshold that a rule picks by comparison with chance',
  ...RAPID,
  role: 'diagnoses',
  unit: 'share',
  blindTo: 'what is tolerable, and whether what is learned comes from people being in the data',
  options,
  check: (release, chosen) => [...attackProblems(release, chosen), ...permutationProblems(chosen)],
  compute,
  sentence: ({ details: { threshold, rate, chance } }) =>
    `at the threshold ${threshold} that the data suggest, ${percent(rate ?? 0)} of people are at risk, ${percent(chance ?? 0)} by chance`,
  tables: ({ details }) => [
    findingTable('thresholds', 'At risk by threshold, and by chance', details.table, [
      [column.number('threshold'), ({ threshold }) => threshold],
      [column.share('observed'), ({ observed }) => observed],
      [column.share('by chance'), ({ chance }) => chance],
      [column.share('bound'), ({ bound }) => bound],
      [column.text('more than chance'), ({ significant }) => (significant ? 'yes' : 'no')],
    ]),
  ],
  charts: ({ details }, { name }) => [
    lineChart(
      { name: 'thresholds', title: `Choice of the threshold: ${name}`, x: 'threshold', y: 'share of records' },
      linesOver(details.table, 'threshold', { observed: 'observed', bound: 'bound of chance' }),
      details.threshold === null ? {} : { rules: [{ value: details.threshold, label: 'chosen' }] },
    ),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { scene, attacks } = await attackRelease(subject, chosen, context)
  const { attack } = worstAttack(attacks, chosen)
  const { members } = attack
  const grid = gridOf(members, chosen)
  const excesses = studentisedRates(members, grid, chosen, context)
  const { table, criticalValue } = compareWithChance(members, grid, excesses, chosen)
  const row = recommended(table, chosen, members.predictions.kind === 'classes')
  const at = row === undefined ? null : flagsOf(members, withThreshold(chosen, members, row.threshold))
  return {
    value: at?.rate ?? null,
    ...(at === null ? { reason: noThreshold(chosen) } : {}),
    interval: null,
    ...(row === undefined
      ? {}
      : { controls: { nothing: { value: row.chance, se: row.chanceSd, what: 'true targets dealt out at random' } } }),
    details: {
      target: members.predictions.kind,
      attacker: attack.attacker,
      records: members.rows.length,
      /** Null when no threshold of the grid satisfies the rule. */
      threshold: row?.threshold ?? null,
      /** RAPID at this threshold, and what chance gives there. */
      rate: at?.rate ?? null,
      chance: row?.chance ?? null,
      /** Upper quantile of the largest studentised excess over the grid; null where chance never varies. */
      criticalValue,
      permutations: chosen.permutations,
      table,
    },
    warnings: [...scene.warnings, ...(row === undefined ? [] : [REUSE])],
  }
}

function noThreshold({ rule, floor }: Options): string {
  return rule === 'null-floor'
    ? `chance alone puts more than ${percent(floor)} of people at risk at every threshold`
    : 'at no threshold are more people at risk than by chance'
}

function permutationProblems({ permutations, alpha }: Options): string[] {
  return placeOf(permutations, alpha) < permutations
    ? []
    : [`permutations: alpha ${alpha} needs at least ${Math.ceil(1 / alpha) - 1}, not ${permutations}`]
}

function recommended(
  table: readonly ThresholdRow[],
  { rule, floor }: Options,
  isClasses: boolean,
): ThresholdRow | undefined {
  if (rule === 'null-floor') {
    const rare = (row: ThresholdRow) => row.chanceQuantile <= floor
    return isClasses ? table.find(rare) : table.findLast(rare)
  }
  return isClasses ? table.findLast(({ significant }) => significant) : table.find(({ significant }) => significant)
}
