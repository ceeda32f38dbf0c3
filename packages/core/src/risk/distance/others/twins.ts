import { betaCdf } from '../../../stats/distributions.js'
import { sum } from '../../../stats/sums.js'
import type { Neighbourhoods } from './leave-one-out.js'

/** Below so many expected twins a normal tail is no good. */
const FEW = 10

export function isFew(expected: Float64Array): boolean {
  return sum(expected) < FEW
}

/** The chance of as many twins and more, by the binomial of the same mean and variance. */
export function asManyTwins(hit: Float64Array, expected: Float64Array): number {
  const hits = sum(hit)
  const most = sum(expected)
  if (hits === 0 || most === 0) return hits === 0 ? 1 : 0
  const each = expected.reduce((total, e) => total + e * e, 0) / most
  return betaCdf(each, hits, Math.max(0, most / each - hits) + 1)
}

export function twins({ rows, originals, released, kept, toReleased, toOthers }: Neighbourhoods, ratio: number) {
  const pool = new Float64Array(2 * kept)
  const hit = new Float64Array(rows.length)
  const expected = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) {
    pool.set(toReleased.subarray(at * kept, (at + 1) * kept))
    pool.set(toOthers.subarray(at * kept, (at + 1) * kept), kept)
    pool.sort()
    hit[at] = toReleased[at * kept] < ratio * toOthers[at * kept] ? 1 : 0
    expected[at] = chanceOfTwin(pool.subarray(0, kept), ratio, released, released + originals - 1)
  }
  return { hit, expected, excess: hit.map((twin, at) => twin - expected[at]) }
}

/** 1 where somebody else equals a person: nothing is nearer. */
export function ratiosOf({ rows, kept, toReleased, toOthers }: Neighbourhoods): Float64Array {
  return Float64Array.from(rows, (_, at) => {
    const [released, other] = [toReleased[at * kept], toOthers[at * kept]]
    return other === 0 ? 1 : released / other
  })
}

/**
 * The chance that the nearest records are marked up to 1 / ratio times the least distance, when `marked` of the `total`
 * records around are, taken at random. `distances` are the least ones, ascending; beyond them the chance is negligible,
 * and never underestimated.
 */
export function chanceOfTwin(distances: Float64Array, ratio: number, marked: number, total: number): number {
  let chance = 1
  for (let j = 0; j < distances.length; j++) {
    if (distances[0] < ratio * distances[j]) return chance
    chance *= Math.max(0, marked - j) / (total - j)
  }
  return chance
}
