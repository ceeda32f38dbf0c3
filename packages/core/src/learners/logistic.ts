import { math } from '@scrim/kernels'
import { z } from 'zod'
import { type Columns, leastSquares, unscaledCovariance } from '../stats/matrices/linear-algebra.js'
import { sum } from '../stats/sums.js'
import type { Table } from '../table/table.js'
import { type Coefficient, coefficientNotes, coefficientsOf } from './coding/coefficients.js'
import { contributions, designColumns, designOf, droppedNote, linearPredictor } from './coding/design-matrix.js'
import { presentClasses, requireClasses, trainingRows } from './coding/training-rows.js'
import { binomial, fitGlm, type GlmFit, rootDiagonal, times, withIntercept } from './fitting/glm.js'
import { classModel, type FitContext, type Learner, type Model, type Response } from './learner.js'
import { multinomial } from './multinomial.js'
import { constantClasses } from './prior.js'

export interface LogisticOptions {
  /** Takes ridge/2 Σ (s b)² from the log-likelihood, s the standard deviation of a column; not together with Firth. */
  readonly ridge?: number
  /** Firth's (1993) penalty ½ log |X'WX|: finite, nearly unbiased estimates even when a column separates the classes. */
  readonly firth?: boolean
  readonly intercept?: boolean
}

/** Logistic regression of `y`, 0 or 1, on the columns of `x`; the intercept comes first. Case weights count as repeated rows. */
export function fitLogistic(
  x: Columns,
  y: Float64Array,
  weights: Float64Array | null = null,
  { ridge = 0, firth = false, intercept = true }: LogisticOptions = {},
): GlmFit {
  if (firth && ridge > 0) throw new Error('Firth and ridge are two penalties; choose one')
  return firth
    ? fitFirth(withIntercept(x, y.length, intercept), y, weights)
    : fitGlm(x, y, { family: binomial, weights, ridge, intercept })
}

const FIRTH_TOLERANCE = 1e-9
const FIRTH_MOST_ITERATIONS = 100
const FIRTH_MOST_HALVINGS = 30
const FIRTH_LONGEST_STEP = 5

/**
 * Newton's method on the penalised likelihood: the score of a row becomes w (y - p) + h (½ - p), h the leverage of the row
 * (Heinze and Schemper 2002, "A solution to the problem of separation in logistic regression").
 */
function fitFirth(columns: Columns, y: Float64Array, caseWeights: Float64Array | null): GlmFit {
  const rows = y.length
  const weights = caseWeights ?? new Float64Array(rows).fill(1)
  let state = firthState(columns, y, weights, new Float64Array(columns.length))
  let iterations = 0
  let converged = false
  while (!converged && iterations < FIRTH_MOST_ITERATIONS) {
    iterations++
    const step = firthStep(columns, y, weights, state)
    const longest = step.reduce((most, change) => Math.max(most, Math.abs(change)), 0)
    let share = Math.min(1, FIRTH_LONGEST_STEP / longest)
    const from = state
    for (let halvings = 0; halvings < FIRTH_MOST_HALVINGS; halvings++, share /= 2) {
      const coefficients = from.coefficients.map((value, j) => value + share * step[j])
      state = firthState(columns, y, weights, coefficients)
      if (state.likelihood >= from.likelihood - FIRTH_TOLERANCE * Math.abs(from.likelihood)) break
    }
    converged = longest < FIRTH_TOLERANCE
  }
  const { coefficients, covariance, fitted, rank } = state
  const deviance = sum(y.map((value, i) => weights[i] * binomial.deviance(value, fitted[i])))
  const standardErrors = rootDiagonal(covariance, columns.length)
  return { coefficients, standardErrors, covariance, fitted, deviance, rank, iterations, converged }
}

interface FirthState {
  readonly coefficients: Float64Array
  readonly fitted: Float64Array
  readonly covariance: Float64Array
  readonly rank: number
  /** Penalised log-likelihood. */
  readonly likelihood: number
}

function firthState(columns: Columns, y: Float64Array, weights: Float64Array, coefficients: Float64Array): FirthState {
  const rows = y.length
  const fitted = times(columns, coefficients, rows).map(binomial.inverseLink)
  const working = fitted.map((mean, i) => weights[i] * binomial.variance(mean))
  const factors = leastSquares(columns, new Float64Array(rows), { weights: working, refine: false })
  let halfLogDeterminant = 0
  for (let k = 0; k < factors.rank; k++)
    halfLogDeterminant += math.log(Math.abs(factors.triangle[k * factors.rank + k]))
  const deviance = sum(y.map((value, i) => weights[i] * binomial.deviance(value, fitted[i])))
  return {
    coefficients,
    fitted,
    covariance: unscaledCovariance(factors, columns.length),
    rank: factors.rank,
    likelihood: halfLogDeterminant - deviance / 2,
  }
}

