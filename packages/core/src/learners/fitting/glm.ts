import { math } from '@scrim/kernels'
import { type Columns, isMuchToDo, leastSquares, unscaledCovariance } from '../../stats/matrices/linear-algebra.js'
import { sparseRows } from '../../stats/matrices/sparse-rows.js'
import { sum } from '../../stats/sums.js'

/**
 * Generalised linear models with the canonical link by iteratively reweighted least squares (McCullagh and Nelder 1989,
 * 2.5): start, weights and stopping rule are those of R's `glm`, so that estimates agree with it digit by digit. Case
 * weights count as repeated rows.
 */
export interface Family {
  readonly name: string
  /** Fitted value to start from. */
  readonly start: (y: number) => number
  readonly link: (mean: number) => number
  readonly inverseLink: (predictor: number) => number
  /** Variance as a function of the mean, and derivative of the mean by the predictor: the same for a canonical link. */
  readonly variance: (mean: number) => number
  /** What one row adds to the deviance. */
  readonly deviance: (y: number, mean: number) => number
}

export const gaussian: Family = {
  name: 'gaussian',
  start: (y) => y,
  link: (mean) => mean,
  inverseLink: (predictor) => predictor,
  variance: () => 1,
  deviance: (y, mean) => (y - mean) ** 2,
}

/** Beyond this a logistic probability is as near to 0 or 1 as doubles go. */
const LARGEST_LOGIT = 30

export const binomial: Family = {
  name: 'binomial',
  start: (y) => (y + 0.5) / 2,
  link: (mean) => math.log(mean / (1 - mean)),
  inverseLink: (predictor) => {
    if (predictor < -LARGEST_LOGIT) return Number.EPSILON / (1 + Number.EPSILON)
    if (predictor > LARGEST_LOGIT) return 1 / (1 + Number.EPSILON)
    return 1 / (1 + math.exp(-predictor))
  },
  variance: (mean) => Math.max(mean * (1 - mean), Number.EPSILON),
  deviance: (y, mean) => 2 * (timesLogRatio(y, mean) + timesLogRatio(1 - y, 1 - mean)),
}

export const poisson: Family = {
  name: 'poisson',
  start: (y) => y + 0.1,
  link: (mean) => math.log(mean),
  inverseLink: (predictor) => Math.max(math.exp(predictor), Number.EPSILON),
  variance: (mean) => mean,
  deviance: (y, mean) => 2 * (timesLogRatio(y, mean) - (y - mean)),
}

/** y log(y / mean), 0 for y = 0. */
function timesLogRatio(y: number, mean: number): number {
  return y === 0 ? 0 : y * math.log(y / mean)
}

export interface GlmOptions {
  readonly family: Family
  readonly weights?: Float64Array | null
  /** False fits without an intercept; coefficients then start with the first column. */
  readonly intercept?: boolean
  /** Takes ridge/2 Σ (s b)² from the log-likelihood, s the standard deviation of a column: shrinks what the data leave open. */
  readonly ridge?: number
  readonly tolerance?: number
  readonly mostIterations?: number
}

export interface GlmFit {
  /** Intercept first; 0 for columns that are combinations of earlier ones. */
  readonly coefficients: Float64Array
  /** NaN for coefficients that are not estimable. Dispersion 1, but for the gaussian family RSS / (Σw - rank). */
  readonly standardErrors: Float64Array
  /** Of the coefficients, row after row. */
  readonly covariance: Float64Array
  readonly fitted: Float64Array
  readonly deviance: number
  readonly rank: number
  readonly iterations: number
  readonly converged: boolean
}

const TOLERANCE = 1e-8
const MOST_ITERATIONS = 25
const MOST_HALVINGS = 30

