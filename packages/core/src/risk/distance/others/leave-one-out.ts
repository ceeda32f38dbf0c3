import { math } from '@scrim/kernels'
import type { z } from 'zod'
import { NotApplicable } from '../../../errors.js'
import type { Context, Subject } from '../../../measure.js'
import { toRows } from '../../../neighbors/release-space.js'
import { type Members, membersOf, recordsByPoint } from '../../../neighbors/search.js'
import { distanceOf, type Points, type Space, TIE } from '../../../neighbors/space.js'
import {
  nearestDistances,
  runsOf,
  type Searched,
  searched,
  searchOf,
  spaceElsewhere,
} from '../../../neighbors/tasks.js'
import { columnNames, whole } from '../../../option-kinds.js'
import { count, percent } from '../../../print.js'
import { rowsLookedAt } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { joined, joinedCodes } from '../../../stats/joined.js'
import { sum } from '../../../stats/sums.js'
import { jointCodes, remember, rowsOfPart, tableOfPart } from '../../../table/classes.js'
import { type Neighbours, type Release, scanFor } from '../../../table/release.js'
import type { Task } from '../../../tasks/task.js'
import { type Credited, creditByPoint, designEffect } from './design-effect.js'

/**
 * For every original record i: what is near it in the release Y (m records), and what is near it among the other
 * originals X without i (n - 1 records). The others are the control that needs no holdout: if the release is another
 * sample of the same people's population, the m + n - 1 records around i are exchangeable, and each is a released one
 * with probability ν = m / (m + n - 1), wherever i lies and whatever the ties.
 *
 * Distance: mean over the columns of |difference| / range in X, not cut off at 1; 0 or 1 for categories, difference of
 * ranks for ordered ones; missing equals missing and is 1 from everything else.
 */
export const leaveOneOutOptions = {
  variables: columnNames().describe('columns to compare; all that original and release share when not given'),
  sample: whole(5000, { min: 100 }).describe(
    'how many original records are looked at when there are more than 10,000; they are compared with all',
  ),
}

export type LeaveOneOutOptions = {
  readonly [name in keyof typeof leaveOneOutOptions]: z.output<(typeof leaveOneOutOptions)[name]>
}

export interface Neighbourhoods {
  /** Rows of the original that were looked at. */
  readonly rows: Int32Array
  /** The point of each; equal records are one point. */
  readonly points: Int32Array
  /** How many original records are equal to each, itself among them. */
  readonly equals: Int32Array
  readonly originals: number
  readonly released: number
  /** Chance that one of the records around an original is a released one: ν. */
  readonly chance: number
  /** How many distances are kept per record, in ascending order; infinite where there are fewer records. */
  readonly kept: number
  readonly toReleased: Float64Array
  readonly toOthers: Float64Array
  /** Share of released records among the nearest, ties included: 1 or 0 without ties between the two. */
  readonly releasedNearest: Float64Array
  /** How much more the mean of `releasedNearest` varies than over independent records. */
  readonly designEffect: number
  readonly fromRelease: FromRelease
  /** How many originals have the value of each original looked at. */
  readonly withValue: (column: string) => ArrayLike<number>
  /** Whether the release is a sample, and its neighbours were found among all records. */
  readonly isScanned: boolean
  readonly warnings: readonly string[]
}

/** The same seen from the release: how far its records are from the nearest original and from the next one. */
interface FromRelease {
  /** How many released records were looked at, equal ones included. */
  readonly records: number
  /** Two distances for each different one of them. */
  readonly toOriginals: Float64Array
}

/** Neighbours are kept until the chance that all of them are released ones, or all are not, is below this. */
const NEGLIGIBLE = 1e-6
const MOST_KEPT = 256

/** How many neighbours are kept among so many records. */
export function neighboursKept(originals: number, released: number): number {
  const chance = released / (released + originals - 1)
  return Math.min(MOST_KEPT, Math.ceil(math.log(NEGLIGIBLE) / math.log(Math.max(chance, 1 / 2))))
}

/** The originals and the released records that are looked at. */
export function lookedAt(originals: number, released: number, sample: number, seed: number) {
  return [
    rowsLookedAt(originals, sample, () => stream(seed, 'memorisation/rows')),
    rowsLookedAt(released, sample, () => stream(seed, 'memorisation/released rows')),
  ] as const
}

