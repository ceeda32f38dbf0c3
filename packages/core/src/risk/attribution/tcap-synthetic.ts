import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { normalEffect } from '../../evidence/effects.js'
import type { Control, Controls } from '../../evidence/evidence.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, real } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { groupByKeys, remember } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { ATTRIBUTE, ATTRIBUTE_ATTACK } from './counts/attack.js'
import { cellsOf, countCells, marginAgreement } from './counts/cells.js'
import { claimsOf, tauPoint } from './counts/claims.js'
import { type PreparedTarget, prepareTarget, targetGroups } from './counts/target.js'
import { baselinesAt } from './figures/baselines.js'
import { theOriginal } from './figures/gains.js'
import {
  bySize,
  type KeySubsets,
  keySubsets,
  meanOf,
  overSubsets,
  sampledWarning,
  sizesWithin,
  summarise,
  sweepLimit,
  sweepProblems,
} from './subsets/key-subsets.js'
import { type Jackknife, jackknifeOver, marginalOf, scoreOf, scoreSubset } from './subsets/scored-subsets.js'

/**
 * TCAP as Taub, Elliot, Pampaka and Smith (2018) and Little, Elliot and Allmendinger (2022) count it: over released
 * records. Keep those whose class is uniform enough, WEAP_j = s_{t_j q_j} / s_{q_j} >= tau; the score of a kept record is
 * how often its target is right among the original records with its keys, d_{t_j q_j} / d_{q_j}. A kept record whose keys
 * the original lacks is left out (`undefined`) or counts 0 (`zero`).
 * The overall score is the plain mean over all key sets of 3 to 6 keys. With a holdout the same is done for people who are
 * not in the data, and the difference is the marginal risk.
 * Averages over released records count a class as often as the release has it, and the two conventions can be far apart, so
 * `persons` says for how many people something is claimed, and rightly.
 *
 * The effect is the marginal risk over the key sets that tell about both, with a jackknife standard error over people. Without
 * a holdout there is none: what released records say of people in general is not known. Blind to how many people a class
 * that the release repeats stands for.
 */
const options = z.object({
  tau: real(1, { min: 0, max: 1 }).describe('how uniform a class of the release must be'),
  nonMatches: choice(['undefined', 'zero'], 'undefined').describe(
    'released records whose keys the original lacks: left out, or scored 0',
  ),
  sweep: z
    .object({ min: z.number().int().min(1).default(3), max: z.number().int().min(1).default(6) })
    .prefault({})
    .describe('smallest and largest key sets of the mean; with fewer keys, all of them'),
  limit: sweepLimit,
  targetGroups,
})

export type Options = z.output<typeof options>

export const tcapSynthetic = measure({
  ...ATTRIBUTE,
  id: 'tcap-synthetic',
  title: 'TCAP over released records',
  summary: 'how often released records in uniform classes are right about the original, over all key sets',
  role: 'supports',
  blindTo: 'how many people a class stands for that the release repeats',
  fooledBy: {
    'leave the step': ATTRIBUTE_ATTACK.fooledBy['leave the step'],
    'pad with noise': 'no class of the release shows one value any more',
  },
  pools: true,
  isOfCounts: () => true,
  options,
  check: (release, { sweep }) => sweepProblems(release.keys, sweep),
  compute,
  citations: ['taub2018'],
  sentence: ({ value, details: { sweep, baseline, persons, marginal } }) =>
    `released records that seem sure are right in ${percent(value ?? 0)} of cases over ${sweep.evaluated} key sets (from the margin ${percent(baseline)})${marginal?.sweep ? `, ${percent(marginal.sweep.difference)} more than about people who are not in the data` : ''}; with all keys ${percent(persons.hits)} of people are claimed rightly`,
  tables: ({ details: { sweep } }) => [
    findingTable('subsets', 'TCAP by set of keys', sweep.subsets, [
      [column.text('keys'), ({ keys }) => keys.join(', ')],
      [column.share('TCAP'), (subset) => subset.undefined],
      [column.share('non-matches 0'), ({ zero }) => zero],
      [column.share('holdout'), ({ holdout }) => holdout],
    ]),
  ],
  charts: ({ details: { sweep, baseline } }, { name }) => [
    barChart(
      { name: 'by-size', title: `TCAP by number of keys: ${name}`, grey: 'people outside', x: 'keys', y: 'mean TCAP' },
      sweep.bySize.flatMap(({ size, mean, holdout }) => [
        { label: String(size), value: holdout, series: 'original' as const },
        { label: String(size), value: mean },
      ]),
      [{ value: baseline, label: 'margin' }],
    ),
  ],
})

