import { NUMBER_CLASSES, RECORDS_AT_ONCE, similarityScan } from '@scrim/kernels'
import { bitBounds, boundClasses, categoryByte, inBytes } from './bit-bounds.js'
import { type BitColumn, poolOf, TIED_BITS } from './bits.js'
import { byBound } from './by-bound.js'
import { exactBits } from './exact-bits.js'

/**
 * Who has most in common with an original record i: the released records Y, or the other originals, X without i? Shares are
 * taken over both together (see `bits.ts`).
 *
 * Exact: a byte per record and column bounds the bits from above (`similarityScan`); records are taken by their bound,
 * highest first, and those whose bound reaches the best so far are computed in 64 bits. Memory is linear in the records.
 */
export interface BitSearch {
  /** Sets the record asked about: an original one at this point. */
  ask(point: number): void
  /** The most bits of a released record, and of another original, at no charge. Valid until the next question. */
  mostReleased(): MostBits
  mostOthers(): MostBits
  /** The records that tie for the most bits, less `charge` for each category that differs. */
  ties(charge: number): Ties
}

export interface SearchedRecords {
  readonly columns: readonly BitColumn[]
  /** How many released and original records there are at each point. */
  readonly released: Int32Array
  readonly originals: Int32Array
  /** Random parts of the larger side, of the size of the smaller one; null when they are as large. */
  readonly draws: Draws | null
  /** Where these are some of more records: of each column, how many of all have a code below. */
  readonly below?: readonly Int32Array[] | undefined
}

/** Which records were drawn: of each point one bit per draw, at most 31 of them. */
export interface Draws {
  readonly side: 'released' | 'originals'
  readonly count: number
  /** The draws with some record of the point, and those with one that is not the record asked about. */
  readonly drawn: Int32Array
  readonly drawnOthers: Int32Array
}

export interface MostBits {
  /** -Infinity and -1 where there is no record. */
  bits: number
  point: number
  /** The same within each draw; empty when the side was not drawn from. */
  readonly drawnBits: Float64Array
  readonly drawnPoints: Int32Array
}

interface Ties {
  readonly records: number
  readonly releasedRecords: number
  readonly points: readonly number[]
}

