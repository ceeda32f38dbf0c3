import type { Reason } from '../reason.js'
import { normalCdf } from '../stats/distributions.js'
import { type Part, remember } from '../table/classes.js'
import type { Release } from '../table/release.js'
import type { Task } from '../tasks/task.js'
import { DEFAULT_DISTANCE, releaseSpaceElsewhere } from './release-space.js'
import type { Members } from './search.js'
import { type Points, TIE } from './space.js'
import { type Searched, searched, searchOf, type Where } from './tasks.js'

/**
 * Was the holdout used to make the release? A record that was not is nearer to one of m released records than to one of
 * the n - 1 other holdout records with probability m / (m + n - 1) if the release is as good as a sample of the
 * population, and less often if it is worse. More often means that the holdout's own records are in the release; every
 * comparison with it then says that all is well. A tie counts as chance would have it. Null where
 * it was not used.
 */
export async function usedHoldout(release: Release, part: Part, { tasks, signal }: Where): Promise<Reason | null> {
  if (release.holdout === null) return null
  const where = { tasks, signal }
  if (part === 'all') {
    const parts = await Promise.all(release.released.map((_, one) => usedHoldout(release, one, where)))
    return parts.find((used) => used !== null) ?? null
  }
  return remember(release, usedHoldoutKey(part), async () => {
    const space = await releaseSpaceElsewhere(where, { release, part, target: '' }, DEFAULT_DISTANCE)
    return space.holdout === null ? null : nearReleased(where, space, space.holdout, space.released)
  })
}

/** Remembers the answer of a release about another that is made from it, or is it on another thread. */
export function rememberUsedHoldout(release: Release, part: Part, used: Promise<Reason | null>): void {
  remember(release, usedHoldoutKey(part), () => used)
}

const usedHoldoutKey = (part: Part): string => `used holdout ${part}`

interface LeastShared extends Searched {
  readonly leaveOneOut: boolean
}

/** The sum of terms to the nearest member. */
export const leastSumsTask: Task<LeastShared, Int32Array, Float64Array> = {
  name: 'neighbors/least-sums',
  run(shared, queries) {
    const { nearest } = searchOf(shared)
    return Float64Array.from(queries, (query) => nearest(query, 1, shared.leaveOneOut).kth)
  },
}

export async function nearReleased(
  where: Where,
  points: Points,
  holdout: Members & { readonly ids: Int32Array },
  released: Members,
): Promise<Reason | null> {
  const n = holdout.ids.length
  const m = released.records.reduce((sum, records) => sum + records, 0)
  if (n < 2) return null
  const asked = Math.min(n, MOST_ASKED)
  const queries = Int32Array.from({ length: asked }, (_, k) => holdout.ids[Math.floor((k * n) / asked)])
  const leastSums = async (members: Members, leaveOneOut: boolean) => {
    const shared = { ...(await searched(where, points, members)), leaveOneOut }
    const [sums] = await where.tasks.map(leastSumsTask, shared, [queries], { signal: where.signal, beside: true })
    return sums
  }
  const [own, other] = await Promise.all([leastSums(holdout, true), leastSums(released, false)])
  let nearer = 0
  let squares = 0
  for (let k = 0; k < asked; k++) {
    const [inside, outside] = [own[k], other[k]]
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
