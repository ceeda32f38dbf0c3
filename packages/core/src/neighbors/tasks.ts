import { countIds } from '@scrim/kernels'
import { oncePer } from '../once.js'
import type { Table } from '../table/table.js'
import { type AbortSignalLike, inline, type Task, type TaskRunner, throwIfAborted } from '../tasks/task.js'
import {
  indexOf,
  keepMembers,
  keptIndex,
  type Members,
  membersOf,
  recordsByPoint,
  type SearchIndex,
  search,
} from './search.js'
import {
  type ComparedColumns,
  comparedColumns,
  distanceOf,
  type Points,
  type Space,
  type SpaceOptions,
  spaceOf,
  sumOf,
  sumsTo,
} from './space.js'

/** Where a search runs: the context of a measure is one. */
export interface Where {
  readonly tasks: TaskRunner
  readonly signal?: AbortSignalLike | undefined
  readonly progress?: ((done: number, total: number) => void) | undefined
}

/** Queries handed out at once. Fixed, so that sums over queries do not depend on the number of threads. */
const QUERIES_AT_ONCE = 2048

/** Points that are searched among. */
export interface Searched {
  readonly points: Points
  readonly members: Members
  readonly index: SearchIndex
}

/** What a task needs to search; sorted once for all threads and all measures. */
export async function searched(where: Where, points: Points, { points: places, records }: Members): Promise<Searched> {
  const members = { points: places, records }
  return { points: onlyPoints(points), members, index: await indexMadeIn(where, points, members) }
}

/** Fewer records are sorted in less time than it takes to ask another thread. */
const WORTH_SENDING = 20_000

/** One piece of work on so many records: by another thread where it is worth it, so that who hands out work is not held up. */
export async function doneElsewhere<Shared, Output>(
  { tasks, signal }: Where,
  task: Task<Shared, string, Output>,
  shared: Shared,
  records: number,
): Promise<Output> {
  const where = records < WORTH_SENDING ? inline : tasks
  const [output] = await where.map(task, shared, ['all'], { signal, beside: true })
  return output
}

/** As `space`; the points of each table, with how many records they stand for, are known then too. */
export async function spaceElsewhere(
  where: Where,
  tables: readonly Table[],
  names: readonly string[],
  real: readonly number[],
  options: SpaceOptions = {},
): Promise<Space> {
  const { columns, rows } = comparedColumns(tables, names, options)
  // No distance looks at the names of levels, of which there may be many.
  const compared = { columns: columns.map((column) => ({ ...column, levels: [] })), rows }
  const records = rows.reduce((sum, of) => sum + of, 0)
  const { made, members } = await doneElsewhere(where, spaceTask, { compared, real, options }, records)
  for (const [k, ids] of made.ids.entries()) keepMembers(made, ids, members[k])
  return made
}

interface SpaceShared {
  readonly compared: ComparedColumns
  readonly real: readonly number[]
  readonly options: SpaceOptions
}

export const spaceTask: Task<SpaceShared, string, { readonly made: Space; readonly members: readonly Members[] }> = {
  name: 'neighbors/space',
  run({ compared, real, options }) {
    const made = spaceOf(compared, real, options)
    return { made, members: made.ids.map((ids) => membersOf(made, ids)) }
  },
}

/** By a task, so that who hands out work is not held up by it. */
async function indexMadeIn({ tasks, signal }: Where, points: Points, members: Members): Promise<SearchIndex> {
  if (tasks.threads < 2 || members.points.length < WORTH_SENDING) return indexOf(points, members)
  const indexes = indexesMade(points.values, members.points)
  const { metric } = points
  const made =
    indexes[metric] ??
    tasks
      .map(indexTask, { points: onlyPoints(points), members }, ['all'], { signal, beside: true })
      .then(([index]) => keptIndex(points, members, index))
  indexes[metric] = made
  return made.catch((error: unknown) => {
    delete indexes[metric]
    throw error
  })
}

const indexesMade = oncePer((..._: readonly object[]): { [metric in Points['metric']]?: Promise<SearchIndex> } => ({}))

export const indexTask: Task<{ readonly points: Points; readonly members: Members }, string, SearchIndex> = {
  name: 'neighbors/index',
  run: ({ points, members }) => indexOf(points, members),
}