function firthStep(columns: Columns, y: Float64Array, weights: Float64Array, state: FirthState): Float64Array {
  const { covariance, fitted } = state
  const size = columns.length
  const used = Array.from({ length: size }, (_, j) => j).filter((j) => !Number.isNaN(covariance[j * size + j]))
  const score = new Float64Array(size)
  for (let i = 0; i < y.length; i++) {
    let form = 0
    for (const j of used) {
      let product = 0
      for (const k of used) product += covariance[j * size + k] * columns[k][i]
      form += product * columns[j][i]
    }
    const leverage = weights[i] * binomial.variance(fitted[i]) * form
    const pull = weights[i] * (y[i] - fitted[i]) + leverage * (0.5 - fitted[i])
    for (const j of used) score[j] += pull * columns[j][i]
  }
  return score.map((_, j) => (used.includes(j) ? sum(used.map((k) => covariance[j * size + k] * score[k])) : 0))
}

const options = z.object({
  ridge: z
    .number()
    .min(0)
    .default(0)
    .describe('penalty on the squares of standardised coefficients, ridge/2 of each in units of log-likelihood'),
  firth: z
    .boolean()
    .default(false)
    .describe("Firth's penalty: finite coefficients when a column separates the classes"),
})

export interface LogisticModel extends Model {
  /** Log odds of the second class that occurs against the first; null with one class only. */
  readonly coefficients: readonly Coefficient[] | null
  readonly deviance: number | null
  /** Standard error of the log odds of every row: √(z' V z), V the covariance of the coefficients; null with one class only. */
  readonly predictorErrors: ((features: Table) => Float64Array) | null
}

/**
 * Logistic regression for two classes, by iteratively reweighted least squares as R's `glm`: at most 25 iterations, until
 * the deviance changes by less than 1e-8 of itself. Where a column separates the classes, probabilities end at 0 and 1.
 * Columns as in `design-matrix.ts`. Classes that do not occur in training get probability 0; with one class it has
 * probability 1; with more than two, the multinomial learner is used, and a note says so.
 */
export const logistic = {
  id: 'logit',
  title: 'Logistic regression',
  responses: ['classes'],
  options,
  async fit(
    training: Table,
    wanted: Response,
    chosen: z.output<typeof options>,
    context: FitContext,
  ): Promise<LogisticModel> {
    const { features, response, weights } = trainingRows(training, requireClasses('logit', wanted), context.weights)
    const present = presentClasses(response)
    const classes = response.levels.length
    if (present.length === 1) {
      const shares = new Float64Array(classes)
      shares[present[0]] = 1
      const importance = features.columns.map(({ name }) => ({ name, value: 0 }))
      const notes = [`only "${response.levels[present[0]]}" occurs in training`]
      return { ...constantClasses(shares), importance, notes, coefficients: null, deviance: 0, predictorErrors: null }
    }
    if (present.length > 2) {
      const model = await multinomial.fit(training, wanted, multinomial.options.parse({}), context)
      const note = `${present.length} classes: multinomial logistic regression was used`
      return {
        ...model,
        notes: [note, ...model.notes],
        coefficients: null,
        deviance: model.deviance,
        predictorErrors: null,
      }
    }
    const [first, second] = present
    const design = designOf(features, { weights })
    const y = Float64Array.from(response.codes, (code) => (code === second ? 1 : 0))
    const fit = fitLogistic(designColumns(design, features), y, weights, chosen)
    const coefficients = coefficientsOf(design, fit.coefficients, fit.standardErrors)
    const predicting = classModel(classes, async (table) => {
      const probabilities = new Float64Array(table.rows * classes)
      linearPredictor(design, table, fit.coefficients).forEach((predictor, row) => {
        const odds = math.exp(-Math.abs(predictor))
        const likely = 1 / (1 + odds)
        const unlikely = odds / (1 + odds)
        probabilities[row * classes + second] = predictor >= 0 ? likely : unlikely
        probabilities[row * classes + first] = predictor >= 0 ? unlikely : likely
      })
      return probabilities
    })
    return {
      ...predicting,
      importance: contributions(design, features, [fit.coefficients], weights),
      notes: [
        ...coefficientNotes(coefficients),
        ...(fit.converged ? [] : [`not settled after ${fit.iterations} iterations: a column may separate the classes`]),
        ...droppedNote(design),
      ],
      coefficients,
      deviance: fit.deviance,
      predictorErrors: (table) => predictorErrors(withIntercept(designColumns(design, table), table.rows, true), fit),
    }
  },
} satisfies Learner<typeof options>

/** Columns that are not estimable have no say, as in the predictor. */
function predictorErrors(columns: Columns, { covariance }: GlmFit): Float64Array {
  const size = columns.length
  const used = Array.from({ length: size }, (_, j) => j).filter((j) => !Number.isNaN(covariance[j * size + j]))
  return Float64Array.from(columns[0], (_, row) => {
    let form = 0
    for (const j of used) for (const k of used) form += covariance[j * size + k] * columns[j][row] * columns[k][row]
    return Math.sqrt(Math.max(0, form))
  })
}
