import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { normalEffect } from '../../evidence/effects.js'
import type { Control, Controls } from '../../evidence/evidence.js'
import { errorOfMean } from '../../evidence/looks.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { standardDeviation } from '../../stats/sums.js'
import { groupByKeys, type Part, remember } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Baselines, baselinesAt } from './baselines.js'
import { type Cells, cellsOf, countCells } from './cells.js'
import { claimsOf, TAU_SLACK, type TauPoint, tauPoint } from './claims.js'
import { theOriginal } from './gains.js'
import { type MarginalRisk, marginalShare } from './holdout.js'
import { type KeySubsets, keySubsets, overSubsets, sizesWithin, sweepProblems } from './key-subsets.js'
import { type PreparedTarget, prepareTarget, targetGroups } from './target.js'

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
    readonly sweep: SweepDifference | null
    readonly persons: MarginalRisk
  } | null
  readonly baselines: Baselines
  readonly targetGrouping: string
}

type SweepDifference = {
  readonly original: number
  readonly holdout: number
  readonly difference: number
  readonly keySets: number
}

export const tcapSynthetic = measure({
  id: 'tcap-synthetic',
  version: 1,
  title: 'TCAP over released records',
  summary: 'how often released records in uniform classes are right about the original, over all key sets',
  family: 'attribution',
  threat: 'attribute',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  unit: 'share',
  blindTo: 'how many people a class stands for that the release repeats',
  fooledBy: {
    'leave the step': 'keys that are numbers off the step match nobody; attribution rounds them back',
    'pad with noise': 'no class of the release shows one value any more',
  },
  pools: true,
  options,
  check: (release, { sweep }) => sweepProblems(release.keys, sweep),
  compute,
  citations: ['taub2018'],
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
  const cells = cellsOf(release, 'original', part, target, chosen.targetGroups)
  const held = release.holdout === null ? null : cellsOf(release, 'holdout', part, target, chosen.targetGroups)
  const sizes = sizesWithin(release.keys, chosen.sweep)
  const found = keySubsets(release.keys, sizes, chosen.limit, context)
  const prepared = prepareTarget(release, target, chosen.targetGroups)
  const jackknife = held === null ? null : jackknifeOver(cells, held)
  const subsets = overSubsets(found, context, (keys) => scoreSubset(release, part, keys, prepared, chosen, jackknife))
  const sweep = summarise(subsets, chosen.nonMatches)
  const persons = tauPoint(cells, claimsOf(cells), chosen.tau)
  const allKeys = scoreOf(cells, chosen.tau)
  const marginal = held === null ? null : marginalOf(cells, held, subsets, allKeys, persons, chosen)
  const rest = {
    nothing: { value: marginOf(cells), se: null, what: 'a guess from the margin of the target' },
    ...copiedControl(release, target, found, prepared, chosen),
  }
  return {
    value: sweep.mean,
    ...(sweep.mean === null
      ? { reason: 'in no key set does a uniform class of the release occur in the original' }
      : evidence(sweep.mean, marginal?.sweep ?? null, jackknife, rest)),
    interval: null,
    details: {
      tau: chosen.tau,
      nonMatches: chosen.nonMatches,
      allKeys,
      meanCap: scoreOf(cells, 0),
      baseline: marginOf(cells),
      persons,
      sweep: { sizes, total: found.total, evaluated: subsets.length, ...sweep, subsets },
      marginal,
      baselines: baselinesAt(release, cells, chosen.tau),
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

/** Against people outside the release, over the key sets that tell about both. */
function evidence(
  value: number,
  marginal: SweepDifference | null,
  jackknife: Jackknife | null,
  rest: Pick<Controls, 'nothing' | 'everything'>,
) {
  if (marginal === null || jackknife === null)
    return {
      controls: rest,
      notAssessed: 'how often released records are right about people in general is known with a holdout only',
    }
  const { original, holdout } = jackknife.errors()
  const fair = {
    value: value - marginal.difference,
    se: holdout,
    what: 'people outside the release',
    basis: 'outsiders' as const,
  }
  return {
    controls: { ...rest, fair },
    effect: normalEffect(marginal.difference, Math.hypot(original, holdout)),
    people: null,
  }
}

/** What the same sweep finds when the original itself is released: 1 where only uniform classes count. */
function copiedControl(
  release: Release,
  target: string,
  { subsets }: KeySubsets,
  prepared: PreparedTarget,
  { tau, nonMatches, targetGroups: groups }: Options,
): { everything?: Control } {
  const key = `tcap of the original ${JSON.stringify([target, groups, tau, nonMatches, subsets])}`
  const scores = () =>
    subsets.map((keys) => {
      const classes = groupByKeys(release, keys)
      return scoreOf(countCells(release, 'original', 'original', classes, prepared), tau)[nonMatches]
    })
  const mean = tau === 1 ? 1 : remember(release, key, () => meanOf(scores()))
  return mean === null ? {} : { everything: theOriginal(mean) }
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
  jackknife: Jackknife | null,
): Subset {
  const classes = groupByKeys(release, keys)
  const original = countCells(release, 'original', part, classes, target)
  const own = scoreOf(original, tau)
  if (jackknife === null) return { keys, undefined: own.undefined, zero: own.zero, holdout: null }
  const held = countCells(release, 'holdout', part, classes, target)
  const theirs = scoreOf(held, tau)
  if (own[nonMatches] !== null && theirs[nonMatches] !== null)
    jackknife.add(influences(original, tau, own, nonMatches), original, influences(held, tau, theirs, nonMatches), held)
  return { keys, undefined: own.undefined, zero: own.zero, holdout: theirs[nonMatches] }
}

/** Standard errors of means over key sets: how much they would change without each person. */
interface Jackknife {
  add(ofOriginal: Float64Array, original: Cells, ofHoldout: Float64Array, holdout: Cells): void
  errors(): { readonly original: number; readonly holdout: number }
}

function jackknifeOver(cells: Cells, held: Cells): Jackknife {
  const people = [cells, held].map((of) => new Float64Array(of.cellOfTruth.length))
  let sets = 0
  const addTo = (sums: Float64Array, influence: Float64Array, { cellOfTruth }: Cells) => {
    for (let row = 0; row < sums.length; row++) sums[row] += influence[cellOfTruth[row]]
  }
  const error = (sums: Float64Array) =>
    errorOfMean(
      sums.reduce((sum, one) => sum + (one / sets) ** 2, 0),
      sums.length,
    )
  return {
    add(ofOriginal, original, ofHoldout, holdout) {
      addTo(people[0], ofOriginal, original)
      addTo(people[1], ofHoldout, holdout)
      sets++
    },
    errors: () => ({ original: error(people[0]), holdout: error(people[1]) }),
  }
}

/** Per cell: by how much the score falls without one of its records. Where nobody else has the keys, the class goes too. */
function influences(cells: Cells, tau: number, score: Score, nonMatches: Options['nonMatches']): Float64Array {
  const { start, s, sClass, d, dCount, dClass, dClassCount } = cells
  const mean = score[nonMatches] ?? 0
  const scored = nonMatches === 'zero' ? score.kept : score.kept * (score.matchRate ?? 0)
  const found = new Float64Array(s.length)
  for (let q = 0; q < cells.classes; q++) {
    if (dClassCount[q] === 0) continue
    const isKept = (cell: number) => s[cell] > 0 && s[cell] >= (tau - TAU_SLACK) * sClass[q]
    let kept = 0
    let right = 0
    for (let cell = start[q]; cell < start[q + 1]; cell++) {
      if (!isKept(cell)) continue
      kept += s[cell]
      right += (s[cell] * d[cell]) / dClass[q]
    }
    for (let cell = start[q]; cell < start[q + 1]; cell++) {
      if (dCount[cell] === 0) continue
      const weight = d[cell] / dCount[cell]
      found[cell] =
        dClassCount[q] === 1
          ? (right - (nonMatches === 'zero' ? 0 : mean * kept)) / scored
          : (((isKept(cell) ? s[cell] : 0) - right) * weight) / (dClass[q] - weight) / scored
    }
  }
  return found
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
