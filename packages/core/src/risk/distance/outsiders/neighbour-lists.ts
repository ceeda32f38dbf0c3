import type { Context } from '../../../measure.js'
import type { Search } from '../../../neighbors/search.js'
import { distanceOf, type Points } from '../../../neighbors/space.js'
import { runsOf, type Searched, searched, searchOf } from '../../../neighbors/tasks.js'
import type { Task } from '../../../tasks/task.js'

/**
 * For each query its nearest distinct points, kept in order, so that the nearest among any part of them is found without a
 * new search: labels can be dealt out a thousand times over. A list that holds too few of a part is made longer when that
 * turns up, so answers are exact for any part.
 */
export type NeighbourLists = Awaited<ReturnType<typeof neighbourLists>>

/** Bits of a number. */
export const PARTS_AT_ONCE = 32

/** Points and their distances, `k` per query. */
interface Lists {
  readonly points: Int32Array
  readonly distances: Float64Array
}

interface ListsShared extends Searched {
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

/** How many neighbours are listed for each query, when a part has about `share` of all `among` which they are sought. */
export function listLength(among: number, share: number): number {
  return Math.min(among, Math.ceil(EXPECTED_IN_LIST / share))
}

/** `queries` and `among` are distinct points; a part has about `share` of those among which neighbours are sought. */
export async function neighbourLists(
  context: Context,
  space: Points,
  among: Int32Array,
  queries: Int32Array,
  share: number,
) {
  const shared = await searched(context, space, { points: among, records: new Int32Array(among.length).fill(1) })
  const { points } = shared
  const k = listLength(among.length, share)
  const runs = await context.tasks.map(listsTask, { ...shared, k }, runsOf(queries), context)
  const lists = joined(runs, queries.length * k)
  const longer = new Map<number, Lists>()
  let searcher: Search | undefined

  return { ratios, nearest }

  // Hot. One part after the other would walk the list once for each.
  function ratios(query: number, partsOf: Int32Array, parts: number, into: Float64Array): void {
    const { points: near, distances } = lists
    const end = (query + 1) * k
    let open = parts === PARTS_AT_ONCE ? -1 : (1 << parts) - 1
    let begun = 0
    for (let at = query * k; at < end && open !== 0; at++) {
      const here = partsOf[near[at]] & open
      if (here === 0) continue
      const distance = distances[at]
      // Of parts that begin here the nearest distance is put down, until their second one divides it.
      for (let first = here & ~begun; first !== 0; first &= first - 1) into[lowestBit(first)] = distance
      const done = distance === 0 ? here : here & begun
      for (let second = here & begun; second !== 0; second &= second - 1) into[lowestBit(second)] /= distance
      open &= ~done
      begun |= here
    }
    for (; open !== 0; open &= open - 1) {
      const part = lowestBit(open)
      into[part] = longerRatio(query, partsOf, part)
    }
  }

  function longerRatio(query: number, partsOf: Int32Array, part: number): number {
    for (let list = longer.get(query) ?? lengthened(query, k); list !== undefined; ) {
      const found = ratioIn(list, partsOf, part)
      if (!Number.isNaN(found)) return found
      list = lengthened(query, list.points.length)
    }
    return Number.NaN
  }

  function own(query: number): Lists {
    const [from, to] = [query * k, (query + 1) * k]
    return { points: lists.points.subarray(from, to), distances: lists.distances.subarray(from, to) }
  }

  function nearest(query: number, partsOf: Int32Array): number {
    for (let list: Lists | undefined = own(query); list !== undefined; ) {
      const found = list.points.find((point) => (partsOf[point] & 1) === 1)
      if (found !== undefined) return found
      list = lengthened(query, list.points.length)
    }
    return -1
  }

  function lengthened(query: number, length: number): Lists | undefined {
    if (length === among.length) return undefined
    searcher ??= searchOf(shared)
    const size = Math.min(among.length, 4 * length)
    const list = { points: new Int32Array(size), distances: new Float64Array(size) }
    fill(list, 0, points, searcher, queries[query], size)
    longer.set(query, list)
    return list
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

function ratioIn({ points, distances }: Lists, partsOf: Int32Array, part: number): number {
  let first = Number.NaN
  for (let at = 0; at < points.length; at++) {
    if (((partsOf[points[at]] >>> part) & 1) === 0) continue
    if (distances[at] === 0) return 0
    if (!Number.isNaN(first)) return first / distances[at]
    first = distances[at]
  }
  return Number.NaN
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
