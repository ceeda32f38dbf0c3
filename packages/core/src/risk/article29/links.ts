import { groupRows, type RowsByGroup, rowsByGroup, shared } from '@scrim/kernels'
import { type Found, type Members, membersAmong } from '../../neighbors/search.js'
import { type Points, TIE } from '../../neighbors/space.js'
import { doneElsewhere, type Searched, searched, searchOf, type Where } from '../../neighbors/tasks.js'
import type { Task } from '../../tasks/task.js'
import type { Targets } from './targets.js'

/**
 * Are the k released records nearest on columns A and the k nearest on columns B the same one somewhere? For all k up to
 * `most` from one search on either side. A released record has a point in the space of A and one in that of B.
 */
interface Links {
  readonly a: Half
  readonly b: Half
  readonly most: number
  readonly ties: TieRule
}

export type TieRule = 'expected' | 'index'

/** The released records as points on one set of columns. */
interface Half extends Searched {
  /** The point of each record, and the records at each point in their order. */
  readonly ids: Int32Array
  readonly records: RowsByGroup
}

/** The released records on one set of columns, in a space of so many points. */
interface OnColumns {
  readonly ids: Int32Array
  readonly count: number
}

interface CountedHalf extends Pick<Half, 'ids' | 'records'> {
  readonly members: Members
}

/**
 * The records that count, on either set of columns. Those that are equal on A and on B count once, for they say the same
 * however often they are written; those that are taken in the order of the file all count.
 */
export const countedTask: Task<
  { readonly halves: readonly OnColumns[]; readonly ties: TieRule },
  string,
  CountedHalf[]
> = {
  name: 'released records on two sets of columns',
  run({ halves, ties }) {
    const counted = ties === 'index' ? halves.map(({ ids }) => ids) : eachOnce(halves)
    return counted.map((ids, k) => {
      const { start, rows } = rowsByGroup(ids, halves[k].count)
      return {
        ids: shared(ids),
        members: membersAmong(halves[k].count, [ids]),
        records: { start: shared(start), rows: shared(rows) },
      }
    })
  },
}

function eachOnce(halves: readonly OnColumns[]): Int32Array[] {
  const columns = halves.map(({ ids, count }) => ({ codes: ids, cardinality: count }))
  const { ids: kinds, count } = groupRows(columns, halves[0].ids.length)
  return halves.map(({ ids }) => {
    const counted = new Int32Array(count)
    for (let row = 0; row < kinds.length; row++) counted[kinds[row]] = ids[row]
    return counted
  })
}

/** People and released records on one set of columns. */
export interface Compared extends Points {
  readonly released: { readonly ids: Int32Array }
}

/** Links are told for so many neighbours at least. */
export const CURVE_TO = 10

/** Whom it is tried on, and among which released records, on either set of columns. */
export interface Attack {
  readonly a: Compared
  readonly b: Compared
  /** People in the release, and people outside it where there are any. */
  readonly groups: readonly Targets[]
  /** The rows of the former in their file, and how many it has. */
  readonly rows: Int32Array
  readonly people: number
  readonly warnings: readonly string[]
}

export async function links(
  where: Where,
  a: Compared,
  b: Compared,
  most: (counted: number) => number,
  ties: TieRule,
): Promise<Links> {
  const halves = [a, b].map(({ released: { ids }, count }) => ({ ids, count }))
  const counted = await doneElsewhere(where, countedTask, { halves, ties }, halves[0].ids.length)
  const [ofA, ofB] = await Promise.all(
    [a, b].map(async (space, k): Promise<Half> => {
      const { ids, members, records } = counted[k]
      return { ...(await searched(where, space, members)), ids, records }
    }),
  )
  return { a: ofA, b: ofB, most: most(ofA.ids.length), ties }
}

/** Chance of a link for each target and k: target by target, k from 1 to `most`. */
export const linksTask: Task<Links, Targets, Float64Array> = {
  name: 'links between two sets of columns',
  run(shared, { first, second }) {
    const { a, b, most, ties } = shared
    const [searchA, searchB] = [searchOf(a), searchOf(b)]
    const probability = new Float64Array(first.length * most)
    const linked = ties === 'index' ? linkedInFileOrder(shared) : linkedByChance(shared)
    let nearA: Found | undefined
    for (let at = 0; at < first.length; at++) {
      // Targets are sorted by their point on A, whose answer stays in place until the next search there.
      if (nearA === undefined || first[at] !== first[at - 1]) nearA = searchA.nearest(first[at], most)
      linked(nearA, searchB.nearest(second[at], most), probability.subarray(at * most, (at + 1) * most))
    }
    return probability
  },
}

type Linked = (a: Found, b: Found, probability: Float64Array) => void