export function bitSearch(
  { columns, released, originals, draws, below }: SearchedRecords,
  scanOf = similarityScan,
): BitSearch {
  const pool = poolOf(
    columns,
    released.map((records, point) => records + originals[point]),
    below,
  )
  const bounds = bitBounds(pool)
  const { categories, numbers, scale } = bounds
  const { pointAt, originalAt, releasedEnd } = placesOf(released, originals)
  const end = pointAt.length
  const scan = scanOf(inBytes(pool, bounds, pointAt))
  const classesOf = numbers.map((_, k) => scan.classes.subarray(k * NUMBER_CLASSES, (k + 1) * NUMBER_CLASSES))

  const exact = exactBits(pool, bounds)
  let query = -1
  // What was computed for the present query: bits and mismatches of a place.
  const computed: number[] = []
  const computedFor = new Int32Array(end)
  const bitsAt = new Float64Array(end)
  const mismatchesAt = new Int32Array(end)
  let queries = 0
  // The list of ties in which a point was noted last.
  const listedIn = new Int32Array(released.length)
  let lists = 0
  const inReleased = mostBits(draws?.side === 'released' ? draws.count : 0)
  const inOthers = mostBits(draws?.side === 'originals' ? draws.count : 0)

  return {
    ask,
    mostReleased: () => most(inReleased, 0, releasedEnd),
    mostOthers: () => most(inOthers, releasedEnd, end),
    ties,
  }

  function ask(point: number): void {
    query = point
    queries++
    computed.length = 0
    exact.ask(point)
    for (let k = 0; k < categories.length; k++) {
      scan.query[k] = categoryByte(exact.codes[k])
      scan.agreement[k] = Math.ceil(exact.agreement[k] * scale)
    }
    for (let k = 0; k < numbers.length; k++)
      boundClasses(pool, bounds, numbers[k], exact.codes[categories.length + k], classesOf[k])
    scan.score()
    if (originals[query] === 1) leaveOut(originalAt[query])
  }

  /** The record asked about is no candidate: its bound becomes the least there is. */
  function leaveOut(place: number): void {
    scan.scores[place] = 0
    scan.mismatches[place] = Math.min(255, categories.length)
  }

  function most(side: MostBits, from: number, to: number): MostBits {
    const { drawnBits, drawnPoints } = side
    side.bits = Number.NEGATIVE_INFINITY
    side.point = -1
    drawnBits.fill(Number.NEGATIVE_INFINITY)
    drawnPoints.fill(-1)
    // Who has more than the least of these changes one of them.
    let least = Number.NEGATIVE_INFINITY
    const take = (place: number) => {
      const bits = bitsAt[place]
      const point = pointAt[place]
      if (comesBefore(bits, point, side.bits, side.point)) {
        side.bits = bits
        side.point = point
      }
      if (draws === null || drawnBits.length === 0) {
        least = side.bits
        return
      }
      const drawn = (point === query && side === inOthers ? draws.drawnOthers : draws.drawn)[point]
      let isLess = false
      for (let draw = 0; draw < drawnBits.length; draw++) {
        if (((drawn >>> draw) & 1) === 0 || !comesBefore(bits, point, drawnBits[draw], drawnPoints[draw])) continue
        drawnBits[draw] = bits
        drawnPoints[draw] = point
        isLess = true
      }
      if (!isLess) return
      least = side.bits
      for (let draw = 0; draw < drawnBits.length; draw++) if (drawnBits[draw] < least) least = drawnBits[draw]
    }
    descend(from, to, 0, () => least, take)
    return side
  }

  function ties(charge: number): Ties {
    const charged = (place: number) => bitsAt[place] - charge * mismatchesAt[place]
    let highest = computed.reduce((most, place) => Math.max(most, charged(place)), Number.NEGATIVE_INFINITY)
    const near: number[] = []
    descend(
      0,
      end,
      charge,
      () => highest,
      (place) => {
        if (charged(place) < highest - TIED_BITS) return
        near.push(place)
        highest = Math.max(highest, charged(place))
      },
    )
    const points: number[] = []
    let [records, releasedRecords] = [0, 0]
    lists++
    for (const place of near) {
      if (charged(place) < highest - TIED_BITS) continue
      const point = pointAt[place]
      records += recordsAt(place)
      if (place < releasedEnd) releasedRecords += released[point]
      // A point of both sides has two places.
      if (listedIn[point] !== lists) points.push(point)
      listedIn[point] = lists
    }
    return { records, releasedRecords, points }
  }

  /** Computes and hands over the places from `from` on by their bound, until nobody else can have as much as is needed. */
  function descend(from: number, to: number, charge: number, needed: () => number, take: (place: number) => void) {
    byBound(scan, bounds, charge, [from, to], needed, (place) => {
      if (recordsAt(place) > 0 && compute(place, charge, needed())) take(place)
    })
  }

  /** How many records there are at a place, without the one asked about. */
  function recordsAt(place: number): number {
    const point = pointAt[place]
    if (point < 0) return 0
    return place < releasedEnd ? released[point] : originals[point] - (point === query ? 1 : 0)
  }

  /** Computes a place once for all charges; false when it is clear that it has fewer bits than needed. */
  function compute(place: number, charge: number, needed: number): boolean {
    if (computedFor[place] === queries) return true
    if (!exact.compute(pointAt[place], charge, needed)) return false
    computedFor[place] = queries
    computed.push(place)
    bitsAt[place] = exact.bits
    mismatchesAt[place] = exact.mismatches
    return true
  }
}

/** More bits come first, and of points that tie the first one: in whatever order they are looked at. */
function comesBefore(bits: number, point: number, thanBits: number, thanPoint: number): boolean {
  return bits > thanBits + TIED_BITS || (bits >= thanBits - TIED_BITS && point < thanPoint)
}

function mostBits(draws: number): MostBits {
  return { bits: 0, point: -1, drawnBits: new Float64Array(draws), drawnPoints: new Int32Array(draws) }
}

interface Places {
  /** Released points, then those of originals, each side filled up with -1; a point of both is there twice. */
  readonly pointAt: Int32Array
  readonly releasedEnd: number
  /** Place of each point among the originals. */
  readonly originalAt: Int32Array
}

function placesOf(released: Int32Array, originals: Int32Array): Places {
  const releasedEnd = filledUp(countPositive(released))
  const pointAt = new Int32Array(releasedEnd + filledUp(countPositive(originals))).fill(-1)
  const originalAt = new Int32Array(originals.length).fill(-1)
  for (let point = 0, atReleased = 0, atOriginal = releasedEnd; point < released.length; point++) {
    if (released[point] > 0) pointAt[atReleased++] = point
    if (originals[point] === 0) continue
    originalAt[point] = atOriginal
    pointAt[atOriginal++] = point
  }
  return { pointAt, originalAt, releasedEnd }
}

const filledUp = (places: number): number => Math.ceil(places / RECORDS_AT_ONCE) * RECORDS_AT_ONCE

function countPositive(counts: Int32Array): number {
  let positive = 0
  for (const count of counts) if (count > 0) positive++
  return positive
}
