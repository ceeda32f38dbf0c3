import { math } from '@scrim/kernels'
import { times } from '../../learners/fitting/glm.js'
import { softmax } from '../../learners/softmax.js'
import { type Columns, cholesky, invertCholesky, solveCholesky } from '../../stats/matrices/linear-algebra.js'

/**
 * Multinomial logit by maximum likelihood: log P(k)/P(0) = x'b_k for k = 1..K-1 (McFadden 1974), by Newton's method on the
 * stacked coefficients. Standard errors come from the inverse of the information.
 *
 * The learner of the same name (`learners/multinomial.ts`) predicts: it treats classes alike, penalises, and never writes the
 * Hessian out, so that it has many classes and columns but no standard errors.
 *
 * Blind spot: where a column separates the classes there is no maximum; `ridge` (ridge/2 Σ b² off the log-likelihood) then gives
 * finite numbers, which are not those of software without a penalty.
 */
export interface MultinomialLogit {
  /** One array per class but the first, in the order of the columns. */
  readonly coefficients: readonly Float64Array[]
  readonly standardErrors: readonly Float64Array[]
  readonly logLikelihood: number
  readonly converged: boolean
}

const MOST_STEPS = 50
const MOST_HALVINGS = 30
const SETTLED = 1e-10

/** What is fitted: `classes` holds 0..count-1 per row. */
interface Model {
  readonly columns: Columns
  readonly classes: Int32Array
  readonly count: number
  readonly weights: Float64Array | null
  readonly ridge: number
}

/** Null when the columns are not independent. */
export function multinomialLogit(
  columns: Columns,
  classes: Int32Array,
  count: number,
  weights: Float64Array | null,
  ridge = 0,
): MultinomialLogit | null {
  const model = { columns, classes, count, weights, ridge }
  const width = columns.length
  const size = (count - 1) * width
  let coefficients = new Float64Array(size)
  let state = stateAt(model, coefficients)
  const factorAt = () => {
    const { score, information } = derivatives(model, coefficients, state.probabilities)
    return { score, lower: cholesky(information, size) }
  }
  let converged = false
  for (let step = 0; step < MOST_STEPS && !converged; step++) {
    const { score, lower } = factorAt()
    if (lower === null) return null
    const move = score.slice()
    solveCholesky(lower, size, move)
    let share = 1
    let next = state
    let proposed = coefficients
    for (let halving = 0; halving < MOST_HALVINGS; halving++, share /= 2) {
      proposed = coefficients.map((value, j) => value + share * move[j])
      next = stateAt(model, proposed)
      if (next.objective >= state.objective - SETTLED * Math.abs(state.objective)) break
    }
    converged = Math.abs(next.objective - state.objective) <= SETTLED * (Math.abs(next.objective) + 0.1)
    coefficients = proposed
    state = next
  }
  const { lower } = factorAt()
  if (lower === null) return null
  const covariance = invertCholesky(lower, size)
  const part = (stacked: Float64Array, k: number) => stacked.slice(k * width, (k + 1) * width)
  const errors = Float64Array.from({ length: size }, (_, j) => Math.sqrt(covariance[j * size + j]))
  const each = Array.from({ length: count - 1 }, (_, k) => k)
  return {
    coefficients: each.map((k) => part(coefficients, k)),
    standardErrors: each.map((k) => part(errors, k)),
    logLikelihood: state.logLikelihood,
    converged,
  }
}

interface State {
  /** One array per class. */
  readonly probabilities: readonly Float64Array[]
  readonly logLikelihood: number
  readonly objective: number
}

function stateAt({ columns, classes, count, weights, ridge }: Model, coefficients: Float64Array): State {
  const [rows, width] = [classes.length, columns.length]
  const probabilities = Array.from({ length: count }, (_, k) =>
    k === 0 ? new Float64Array(rows) : times(columns, coefficients.subarray((k - 1) * width, k * width), rows),
  )
  softmax(probabilities)
  let logLikelihood = 0
  for (let i = 0; i < rows; i++)
    logLikelihood += (weights?.[i] ?? 1) * math.log(Math.max(probabilities[classes[i]][i], Number.MIN_VALUE))
  let squares = 0
  for (const value of coefficients) squares += value * value
  return { probabilities, logLikelihood, objective: logLikelihood - (ridge / 2) * squares }
}

/** Score Σ w x (y_k - p_k) and information Σ w x x' p_k (1{k=l} - p_l), stacked by class. A hot loop: rows x size². */
function derivatives(
  { columns, classes, weights, ridge }: Model,
  coefficients: Float64Array,
  probabilities: readonly Float64Array[],
): { readonly score: Float64Array; readonly information: Float64Array } {
  const width = columns.length
  const size = coefficients.length
  const others = probabilities.length - 1
  const score = new Float64Array(size)
  const information = new Float64Array(size * size)
  const x = new Float64Array(width)
  for (let i = 0; i < classes.length; i++) {
    const weight = weights?.[i] ?? 1
    for (let j = 0; j < width; j++) x[j] = columns[j][i]
    for (let k = 0; k < others; k++) {
      const p = probabilities[k + 1][i]
      const pull = weight * ((classes[i] === k + 1 ? 1 : 0) - p)
      for (let j = 0; j < width; j++) if (x[j] !== 0) score[k * width + j] += pull * x[j]
      for (let l = 0; l <= k; l++) {
        const spread = weight * p * ((k === l ? 1 : 0) - probabilities[l + 1][i])
        for (let a = 0; a < width; a++) {
          if (x[a] === 0) continue
          const row = (k * width + a) * size + l * width
          const factor = spread * x[a]
          for (let b = 0; b < width; b++) information[row + b] += factor * x[b]
        }
      }
    }
  }
  for (let a = 0; a < size; a++) {
    score[a] -= ridge * coefficients[a]
    information[a * size + a] += ridge
    for (let b = a + 1; b < size; b++) information[a * size + b] = information[b * size + a]
  }
  return { score, information }
}
