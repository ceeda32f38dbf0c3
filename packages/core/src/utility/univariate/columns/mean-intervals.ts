import { studentTQuantile } from '../../../stats/distributions.js'
import { wilson } from '../../../stats/intervals.js'
import type { Moments } from '../../../stats/samples/summaries.js'
import { momentsOf } from '../../../stats/samples/summaries.js'
import { columnOf } from '../../../table/table.js'
import type { Pair } from '../../pair.js'
import { levelPair, sampleIn } from './columns.js'

/** An estimate with the ends of its confidence interval. */
export type Estimate = { readonly value: number; readonly se: number; readonly lower: number; readonly upper: number }

/** The mean with Student's interval; null for fewer than two values. */
export function meanEstimate({ n, mean, se }: Moments, level: number): Estimate | null {
  if (se === null || n < 2) return null
  const half = studentTQuantile((1 + level) / 2, n - 1) * se
  return { value: mean, se, lower: mean - half, upper: mean + half }
}

/**
 * How much of either interval lies in the other, ½ (|I ∩ J| / |I| + |I ∩ J| / |J|): Karr, Kohnen, Oganian, Reiter and Sanil
 * (2006). Disjoint intervals give a negative number, the gap in the same units, as in synthpop. Two points: 1 if the same.
 */
export function karrOverlap(i: Estimate, j: Estimate): number {
  const common = Math.min(i.upper, j.upper) - Math.max(i.lower, j.lower)
  const [a, b] = [i.upper - i.lower, j.upper - j.lower]
  if (a === 0 && b === 0) return common === 0 ? 1 : 0
  if (a === 0 || b === 0) return common >= 0 ? 0.5 : 0
  return (common / a + common / b) / 2
}

/** A mean or a share in both files. */
export type Compared = {
  readonly name: string
  /** The category, where it is a share. */
  readonly level: string | null
  readonly original: Estimate
  readonly released: Estimate
  /** Negative where the intervals are disjoint: the gap, in lengths of an interval. */
  readonly overlap: number
  /** Difference of means over the sd of the original; null for shares. */
  readonly standardised: number | null
}

export function comparisons(pair: Pair, level: number): Compared[] {
  const { variables } = pair
  const means = variables.flatMap((name) => {
    const moments = momentsInBoth(pair, name)
    return moments === null ? [] : (comparedMeans(name, moments, level) ?? [])
  })
  return [...means, ...variables.flatMap((name) => comparedShares(pair, name, level))]
}

/** Null for categories, and where a file has no value. */
export function momentsInBoth({ original, released, weight }: Pair, name: string): readonly [Moments, Moments] | null {
  if (columnOf(original, name).kind === 'categorical') return null
  const [x, y] = [original, released].map((file) => momentsOf(sampleIn(file, name, weight)))
  return x === null || y === null ? null : [x, y]
}

/** Null with fewer than two values. */
export function comparedMeans(name: string, [x, y]: readonly [Moments, Moments], level: number): Compared | null {
  const [original, released] = [meanEstimate(x, level), meanEstimate(y, level)]
  if (original === null || released === null) return null
  const standardised = x.sd ? (y.mean - x.mean) / x.sd : null
  return { name, level: null, original, released, overlap: karrOverlap(original, released), standardised }
}

function comparedShares(pair: Pair, name: string, level: number): Compared[] {
  if (columnOf(pair.original, name).kind !== 'categorical') return []
  const { labels, original, released, n1, n2 } = levelPair(pair, name, 0)
  const [total1, total2] = [original, released].map((counts) => counts.reduce((sum, count) => sum + count, 0))
  if (!(total1 > 0) || !(total2 > 0) || labels.length < 2) return []
  // Of two categories one tells all about the other.
  return labels.slice(0, labels.length === 2 ? 1 : labels.length).map((label, k) => {
    const [x, y] = [shareEstimate(original[k] / total1, n1, level), shareEstimate(released[k] / total2, n2, level)]
    return { name, level: label, original: x, released: y, overlap: karrOverlap(x, y), standardised: null }
  })
}

function shareEstimate(share: number, n: number, level: number): Estimate {
  const { lower, upper } = wilson(Math.min(n, share * n), n, level) ?? { lower: share, upper: share }
  return { value: share, se: Math.sqrt((share * (1 - share)) / n), lower, upper }
}
