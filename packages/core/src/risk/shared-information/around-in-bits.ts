import { countIds } from '@scrim/kernels'
import type { BitColumn } from '../../neighbors/in-bits/bits.js'
import { bitSearch, type Draws, type MostBits, type SearchedRecords } from '../../neighbors/in-bits/nearest-in-bits.js'
import type { Where } from '../../neighbors/tasks.js'
import { oncePer } from '../../once.js'
import { joined, joinedCodes } from '../../stats/joined.js'
import type { Task } from '../../tasks/task.js'
import { type Credited, creditByPoint, designEffect } from '../distance/others/design-effect.js'
import { drawsOf, type Sides } from './draws.js'

/**
 * For original records i: who has most in common with them, among the m released records and the n - 1 other originals.
 * When the release is another sample of the same population, these m + n - 1 records are exchangeable, and the one with the
 * most bits is a released one with probability ν = m / (m + n - 1), whatever is charged and wherever i lies.
 */
export interface AroundInBits {
  /** Rows of the original that were looked at, and the point of each. */
  readonly rows: Int32Array
  readonly points: Int32Array
  /** How many originals are equal to each, itself among them. */
  readonly equals: Int32Array
  readonly originals: number
  readonly released: number
  /** ν. */
  readonly chance: number
  /** One for each charge. */
  readonly nearest: readonly NearestInBits[]
  /** Most bits at no charge, row by row. */
  readonly toReleased: MostOfRows
  readonly toOthers: MostOfRows
  /** How many random parts of the larger side were looked at too; 0 when both are as large. */
  readonly draws: number
}

export interface NearestInBits {
  readonly charge: number
  /** Share of released records among those with the most in common, row by row: 1 or 0 without ties between the two. */
  readonly releasedShare: Float64Array
  /** How much more the mean of these shares varies than over independent records. */
  readonly designEffect: number
}

export interface MostOfRows {
  readonly bits: Float64Array
  readonly points: Int32Array
  /** Row by row, within it draw by draw; empty when the side was not drawn from. */
  readonly drawnBits: Float64Array
  readonly drawnPoints: Int32Array
}

/** Original and released records as points of one space. */
export interface TwoSides extends Sides {
  readonly columns: readonly BitColumn[]
  /** Where not all records have a point: of each column how many of all have a code below. */
  readonly below?: readonly Int32Array[] | undefined
}

/** `rows` are the originals to be looked at; they are compared with all. */
export async function aroundInBits(
  sides: TwoSides,
  rows: Int32Array,
  charges: readonly number[],
  seed: number,
  where: Where,
): Promise<AroundInBits> {
  const { columns, originals, released, below } = sides
  const draws = drawsOf(sides, seed)
  const shared: Shared = {
    columns,
    originals: countIds(originals, sides.points),
    released: countIds(released, sides.points),
    draws,
    below,
    charges,
  }
  const points = rows.map((row) => originals[row])
  const queries = distinctQueries(sides.points, points)
  const runs = await where.tasks.map(aroundInBitsTask, shared, runsOf(queries), where)
  const placeOf = new Int32Array(sides.points)
  for (let place = 0; place < queries.points.length; place++) placeOf[queries.points[place]] = place
  const places = points.map((point) => placeOf[point])
  return {
    rows,
    points,
    equals: points.map((point) => shared.originals[point]),
    originals: originals.length,
    released: released.length,
    chance: released.length / (released.length + originals.length - 1),
    nearest: charges.map((charge, k) => ({
      charge,
      ...nearestOfRows(
        sides,
        shared,
        points,
        places,
        runs.map(({ ties }) => ties[k]),
      ),
    })),
    toReleased: ofRows(
      places,
      runs.map(({ toReleased }) => toReleased),
    ),
    toOthers: ofRows(
      places,
      runs.map(({ toOthers }) => toOthers),
    ),
    draws: draws?.count ?? 0,
  }
}

/** From the queries of all runs to rows, for one charge. */
function nearestOfRows(
  { points: count, originals, released }: TwoSides,
  { originals: originalsAt, released: releasedAt }: Shared,
  points: Int32Array,
  places: Int32Array,
  runs: readonly TiesOfRun[],
): Omit<NearestInBits, 'charge'> {
  const records = joined(runs.map((run) => run.records))
  const only = joinedCodes(runs.map((run) => run.only))
  const share = joined(runs.map((run) => run.releasedShare))
  return {
    releasedShare: Float64Array.from(places, (place) => share[place]),
    designEffect: designEffect({
      points,
      tied: Float64Array.from(places, (place) => records[place]),
      only: places.map((place) => only[place]),
      credit: creditByPoint(count, runs),
      originalsAt,
      releasedAt,
      originals: originals.length,
      released: released.length,
    }),
  }
}

