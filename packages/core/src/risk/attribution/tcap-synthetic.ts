import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { UserError } from '../../errors.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { standardDeviation } from '../../stats/sums.js'
import { groupByKeys, type Part } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Baselines, baselinesAt } from './baselines.js'
import { type Cells, cellsOf, countCells } from './cells.js'
import { claimsOf, TAU_SLACK, type TauPoint, tauPoint } from './claims.js'
import { type MarginalRisk, marginalShare } from './holdout.js'
import { keySubsets, overSubsets } from './key-subsets.js'
import { type PreparedTarget, prepareTarget, targetGroups } from './target.js'
import { attributionVerdict } from './verdict.js'

/**
 * TCAP as Taub, Elliot, Pampaka and Smith (2018) and Little, Elliot and Allmendinger (2022) count it: over released
 * records. Keep those whose class is uniform enough, WEAP_j = s_{t_j q_j} / s_{q_j} >= tau; the score of a kept record is
 * how often its target is right among the original records with its keys, d_{t_j q_j} / d_{q_j}. A kept record whose keys
 * the original lacks is left out (`undefined`) or counts 0 (`zero`).
 * The overall score is the plain mean over all key sets of 3 to 6 keys. With a holdout the same is done for people who are
 * not in the data, and the difference is the marginal risk.
 * Averages over released records count a class as often as the release has it, and the two conventions can be far apart;
 * the verdict therefore rests on persons: for how many something is claimed, and rightly.
 */
const options = z.object({
  tau: z.number().min(0).max(1).default(1).describe('how uniform a class of the release must be'),
  nonMatches: z
    .enum(['undefined', 'zero'])
    .default('undefined')
    .describe('released records whose keys the original lacks: left out, or scored 0'),
  sweep: z
    .object({ min: z.number().int().min(1).default(3), max: z.number().int().min(1).default(6) })
    .prefault({})
    .describe('smallest and largest key sets of the mean; with fewer keys, all of them'),
  limit: z.number().int().min(1).default(500).describe('most key sets looked at; beyond it a random sample'),
  targetGroups,
})

type Options = z.output<typeof options>

type Score = {
  /** Released records kept, as a share of the release, and how many of these are in the truth. */
  readonly kept: number
  readonly coverage: number
  readonly matchRate: number | null
  /** Null where nothing is kept, or nothing kept is matched. */
  readonly undefined: number | null
  readonly zero: number | null
}

type Subset = {
  readonly keys: readonly string[]
  readonly undefined: number | null
  readonly zero: number | null
  /** The chosen convention against the holdout. */
  readonly holdout: number | null
}

type Details = {
  readonly tau: number
  readonly nonMatches: 'undefined' | 'zero'
  /** All keys together. */
  readonly allKeys: Score
  /** Without the condition on uniformity (tau = 0): the mean CAP over released records. */
  readonly meanCap: Score
  /** Sum of squared target shares of the original: a guess from its margin. */
  readonly baseline: number
  /** Of the original's people: claimed, rightly claimed, and how often a claim is right. */
  readonly persons: TauPoint
  readonly sweep: {
    readonly sizes: { readonly min: number; readonly max: number }
    readonly total: number
    readonly evaluated: number
    readonly undefinedCount: number
    readonly mean: number | null
    readonly sd: number | null
    readonly min: number | null
    readonly max: number | null
    readonly worst: readonly string[] | null
    readonly bySize: readonly { readonly size: number; readonly mean: number | null; readonly holdout: number | null }[]
    readonly subsets: readonly Subset[]
  }
  readonly marginal: {
    /** Original less holdout: all keys, and the mean over the key sets that both have. */
    readonly allKeys: { readonly original: number; readonly holdout: number; readonly difference: number } | null
    readonly sweep: {
      readonly original: number
      readonly holdout: number
      readonly difference: number
      readonly keySets: number
    } | null
    readonly persons: MarginalRisk
  } | null
  readonly baselines: Baselines
  readonly targetGrouping: string
}

export const tcapSynthetic = measure({
  id: 'tcap-synthetic',
  version: 1,
  title: 'TCAP over released records',
  summary: 'how often released records in uniform classes are right about the original, over all key sets',
  family: 'attribution',
  threat: 'attribute',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  pools: true,
  options,
  compute,
  thresholds: { literature: [] },
  sentence: ({ value, details: { sweep, baseline, persons, marginal } }) =>
    `released records that seem sure are right in ${percent(value ?? 0)} of cases over ${sweep.evaluated} key sets (from the margin ${percent(baseline)})${marginal?.sweep ? `, ${percent(marginal.sweep.difference)} more than about people who are not in the data` : ''}; with all keys ${percent(persons.hits)} of people are claimed rightly`,
  charts: ({ details: { sweep, baseline } }, { name }) => [
    barChart(
      { name: 'by-size', title: `TCAP by number of keys: ${name}`, x: 'keys', y: 'mean TCAP' },
      sweep.bySize.flatMap(({ size, mean, holdout }) => [
        ...(holdout === null ? [] : [{ label: String(size), value: holdout, series: 'original' as const }]),
        ...(mean === null ? [] : [{ label: String(size), value: mean }]),
      ]),
      [{ value: baseline, label: 'margin' }],
    ),
  ],
})

