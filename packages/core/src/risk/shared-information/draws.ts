import { math } from '@scrim/kernels'
import type { Draws } from '../../neighbors/in-bits/nearest-in-bits.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'

/** So many random parts of the larger side are compared with the smaller one. */
const DRAWS = 20

function areAsLarge(originals: number, released: number): boolean {
  return released === originals || released === originals - 1
}

const NEGLIGIBLE = 1e-9

/**
 * How many of the originals and of the released records that have most in common with each of so many people must be known: among
 * them is one of every draw, but for a negligible chance.
 */
export function nearestNeeded(originals: number, released: number, people: number): readonly [number, number] {
  if (areAsLarge(originals, released)) return [1, 1]
  const left = 1 - Math.min(originals, released) / Math.max(originals, released)
  const needed = Math.max(1, Math.ceil(math.log(NEGLIGIBLE / (DRAWS * people)) / math.log(left)))
  return released > originals ? [1, needed] : [needed, 1]
}

export interface Sides {
  readonly points: number
  /** The point of every record; -1 where it is known to be near nobody who is looked at. */
  readonly originals: Int32Array
  readonly released: Int32Array
}

/** Null when one side is as large as the other. */
export function drawsOf({ points, originals, released }: Sides, seed: number): Draws | null {
  if (areAsLarge(originals.length, released.length)) return null
  const side = released.length > originals.length ? 'released' : 'originals'
  const larger = side === 'released' ? released : originals
  const size = Math.min(originals.length, released.length)
  const drawn = new Int32Array(points)
  const drawnOthers = new Int32Array(points)
  const first = firstRecords(points, larger)
  for (let draw = 0; draw < DRAWS; draw++) {
    for (const row of sampleWithoutReplacement(stream(seed, 'shared-information/draws', draw), larger.length, size)) {
      const point = larger[row]
      if (point < 0) continue
      drawn[point] |= 1 << draw
      // Equal records are alike, so that any of them may be the one asked about: let it be the first.
      if (first[point] !== row) drawnOthers[point] |= 1 << draw
    }
  }
  return { side, count: DRAWS, drawn, drawnOthers }
}

function firstRecords(points: number, ids: Int32Array): Int32Array {
  const first = new Int32Array(points)
  for (let row = ids.length - 1; row >= 0; row--) if (ids[row] >= 0) first[ids[row]] = row
  return first
}
