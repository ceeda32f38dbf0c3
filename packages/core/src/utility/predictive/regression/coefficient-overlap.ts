import { INTERCEPT } from '../../../learners/coding/coded-terms.js'
import { chiSquaredUpper, normalQuantile, studentTQuantile } from '../../../stats/distributions.js'
import { cholesky, solveCholesky } from '../../../stats/matrices/linear-algebra.js'
import { mean } from '../../../stats/sums.js'
import type { RegressionFit } from './regression-fit.js'

/**
 * Does somebody who fits a model to the release reach the conclusions of somebody who fits it to the original? Coefficient by
 * coefficient, with b and s the estimate and standard error in the original (X) and in the release (Y):
 *
 *   overlap  of the two confidence intervals, max(0, min(hi) - max(lo)) / mean width (Karr, Kohnen, Oganian, Reiter and Sanil 2006)
 *   z        (bY - bX) / √(sX² + sY²), standard normal for two samples of one population
 *   wald     d' (VX + VY)⁻¹ d over all coefficients together, χ² for two samples of one population
 *
 * sY is put on the scale of nX records, √(nY/nX) sY, for a larger release would otherwise be blamed for its shorter intervals;
 * z and wald take it as it is. A coefficient that the release cannot estimate has overlap 0.
 */
export interface OverlapRule {
  /** sY as it is, and a coefficient that the release cannot estimate does not count. */
  readonly asEstimated: boolean
  overlap(x: CoefficientEstimate, y: CoefficientEstimate, level: number): number
}

export const OWN_RULE: OverlapRule = { asEstimated: false, overlap: intervalOverlap }

export interface OverlapOptions {
  readonly level: number
  readonly withIntercept: boolean
  readonly rule: OverlapRule
}

export type CoefficientComparison = ReturnType<typeof compare>

export type CoefficientEstimate = ReturnType<typeof estimateOf>

export type OverlapFindings = {
  /** Mean over the coefficients that count. */
  readonly overlap: number
  readonly meanStandardisedBias: number | null
  /** Share of coefficients that are significant in both files or in neither. */
  readonly agreement: number
  readonly coefficients: readonly CoefficientComparison[]
  /** Over all coefficients of both; null where it cannot be had. */
  readonly wald: { readonly statistic: number; readonly df: number; readonly p: number } | null
  readonly lost: readonly string[]
  readonly invented: readonly string[]
}

/** Null where the original estimates none of the coefficients that count. */
export function coefficientOverlap(
  termNames: readonly string[],
  original: RegressionFit,
  released: RegressionFit,
  options: OverlapOptions,
): OverlapFindings | null {
  const counts = (j: number) => options.withIntercept || termNames[j] !== INTERCEPT
  const inOriginal = Array.from(termNames.keys()).filter((j) => counts(j) && !Number.isNaN(original.estimates[j]))
  const compared = options.rule.asEstimated
    ? inOriginal.filter((j) => !Number.isNaN(released.estimates[j]))
    : inOriginal
  if (compared.length === 0) return null
  const coefficients = compared.map((j) => compare(termNames[j], j, original, released, options))
  const biases = coefficients.flatMap(({ standardisedBias }) =>
    standardisedBias === null ? [] : Math.abs(standardisedBias),
  )
  return {
    overlap: mean(coefficients.map(({ overlap }) => overlap)) ?? 0,
    meanStandardisedBias: mean(biases),
    agreement: coefficients.filter(({ agrees }) => agrees).length / coefficients.length,
    coefficients,
    wald: wald(inOriginal, original, released),
    lost: inOriginal.filter((j) => Number.isNaN(released.estimates[j])).map((j) => termNames[j]),
    invented: termNames.filter(
      (_, j) => Number.isNaN(original.estimates[j]) && !Number.isNaN(released.estimates[j]) && counts(j),
    ),
  }
}

function compare(
  term: string,
  j: number,
  original: RegressionFit,
  released: RegressionFit,
  { level, rule }: OverlapOptions,
) {
  const alpha = 1 - level
  const rescale = rule.asEstimated ? 1 : Math.sqrt(released.records / original.records)
  const x = estimateOf(original, j, level, 1)
  if (Number.isNaN(released.estimates[j]))
    return { term, original: x, release: null, standardisedBias: null, z: null, overlap: 0, agrees: x.p >= alpha }
  const y = estimateOf(released, j, level, rescale)
  const bias = y.estimate - x.estimate
  const standardisedBias = x.standardError > 0 ? bias / x.standardError : null
  const both = Math.hypot(x.standardError, y.standardError)
  return {
    term,
    original: x,
    /** Null where the release cannot estimate it. */
    release: y,
    /** (bY - bX) / sX. */
    standardisedBias,
    z: both > 0 ? bias / both : null,
    overlap: rule.overlap(x, y, level),
    /** Whether both files find it different from 0, or neither does. */
    agrees: x.p < alpha === y.p < alpha,
  }
}

/** The estimate with its interval, the latter as for a file with another number of records. */
function estimateOf(fit: RegressionFit, j: number, level: number, rescale: number) {
  const [estimate, standardError, p] = [fit.estimates[j], fit.standardErrors[j], fit.pValues[j]]
  const quantile = fit.df === Number.POSITIVE_INFINITY ? normalQuantile : (at: number) => studentTQuantile(at, fit.df)
  const half = quantile((1 + level) / 2) * standardError * rescale
  return { estimate, standardError, p: Number.isNaN(p) ? 1 : p, lower: estimate - half, upper: estimate + half }
}

export interface Ends {
  readonly lower: number
  readonly upper: number
}

/** Length of what two intervals share over the mean of their lengths; equal points overlap fully. */
export function intervalOverlap(a: Ends, b: Ends): number {
  const shared = Math.max(0, Math.min(a.upper, b.upper) - Math.max(a.lower, b.lower))
  const width = (a.upper - a.lower + (b.upper - b.lower)) / 2
  if (width === 0) return a.lower === b.lower ? 1 : 0
  return Math.min(1, shared / width)
}

/** Length of what two intervals share over that from the lower end to the upper one. */
export function intervalJaccard(a: Ends, b: Ends): number {
  const shared = Math.max(0, Math.min(a.upper, b.upper) - Math.max(a.lower, b.lower))
  const hull = Math.max(a.upper, b.upper) - Math.min(a.lower, b.lower)
  return hull === 0 ? 1 : shared / hull
}

function wald(counted: readonly number[], original: RegressionFit, released: RegressionFit): OverlapFindings['wald'] {
  const used = counted.filter((j) => !Number.isNaN(released.estimates[j]))
  const size = used.length
  const width = original.estimates.length
  if (size === 0) return null
  const together = new Float64Array(size * size)
  for (const [a, i] of used.entries())
    for (const [b, j] of used.entries())
      together[a * size + b] = original.covariance[i * width + j] + released.covariance[i * width + j]
  const lower = cholesky(together, size)
  if (lower === null) return null
  const difference = Float64Array.from(used, (j) => released.estimates[j] - original.estimates[j])
  const solved = difference.slice()
  solveCholesky(lower, size, solved)
  const statistic = difference.reduce((total, value, k) => total + value * solved[k], 0)
  return { statistic, df: size, p: chiSquaredUpper(statistic, size) }
}