function compute({ release, part, target: name }: Subject, chosen: Options, context: Context) {
  const { min, max } = chosen.sweep
  const { tau, nonMatches } = chosen
  const target = prepareTarget(release, name, chosen.targetGroups)
  const cells = cellsOf(release, 'original', part, target)
  const held = release.holdout === null ? null : cellsOf(release, 'holdout', part, target)
  const sizes = sizesWithin(release.keys, chosen.sweep)
  const sets = keySubsets(release.keys, sizes, chosen.limit, context)
  const errors = held === null ? null : { original: jackknifeOver(cells), holdout: jackknifeOver(held) }
  const subsets = overSubsets(sets, context, (keys) => scoreSubset(release, part, keys, target, chosen, errors))
  const values = subsets.map((subset) => ({ keys: subset.keys, value: subset[nonMatches] }))
  const { mean, sd, min: least, max: most, undefinedCount } = summarise(values)
  const persons = tauPoint(cells, claimsOf(cells), tau)
  const allKeys = scoreOf(cells, tau)
  const marginal = held === null ? null : marginalOf(cells, held, subsets, allKeys[nonMatches], persons, chosen)
  const ends = {
    nothing: { value: marginAgreement(cells), se: null, what: 'a guess from the margin of the target' },
    ...copiedControl(release, sets, target, chosen),
  }
  return {
    value: mean,
    ...(mean === null
      ? { reason: 'in no key set does a uniform class of the release occur in the original' }
      : evidence(mean, marginal?.sweep?.difference ?? null, errors, ends)),
    interval: null,
    details: {
      tau,
      nonMatches,
      /** All keys together. */
      allKeys,
      /** Without the condition on uniformity (tau = 0): the mean CAP over released records. */
      meanCap: scoreOf(cells, 0),
      /** Sum of squared target shares of the original: a guess from its margin. */
      baseline: marginAgreement(cells),
      /** Of the original's people: claimed, rightly claimed, and how often a claim is right. */
      persons,
      sweep: {
        sizes: { ...sizes },
        total: sets.total,
        evaluated: subsets.length,
        undefinedCount,
        mean,
        sd,
        min: least,
        max: most,
        worst: values.find(({ value }) => value !== null && value === most)?.keys ?? null,
        bySize: bySize(subsets).map(({ size, subsets: ofSize }) => ({
          size,
          mean: meanOf(ofSize.map((subset) => subset[nonMatches])),
          holdout: meanOf(ofSize.map(({ holdout }) => holdout)),
        })),
        subsets,
      },
      marginal,
      baselines: baselinesAt(release, cells, tau),
      targetGrouping: target.grouping,
    },
    warnings: [
      ...sampledWarning(sets),
      ...(max > sizes.max || min > sizes.min ? [`there are only ${release.keys.length} keys to choose sets from`] : []),
    ],
  }
}

/** Of the original and of the holdout. */
export type Errors = { readonly original: Jackknife; readonly holdout: Jackknife }

/** Against people outside the release, over the key sets that tell about both. */
function evidence(
  value: number,
  difference: number | null,
  errors: Errors | null,
  ends: Pick<Controls, 'nothing' | 'everything'>,
) {
  if (difference === null || errors === null)
    return {
      controls: ends,
      notAssessed: 'how often released records are right about people in general is known with a holdout only',
    }
  const se = errors.holdout.error()
  const fair = { value: value - difference, se, what: 'people outside the release', basis: 'outsiders' } as const
  return {
    controls: { ...ends, fair },
    effect: normalEffect(difference, Math.hypot(errors.original.error(), se)),
    people: null,
  }
}

/** What the same sweep finds when the original itself is released: 1 where only uniform classes count. */
function copiedControl(
  release: Release,
  { subsets }: KeySubsets,
  target: PreparedTarget,
  { tau, nonMatches }: Options,
): { everything?: Control } {
  const key = `tcap of the original ${JSON.stringify([target.id, tau, nonMatches, subsets])}`
  const scores = () =>
    subsets.map((keys) => {
      const classes = groupByKeys(release, keys)
      return scoreOf(countCells(release, 'original', 'original', classes, target), tau)[nonMatches]
    })
  const mean = tau === 1 ? 1 : remember(release, key, () => meanOf(scores()))
  return mean === null ? {} : { everything: theOriginal(mean) }
}
