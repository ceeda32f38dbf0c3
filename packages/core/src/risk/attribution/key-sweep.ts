import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { standardDeviation } from '../../stats/sums.js'
import { groupByKeys, type Part } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { baselinesAt } from './baselines.js'
import { countCells } from './cells.js'
import { chanceOfDcap, chanceOfDisco } from './chance.js'
import { NO_EXCLUSIONS } from './exclusions.js'
import { figures } from './figures.js'
import { marginalDisco } from './holdout.js'
import { keySubsets, overSubsets, sizesWithin, sweepProblems } from './key-subsets.js'
import { nothingToLearn, type PreparedTarget, prepareTarget, targetGroups } from './target.js'

/**
 * The attack with every set of keys that an intruder may know. Attribution figures depend strongly on the keys chosen, so
 * one key set is no assessment: with few keys classes are large and mixed, with many the release has no match. For every
 * subset of the sizes asked for the figures are computed anew; reported are their mean, spread, the worst subset, and each
 * key's effect, the mean over sets with it less the mean over sets without it.
 * The maximum over many sets is larger than any one of them for mere chance, so the headline is the mean.
 */
const FIGURES = [
  'DiSCO',
  'DCAPd',
  'TCAP',
  'excess',
  'discoChance',
  'dcapChance',
  'marginal',
  'iS',
  'UiO',
  'UiOiS',
  'repU',
] as const

/** Figures that need nothing but keys. */
const IDENTITY_FIGURES: ReadonlySet<string> = new Set(['iS', 'UiO', 'UiOiS', 'repU'])

const options = z.object({
  figure: z
    .enum(FIGURES)
    .default('excess')
    .describe(
      'what is summarised: excess (DiSCO beyond one key), DiSCO, DCAPd, TCAP, discoChance and dcapChance (beyond chance), marginal (DiSCO beyond the holdout), iS, UiO, UiOiS, repU',
    ),
  min: z.number().int().min(1).default(1).describe('fewest keys in a set'),
  max: z.number().int().min(1).default(4).describe('most keys in a set'),
  limit: z.number().int().min(1).default(500).describe('most key sets looked at; beyond it a random sample'),
  targetGroups,
})

type FigureName = (typeof FIGURES)[number]
type SubsetFigures = Readonly<Record<FigureName, number | null>> & { readonly keys: readonly string[] }

type Summary = {
  readonly mean: number | null
  readonly sd: number | null
  readonly min: number | null
  readonly max: number | null
  readonly undefinedCount: number
}

type Details = {
  readonly figure: FigureName
  readonly sizes: { readonly min: number; readonly max: number }
  readonly total: number
  readonly evaluated: number
  /** The chosen figure over the key sets. */
  readonly summary: Summary
  readonly worst: readonly string[] | null
  readonly bySize: readonly ({ readonly size: number } & Summary)[]
  /** Mean over sets with the key less mean over sets without it; null where one of the two is empty. */
  readonly effects: readonly { readonly key: string; readonly effect: number | null }[]
  /** DiSCO beyond what one key alone tells (b2). */
  readonly excess: Summary
  readonly subsets: readonly SubsetFigures[]
  readonly targetGrouping: string
}

export const keySweep = measure({
  id: 'key-sweep',
  version: 1,
  title: 'Sweep over key sets',
  summary: 'attribution and identity figures for every set of keys an intruder may know',
  family: 'attribution',
  threat: 'attribute',
  role: 'diagnoses',
  orientation: 'risk',
  scope: 'pair',
  range: [-1, 1],
  needs: ['keys', 'target'],
  needsWith: ({ figure }, { targets }) =>
    IDENTITY_FIGURES.has(figure) && targets.length === 0 ? ['keys'] : ['keys', 'target'],
  unit: 'difference',
  blindTo: 'knowledge outside the keys given, and values known approximately',
  options,
  check: (release, chosen) => [
    ...sweepProblems(release.keys, chosen),
    ...(chosen.figure === 'marginal' && release.holdout === null ? ['the figure "marginal" needs a holdout'] : []),
  ],
  compute,
  thresholds: { literature: [] },
  sentence: ({ details: { figure, summary, worst, evaluated } }) =>
    `${figure} is ${percent(summary.mean ?? 0)} on average over ${evaluated} key sets, ${percent(summary.min ?? 0)} to ${percent(summary.max ?? 0)}; most with ${worst?.join(', ') ?? 'none'}`,
  charts: ({ details: { figure, subsets, effects } }, { name }) => [
    barChart(
      { name: 'key-sets', title: `${figure} by key set, largest first: ${name}`, x: 'keys', y: figure },
      ranked(subsets, figure)
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
      effects.flatMap(({ key, effect }) => (effect === null ? [] : [{ label: key, value: effect }])),
    ),
  ],
})