function compute({ release, part, target }: Subject, chosen: Options, context: Context): Finding<Details> {
  const { min, max } = chosen.sweep
  if (min > max) throw new UserError(`tcap-synthetic: the sweep from ${min} to ${max} keys is empty`)
  const cells = cellsOf(release, 'original', part, target, chosen.targetGroups)
  const held = release.holdout === null ? null : cellsOf(release, 'holdout', part, target, chosen.targetGroups)
  const sizes = { min: Math.min(min, release.keys.length), max: Math.min(max, release.keys.length) }
  const found = keySubsets(release.keys, { smallest: sizes.min, largest: sizes.max, limit: chosen.limit }, context)
  const prepared = prepareTarget(release, target, chosen.targetGroups)
  const subsets = overSubsets(found, context, (keys) => scoreSubset(release, part, keys, prepared, chosen))
  const sweep = summarise(subsets, chosen.nonMatches)
  const persons = tauPoint(cells, claimsOf(cells), chosen.tau)
  const baselines = baselinesAt(release, cells, chosen.tau)
  const allKeys = scoreOf(cells, chosen.tau)
  const marginal = held === null ? null : marginalOf(cells, held, subsets, allKeys, persons, chosen)
  return {
    value: sweep.mean,
    ...(sweep.mean === null
      ? { reason: 'in no key set does a uniform class of the release occur in the original' }
      : {}),
    interval: null,
    reference: marginal?.sweep
      ? { value: marginal.sweep.holdout, what: 'of outsiders' }
      : { value: marginOf(cells), what: 'guess from the margin' },
    verdict: attributionVerdict(baselines, marginal?.persons ?? null),
    details: {
      tau: chosen.tau,
      nonMatches: chosen.nonMatches,
      allKeys,
      meanCap: scoreOf(cells, 0),
      baseline: marginOf(cells),
      persons,
      sweep: { sizes, total: found.total, evaluated: subsets.length, ...sweep, subsets },
      marginal,
      baselines,
      targetGrouping: cells.target.grouping,
    },
    warnings: [
      ...(found.total > subsets.length
        ? [`${subsets.length} of ${found.total} key sets were looked at, drawn at random`]
        : []),
      ...(max > sizes.max || min > sizes.min ? [`there are only ${release.keys.length} keys to choose sets from`] : []),
    ],
  }
}

/** Hot in a sweep: one pass over the cells. */
function scoreOf(cells: Cells, tau: number): Score {
  let kept = 0
  let matched = 0
  let sum = 0
  for (let cell = 0; cell < cells.s.length; cell++) {
    const s = cells.s[cell]
    const q = cells.classOf[cell]
    if (s === 0 || s < (tau - TAU_SLACK) * cells.sClass[q]) continue
    kept += s
    if (cells.dClassCount[q] === 0) continue
    matched += s
    sum += (s * cells.d[cell]) / cells.dClass[q]
  }
  return {
    kept,
    coverage: kept / cells.ns,
    matchRate: kept > 0 ? matched / kept : null,
    undefined: matched > 0 ? sum / matched : null,
    zero: kept > 0 ? sum / kept : null,
  }
}

function scoreSubset(
  release: Release,
  part: Part,
  keys: readonly string[],
  target: PreparedTarget,
  { tau, nonMatches }: Options,
): Subset {
  const classes = groupByKeys(release, keys)
  const own = scoreOf(countCells(release, 'original', part, classes, target), tau)
  const holdout =
    release.holdout === null ? null : scoreOf(countCells(release, 'holdout', part, classes, target), tau)[nonMatches]
  return { keys, undefined: own.undefined, zero: own.zero, holdout }
}

function summarise(subsets: readonly Subset[], nonMatches: Options['nonMatches']) {
  const defined = subsets.flatMap((subset) => {
    const value = subset[nonMatches]
    return value === null ? [] : [{ keys: subset.keys, value }]
  })
  const values = defined.map(({ value }) => value)
  const max = values.length === 0 ? null : Math.max(...values)
  const sizes = [...new Set(subsets.map(({ keys }) => keys.length))]
  return {
    undefinedCount: subsets.length - defined.length,
    mean: meanOf(values),
    sd: standardDeviation(values),
    min: values.length === 0 ? null : Math.min(...values),
    max,
    worst: defined.find(({ value }) => value === max)?.keys ?? null,
    bySize: sizes.map((size) => {
      const those = subsets.filter(({ keys }) => keys.length === size)
      return {
        size,
        mean: meanOf(those.map((subset) => subset[nonMatches])),
        holdout: meanOf(those.map(({ holdout }) => holdout)),
      }
    }),
  }
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function marginOf(cells: Cells): number {
  return cells.dLevel.reduce((sum, count) => sum + (count / cells.nd) ** 2, 0)
}

function marginalOf(
  cells: Cells,
  held: Cells,
  subsets: readonly Subset[],
  allKeys: Score,
  persons: TauPoint,
  { tau, nonMatches }: Options,
): Details['marginal'] {
  const own = allKeys[nonMatches]
  const theirs = scoreOf(held, tau)[nonMatches]
  const both = subsets.flatMap((subset) => {
    const value = subset[nonMatches]
    return value === null || subset.holdout === null ? [] : [{ original: value, holdout: subset.holdout }]
  })
  const original = meanOf(both.map((one) => one.original))
  const holdout = meanOf(both.map((one) => one.holdout))
  const heldPersons = tauPoint(held, claimsOf(held), tau)
  return {
    allKeys: own === null || theirs === null ? null : { original: own, holdout: theirs, difference: own - theirs },
    sweep:
      original === null || holdout === null
        ? null
        : { original, holdout, difference: original - holdout, keySets: both.length },
    persons: marginalShare(persons.hits, cells.cellOfTruth.length, heldPersons.hits, held.cellOfTruth.length),
  }
}
