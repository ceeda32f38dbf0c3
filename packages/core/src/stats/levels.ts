import { normalQuantile } from './distributions.js'

/**
 * The levels at which scrim judges, in the one place where they may be changed. Everything that is tested, bounded or
 * printed with an interval takes them from here; cuts of the literature and options with a meaning of their own do not.
 */

/** A p below this is significant. */
export const SIGNIFICANCE = 0.05

/** Level of a one-sided bound: what is above a lower bound at this level is significant. */
export const BOUND_LEVEL = 1 - SIGNIFICANCE

/** Level of the two-sided interval whose ends are one-sided bounds. */
export const BOUNDS_LEVEL = 1 - 2 * SIGNIFICANCE

/** How many standard errors a one-sided bound lies from a normal estimate. */
export const BOUND_Z = normalQuantile(BOUND_LEVEL)

/** Level of the intervals that are printed beside a value. */
export const INTERVAL_LEVEL = 0.95

/** Between which quantiles such an interval lies. */
export const INTERVAL_ENDS = [0.025, 0.975] as const
