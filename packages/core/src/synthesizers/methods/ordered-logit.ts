import { math } from '@scrim/kernels'
import { type Columns, cholesky, solveCholesky } from '../../stats/matrices/linear-algebra.js'

const MOST_STEPS = 100
const MOST_HALVINGS = 40
const SETTLED = 1e-10
/** Of the diagonal: columns that are combinations of others get some solution. */
const JITTER = 1e-10

/**
 * Ordered logistic regression (proportional odds, McCullagh 1980) by Newton's method on the concave log-likelihood, from
 * the logits of the cumulative shares. `classes` count from 0 and all occur.
 */
export function fitOrderedLogit(x: Columns, classes: Int32Array, levels: number, weights: Float64Array | null = null) {
  const rows = classes.length
  const cuts = levels - 1
  const size = cuts + x.length
  const weightOf = (row: number) => (weights === null ? 1 : weights[row])

  function likelihoodAt(parameters: Float64Array): number {
    for (let k = 1; k < cuts; k++) if (!(parameters[k] > parameters[k - 1])) return Number.NEGATIVE_INFINITY
    const predictor = predictorOf(x, parameters, cuts, rows)
    let total = 0
    for (let row = 0; row < rows; row++) {
      const k = classes[row]
      const upper = k === cuts ? Infinity : parameters[k] - predictor[row]
      const lower = k === 0 ? -Infinity : parameters[k - 1] - predictor[row]
      total += weightOf(row) * math.log(between(lower, upper))
    }
    return total
  }

  function newtonStep(parameters: Float64Array): { step: Float64Array; slope: number } {
    const predictor = predictorOf(x, parameters, cuts, rows)
    const gradient = new Float64Array(size)
    const curvature = new Float64Array(size * size)
    for (let row = 0; row < rows; row++) {
      const k = classes[row]
      const weight = weightOf(row)
      const upper = k === cuts ? Infinity : parameters[k] - predictor[row]
      const lower = k === 0 ? -Infinity : parameters[k - 1] - predictor[row]
      const p = between(lower, upper)
      const [high, low] = [logistic(upper), logistic(lower)]
      const [highSlope, lowSlope] = [high * (1 - high), low * (1 - low)]
      const byUpper = highSlope / p
      const byLower = -lowSlope / p
      const upperUpper = byUpper * byUpper - (highSlope * (1 - 2 * high)) / p
      const lowerLower = byLower * byLower + (lowSlope * (1 - 2 * low)) / p
      const upperLower = byUpper * byLower
      if (k < cuts) gradient[k] += weight * byUpper
      if (k > 0) gradient[k - 1] += weight * byLower
      const bySum = byUpper + byLower
      const ownUpper = upperUpper + upperLower
      const ownLower = lowerLower + upperLower
      if (k < cuts) curvature[k * size + k] += weight * upperUpper
      if (k > 0) curvature[(k - 1) * size + k - 1] += weight * lowerLower
      if (k < cuts && k > 0) {
        curvature[k * size + k - 1] += weight * upperLower
        curvature[(k - 1) * size + k] += weight * upperLower
      }
      for (let i = 0; i < x.length; i++) {
        const xi = x[i][row]
        if (xi === 0) continue
        const at = cuts + i
        gradient[at] -= weight * bySum * xi
        if (k < cuts) {
          curvature[at * size + k] -= weight * ownUpper * xi
          curvature[k * size + at] -= weight * ownUpper * xi
        }
        if (k > 0) {
          curvature[at * size + k - 1] -= weight * ownLower * xi
          curvature[(k - 1) * size + at] -= weight * ownLower * xi
        }
        for (let j = 0; j < x.length; j++)
          curvature[at * size + cuts + j] += weight * (ownUpper + ownLower) * xi * x[j][row]
      }
    }
    for (let extra = JITTER; ; extra *= 100) {
      const raised = curvature.slice()
      for (let j = 0; j < size; j++) raised[j * size + j] += extra * (raised[j * size + j] + 1)
      const lower = cholesky(raised, size)
      if (lower === null) continue
      const step = gradient.slice()
      solveCholesky(lower, size, step)
      return { step, slope: step.reduce((sum, value, j) => sum + value * gradient[j], 0) }
    }
  }

  let parameters = startingPoint(classes, levels, x.length, weightOf)
  let likelihood = likelihoodAt(parameters)
  let converged = false
  for (let taken = 0; taken < MOST_STEPS && !converged; taken++) {
    const { step, slope } = newtonStep(parameters)
    let share = 1
    let moved = false
    for (let halvings = 0; halvings < MOST_HALVINGS && !moved; halvings++, share /= 2) {
      const proposed = parameters.map((value, j) => value + share * step[j])
      const value = likelihoodAt(proposed)
      if (value >= likelihood - SETTLED * Math.abs(likelihood)) {
        moved = true
        parameters = proposed
        likelihood = value
      }
    }
    converged = slope < SETTLED * (1 + Math.abs(likelihood))
    if (!moved) break
  }
  return {
    /** P(y <= k) = F(thresholds[k] - x'slopes), F logistic; one fewer than classes. */
    thresholds: parameters.slice(0, cuts),
    slopes: parameters.slice(cuts),
    deviance: -2 * likelihood,
    converged,
  }
}

function startingPoint(
  classes: Int32Array,
  levels: number,
  slopes: number,
  weightOf: (row: number) => number,
): Float64Array {
  const totals = new Float64Array(levels)
  classes.forEach((k, row) => {
    totals[k] += weightOf(row)
  })
  const all = totals.reduce((sum, total) => sum + total, 0)
  const start = new Float64Array(levels - 1 + slopes)
  let below = 0
  for (let k = 0; k < levels - 1; k++) {
    below += totals[k]
    start[k] = math.log(below / (all - below))
  }
  return start
}

function predictorOf(x: Columns, parameters: Float64Array, cuts: number, rows: number): Float64Array {
  const predictor = new Float64Array(rows)
  x.forEach((column, j) => {
    const slope = parameters[cuts + j]
    for (let row = 0; row < rows; row++) predictor[row] += slope * column[row]
  })
  return predictor
}

function logistic(x: number): number {
  return 1 / (1 + math.exp(-x))
}

const LEAST = 1e-300

/** F(upper) - F(lower), by the smaller tails so that no digits are lost. */
export function between(lower: number, upper: number): number {
  const difference = lower > 0 ? logistic(-lower) - logistic(-upper) : logistic(upper) - logistic(lower)
  return Math.max(difference, LEAST)
}
