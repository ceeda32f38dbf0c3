import type { Context } from '../../measure.js'
import { type Members, type Search, search } from '../../neighbors/search.js'
import { distanceOf, type Points } from '../../neighbors/space.js'
import { onlyPoints, runsOf, searchOf } from '../../neighbors/tasks.js'
import type { Task } from '../../tasks/task.js'

/**
 * For each query its nearest distinct points, kept in order, so that the nearest among any part of them is found without a
 * new search: labels can be dealt out a thousand times over. A list that holds too few of a part is made longer when that
 * turns up, so answers are exact for any part.
 */
export interface NeighbourLists {
  /** d1 / d2 of the two nearest points that are present; 0 when d1 = 0; NaN when there is no second. */
  ratio(query: number, present: Uint8Array): number
  /** The nearest point that is present; -1 when there is none. */
  nearest(query: number, present: Uint8Array): number
}

/** Points and their distances, `k` per query. */
interface Lists {
  readonly points: Int32Array
  readonly distances: Float64Array
}

interface ListsShared {
  readonly points: Points
  readonly members: Members
  readonly k: number
}

export const listsTask: Task<ListsShared, Int32Array, Lists> = {
  name: 'neighbors/lists',
  run(shared, queries) {
    const { points, k } = shared
    const searcher = searchOf(shared)
    const lists = { points: new Int32Array(queries.length * k), distances: new Float64Array(queries.length * k) }
    for (let at = 0; at < queries.length; at++) fill(lists, at, points, searcher, queries[at], k)
    return lists
  },
}

/** With this many of a part expected in a list, all but one in a million hold two of them. */
const EXPECTED_IN_LIST = 16

/** `queries` and `among` are distinct points; a part has about `share` of those among which neighbours are sought. */
export async function neighbourLists(
  context: Context,
  space: Points,
  among: Int32Array,
  queries: Int32Array,
  share: number,
): Promise<NeighbourLists> {
  const points = onlyPoints(space)
  const members = { points: among, records: new Int32Array(among.length).fill(1) }
  const k = Math.min(among.length, Math.ceil(EXPECTED_IN_LIST / share))
  const runs = await context.tasks.map(listsTask, { points, members, k }, runsOf(queries), context)
  const lists = joined(runs, queries.length * k)
  const longer = new Map<number, Lists>()
  let searcher: Search | undefined

  return { ratio, nearest }

  function ratio(query: number, present: Uint8Array): number {
    const found = ratioIn(lists, query * k, (query + 1) * k, present)
    return Number.isNaN(found) ? longerRatio(query, present) : found
  }

  function longerRatio(query: number, present: Uint8Array): number {
    for (let list = longer.get(query) ?? lengthened(query, k); list !== undefined; ) {
      const found = ratioIn(list, 0, list.points.length, present)
      if (!Number.isNaN(found)) return found
      list = lengthened(query, list.points.length)
    }
    return Number.NaN
  }

  function nearest(query: number, present: Uint8Array): number {
    const own = lists.points.subarray(query * k, (query + 1) * k)
    for (let list: Int32Array | undefined = own; list !== undefined; ) {
      const found = list.find((point) => present[point] === 1)
      if (found !== undefined) return found
      list = lengthened(query, list.length)?.points
    }
    return -1
  }

  function lengthened(query: number, length: number): Lists | undefined {
    if (length === among.length) return undefined
    searcher ??= search(points, members)
    const size = Math.min(among.length, 4 * length)
    const list = { points: new Int32Array(size), distances: new Float64Array(size) }
    fill(list, 0, points, searcher, queries[query], size)
    longer.set(query, list)
    return list
  }
}

function ratioIn({ points, distances }: Lists, from: number, to: number, present: Uint8Array): number {
  let at = from
  while (at < to && present[points[at]] === 0) at++
  if (at === to) return Number.NaN
  const first = distances[at]
  if (first === 0) return 0
  do at++
  while (at < to && present[points[at]] === 0)
  return at === to ? Number.NaN : first / distances[at]
}

/** There are at least k members, so the search finds k. */
function fill({ points, distances }: Lists, at: number, space: Points, { nearest }: Search, query: number, k: number) {
  const found = nearest(query, k)
  for (let near = 0; near < k; near++) {
    points[at * k + near] = found.points[near]
    distances[at * k + near] = distanceOf(space, found.sums[near])
  }
}

function joined(runs: readonly Lists[], length: number): Lists {
  const all = { points: new Int32Array(length), distances: new Float64Array(length) }
  let at = 0
  for (const { points, distances } of runs) {
    all.points.set(points, at)
    all.distances.set(distances, at)
    at += points.length
  }
  return all
}
