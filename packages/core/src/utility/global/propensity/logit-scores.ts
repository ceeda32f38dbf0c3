import { math } from '@scrim/kernels'
import { cholesky, solveCholesky } from '../../../stats/matrices/linear-algebra.js'
import {
  crossProducts,
  independentColumns,
  type SparseRows,
  transposeTimes,
} from '../../../stats/matrices/sparse-rows.js'
import { mean } from '../../../stats/sums.js'

/**
 * Logistic regression for propensity scores: the fitted probabilities, and what each column contributes. Iteratively
 * reweighted least squares with the start and the stopping rule of R's `glm`, on normal equations that only add what is
 * not 0: with levels as 0/1 columns and their products a record has few of hundreds. Columns that are combinations of
 * earlier ones are left out, as there.
 */
export interface LogitScores {
  readonly fitted: Float64Array
  /** Columns with a coefficient, without the intercept. */
  readonly used: readonly number[]
  readonly converged: boolean
  /** X² of the score test that all columns but `without` tell nothing: r' I⁻¹ r at constant probabilities. */
  readonly scoreStatistic: (without: (column: number) => boolean) => number
}

/** Share of a column's sum of squares that the columns before it leave; less is rounding. One record of a million is more. */
const SMALLEST_REMAINDER = 1e-7
/** As R's `glm`: the deviance changes by less than this share of itself. */
const TOLERANCE = 1e-8
const MOST_STEPS = 25
const MOST_HALVINGS = 20
/** Keeps the equations solvable when files can be told apart without error. */
const SMALLEST_WEIGHT = 1e-10
const LARGEST_LOGIT = 30

/** @param x without intercept; @param y 0 or 1, both occurring */
export function logitScores(x: SparseRows, y: Float64Array): LogitScores {
  const share = mean(y) ?? 0
  const all = scaledWithIntercept(x)
  const unweighted = crossProducts(all, null)
  const kept = independentColumns(unweighted, all.columns, SMALLEST_REMAINDER)
  const design = onlyColumns(all, kept)
  const size = kept.length
  let coefficients = new Float64Array(size)
  let fitted = y.map((value) => (value + 0.5) / 2)
  let predictor = fitted.map((p) => math.log(p / (1 - p)))
  let deviance = devianceOf(fitted, y)
  let converged = false
  for (let step = 0; step < MOST_STEPS && !converged; step++) {
    const weights = fitted.map((p) => Math.max(p * (1 - p), SMALLEST_WEIGHT))
    const next = transposeTimes(
      design,
      fitted.map((p, i) => weights[i] * predictor[i] + (y[i] - p)),
    )
    const products = crossProducts(design, weights)
    const lower = cholesky(products, size) ?? cholesky(withRidge(products, size), size)
    if (lower === null) break
    solveCholesky(lower, size, next)
    const before = deviance
    const from = coefficients
    for (let halving = 0; halving <= MOST_HALVINGS; halving++) {
      coefficients = next.map((value, j) => from[j] + (value - from[j]) / 2 ** halving)
      predictor = times(design, coefficients)
      fitted = predictor.map((value) => 1 / (1 + math.exp(-value)))
      deviance = devianceOf(fitted, y)
      if (step === 0 || deviance <= before + TOLERANCE * (before + 0.1)) break
    }
    converged = Math.abs(deviance - before) / (deviance + 0.1) < TOLERANCE
  }
  const residuals = transposeTimes(
    all,
    y.map((value) => value - share),
  )
  return {
    fitted,
    used: kept.slice(1).map((j) => j - 1),
    converged: converged && deviance > TOLERANCE * x.rows,
    scoreStatistic: (without) => {
      const tested = kept.filter((j) => j === 0 || !without(j - 1))
      const right = Float64Array.from(tested, (j) => residuals[j])
      const solved = right.slice()
      const lower = cholesky(submatrix(unweighted, all.columns, tested), tested.length)
      if (lower === null) return 0
      solveCholesky(lower, tested.length, solved)
      return right.reduce((sum, value, j) => sum + value * solved[j], 0) / (share * (1 - share))
    },
  }
}

/** A column of ones first; the others divided by their root mean square, which changes no probability. */
function scaledWithIntercept({ rows, columns, start, column, value }: SparseRows): SparseRows {
  const squares = new Float64Array(columns)
  for (let at = 0; at < column.length; at++) squares[column[at]] += value[at] * value[at]
  const scale = squares.map((sum) => (sum > 0 ? Math.sqrt(sum / rows) : 1))
  const wider = {
    start: new Int32Array(rows + 1),
    column: new Int32Array(column.length + rows),
    value: new Float64Array(column.length + rows),
  }
  let to = 0
  for (let row = 0; row < rows; row++) {
    wider.value[to++] = 1
    for (let at = start[row]; at < start[row + 1]; at++) {
      wider.column[to] = column[at] + 1
      wider.value[to++] = value[at] / scale[column[at]]
    }
    wider.start[row + 1] = to
  }
  return { rows, columns: columns + 1, ...wider }
}

function onlyColumns({ rows, columns, start, column, value }: SparseRows, kept: readonly number[]): SparseRows {
  const place = new Int32Array(columns).fill(-1)
  for (const [k, j] of kept.entries()) place[j] = k
  const fewer = {
    start: new Int32Array(rows + 1),
    column: new Int32Array(column.length),
    value: new Float64Array(column.length),
  }
  let to = 0
  for (let row = 0; row < rows; row++) {
    for (let at = start[row]; at < start[row + 1]; at++) {
      if (place[column[at]] < 0) continue
      fewer.column[to] = place[column[at]]
      fewer.value[to++] = value[at]
    }
    fewer.start[row + 1] = to
  }
  return { rows, columns: kept.length, ...fewer }
}

/** Where weights are nearly 0 on all records that tell two columns apart. */
function withRidge(products: Float64Array, size: number): Float64Array {
  return products.map((value, at) => (at % (size + 1) === 0 ? value * (1 + SMALLEST_REMAINDER) : value))
}

function submatrix(matrix: Float64Array, size: number, kept: readonly number[]): Float64Array {
  const smaller = new Float64Array(kept.length ** 2)
  for (let a = 0; a < kept.length; a++)
    for (let b = 0; b < kept.length; b++) smaller[a * kept.length + b] = matrix[kept[a] * size + kept[b]]
  return smaller
}

function times({ rows, start, column, value }: SparseRows, coefficients: Float64Array): Float64Array<ArrayBuffer> {
  const sums = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    let sum = 0
    for (let at = start[row]; at < start[row + 1]; at++) sum += value[at] * coefficients[column[at]]
    sums[row] = Math.max(-LARGEST_LOGIT, Math.min(LARGEST_LOGIT, sum))
  }
  return sums
}

function devianceOf(probabilities: Float64Array, y: Float64Array): number {
  let sum = 0
  for (let i = 0; i < y.length; i++) sum -= 2 * math.log(y[i] === 1 ? probabilities[i] : 1 - probabilities[i])
  return sum
}
