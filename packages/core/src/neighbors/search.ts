import {
  type BlockedRows,
  type BlockScan,
  blockRows,
  blockScan,
  codeMask,
  type Rows32,
  sharedFloat64,
  sharedInt32,
} from '@scrim/kernels'
import { oncePer } from '../once.js'
import { type Found, heap, SORTED_UP_TO, sortedList } from './k-best.js'
import { type Points, sumsTo, TIE } from './space.js'

/**
 * Exact search among some of the points of a space. Blocks of close-by points are passed over when their bound exceeds the
 * limit; in an opened block a 32-bit sum that is never too large picks candidates, and the 64-bit distance decides. So the
 * answer is that of comparing with every point, whatever the platform computes with. Memory is linear in the points.
 *
 * Points may stand for several records each; `k` counts records. The answer lies in arrays that the next search reuses.
 */
export interface Search {
  /**
   * The points up to the k-th nearest record and all that tie with it, nearest first.
   * With `leaveOneOut` the query is one of the records and is not its own neighbour. With `limit` only those up to this sum.
   */
  nearest(query: number, k: number, leaveOneOut?: boolean, limit?: number): Found
  /** How many records lie at a sum of terms of at most `limit`; the points are not kept. */
  countWithin(query: number, limit: number, leaveOneOut?: boolean): number
}

export type { Found } from './k-best.js'

/** Which points are searched, and how many records each stands for. */
export interface Members {
  readonly points: Int32Array
  readonly records: Int32Array
}

/** The distinct points among the records of some tables; found once for the same tables. */
export function membersOf({ values, count }: Points, ...ids: readonly Int32Array[]): Members {
  const known = membersIn(values, ...ids)
  known.members ??= membersAmong(count, ids)
  return known.members
}

const membersIn = oncePer((..._: readonly object[]): { members?: Members } => ({}))

/** For whoever asks for them next. */
export function keepMembers({ values }: Points, ids: Int32Array, members: Members): void {
  membersIn(values, ids).members = members
}

export function membersAmong(count: number, ids: readonly Int32Array[]): Members {
  const records = new Int32Array(count)
  for (const table of ids) for (let row = 0; row < table.length; row++) records[table[row]]++
  let distinct = 0
  for (let point = 0; point < count; point++) if (records[point] > 0) distinct++
  const members = { points: sharedInt32(distinct), records: sharedInt32(distinct) }
  for (let point = 0, place = 0; point < count; point++) {
    if (records[point] === 0) continue
    members.points[place] = point
    members.records[place++] = records[point]
  }
  return members
}

/** How many records each point of the space stands for among the members. */
export function recordsByPoint({ count }: Points, { points, records }: Members): Int32Array {
  const at = new Int32Array(count)
  for (let place = 0; place < points.length; place++) at[points[place]] = records[place]
  return at
}

/** Members sorted into blocks: what all searches among them read, on whatever thread. */
export interface SearchIndex {
  readonly blocked: BlockedRows
  /**
   * The members again in the order of their blocks: those of a block lie side by side, where reading them from all over the
   * points would wait for the memory most of the time.
   */
  readonly values: Float64Array
}

/** Built once for the same members of the same space. */
export function indexOf(points: Points, members: Members): SearchIndex {
  return (
    indexesOf(points.values, members.points)[points.metric] ?? keptIndex(points, members, buildIndex(points, members))
  )
}

/** For whoever asks for it next. */
export function keptIndex(points: Points, members: Members, index: SearchIndex): SearchIndex {
  indexesOf(points.values, members.points)[points.metric] = index
  return index
}

const indexesOf = oncePer((..._: readonly object[]): { [metric in Points['metric']]?: SearchIndex } => ({}))

function buildIndex(points: Points, members: Members): SearchIndex {
  const blocked = blockRows(rows32(points, members.points))
  const { rowAt } = blocked
  const width = points.weights.length
  const values = sharedFloat64(rowAt.length * width)
  for (let place = 0; place < rowAt.length; place++)
    if (rowAt[place] >= 0) copyPoint(points, members.points[rowAt[place]], values, place)
  return { blocked, values }
}

/** Numbers are cut off beyond this many weights from the real ones, and missing lies farther: both only lower a sum. */
const CUT_OFF = 2
const MISSING_AT = 4

/** Bounds of the blocks that are opened first, as a part of the largest possible sum; the part is doubled again and again. */
const FIRST_REACH = 1 / 64

