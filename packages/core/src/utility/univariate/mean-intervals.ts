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

/** What riskutility's ci_proximity reports for one variable. */
export type Proximity = {
  /** |I ∩ J| over the length of both together. */
  readonly overlap: number
  readonly relativeError: number
  readonly proximity: number
  /** Whether the released interval contains the original estimate. */
  readonly contains: boolean
}

/** Below this a mean counts as 0 and its relative error is replaced. */
const NEARLY_ZERO = 1e-10

/**
 * (overlap + 1 / (1 + relative error)) / 2. Not the same for Celsius and Kelvin: the error of the mean is relative to the
 * mean; where that is 0, to √((se_X² n_X + se_Y² n_Y) / (n_X + n_Y)).
 */
export function proximity(i: Estimate, j: Estimate, sizes: { readonly x: number; readonly y: number }): Proximity {
  const common = Math.max(0, Math.min(i.upper, j.upper) - Math.max(i.lower, j.lower))
  const hull = Math.max(i.upper, j.upper) - Math.min(i.lower, j.lower)
  const gap = Math.abs(j.value - i.value)
  const pooled = Math.sqrt((i.se ** 2 * sizes.x + j.se ** 2 * sizes.y) / (sizes.x + sizes.y))
  const unit = Math.abs(i.value) > NEARLY_ZERO ? Math.abs(i.value) : pooled
  const relativeError = gap === 0 ? 0 : unit > 0 ? gap / unit : Number.MAX_VALUE
  const overlap = hull > 0 ? common / hull : gap === 0 ? 1 : 0
  return {
    overlap,
    relativeError,
    proximity: (overlap + 1 / (1 + relativeError)) / 2,
    contains: j.lower <= i.value && i.value <= j.upper,
  }
}