/** What a look around is about: the same for all measures, and for scans of all records. */
export function lookKey(part: Subject['part'], { variables, sample }: LeaveOneOutOptions, seed: number): string {
  return `neighbourhoods ${JSON.stringify([part, variables, sample, seed])}`
}

/** Computed once for all measures that look at it. */
export function neighbourhoods(
  { release, part }: Subject,
  options: LeaveOneOutOptions,
  context: Context,
): Promise<Neighbourhoods> {
  const key = lookKey(part, options, context.seed)
  return remember(release, key, () => lookAround(release, part, options, scanFor<Neighbours>(release, key), context))
}

async function lookAround(
  release: Release,
  part: Subject['part'],
  options: LeaveOneOutOptions,
  scan: Neighbours | undefined,
  context: Context,
): Promise<Neighbourhoods> {
  const files = scan === undefined ? [release.original, tableOfPart(release, part)] : [scan.original, scan.released]
  const [originals, released] = scan?.records ?? files.map((file) => file.rows)
  if (originals < 2) throw new NotApplicable('one original record alone has no others to compare its distances with')
  const names = [...new Set(options.variables ?? release.variables)]
  const all = await spaceElsewhere(context, [...files, ...(scan?.lookedAt ?? [])], names, [0], { clip: false })
  if (all.columns.length === 0) throw new NotApplicable('there is no column to compare records by')
  const chance = released / (released + originals - 1)
  const kept = neighboursKept(originals, released)
  const [rows, releasedRows] = lookedAt(originals, released, options.sample, context.seed)
  const queries = scan === undefined ? rows.map((row) => all.ids[0][row]) : all.ids[2]
  const releasedQueries = scan === undefined ? releasedRows.map((row) => all.ids[1][row]) : all.ids[3]
  const { originalsAt, ...around } = await recordsAround(
    all,
    queries,
    all.ids[0],
    membersOf(all, all.ids[1]),
    kept,
    context,
    [originals, released],
  )
  const equals = queries.map((point) => originalsAt[point])
  return {
    rows,
    points: queries,
    equals,
    originals,
    released,
    chance,
    kept,
    ...around,
    fromRelease: await seenFromRelease(all, releasedQueries, context),
    withValue: withValue(release, rows, scan),
    isScanned: scan !== undefined,
    warnings: [
      ...(rows.length < originals ? [`a sample of ${count(rows.length, 'original record')} was looked at`] : []),
      ...repeatedWarning(equals),
    ],
  }
}

/** What is near each of `queries`, points of some of the originals, among the other originals and the released records. */
export async function recordsAround(
  all: Points,
  queries: Int32Array,
  originals: Int32Array,
  released: Members,
  kept: number,
  context: Context,
  /** Where those given are some of more: how many there are. */
  sizes: readonly number[] = [originals.length, sum(released.records)],
) {
  const [others, ofRelease] = await Promise.all(
    [membersOf(all, originals), released].map((members) => searched(context, all, members)),
  )
  const shared: AroundShared = { others, released: ofRelease, kept }
  const runs = await context.tasks.map(aroundTask, shared, runsOf(queries), context)
  const originalsAt = recordsByPoint(all, shared.others.members)
  return {
    /** How many originals are at each point. */
    originalsAt,
    toReleased: joined(runs.map((run) => run.toReleased)),
    toOthers: joined(runs.map((run) => run.toOthers)),
    releasedNearest: joined(runs.map((run) => run.releasedNearest)),
    designEffect: designEffect({
      points: queries,
      tied: joined(runs.map((run) => run.tied)),
      only: joinedCodes(runs.map((run) => run.only)),
      credit: creditByPoint(all.count, runs),
      originalsAt,
      releasedAt: recordsByPoint(all, released),
      originals: sizes[0],
      released: sizes[1],
    }),
  }
}

const MANY_REPEATED = 0.05

/** Nothing is nearer than an equal record, so that whoever has an equal among the originals is told from it by copies only. */
function repeatedWarning(equals: Int32Array): string[] {
  const share = equals.filter((records) => records > 1).length / equals.length
  if (share < MANY_REPEATED) return []
  return [`${percent(share)} of original records equal another original: near-copies of these are not seen here`]
}

