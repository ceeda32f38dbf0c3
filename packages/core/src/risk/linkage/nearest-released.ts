import { rowsByGroup } from '@scrim/kernels'
import type { Context } from '../../measure.js'
import { type Members, membersOf } from '../../neighbors/search.js'
import { distanceOf, type Points, type Space, sumBetween, TIE } from '../../neighbors/space.js'
import { onlyPoints, runsOf, searchOf } from '../../neighbors/tasks.js'
import { countBelow } from '../../stats/sorted.js'
import type { Task } from '../../tasks/task.js'

/**
 * Whom an intruder takes for a person: the released records nearest to what is known of them, by Gower's distance with
 * the original's ranges. Missing on both sides agrees. Missing on one side counts what the comparison is expected to
 * give, (1 + Σ_y s(x, y)) / (1 + m) over the m known released values y: so a suppressed record is nearer than one that
 * contradicts, and farther than one that agrees. Released records with the same values missing are searched together,
 * since what is missing there costs a query the same whoever it is.
 */
export interface NearestReleased {
  /** Per row looked at: how many released records are nearest, and the chance that one drawn from them is the own one. */
  readonly tied: Float64Array
  readonly hit: Float64Array
  /** Released records that are nearer than the own one, -1 where there are `kept` of them; and as near, itself included. */
  readonly nearer: Float64Array
  readonly asNear: Float64Array
  readonly toOwn: Float64Array
  readonly toNearest: Float64Array
}

/** More patterns of missing values than this are not worth a search each: missing is then one more value. */
const MOST_PATTERNS = 64

/** The released records of one space, in groups with the same values missing. */
export interface Candidates {
  readonly space: Space
  readonly groups: readonly Group[]
  /** Per released point: its group. */
  readonly groupAt: Int32Array
  /** Per point and column: what a comparison with a missing value is expected to give; null where none is made. */
  readonly expected: Float64Array | null
  /** Whether there were too many patterns of missing values to tell them apart. */
  readonly missingIsValue: boolean
}

interface Group {
  readonly points: Points
  readonly members: Members
  /** 1 for a column in which the group is missing. */
  readonly missing: Uint8Array
}

/** The space holds the original and the release, in this order. */
export function candidates(space: Space): Candidates {
  const [, released] = space.ids
  const points = onlyPoints(space)
  const patterns = patternsOf(points, released)
  const missingIsValue = patterns.length > MOST_PATTERNS
  if (missingIsValue || !hasMissing(points)) {
    const group = { points, members: membersOf(space, released), missing: new Uint8Array(space.weights.length) }
    return { space, groups: [group], groupAt: new Int32Array(space.count), expected: null, missingIsValue }
  }
  const groupAt = new Int32Array(space.count).fill(-1)
  const groups = patterns.map(({ missing, ids }, k) => {
    for (const point of ids) groupAt[point] = k
    // A weight of 0 leaves the column out: every record of the group is missing there.
    const weights = space.weights.map((weight, j) => (missing[j] === 1 ? 0 : weight))
    return { points: { ...points, weights }, members: membersOf(space, ids), missing }
  })
  return { space, groups, groupAt, expected: expectedDifferences(space), missingIsValue }
}

function isMissingAt({ values, weights, nominal }: Points, point: number, j: number): boolean {
  const value = values[point * weights.length + j]
  return j < nominal ? value === 0 : Number.isNaN(value)
}

function hasMissing(points: Points): boolean {
  for (let point = 0; point < points.count; point++)
    for (let j = 0; j < points.weights.length; j++) if (isMissingAt(points, point, j)) return true
  return false
}