/** The search that a task makes of what it is handed: built once on each thread. */
export const searchOf = oncePer(({ points, members, index }: Searched) => search(points, members, index))

/** `queries` in runs, each of at most `QUERIES_AT_ONCE`. */
export function runsOf(queries: Int32Array): Int32Array[] {
  const runs: Int32Array[] = []
  for (let from = 0; from < queries.length; from += QUERIES_AT_ONCE)
    runs.push(queries.slice(from, from + QUERIES_AT_ONCE))
  return runs
}

interface DistancesShared extends Searched {
  readonly k: number
  readonly leaveOneOut: boolean
}

export const distancesTask: Task<DistancesShared, Int32Array, Float64Array> = {
  name: 'neighbors/distances',
  run(shared, queries) {
    const { points, members, k, leaveOneOut } = shared
    const { nearest } = searchOf(shared)
    const records = recordsByPoint(points, members)
    const distances = new Float64Array(queries.length * k).fill(Number.NaN)
    for (let at = 0; at < queries.length; at++) {
      const found = nearest(queries[at], k, leaveOneOut)
      let filled = 0
      for (let place = 0; place < found.count && filled < k; place++) {
        const point = found.points[place]
        const distance = distanceOf(points, found.sums[place])
        const copies = records[point] - (leaveOneOut && point === queries[at] ? 1 : 0)
        for (let copy = 0; copy < copies && filled < k; copy++) distances[at * k + filled++] = distance
      }
    }
    return distances
  },
}

/**
 * Distances from each query to its k nearest records, query by query, nearest first; NaN where there are fewer records.
 * Queries are points of the space; with `leaveOneOut` each is one of the records and is not compared with itself. Equal
 * queries are searched once. For distances to distinct points let each member stand for one record.
 */
export async function nearestDistances(
  where: Where,
  points: Points,
  members: Members,
  queries: Int32Array,
  { k = 1, leaveOneOut = false } = {},
): Promise<Float64Array> {
  if (k === 1 && queries.length <= FEW_QUERIES) return scanned(points, members, queries, leaveOneOut)
  const shared = { ...(await searched(where, points, members)), k, leaveOneOut }
  const answers = await askEach(where, distancesTask, shared, queries)
  const distances = new Float64Array(queries.length * k)
  for (let at = 0; at < queries.length; at++) {
    const { run, place } = answers.of(queries[at])
    for (let near = 0; near < k; near++) distances[at * k + near] = run[place * k + near]
  }
  return distances
}

/** So few are compared with every record sooner than the records are sorted into blocks. */
const FEW_QUERIES = 32

function scanned(points: Points, members: Members, queries: Int32Array, leaveOneOut: boolean): Float64Array {
  const { values, weights } = points
  return Float64Array.from(queries, (query) => {
    const own = values.slice(query * weights.length, (query + 1) * weights.length)
    const sumTo = sumsTo(points, own, values)
    let least = Number.NaN
    for (let place = 0; place < members.points.length; place++) {
      const point = members.points[place]
      if (leaveOneOut && point === query && members.records[place] === 1) continue
      const sum = point === query ? 0 : sumTo(point)
      if (!(sum >= least)) least = sum
    }
    return distanceOf(points, least)
  })
}

interface CreditShared extends Searched {
  /** How many of a member's records are marked, and how many queries are at each point. */
  readonly marked: Int32Array
  readonly queriesAt: Int32Array
}

interface RunCredit {
  readonly distance: Float64Array
  readonly tied: Float64Array
  readonly markedTied: Float64Array
  /** Members that were nearest, and the credit of each of their records. */
  readonly places: Int32Array
  readonly credit: Float64Array
}

export const creditTask: Task<CreditShared, Int32Array, RunCredit> = {
  name: 'neighbors/credit',
  run(shared, queries) {
    const { points, members, marked, queriesAt } = shared
    const { nearest } = searchOf(shared)
    const placeOf = placesByPoint(points, members)
    const distance = new Float64Array(queries.length)
    const tied = new Float64Array(queries.length)
    const markedTied = new Float64Array(queries.length)
    const credit = new Float64Array(members.points.length)
    for (let at = 0; at < queries.length; at++) {
      const found = nearest(queries[at], 1)
      distance[at] = distanceOf(points, found.sums[0])
      for (let near = 0; near < found.count; near++) {
        const place = placeOf[found.points[near]]
        tied[at] += members.records[place]
        markedTied[at] += marked[place]
      }
      const share = queriesAt[queries[at]] / tied[at]
      for (let near = 0; near < found.count; near++) credit[placeOf[found.points[near]]] += share
    }
    const places: number[] = []
    for (let place = 0; place < credit.length; place++) if (credit[place] > 0) places.push(place)
    return {
      distance,
      tied,
      markedTied,
      places: Int32Array.from(places),
      credit: Float64Array.from(places, (place) => credit[place]),
    }
  },
}

