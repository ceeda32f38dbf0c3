import { studentTQuantile } from '../../stats/distributions.js'
import type { Moments } from '../../stats/summaries.js'

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