/** Which columns are missing together, and the points of the records in which they are. */
function patternsOf(points: Points, released: Int32Array): { missing: Uint8Array; ids: Int32Array }[] {
  const found = new Map<string, number>()
  const patterns: Uint8Array[] = []
  const patternOf = Int32Array.from(released, (point) => {
    const missing = points.weights.map((_, j) => (isMissingAt(points, point, j) ? 1 : 0))
    const key = missing.join('')
    const known = found.get(key)
    if (known !== undefined) return known
    found.set(key, patterns.length)
    return patterns.push(Uint8Array.from(missing)) - 1
  })
  const { rows, start } = rowsByGroup(patternOf, patterns.length)
  return patterns.map((missing, k) => ({
    missing,
    ids: rows.slice(start[k], start[k + 1]).map((row) => released[row]),
  }))
}

/** Column by column for the points of originals; for a missing value the mean over the known ones. */
function expectedDifferences({ count, ids, weights, nominal, values }: Space): Float64Array {
  const [originals, released] = ids
  const width = weights.length
  const expected = new Float64Array(count * width)
  for (let j = 0; j < width; j++) {
    const valueAt = (point: number) => values[point * width + j]
    const isKnown = (point: number) => (j < nominal ? valueAt(point) !== 0 : !Number.isNaN(valueAt(point)))
    const known = Float64Array.from(released.filter(isKnown), valueAt).sort()
    const sumTo = j < nominal ? differencesFrom(known, weights[j]) : distancesFrom(known)
    const of = (value: number) => (weights[j] + sumTo(value)) / (1 + known.length)
    let sum = 0
    let asked = 0
    for (const point of originals) {
      if (!isKnown(point)) continue
      expected[point * width + j] = of(valueAt(point))
      sum += expected[point * width + j]
      asked++
    }
    for (const point of originals)
      if (!isKnown(point)) expected[point * width + j] = asked > 0 ? sum / asked : weights[j]
  }
  return expected
}

/** Σ over sorted codes of `weight` where they differ from a code. */
function differencesFrom(sorted: Float64Array, weight: number): (code: number) => number {
  return (code) => weight * (sorted.length - (countBelow(sorted, code + 1) - countBelow(sorted, code)))
}

/** Σ over sorted numbers of the distance from a number, by prefix sums. */
function distancesFrom(sorted: Float64Array): (value: number) => number {
  const before = new Float64Array(sorted.length + 1)
  for (let k = 0; k < sorted.length; k++) before[k + 1] = before[k] + sorted[k]
  return (value) => {
    const below = countBelow(sorted, value)
    const above = sorted.length - below
    return value * below - before[below] + (before[sorted.length] - before[below]) - value * above
  }
}

/** `rows` of the original against the release; row i of the release is the own record of row i. */
export async function nearestReleased(
  { space, groups, groupAt, expected }: Candidates,
  rows: Int32Array,
  kept: number,
  context: Context,
): Promise<NearestReleased> {
  const [originals, released] = space.ids
  // Equal queries side by side are searched once.
  const { rows: byPoint } = rowsByGroup(
    rows.map((row) => originals[row]),
    space.count,
  )
  const items = runsOf(byPoint).map((places) => ({
    queries: places.map((at) => originals[rows[at]]),
    own: places.map((at) => released[rows[at]]),
  }))
  const recordsAt = new Int32Array(space.count)
  for (const point of released) recordsAt[point]++
  const shared = { groups, groupAt, expected, recordsAt, kept }
  const runs = await context.tasks.map(nearestReleasedTask, shared, items, context)
  const inOrder = (of: (run: Nearest) => Float64Array) => {
    const found = new Float64Array(rows.length)
    let at = 0
    for (const run of runs) for (const value of of(run)) found[byPoint[at++]] = value
    return found
  }
  return {
    tied: inOrder((run) => run.tied),
    hit: inOrder((run) => run.hit),
    nearer: inOrder((run) => run.nearer),
    asNear: inOrder((run) => run.asNear),
    toOwn: inOrder((run) => run.toOwn),
    toNearest: inOrder((run) => run.toNearest),
  }
}

interface NearestShared extends Pick<Candidates, 'groups' | 'groupAt' | 'expected'> {
  /** Per point: how many released records are there. */
  readonly recordsAt: Int32Array
  readonly kept: number
}

interface NearestItem {
  readonly queries: Int32Array
  readonly own: Int32Array
}

