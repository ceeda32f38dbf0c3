import type { Reason } from '../reason.js'
import { normalCdf } from '../stats/distributions.js'
import { type Part, remember } from '../table/classes.js'
import type { Release } from '../table/release.js'
import { DEFAULT_DISTANCE, releaseSpace } from './release-space.js'
import { type Members, search } from './search.js'
import { type Points, TIE } from './space.js'

/**
 * Was the holdout used to make the release? A record that was not is nearer to one of m released records than to one of
 * the n - 1 other holdout records with probability m / (m + n - 1) if the release is as good as a sample of the
 * population, and less often if it is worse. More often means that the holdout's own records are in the release; every
 * comparison with it then says that all is well. A tie counts as chance would have it. Null where
 * it was not used.
 */
export function usedHoldout(release: Release, part: Part): Reason | null {
  if (release.holdout === null) return null
  if (part === 'all')
    return release.released.map((_, one) => usedHoldout(release, one)).find((used) => used !== null) ?? null
  return remember(release, usedHoldoutKey(part), () => {
    const space = releaseSpace({ release, part, target: '' }, DEFAULT_DISTANCE)
    return space.holdout === null ? null : nearReleased(space, space.holdout, space.released)
  })
}

/** What the answer is remembered by. */
export const usedHoldoutKey = (part: Part): string => `used holdout ${part}`

export function nearReleased(
  points: Points,
  holdout: Members & { readonly ids: Int32Array },
  released: Members,
): Reason | null {
  const n = holdout.ids.length
  const m = released.records.reduce((sum, records) => sum + records, 0)
  if (n < 2) return null
  const own = search(points, holdout)
  const other = search(points, released)
  const asked = Math.min(n, MOST_ASKED)
  let nearer = 0
  let squares = 0
  for (let k = 0; k < asked; k++) {
    const query = holdout.ids[Math.floor((k * n) / asked)]
    const inside = own.nearest(query, 1, true).kth
    const outside = other.nearest(query, 1).kth
    const share = outside < inside - TIE ? 1 : outside > inside + TIE ? 0 : m / (m + n - 1)
    nearer += share
    squares += share * share
  }
  const expected = m / (m + n - 1)
  const mean = nearer / asked
  const se = Math.sqrt(Math.max(squares / asked - mean * mean, expected * (1 - expected)) / asked)
  if (se === 0 || normalCdf((expected - mean) / se) >= SIGNIFICANT) return null
  return { code: 'used-holdout', nearer: mean, expected }
}

const MOST_ASKED = 1000
/** Neighbours of neighbours are not independent, so the normal tail is a little short; a warning must be beyond that. */
const SIGNIFICANT = 1e-5
