import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { ATTRIBUTE } from './counts/attack.js'
import { nothingToLearn, prepareTarget, targetGroups } from './counts/target.js'
import {
  bySize,
  keySubsets,
  meanOf,
  overSubsets,
  type SubsetValue,
  sampledWarning,
  sizesWithin,
  summarise,
  sweepLimit,
  sweepProblems,
} from './subsets/key-subsets.js'
import { ATTRIBUTE_FIGURES, figuresOf, IDENTITY_FIGURES, valuesOf } from './subsets/swept-figures.js'

/**
 * The attack with every set of keys that an intruder may know. Attribution figures depend strongly on the keys chosen, so
 * one key set is no assessment: with few keys classes are large and mixed, with many the release has no match. For every
 * subset of the sizes asked for the figures are computed anew; reported are their mean, spread, the worst subset, and each
 * key's effect, the mean over sets with it less the mean over sets without it.
 * The maximum over many sets is larger than any one of them for mere chance, so the headline is the mean.
 */
const options = z.object({
  figure: choice([...ATTRIBUTE_FIGURES, ...IDENTITY_FIGURES], 'excess').describe(
    'what is summarised: excess (DiSCO beyond one key), DiSCO, DCAPd, TCAP, discoChance and dcapChance (beyond chance), marginal (DiSCO beyond the holdout), iS, UiO, UiOiS, repU',
  ),
  min: whole(1, { min: 1 }).describe('fewest keys in a set'),
  max: whole(4, { min: 1 }).describe('most keys in a set'),
  limit: sweepLimit,
  targetGroups,
})

export type Options = z.output<typeof options>

const MOST_SHOWN = 20

export const keySweep = measure({
  ...ATTRIBUTE,
  id: 'key-sweep',
  title: 'Sweep over key sets',
  summary: 'attribution and identity figures for every set of keys an intruder may know',
  role: 'diagnoses',
  range: [-1, 1],
  needsWith: ({ figure }, { targets }) =>
    IDENTITY_FIGURES.some((name) => name === figure) && targets.length === 0 ? ['keys'] : ['keys', 'target'],
  unit: 'difference',
  blindTo: 'knowledge outside the keys given, and values known approximately',
  isOfCounts: () => true,
  options,
  check: (release, chosen) => [
    ...sweepProblems(release.keys, chosen),
    ...(chosen.figure === 'marginal' && release.holdout === null ? ['the figure "marginal" needs a holdout'] : []),
  ],
  compute,
  sentence: ({ details: { figure, summary, worst, evaluated } }) =>
    `${figure} is ${percent(summary.mean ?? 0)} on average over ${evaluated} key sets, ${percent(summary.min ?? 0)} to ${percent(summary.max ?? 0)}; most with ${worst?.join(', ') ?? 'none'}`,
  tables: ({ details }) => [
    findingTable('subsets', 'By set of keys', details.subsets, [
      [column.text('keys'), ({ keys }) => keys.join(', ')],
      [column.share('iS'), ({ iS }) => iS],
      [column.share('repU'), ({ repU }) => repU],
      [column.share('DiSCO'), ({ DiSCO }) => DiSCO],
      [column.share('DCAPd'), ({ DCAPd }) => DCAPd],
      [column.share('TCAP'), ({ TCAP }) => TCAP],
    ]),
    findingTable('effects', 'What a key adds', details.effects, [
      [column.text('key'), ({ key }) => key],
      [column.share('effect'), ({ effect }) => effect],
    ]),
  ],
  charts: ({ details: { figure, subsets, effects } }, { name }) => [
    barChart(
      { name: 'key-sets', title: `Key sets by ${figure}, largest first: ${name}`, x: 'keys', y: figure },
      ranked(valuesOf(subsets, figure))
        .slice(0, MOST_SHOWN)
        .map(({ keys, value }) => ({ label: keys.join(' + '), value })),
    ),
    barChart(
      {
        name: 'key-effects',
        title: `What each key adds to ${figure}: ${name}`,
        x: 'key',
        y: 'mean with less mean without',
      },
      effects.map(({ key, effect }) => ({ label: key, value: effect })),
    ),
  ],
})

function compute({ release, part, target }: Subject, { figure, ...chosen }: Options, context: Context) {
  const sizes = sizesWithin(release.keys, chosen)
  const sets = keySubsets(release.keys, sizes, chosen.limit, context)
  const prepared =
    target === '' ? nothingToLearn(release, release.keys[0]) : prepareTarget(release, target, chosen.targetGroups)
  const subsets = overSubsets(sets, context, (keys) => figuresOf(release, part, keys, prepared))
  const values = valuesOf(subsets, figure)
  const summary = summarise(values)
  return {
    value: summary.mean,
    ...(summary.mean === null ? { reason: `${figure} is undefined for every key set` } : {}),
    interval: null,
    details: {
      figure,
      sizes: { ...sizes },
      total: sets.total,
      evaluated: subsets.length,
      /** The chosen figure over the key sets. */
      summary,
      worst: ranked(values)[0]?.keys ?? null,
      bySize: bySize(values).map(({ size, subsets: ofSize }) => ({ size, ...summarise(ofSize) })),
      /** Mean over sets with the key less mean over sets without it; null where one of the two is empty. */
      effects: release.keys.map((key) => ({ key, effect: effectOf(values, key) })),
      /** DiSCO beyond what one key alone tells (b2). */
      excess: summarise(valuesOf(subsets, 'excess')),
      subsets,
      targetGrouping: prepared.grouping,
    },
    warnings: sampledWarning(sets),
  }
}

/** Key sets with the largest value first; equal ones in the order of the sweep. */
function ranked(values: readonly SubsetValue[]) {
  return values
    .flatMap(({ keys, value }) => (value === null ? [] : [{ keys, value }]))
    .sort((a, b) => b.value - a.value)
}

function effectOf(values: readonly SubsetValue[], key: string): number | null {
  const meanOfSets = (hasKey: boolean) =>
    meanOf(values.filter(({ keys }) => keys.includes(key) === hasKey).map(({ value }) => value))
  const withKey = meanOfSets(true)
  const without = meanOfSets(false)
  return withKey === null || without === null ? null : withKey - without
}