type Nearest = NearestReleased

export const nearestReleasedTask: Task<NearestShared, NearestItem, Nearest> = {
  name: 'released records nearest to a person',
  run(shared, { queries, own }) {
    const { groups, groupAt } = shared
    const arrays = () => new Float64Array(queries.length)
    const found: Nearest = {
      tied: arrays(),
      hit: arrays(),
      nearer: arrays(),
      asNear: arrays(),
      toOwn: arrays(),
      toNearest: arrays(),
    }
    const look = around(shared)
    let near = look(queries[0])
    for (let at = 0; at < queries.length; at++) {
      if (at > 0 && queries[at] !== queries[at - 1]) near = look(queries[at])
      const group = groups[groupAt[own[at]]]
      const sum = sumBetween(group.points, queries[at], own[at]) + missingCost(shared, group, queries[at])
      const [least, last] = [near[0].sum, near[near.length - 1].sum]
      for (const { sum: other, records } of near) {
        if (other <= least + TIE) found.tied[at] += records
        if (other < sum - TIE) found.nearer[at] += records
        else if (other <= sum + TIE) found.asNear[at] += records
      }
      if (sum > last + TIE) found.nearer[at] = -1
      found.hit[at] = sum <= least + TIE ? 1 / found.tied[at] : 0
      found.toOwn[at] = distanceOf(groups[0].points, sum)
      found.toNearest[at] = distanceOf(groups[0].points, least)
    }
    return found
  },
}

interface Near {
  readonly sum: number
  readonly records: number
}

/**
 * The released points up to the `kept`-th record and all that tie with it, of all groups together, nearest first. Groups
 * whose missing values alone cost more than that are passed over.
 */
function around(shared: NearestShared): (query: number) => readonly Near[] {
  const { groups, recordsAt, kept } = shared
  const near = (group: Group, query: number, cost: number): Near[] => {
    const found = searchOf(group).nearest(query, kept)
    return Array.from({ length: found.count }, (_, k) => ({
      sum: found.sums[k] + cost,
      records: recordsAt[found.points[k]],
    }))
  }
  if (groups.length === 1) return (query) => near(groups[0], query, missingCost(shared, groups[0], query))
  return (query) => {
    const cheapestFirst = groups
      .map((group) => ({ group, cost: missingCost(shared, group, query), least: leastSum(shared, group, query) }))
      .sort((a, b) => a.least - b.least)
    let all: Near[] = []
    for (const { group, cost, least } of cheapestFirst) {
      if (least > lastOf(all, kept) + TIE) break
      all = [...all, ...near(group, query, cost)].sort((a, b) => a.sum - b.sum)
      const last = lastOf(all, kept)
      all = all.filter(({ sum }) => sum <= last + TIE)
    }
    return all
  }
}

/** The sum of the `kept`-th record; infinite while there are fewer. */
function lastOf(sorted: readonly Near[], kept: number): number {
  let records = 0
  for (const one of sorted) {
    records += one.records
    if (records >= kept) return one.sum
  }
  return Number.POSITIVE_INFINITY
}

/** What columns that are missing on one side add to the sum of the others, for all records of a group alike. */
function missingCost({ expected }: NearestShared, { points, missing }: Group, query: number): number {
  if (expected === null) return 0
  const width = missing.length
  let cost = 0
  for (let j = 0; j < width; j++) {
    const isMissing = isMissingAt(points, query, j)
    if (isMissing === (missing[j] === 1)) continue
    // Where only the query is missing the search has charged the whole weight.
    cost += expected[query * width + j] - (isMissing ? points.weights[j] : 0)
  }
  return cost
}

/** No record of the group is nearer: what is missing on one side only, all else agreeing. */
function leastSum({ expected }: NearestShared, { points, missing }: Group, query: number): number {
  if (expected === null) return 0
  const width = missing.length
  let least = 0
  for (let j = 0; j < width; j++)
    if (isMissingAt(points, query, j) !== (missing[j] === 1)) least += expected[query * width + j]
  return least
}
