import { BOUND_Z } from '../stats/levels.js'
import type { Effect } from './evidence.js'

/**
 * How much of a leakage is gone for an attacker, or a measure, that does without a column:
 *   share = (effect - effect without the column) / ceiling
 * with the ceiling of all columns, so that shares are points of the leakage. They need not add up to it: two columns that
 * say the same carry nothing each, and two that say something only together carry it both. A share is a mean of differences
 * over the same people, so it is surer than either effect: its standard error is that of the effect, as the measure has it
 * with all its dependence between people, times sd(differences) / sd(what is added).
 */
export type ColumnShare = {
  readonly column: string
  /** Points of the leakage, 0 to 1, with one-sided 95 % bounds. */
  readonly share: number
  readonly lower: number
  readonly upper: number
}

/** What the release adds about each original record, NaN where unknown. */
export type AddedByRecord = ArrayLike<number>

/** Null where nothing can be compared. A row counts once, or as often as `times` says. */
export function columnShare(
  column: string,
  added: AddedByRecord,
  without: AddedByRecord,
  { se }: Pick<Effect, 'se'>,
  ceiling: number,
  times?: Int32Array,
): ColumnShare | null {
  let n = 0
  const sums = { added: 0, gap: 0 }
  const squares = { added: 0, gap: 0 }
  for (let row = 0; row < added.length; row++) {
    const gap = added[row] - without[row]
    if (Number.isNaN(gap)) continue
    const like = times?.[row] ?? 1
    n += like
    sums.added += like * added[row]
    sums.gap += like * gap
    squares.added += like * added[row] ** 2
    squares.gap += like * gap ** 2
  }
  const spread = (of: 'added' | 'gap') => Math.sqrt(Math.max(0, squares[of] - sums[of] ** 2 / n))
  if (n < 2 || !(ceiling > 0) || se === null || spread('added') === 0) return null
  const share = sums.gap / n / ceiling
  const reach = (BOUND_Z * se * spread('gap')) / spread('added') / ceiling
  return { column, share, lower: share - reach, upper: share + reach }
}

/** Largest first. */
export function byShare(a: ColumnShare, b: ColumnShare): number {
  return b.share - a.share
}
