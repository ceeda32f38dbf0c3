import { LARGEST_SCORE, type SimilarityScan } from '@scrim/kernels'
import { type BitBounds, penaltyOf } from './bit-bounds.js'
import { TIED_BITS } from './bits.js'

/** Bounds from the highest on are taken in steps of so many bits at first, then twice as many, again and again. */
const FIRST_STEP = 4

/** Hands over the places from `from` to before `to` by their bounds, highest first, until nobody else can have as many bits as are needed. */
export function byBound(
  scan: SimilarityScan,
  bounds: BitBounds,
  charge: number,
  [from, to]: readonly [from: number, to: number],
  needed: () => number,
  take: (place: number) => void,
): void {
  const penalty = penaltyOf(bounds, charge)
  const top = scan.highest(from, to, penalty)
  let limit = limitOf(needed(), bounds)
  if (top < limit) return
  let high = LARGEST_SCORE + 1
  for (let step = FIRST_STEP * bounds.scale; ; step *= 2) {
    const low = Math.max(limit, Math.floor(top - step))
    const count = scan.between(from, to, penalty, low, high)
    for (let k = 0; k < count; k++) {
      const place = scan.found[k]
      if (scan.scores[place] - penalty * scan.mismatches[place] < limit) continue
      take(place)
      limit = limitOf(needed(), bounds)
    }
    if (low <= limit) return
    high = low
  }
}

/** No place with a lower bound has as many bits, ties included. */
function limitOf(bits: number, { scale }: BitBounds): number {
  return Math.max(-LARGEST_SCORE, Math.floor((bits - 2 * TIED_BITS) * scale))
}