const MOST_SHOWN = 20

function compute(
  { release, part, target }: Subject,
  chosen: z.output<typeof options>,
  context: Context,
): Finding<Details> {
  const sizes = sizesWithin(release.keys, chosen)
  const found = keySubsets(release.keys, sizes, chosen.limit, context)
  const prepared =
    target === '' ? nothingToLearn(release, release.keys[0]) : prepareTarget(release, target, chosen.targetGroups)
  const subsets = overSubsets(found, context, (keys) => figuresOf(release, part, keys, prepared))
  const { figure } = chosen
  const summary = summarise(subsets, figure)
  const excess = summarise(subsets, 'excess')
  return {
    value: summary.mean,
    ...(summary.mean === null ? { reason: `${figure} is undefined for every key set` } : {}),
    interval: null,
    details: {
      figure,
      sizes,
      total: found.total,
      evaluated: subsets.length,
      summary,
      worst: ranked(subsets, figure)[0]?.keys ?? null,
      bySize: [...new Set(subsets.map(({ keys }) => keys.length))].map((size) => ({
        size,
        ...summarise(
          subsets.filter(({ keys }) => keys.length === size),
          figure,
        ),
      })),
      effects: release.keys.map((key) => ({ key, effect: effectOf(subsets, figure, key) })),
      excess,
      subsets,
      targetGrouping: prepared.grouping,
    },
    warnings:
      found.total > subsets.length
        ? [`${subsets.length} of ${found.total} key sets were looked at, drawn at random`]
        : [],
  }
}

/** Classes and cells of one key set, forgotten afterwards so that memory does not grow with the number of sets. */
function figuresOf(release: Release, part: Part, keys: readonly string[], target: PreparedTarget): SubsetFigures {
  const classes = groupByKeys(release, keys)
  const cells = countCells(release, 'original', part, classes, target)
  const { identity, attribute, cap } = figures(cells, new Uint8Array(cells.level.length), NO_EXCLUSIONS, false)
  const { UiO, UiOiS, repU } = identity
  const known = { keys, iS: attribute.iS, UiO, UiOiS, repU }
  if (target.name === '') return { ...NOTHING_LEARNED, ...known }
  return {
    ...known,
    DiSCO: attribute.DiSCO,
    DCAPd: cap.DCAPd,
    TCAP: cap.TCAP,
    excess: baselinesAt(release, cells).b2.excess,
    discoChance: chanceOfDisco(attribute.DiSCO, cells).excess,
    dcapChance: chanceOfDcap(cap.DCAPd, cells).excess,
    marginal:
      release.holdout === null
        ? null
        : marginalDisco(cells, countCells(release, 'holdout', part, classes, target)).difference,
  }
}

/** Without a target nothing is attributed. */
const NOTHING_LEARNED = {
  DiSCO: null,
  DCAPd: null,
  TCAP: null,
  excess: null,
  discoChance: null,
  dcapChance: null,
  marginal: null,
}

function valuesOf(subsets: readonly SubsetFigures[], figure: FigureName): number[] {
  return subsets.flatMap((subset) => subset[figure] ?? [])
}

function summarise(subsets: readonly SubsetFigures[], figure: FigureName): Summary {
  const values = valuesOf(subsets, figure)
  return {
    mean: meanOf(values),
    sd: standardDeviation(values),
    min: values.length === 0 ? null : Math.min(...values),
    max: values.length === 0 ? null : Math.max(...values),
    undefinedCount: subsets.length - values.length,
  }
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Key sets with the largest value first; equal ones in the order of the sweep. */
function ranked(subsets: readonly SubsetFigures[], figure: FigureName) {
  return subsets
    .flatMap((subset) => {
      const value = subset[figure]
      return value === null ? [] : [{ keys: subset.keys, value }]
    })
    .sort((a, b) => b.value - a.value)
}

function effectOf(subsets: readonly SubsetFigures[], figure: FigureName, key: string): number | null {
  const withKey = meanOf(
    valuesOf(
      subsets.filter(({ keys }) => keys.includes(key)),
      figure,
    ),
  )
  const without = meanOf(
    valuesOf(
      subsets.filter(({ keys }) => !keys.includes(key)),
      figure,
    ),
  )
  return withKey === null || without === null ? null : withKey - without
}