/** Expected over all ways to choose among records that tie for the k-th place. */
function linkedByChance({ a, b, most }: Links): Linked {
  const layersA = layers(most)
  const layersB = layers(most)
  const placeA = new Int32Array(a.points.count)
  const placeB = new Int32Array(b.points.count)
  const shared = {
    sure: new Float64Array(most),
    u: new Float64Array(most),
    v: new Float64Array(most),
    w: new Float64Array(most),
  }

  return (foundA, foundB, probability) => {
    setLayers(layersA, foundA, a.records)
    setLayers(layersB, foundB, b.records)
    for (const counts of Object.values(shared)) counts.fill(0)
    if (recordsAt(foundA, a.records) <= recordsAt(foundB, b.records)) {
      mark(placeB, foundB, true)
      walk(foundA, a.records, b.ids, placeB, (i, j) => count(i, j))
      mark(placeB, foundB, false)
    } else {
      mark(placeA, foundA, true)
      walk(foundB, b.records, a.ids, placeA, (j, i) => count(i, j))
      mark(placeA, foundA, false)
    }
    for (let k = 0; k < most; k++) {
      probability[k] =
        shared.sure[k] > 0 ? 1 : 1 - noLink(drawn(layersA, k), drawn(layersB, k), shared.u[k], shared.v[k], shared.w[k])
    }
  }

  /** Adds a record found at place i on A and at place j on B to the set that it is in, for every k. */
  function count(i: number, j: number): void {
    for (let k = 0; k < most; k++) {
      if (i >= layersA.end[k] || j >= layersB.end[k]) continue
      const sureA = i < layersA.sureEnd[k]
      const sureB = j < layersB.sureEnd[k]
      const set = sureA ? (sureB ? shared.sure : shared.v) : sureB ? shared.u : shared.w
      set[k]++
    }
  }

  /** Visits the records at the found points whose other point is marked. */
  function walk(
    pairs: Found,
    { start, rows }: RowsByGroup,
    other: Int32Array,
    placeOf: Int32Array,
    visit: (place: number, otherPlace: number) => void,
  ): void {
    for (let place = 0; place < pairs.count; place++) {
      const point = pairs.points[place]
      for (let at = start[point]; at < start[point + 1]; at++) {
        const otherPlace = placeOf[other[rows[at]]] - 1
        if (otherPlace >= 0) visit(place, otherPlace)
      }
    }
  }
}

function recordsAt({ count, points }: Found, { start }: RowsByGroup): number {
  let records = 0
  for (let place = 0; place < count; place++) records += start[points[place] + 1] - start[points[place]]
  return records
}

function mark(placeOf: Int32Array, { count, points }: Found, on: boolean): void {
  for (let place = 0; place < count; place++) placeOf[points[place]] = on ? place + 1 : 0
}

/** For every k: which of the places found are surely among the k nearest, which tie for the rest, and how many records are in both. */
interface Layers {
  readonly sureEnd: Int32Array
  readonly end: Int32Array
  readonly sureRecords: Int32Array
  readonly tiedRecords: Int32Array
}

function layers(most: number): Layers {
  const made = () => new Int32Array(most)
  return { sureEnd: made(), end: made(), sureRecords: made(), tiedRecords: made() }
}

function setLayers(layered: Layers, { count, points, sums }: Found, { start }: RowsByGroup): void {
  const recordsOf = (place: number) => start[points[place] + 1] - start[points[place]]
  let [place, within] = [0, recordsOf(0)]
  let [sureEnd, sure] = [0, 0]
  let [end, all] = [0, 0]
  for (let k = 0; k < layered.end.length; k++) {
    while (within < k + 1) within += recordsOf(++place)
    for (; sums[sureEnd] < sums[place] - TIE; sureEnd++) sure += recordsOf(sureEnd)
    for (; end < count && sums[end] <= sums[place] + TIE; end++) all += recordsOf(end)
    layered.sureEnd[k] = sureEnd
    layered.end[k] = end
    layered.sureRecords[k] = sure
    layered.tiedRecords[k] = all - sure
  }
}

/** How many of how many tied records are drawn to fill up the k nearest. */
interface Draw {
  readonly draws: number
  readonly tied: number
}

function drawn({ sureRecords, tiedRecords }: Layers, k: number): Draw {
  return { draws: k + 1 - sureRecords[k], tied: tiedRecords[k] }
}

/**
 * Chance that the records drawn on A and on B have none in common, when the sure ones have none: u of the records tied on
 * A are sure on B, v of those tied on B are sure on A, and w tie on both:
 *   Σ_j P(A draws none of u, and j of w) C(tied_B - v - j, draws_B) / C(tied_B, draws_B)
 * P by drawing one record after the other, so without large binomial coefficients.
 */
export function noLink(a: Draw, b: Draw, u: number, v: number, w: number): number {
  if (u + v + w === 0) return 1
  const neutral = a.tied - u - w
  const ofBoth = new Float64Array(a.draws + 1)
  ofBoth[0] = 1
  for (let draw = 0; draw < a.draws; draw++) {
    for (let j = draw + 1; j >= 0; j--) {
      const another = j > 0 ? ofBoth[j - 1] * (w - j + 1) : 0
      ofBoth[j] = (ofBoth[j] * (neutral - draw + j) + another) / (a.tied - draw)
    }
  }
  let none = 0
  for (let j = 0; j <= Math.min(a.draws, w); j++) {
    let missed = ofBoth[j]
    for (let draw = 0; draw < b.draws; draw++) missed *= (b.tied - v - j - draw) / (b.tied - draw)
    none += missed
  }
  return none
}

/** Of records that tie, those that come first in the file are nearer: what a stable sort of all distances gives. */
function linkedInFileOrder({ a, b, most }: Links): Linked {
  return (foundA, foundB, probability) => {
    const nearA = inFileOrder(foundA, a.records, most)
    const nearB = inFileOrder(foundB, b.records, most)
    let from = most
    for (const [i, row] of nearA.entries()) {
      const j = nearB.indexOf(row)
      if (j >= 0) from = Math.min(from, Math.max(i, j))
    }
    probability.fill(1, from)
  }
}

function inFileOrder({ count, points, sums }: Found, { start, rows }: RowsByGroup, most: number): number[] {
  const nearest: number[] = []
  for (let place = 0; place < count && nearest.length < most; ) {
    const tied: number[] = []
    const sum = sums[place]
    for (; place < count && sums[place] <= sum + TIE; place++) {
      const from = start[points[place]]
      const to = Math.min(start[points[place] + 1], from + most)
      for (let at = from; at < to; at++) tied.push(rows[at])
    }
    nearest.push(...tied.sort((a, b) => a - b).slice(0, most - nearest.length))
  }
  return nearest
}