interface Queries {
  readonly points: Int32Array
  /** How many of the records looked at are at each of them. */
  readonly records: Int32Array
}

function distinctQueries(points: number, queries: Int32Array): Queries {
  const records = countIds(queries, points)
  const asked = Int32Array.from(records.keys()).filter((point) => records[point] > 0)
  return { points: asked, records: asked.map((point) => records[point]) }
}

/** Queries handed out at once. Fixed, so that sums over queries do not depend on the number of threads. */
const QUERIES_AT_ONCE = 256

function runsOf({ points, records }: Queries): Queries[] {
  const runs: Queries[] = []
  for (let from = 0; from < points.length; from += QUERIES_AT_ONCE) {
    const to = from + QUERIES_AT_ONCE
    runs.push({ points: points.slice(from, to), records: records.slice(from, to) })
  }
  return runs
}

interface Shared extends SearchedRecords {
  readonly charges: readonly number[]
}

interface Run {
  readonly toReleased: MostOfRows
  readonly toOthers: MostOfRows
  readonly ties: readonly TiesOfRun[]
}

/** For one charge, query by query; see `designEffect`. */
interface TiesOfRun extends Credited {
  /** Of the records with the most in common: how many there are, the share of released ones, the point of a single one. */
  readonly records: Float64Array
  readonly releasedShare: Float64Array
  readonly only: Int32Array
}

/** Built once on each thread. */
const searchOf = oncePer((shared: Shared) => bitSearch(shared))

export const aroundInBitsTask: Task<Shared, Queries, Run> = {
  name: 'shared-information/around',
  run(shared, queries) {
    const search = searchOf(shared)
    const count = queries.points.length
    const drawn = (side: Draws['side']) => (shared.draws?.side === side ? shared.draws.count : 0)
    const toReleased = emptyRows(count, drawn('released'))
    const toOthers = emptyRows(count, drawn('originals'))
    const ties = shared.charges.map(() => ({
      records: new Float64Array(count),
      releasedShare: new Float64Array(count),
      only: new Int32Array(count).fill(-1),
      credit: new Map<number, number>(),
    }))
    for (let at = 0; at < count; at++) {
      search.ask(queries.points[at])
      note(toReleased, at, search.mostReleased())
      note(toOthers, at, search.mostOthers())
      for (const [k, { records, releasedShare, only, credit }] of ties.entries()) {
        const found = search.ties(shared.charges[k])
        records[at] = found.records
        releasedShare[at] = found.releasedRecords / found.records
        if (found.records === 1) only[at] = found.points[0]
        for (const point of found.points)
          credit.set(point, (credit.get(point) ?? 0) + queries.records[at] / found.records)
      }
    }
    return {
      toReleased,
      toOthers,
      ties: ties.map(({ credit, ...found }) => ({
        ...found,
        credited: Int32Array.from(credit.keys()),
        credit: Float64Array.from(credit.values()),
      })),
    }
  },
}

function emptyRows(count: number, draws: number): MostOfRows {
  return {
    bits: new Float64Array(count),
    points: new Int32Array(count),
    drawnBits: new Float64Array(count * draws),
    drawnPoints: new Int32Array(count * draws),
  }
}

function note(rows: MostOfRows, at: number, { bits, point, drawnBits, drawnPoints }: MostBits): void {
  rows.bits[at] = bits
  rows.points[at] = point
  rows.drawnBits.set(drawnBits, at * drawnBits.length)
  rows.drawnPoints.set(drawnPoints, at * drawnBits.length)
}

/** From the queries of all runs to rows, which may be equal records. */
function ofRows(places: Int32Array, runs: readonly MostOfRows[]): MostOfRows {
  const bits = joined(runs.map((run) => run.bits))
  const points = joinedCodes(runs.map((run) => run.points))
  const drawnBits = joined(runs.map((run) => run.drawnBits))
  const drawnPoints = joinedCodes(runs.map((run) => run.drawnPoints))
  const draws = drawnBits.length / Math.max(1, bits.length)
  const rows = emptyRows(places.length, draws)
  for (let at = 0; at < places.length; at++) {
    const place = places[at]
    rows.bits[at] = bits[place]
    rows.points[at] = points[place]
    rows.drawnBits.set(drawnBits.subarray(place * draws, (place + 1) * draws), at * draws)
    rows.drawnPoints.set(drawnPoints.subarray(place * draws, (place + 1) * draws), at * draws)
  }
  return rows
}
