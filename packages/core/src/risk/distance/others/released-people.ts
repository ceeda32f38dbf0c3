import { theOriginal } from '../../../evidence/controls.js'
import { binomialEffect, shareEffect } from '../../../evidence/effects.js'
import type { Effect, Look } from '../../../evidence/evidence.js'
import type { Neighbourhoods } from './leave-one-out.js'

/**
 * The tail seen from the release: how many of the released records are somebody's own? Five real people and nothing else are a
 * small share of 900 originals and the whole of the release.
 *   R = share of released records y with d(y, nearest original) < ρ d(y, next original),
 * equal released records counted once among all of them. The fair control leaves out each original in turn and takes it for a
 * released record; what is the same share among n - 1 others, f? If the release is another sample of the population, an original
 * that was left out and a released record are exchangeable. Originals that are near each other mostly come in pairs, each the
 * other's own, so f counts as a share of n / 2 pairs. Equal released records can only lower R below f, so that repetition makes no
 * alarm. The original itself would give R = u, the share of originals without an equal:
 *   leakage = (R - f) / (u - f).
 * Where independent columns would give more equal records than f, as for `memorisation-tail`, these take the place of f, and the
 * chance that f is larger than seen still counts.
 * A released record is somebody's own when that person has a twin: it is what the other looks of the tail test, on another scale, so
 * p is theirs, the smaller one. It says nothing about how many of the people are safe, so it can alarm and cannot reassure.
 */
export type ReleasedPeople = {
  /** Released records looked at, those among them that are somebody's own, and how many would be by chance. */
  readonly records: number
  readonly own: number
  readonly byChance: number
}

export function releasedPeople(
  around: Neighbourhoods,
  ratio: number,
  unequalled: number,
  /** How many people of all would be equalled by a released record if every column were drawn for itself. */
  equalledByColumns: number,
  /** That as many people have a twin, or an equal, by chance. */
  p: number,
): { readonly counts: ReleasedPeople; readonly look: Look } {
  const { fromRelease, toOthers, kept, rows, originals, released } = around
  const { records } = fromRelease
  const own = nearOne(fromRelease.toOriginals, 2, ratio)
  const leftOut = nearOne(toOthers, kept, ratio)
  const byLeavingOut = leftOut / rows.length
  const byColumns = Math.min(1, equalledByColumns / released)
  const fair = Math.max(byLeavingOut, byColumns)
  const besideOthers = shareEffect(own, records, leftOut / 2, rows.length / 2)
  const effect =
    byColumns > byLeavingOut ? moreCautious(binomialEffect(own, records, byColumns), besideOthers) : besideOthers
  return {
    counts: { records, own, byChance: fair * records },
    look: {
      what: 'among released records, which ones are real people',
      value: own / records,
      controls: {
        fair: { value: fair, se: null, what: 'people left out in turn', basis: 'leave-one-out' },
        everything: theOriginal(unequalled),
      },
      effect: { ...effect, p },
      people: Math.min(
        originals,
        Math.round(released * Math.min(1, Math.max(0, effect.value / (unequalled - fair) || 0))),
      ),
      peoplePerEffect: released / originals,
      reach: unequalled,
      narrow: true,
      rescaled: true,
    },
  }
}

function moreCautious(effect: Effect, other: Effect): Effect {
  return { ...effect, lower: Math.min(effect.lower, other.lower) }
}

/** Records whose nearest original is so much nearer than the next one. */
function nearOne(distances: Float64Array, kept: number, ratio: number): number {
  let near = 0
  for (let at = 0; at < distances.length; at += kept) if (distances[at] < ratio * distances[at + 1]) near++
  return near
}