/** Fits `y` on the columns of `x`. */
export function fitGlm(x: Columns, y: Float64Array, options: GlmOptions): GlmFit {
  const { family, ridge = 0, tolerance = TOLERANCE, mostIterations = MOST_ITERATIONS } = options
  const rows = y.length
  const weights = options.weights ?? new Float64Array(rows).fill(1)
  const columns = withIntercept(x, rows, options.intercept ?? true)
  const penalties = ridgePenalties(columns, weights, ridge)
  const padded = ridge > 0 ? withPenaltyRows(columns, penalties) : columns
  const working = new Float64Array(rows + (ridge > 0 ? penalties.length : 0))
  const workingWeights = new Float64Array(working.length).fill(1)
  const sparse = isMuchToDo(padded, working.length) ? sparseRows(padded, working.length) : null

  let predictor: Float64Array = y.map((value) => family.link(family.start(value)))
  let fitted: Float64Array = y.map(family.start)
  let coefficients: Float64Array = new Float64Array(columns.length)
  let objective = Number.POSITIVE_INFINITY
  let previous = penalisedDeviance(family, y, fitted, weights, coefficients, penalties)
  let fit = null
  let iterations = 0
  let converged = false
  while (!converged && iterations < mostIterations) {
    iterations++
    for (let i = 0; i < rows; i++) {
      const variance = family.variance(fitted[i])
      working[i] = predictor[i] + (y[i] - fitted[i]) / variance
      workingWeights[i] = weights[i] * variance
    }
    fit = leastSquares(padded, working, { weights: workingWeights, refine: false, sparse })
    const old = coefficients
    let proposed = fit.coefficients
    for (let halvings = 0; halvings < MOST_HALVINGS; halvings++) {
      predictor = times(columns, proposed, rows)
      fitted = predictor.map(family.inverseLink)
      objective = penalisedDeviance(family, y, fitted, weights, proposed, penalties)
      const isWorse = iterations > 1 && !(objective <= previous + tolerance * (Math.abs(previous) + 0.1))
      if (!isWorse) break
      proposed = proposed.map((value, j) => (value + old[j]) / 2)
    }
    coefficients = proposed
    converged = Math.abs(objective - previous) / (Math.abs(objective) + 0.1) < tolerance
    previous = objective
  }
  const deviance = totalDeviance(family, y, fitted, weights)
  const rank = fit?.rank ?? 0
  const spare = sum(weights) - rank
  const dispersion = family.name !== 'gaussian' ? 1 : spare > 0 ? deviance / spare : Number.NaN
  const covariance =
    fit === null ? new Float64Array() : unscaledCovariance(fit, columns.length).map((value) => value * dispersion)
  return {
    coefficients,
    standardErrors: rootDiagonal(covariance, columns.length),
    covariance,
    fitted,
    deviance,
    rank,
    iterations,
    converged,
  }
}

export function withIntercept(x: Columns, rows: number, intercept: boolean): Columns {
  return intercept ? [new Float64Array(rows).fill(1), ...x] : x
}

/** Σ of columns times coefficients. */
export function times(columns: Columns, coefficients: Float64Array, rows: number): Float64Array {
  const total = new Float64Array(rows)
  columns.forEach((column, j) => {
    const factor = coefficients[j]
    if (factor !== 0) for (let i = 0; i < rows; i++) total[i] += factor * column[i]
  })
  return total
}

export function rootDiagonal(matrix: Float64Array, size: number): Float64Array {
  return Float64Array.from({ length: size }, (_, j) => Math.sqrt(matrix[j * size + j]))
}

/** ridge s² per column, s its standard deviation; 0 for the intercept, which is constant. */
function ridgePenalties(columns: Columns, weights: Float64Array, ridge: number): Float64Array {
  if (ridge === 0) return new Float64Array(columns.length)
  const total = sum(weights)
  return Float64Array.from(columns, (column) => {
    const centre = sum(column.map((value, i) => value * weights[i])) / total
    return (ridge * sum(column.map((value, i) => weights[i] * (value - centre) ** 2))) / total
  })
}

/** A ridge is least squares with one more row per coefficient: √penalty in its column, response 0. */
function withPenaltyRows(columns: Columns, penalties: Float64Array): Columns {
  return columns.map((column, j) => {
    const padded = new Float64Array(column.length + penalties.length)
    padded.set(column)
    padded[column.length + j] = Math.sqrt(penalties[j])
    return padded
  })
}

function totalDeviance(family: Family, y: Float64Array, fitted: Float64Array, weights: Float64Array): number {
  return sum(y.map((value, i) => weights[i] * family.deviance(value, fitted[i])))
}

function penalisedDeviance(
  family: Family,
  y: Float64Array,
  fitted: Float64Array,
  weights: Float64Array,
  coefficients: Float64Array,
  penalties: Float64Array,
): number {
  const penalty = sum(coefficients.map((value, j) => penalties[j] * value * value))
  return totalDeviance(family, y, fitted, weights) + penalty
}
