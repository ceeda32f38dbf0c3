import { binomial, type Family, fitGlm, poisson, times, withIntercept } from '../../../learners/fitting/glm.js'
import { fitLinear } from '../../../learners/linear.js'
import { normalCdf, studentTCdf } from '../../../stats/distributions.js'
import type { Columns } from '../../../stats/matrices/linear-algebra.js'
import { sum } from '../../../stats/sums.js'
import type { Column } from '../../../table/column.js'
import type { ModelFrame } from './model-matrix.js'

/**
 * One regression of one file: linear by least squares, logistic and Poisson by maximum likelihood, as R's `lm` and `glm`.
 *
 * With survey weights estimates are weighted and standard errors are those of the sandwich (Huber 1967; Binder 1983):
 * A⁻¹ (Σ w² r² x x') A⁻¹ with A = X'WX, which do not take a weight for a number of people asked.
 */
export type RegressionFamily = 'linear' | 'logistic' | 'poisson'

export interface RegressionFit {
  /** The intercept first; NaN where there is no estimate. */
  readonly estimates: Float64Array
  readonly standardErrors: Float64Array
  readonly pValues: Float64Array
  /** Of the estimates, row after row; NaN where there are none. */
  readonly covariance: Float64Array
  /** Of the t distribution of the estimates; infinite for the normal. */
  readonly df: number
  readonly records: number
  /** Whether some probability ran into 0 or 1 (or a count into 0): the estimates then grow without end. */
  readonly separated: boolean
}

export interface RegressionOptions {
  readonly family: RegressionFamily
  readonly intercept: boolean
  readonly weights: Float64Array | null
  /** Shrinks logistic and Poisson coefficients, in units of standard deviations; 0 for none. */
  readonly ridge?: number
}

/** Probabilities nearer to 0 or 1 than this come from estimates that grow without end. */
const EXTREME = 1e-8

/** Numbers of a response: a category with two levels is 0 and 1 in their order. */
export function responseNumbers(response: Column): Float64Array {
  return response.kind === 'categorical' ? Float64Array.from(response.codes) : response.values
}

export function fitRegression({ columns, response }: ModelFrame, options: RegressionOptions): RegressionFit {
  const { family, intercept, ridge = 0 } = options
  const weights = options.weights === null ? null : meanOne(options.weights)
  const y = responseNumbers(response)
  const all = withIntercept(columns, y.length, intercept)
  if (family === 'linear') {
    const fit = fitLinear(columns, y, { weights, intercept })
    const variance = fit.sigma * fit.sigma
    const covariance =
      weights === null
        ? fit.covariance
        : sandwich(
            all,
            fit.residuals.map((residual, i) => residual * weights[i]),
            fit.covariance.map((value) => value / variance),
          )
    return finished(fit.coefficients, covariance, fit.degreesOfFreedom, y.length, false)
  }
  const chosen: Family = family === 'logistic' ? binomial : poisson
  const fit = fitGlm(columns, y, { family: chosen, weights, intercept, ridge })
  const fitted = times(all, fit.coefficients, y.length).map(chosen.inverseLink)
  const isExtreme = (mean: number) => mean < EXTREME || (family === 'logistic' && mean > 1 - EXTREME)
  const covariance =
    weights === null
      ? fit.covariance
      : sandwich(
          all,
          y.map((value, i) => (value - fitted[i]) * weights[i]),
          fit.covariance,
        )
  const separated = ridge === 0 && (!fit.converged || fitted.some(isExtreme))
  return finished(fit.coefficients, covariance, Number.POSITIVE_INFINITY, y.length, separated)
}

/**
 * Whether some 0/1 column has only one outcome among its records (or, for counts, only 0): its coefficient grows without end, and
 * there is no need to wait for it.
 */
export function isSeparatedByLevel({ columns, response }: ModelFrame, family: RegressionFamily): boolean {
  if (family === 'linear') return false
  const y = responseNumbers(response)
  return columns.some((column) => {
    let [members, positive] = [0, 0]
    for (let i = 0; i < column.length; i++) {
      if (column[i] === 0) continue
      if (column[i] !== 1) return false
      members++
      if (y[i] > 0) positive++
    }
    return members > 0 && (positive === 0 || (family === 'logistic' && positive === members))
  })
}

function finished(
  coefficients: Float64Array,
  covariance: Float64Array,
  df: number,
  records: number,
  separated: boolean,
): RegressionFit {
  const size = coefficients.length
  const standardErrors = Float64Array.from(coefficients, (_, j) => {
    const variance = covariance[j * size + j]
    return variance >= 0 ? Math.sqrt(variance) : Number.NaN
  })
  const estimates = coefficients.map((value, j) => (Number.isNaN(standardErrors[j]) ? Number.NaN : value))
  const tail = (t: number) => (df === Number.POSITIVE_INFINITY ? normalCdf(-t) : studentTCdf(-t, df))
  const pValues = estimates.map((value, j) => {
    const t = Math.abs(value) / standardErrors[j]
    return Number.isNaN(t) ? Number.NaN : 2 * tail(t)
  })
  return { estimates, standardErrors, pValues, covariance, df, records, separated }
}

/** A survey of n people weighs as much as n people. */
function meanOne(weights: Float64Array): Float64Array {
  const scale = weights.length / sum(weights)
  return weights.map((weight) => weight * scale)
}

/** bread (Σ s² x x') bread, s the weighted residual; coefficients without an estimate stay without. */
function sandwich(columns: Columns, scores: Float64Array, bread: Float64Array): Float64Array {
  const size = columns.length
  const used = Array.from(columns.keys()).filter((j) => !Number.isNaN(bread[j * size + j]))
  const spread = columns.map((_, j) => {
    const total = new Float64Array(scores.length)
    for (const k of used) {
      const factor = bread[j * size + k]
      for (let i = 0; i < total.length; i++) total[i] += factor * columns[k][i] * scores[i]
    }
    return total
  })
  const covariance = new Float64Array(size * size).fill(Number.NaN)
  for (const a of used)
    for (const b of used) {
      let product = 0
      for (let i = 0; i < scores.length; i++) product += spread[a][i] * spread[b][i]
      covariance[a * size + b] = product
    }
  return covariance
}