/**
 * Who is nearest to the queries, ties shared: each query gives a credit of 1, spread evenly over the records at its least
 * distance. `marked` counts, among the records of each member, those of one kind (the training records, say).
 */
export interface NearestCredit {
  /** Per query: the least distance, and the share of the records at that distance that are marked. */
  readonly distance: Float64Array
  readonly markedShare: Float64Array
  /** Per member: the credit of each one of its records. */
  readonly credit: Float64Array
}

export async function nearestCredit(
  where: Where,
  points: Points,
  members: Members,
  marked: Int32Array,
  queries: Int32Array,
): Promise<NearestCredit> {
  const shared = { ...(await searched(where, points, members)), marked, queriesAt: countIds(queries, points.count) }
  const answers = await askEach(where, creditTask, shared, queries)
  throwIfAborted(where.signal)
  const credit = new Float64Array(members.points.length)
  for (const run of answers.runs) for (let k = 0; k < run.places.length; k++) credit[run.places[k]] += run.credit[k]
  const distance = new Float64Array(queries.length)
  const markedShare = new Float64Array(queries.length)
  for (let at = 0; at < queries.length; at++) {
    const { run, place } = answers.of(queries[at])
    distance[at] = run.distance[place]
    markedShare[at] = run.markedTied[place] / run.tied[place]
  }
  return { distance, markedShare, credit }
}

interface CountsShared extends Searched {
  readonly radius: number
  readonly leaveOneOut: boolean
}

export const countsTask: Task<CountsShared, Int32Array, Int32Array> = {
  name: 'neighbors/counts',
  run(shared, queries) {
    const { countWithin } = searchOf(shared)
    const limit = sumOf(shared.points, shared.radius)
    return queries.map((query) => countWithin(query, limit, shared.leaveOneOut))
  },
}

/** How many records lie within `radius` (inclusive) of each query. */
export async function recordsWithin(
  where: Where,
  points: Points,
  members: Members,
  queries: Int32Array,
  radius: number,
  leaveOneOut = false,
): Promise<Int32Array> {
  const shared = { ...(await searched(where, points, members)), radius, leaveOneOut }
  const answers = await askEach(where, countsTask, shared, queries)
  return queries.map((query) => {
    const { run, place } = answers.of(query)
    return run[place]
  })
}

/** Each queried point is asked once, in ascending order; `of` says in which run, and where there, its answer is. */
async function askEach<Shared extends Searched, Run>(
  where: Where,
  task: Task<Shared, Int32Array, Run>,
  shared: Shared,
  queries: Int32Array,
) {
  const isAsked = new Uint8Array(shared.points.count)
  for (let at = 0; at < queries.length; at++) isAsked[queries[at]] = 1
  const placeOf = new Int32Array(isAsked.length)
  const distinct = new Int32Array(isAsked.length)
  let length = 0
  for (let point = 0; point < isAsked.length; point++) {
    if (isAsked[point] === 0) continue
    placeOf[point] = length
    distinct[length++] = point
  }
  const runs = await where.tasks.map(task, shared, runsOf(distinct.subarray(0, length)), where)
  const of = (query: number) => ({
    run: runs[Math.floor(placeOf[query] / QUERIES_AT_ONCE)],
    place: placeOf[query] % QUERIES_AT_ONCE,
  })
  return { runs, of }
}

/** A space without what a task does not need: the ids of the records would be copied to every thread. */
export function onlyPoints({ metric, missing, clip, count, weights, nominal, values, weight }: Points): Points {
  return { metric, missing, clip, count, weights, nominal, values, weight }
}

function placesByPoint({ count }: Points, { points }: Members): Int32Array {
  const by = new Int32Array(count).fill(-1)
  for (let place = 0; place < points.length; place++) by[points[place]] = place
  return by
}
