import { z } from 'zod'
import { studentTCdf } from '../stats/distributions.js'
import { ALIAS_TOLERANCE, type Columns, leastSquares, unscaledCovariance } from '../stats/matrices/linear-algebra.js'
import { sum } from '../stats/sums.js'
import type { Table } from '../table/table.js'
import { type Coefficient, coefficientNotes, coefficientsOf } from './coding/coefficients.js'
import { contributions, designColumns, designOf, droppedNote, linearPredictor } from './coding/design-matrix.js'
import { requireNumbers, trainingRows } from './coding/training-rows.js'
import { rootDiagonal, withIntercept } from './fitting/glm.js'
import { type FitContext, type Learner, type Model, numberModel, type Response } from './learner.js'

const options = z.object({
  tolerance: z
    .number()
    .positive()
    .default(ALIAS_TOLERANCE)
    .describe('a column of which less than this share is left after those before it gets no coefficient; R uses 1e-7'),
})

export interface LinearFit {
  /** Intercept first; 0 for columns that are combinations of earlier ones. */
  readonly coefficients: Float64Array
  /** NaN where there is no estimate. */
  readonly standardErrors: Float64Array
  /** Two-sided p-values of t tests against 0; NaN where there is no estimate. */
  readonly pValues: Float64Array
  readonly covariance: Float64Array
  readonly residuals: Float64Array
  readonly rank: number
  /** Σ w - rank. */
  readonly degreesOfFreedom: number
  /** √(RSS / degrees of freedom); NaN when none are left. */
  readonly sigma: number
  /** 1 - RSS / TSS, TSS about the mean if there is an intercept and about 0 if not; NaN for a constant response. */
  readonly rSquared: number
}

export interface LinearOptions {
  readonly weights?: Float64Array | null
  readonly intercept?: boolean
  readonly tolerance?: number
}

/** Ordinary least squares of `y` on the columns of `x`. Case weights count as repeated rows, also for standard errors. */
export function fitLinear(x: Columns, y: Float64Array, options: LinearOptions = {}): LinearFit {
  const { weights = null, intercept = true, tolerance = ALIAS_TOLERANCE } = options
  const columns = withIntercept(x, y.length, intercept)
  const fit = leastSquares(columns, y, { weights, tolerance })
  const weightOf = (i: number) => (weights === null ? 1 : weights[i])
  const total = weights === null ? y.length : sum(weights)
  const squares = sum(fit.residuals.map((residual, i) => weightOf(i) * residual * residual))
  const centre = intercept ? sum(y.map((value, i) => weightOf(i) * value)) / total : 0
  const around = sum(y.map((value, i) => weightOf(i) * (value - centre) ** 2))
  const degreesOfFreedom = total - fit.rank
  const sigma = degreesOfFreedom > 0 ? Math.sqrt(squares / degreesOfFreedom) : Number.NaN
  const covariance = unscaledCovariance(fit, columns.length).map((value) => value * sigma * sigma)
  const standardErrors = rootDiagonal(covariance, columns.length)
  return {
    coefficients: fit.coefficients,
    standardErrors,
    pValues: standardErrors.map((se, j) => twoSided(fit.coefficients[j] / se, degreesOfFreedom)),
    covariance,
    residuals: fit.residuals,
    rank: fit.rank,
    degreesOfFreedom,
    sigma,
    rSquared: around > 0 ? 1 - squares / around : Number.NaN,
  }
}

function twoSided(t: number, df: number): number {
  return Number.isNaN(t) || !(df > 0) ? Number.NaN : 2 * studentTCdf(-Math.abs(t), df)
}

interface LinearModel extends Model {
  readonly coefficients: readonly Coefficient[]
  /** Null when no degrees of freedom are left. */
  readonly sigma: number | null
  /** Null for a constant response. */
  readonly rSquared: number | null
}

/**
 * Linear regression by ordinary least squares, with columns as in `design-matrix.ts`. A column that is a combination of
 * others contributes nothing. Blind to interactions and to anything that is not a straight line.
 */
export const linear = {
  id: 'lm',
  title: 'Linear regression',
  responses: ['numbers'],
  options,
  async fit(training: Table, wanted: Response, { tolerance }: z.output<typeof options>, context: FitContext) {
    const { features, response, weights } = trainingRows(training, requireNumbers('lm', wanted), context.weights)
    const design = designOf(features, { weights })
    const fit = fitLinear(designColumns(design, features), response.values, { weights, tolerance })
    const coefficients = coefficientsOf(design, fit.coefficients, fit.standardErrors)
    const finite = (value: number) => (Number.isFinite(value) ? value : null)
    const model: LinearModel = {
      ...numberModel('lm', async (table) => linearPredictor(design, table, fit.coefficients)),
      importance: contributions(design, features, [fit.coefficients], weights),
      notes: [...coefficientNotes(coefficients), ...droppedNote(design)],
      coefficients,
      sigma: finite(fit.sigma),
      rSquared: finite(fit.rSquared),
    }
    return model
  },
} satisfies Learner<typeof options>