/** Not made where the space is: it would keep the space for as long as the neighbourhoods are kept. */
function withValue(release: Release, rows: Int32Array, scan: Neighbours | undefined): Neighbourhoods['withValue'] {
  if (scan === undefined) return (column) => recordsWithValue(release, rows, column)
  return (column) => scan.equal.get(column) ?? []
}

/** How many originals have the value that each of some rows has in a column. */
function recordsWithValue(release: Release, rows: Int32Array, column: string): Int32Array {
  const joint = jointCodes(release, column)
  const codes = rowsOfPart(release, joint, joint.codes, 'original')
  const counts = new Int32Array(joint.cardinality + 1)
  for (const code of codes) counts[code + 1]++
  return rows.map((row) => counts[codes[row] + 1])
}

async function seenFromRelease(
  { ids, ...points }: Space,
  released: Int32Array,
  context: Context,
): Promise<FromRelease> {
  const different = Int32Array.from(new Set(released))
  const toOriginals = await nearestDistances(context, points, membersOf(points, ids[0]), different, { k: 2 })
  return { records: released.length, toOriginals }
}

interface AroundShared {
  readonly others: Searched
  readonly released: Searched
  readonly kept: number
}

/** For each query of a run; see `Neighbourhoods` and `NearestGraph`. */
interface Around extends Credited {
  readonly toReleased: Float64Array
  readonly toOthers: Float64Array
  readonly releasedNearest: Float64Array
  readonly tied: Float64Array
  readonly only: Int32Array
}

export const aroundTask: Task<AroundShared, Int32Array, Around> = {
  name: 'records around originals',
  run({ others, released, kept }, queries) {
    const toReleased = nearestOnes(released, queries, kept, false)
    const toOthers = nearestOnes(others, queries, kept, true)
    const tie = distanceOf(others.points, TIE)
    const releasedNearest = new Float64Array(queries.length)
    const tied = new Float64Array(queries.length)
    const only = new Int32Array(queries.length).fill(-1)
    const credit = new Map<number, number>()
    for (let at = 0; at < queries.length; at++) {
      const lead = toOthers.distances[at * kept] - toReleased.distances[at * kept]
      const nearest = [...(lead >= -tie ? [toReleased] : []), ...(lead <= tie ? [toOthers] : [])]
      for (const { records } of nearest) tied[at] += records[at]
      releasedNearest[at] = lead < -tie ? 0 : toReleased.records[at] / tied[at]
      const credited = new Set(nearest.flatMap(({ points }) => points[at]))
      for (const point of credited) credit.set(point, (credit.get(point) ?? 0) + 1 / tied[at])
      if (tied[at] === 1) [only[at]] = credited
    }
    const credited = Int32Array.from(credit.keys()).sort()
    return {
      toReleased: toReleased.distances,
      toOthers: toOthers.distances,
      releasedNearest,
      tied,
      only,
      credited,
      credit: Float64Array.from(credited, (point) => credit.get(point) ?? 0),
    }
  },
}

/** For each query the least distances, and the points and number of records at the least one. */
function nearestOnes(among: Searched, queries: Int32Array, kept: number, leaveOneOut: boolean) {
  const { nearest } = searchOf(among)
  const recordsOf = recordsByPoint(among.points, among.members)
  const distances = new Float64Array(queries.length * kept).fill(Number.POSITIVE_INFINITY)
  const records = new Float64Array(queries.length)
  const points: number[][] = []
  for (let at = 0; at < queries.length; at++) {
    const found = nearest(queries[at], kept, leaveOneOut)
    const tied: number[] = []
    for (let near = 0, filled = 0; near < found.count; near++) {
      const point = found.points[near]
      const copies = recordsOf[point] - (leaveOneOut && point === queries[at] ? 1 : 0)
      if (found.sums[near] <= found.sums[0] + TIE) {
        records[at] += copies
        tied.push(point)
      }
      const distance = distanceOf(among.points, found.sums[near])
      for (let copy = 0; copy < copies && filled < kept; copy++) distances[at * kept + filled++] = distance
    }
    points.push(tied)
  }
  return { distances, records, points }
}

/** Scores of the records looked at, on the rows of the original; NaN for the others. */
export function onRows({ rows, originals }: Neighbourhoods, scores: Float64Array): Float64Array {
  return toRows({ rows, fileRows: originals }, scores)
}