export function search(
  points: Points,
  members: Members,
  { blocked, values }: SearchIndex = indexOf(points, members),
  scan: typeof blockScan = blockScan,
): Search {
  const block = scan(blocked)
  const slack = points.missing === 'ignore' ? Number.POSITIVE_INFINITY : roundingSlack(points)
  const recordsOf = recordsByPoint(points, members)

  const [few, many] = [sortedList(TIE), heap(TIE)]
  const farthest = largestSum(points)
  const queried = new Float64Array(points.weights.length)
  const sumTo = sumsTo(points, queried, values)
  /** The visit in which each block was opened last. */
  const openedIn = new Float64Array(blocked.blocks)
  let visits = 0

  return { nearest, countWithin }

  function nearest(query: number, k: number, leaveOneOut = false, limit = Number.POSITIVE_INFINITY): Found {
    const best = k <= SORTED_UP_TO ? few : many
    best.start(k)
    let kth = limit
    visit(query, kth, (point, sum) => {
      const records = recordsOf[point] - (leaveOneOut && point === query ? 1 : 0)
      if (records > 0) kth = Math.min(limit, best.add(point, sum, records))
      return kth
    })
    return best.finish()
  }

  function countWithin(query: number, limit: number, leaveOneOut = false): number {
    let within = 0
    visit(
      query,
      limit,
      (point) => {
        within += recordsOf[point]
        return limit
      },
      Number.POSITIVE_INFINITY,
    )
    return leaveOneOut ? within - 1 : within
  }

  /**
   * Hands over every member whose sum is at most the limit of the moment, give or take a tie, and perhaps some others; `take`
   * returns the limit from then on. Blocks with a small bound come first: what they hold lowers the limit before the others
   * are looked at.
   */
  function visit(query: number, limit: number, take: (point: number, sum: number) => number, from = FIRST_REACH) {
    setQuery(block, points, query)
    copyPoint(points, query, queried, 0)
    block.bound()
    visits++
    open(block.nearest())
    for (let reach = from * farthest; ; reach = reach < farthest ? 2 * reach : Number.POSITIVE_INFINITY) {
      for (let at = block.next(0, bounded(reach)); at < blocked.blocks; at = block.next(at + 1, bounded(reach)))
        if (openedIn[at] !== visits) open(at)
      if (reach >= limit + slack) return
    }

    function bounded(reach: number): number {
      return Math.min(reach, limit + slack)
    }

    function open(at: number): void {
      openedIn[at] = visits
      const candidates = block.scan(at, limit + slack)
      const start = blocked.starts[at]
      for (let k = 0; k < candidates; k++) {
        const place = block.found[k]
        // The limit may have come down since.
        if (block.sums[place - start] > limit + slack) continue
        const row = blocked.rowAt[place]
        if (row < 0) continue
        const point = members.points[row]
        const sum = point === query ? 0 : sumTo(place)
        if (sum <= limit + TIE) limit = take(point, sum)
      }
    }
  }
}

function copyPoint({ values, weights }: Points, point: number, to: Float64Array, at: number): void {
  const width = weights.length
  for (let j = 0; j < width; j++) to[at * width + j] = values[point * width + j]
}

/** Members column by column in 32 bits. */
function rows32(points: Points, members: Int32Array): Rows32 {
  const { weights, nominal, metric } = points
  const width = weights.length
  const values = new Float32Array(members.length * width)
  // Hot, record after record as they lie in memory.
  for (let row = 0; row < members.length; row++) {
    const from = members[row] * width
    for (let j = 0; j < width; j++) values[j * members.length + row] = value32(points, j, points.values[from + j])
  }
  return {
    rows: members.length,
    nominal,
    metric: width - nominal,
    squared: metric === 'euclidean',
    weights: Float32Array.from(weights),
    values,
  }
}

function setQuery(block: BlockScan, points: Points, query: number): void {
  const from = query * points.weights.length
  for (let j = 0; j < points.weights.length; j++) {
    block.query[j] = value32(points, j, points.values[from + j])
    if (j < points.nominal) block.queryMasks[j] = codeMask(block.query[j])
  }
}

function value32({ weights, nominal }: Points, j: number, value: number): number {
  if (j < nominal) return value
  if (Number.isNaN(value)) return MISSING_AT * weights[j]
  return Math.min(CUT_OFF * weights[j], Math.max(-CUT_OFF * weights[j], value))
}

/**
 * How much larger than the true sum a 32-bit one can be, and a tie. Of values up to 4 w and terms up to w (squared: w²), a
 * term is off by less than 2^-20 w (2^-19 w²), and each addition by 2^-24 of the sum.
 */
function roundingSlack(points: Points): number {
  return largestSum(points) * (2 ** -20 + 2 ** -24 * points.weights.length) + TIE
}

/** No sum of clipped terms is larger; twice that for squares. */
function largestSum({ weights, metric }: Points): number {
  let most = 0
  for (const weight of weights) most += metric === 'euclidean' ? 2 * weight * weight : weight
  return most
}
