import { accurateDot, addScaled, addScaledAccurately, dot } from '@scrim/kernels'
import {
  crossProducts,
  independentColumns,
  type SparseRows,
  sparseResiduals,
  sparseRows,
  transposeTimes,
} from './sparse-rows.js'

/** A matrix by its columns, all of the same length. */
export type Columns = readonly Float64Array[]

/**
 * A column counts as a combination of those before it when less than this share of its length is left. R's `lm` says
 * 1e-7, which discards the tenth power in Filip's data and dates that lie close together; rounding alone leaves about
 * 1e-15 of a column that is truly a combination.
 */
export const ALIAS_TOLERANCE = 1e-11

const MOST_REFINEMENTS = 4

export interface LeastSquaresOptions {
  /** One per row, not negative; null for equal ones. */
  readonly weights?: Float64Array | null
  readonly tolerance?: number
  /** Improves the solution with residuals in twice the precision; a matter of the last digits unless columns are nearly collinear. */
  readonly refine?: boolean
  /** The same columns by rows, where several fits need them. */
  readonly sparse?: SparseRows | null
}

/** Minimum of Σ w (y - Xb)². Coefficients of aliased columns are 0, as if these columns were not there. */
export interface LeastSquares {
  readonly coefficients: Float64Array
  /** Columns that carry a coefficient, ascending; the others are combinations of columns before them. */
  readonly estimable: Int32Array
  readonly rank: number
  /** y - Xb. */
  readonly residuals: Float64Array
  /** R of the estimable columns, rank x rank, row after row: R'R = X'WX. */
  readonly triangle: Float64Array
}

/**
 * Linear least squares by Householder reflections, one column after the other; a column that the earlier ones explain is
 * left out (the limited pivoting of R's `lm`). Refined by Björck's method (1967): residuals of the augmented system
 * r + Xb = y, X'r = 0 in twice the precision, corrections through the same factors, so that b is right to nearly all
 * digits as long as the columns are independent in double precision.
 *
 * Where there is much to do and no column is nearly a combination of others, X'WX is factorised instead, which costs a tenth
 * or less where most of X is 0, and the solution is refined in the same way: it agrees to about ten digits.
 */
export function leastSquares(
  columns: Columns,
  response: Float64Array,
  options: LeastSquaresOptions = {},
): LeastSquares {
  const { weights = null, tolerance = ALIAS_TOLERANCE, refine = true } = options
  if (isMuchToDo(columns, response.length)) {
    const sparse = options.sparse ?? sparseRows(columns, response.length)
    const quick = byNormalEquations(columns, sparse, response, weights, refine)
    if (quick !== null) return quick
  }
  const roots = weights === null ? null : weights.map(Math.sqrt)
  const scaled = roots === null ? columns : columns.map((column) => product(column, roots))
  const y = roots === null ? response : response.map((value, i) => value * roots[i])
  const factors = factorise(scaled, tolerance)
  const solution = solve(factors, y, new Float64Array(factors.rank))
  if (refine) improve(factors, scaled, y, solution)
  const coefficients = new Float64Array(columns.length)
  factors.estimable.forEach((column, k) => {
    coefficients[column] = solution.b[k]
  })
  return {
    coefficients,
    estimable: factors.estimable,
    rank: factors.rank,
    residuals: residualsOf(columns, response, coefficients),
    triangle: factors.triangle,
  }
}

/** Rows times columns squared. */
const MUCH_TO_DO = 1e6

/** Whether least squares will go through the columns by rows. */
export function isMuchToDo(columns: Columns, rows: number): boolean {
  return rows * columns.length ** 2 >= MUCH_TO_DO
}

/** A column of whose sum of squares less than this is left by those before it costs half of the digits. */
const NEARLY_COMBINED = 1e-6

/** Null where columns are combinations of others, or nearly. */
function byNormalEquations(
  columns: Columns,
  x: SparseRows,
  response: Float64Array,
  weights: Float64Array | null,
  refine: boolean,
): LeastSquares | null {
  const size = columns.length
  const products = crossProducts(x, weights)
  if (independentColumns(products, size, NEARLY_COMBINED).length < size) return null
  const lower = cholesky(products, size)
  if (lower === null) return null
  const coefficients = new Float64Array(size)
  let residuals = response
  for (let round = 0; round < (refine ? MOST_REFINEMENTS : 2); round++) {
    const step = transposeTimes(x, weights === null ? residuals : product(residuals, weights))
    solveCholesky(lower, size, step)
    let settled = true
    for (let j = 0; j < size; j++) {
      if (Math.abs(step[j]) > Number.EPSILON * Math.abs(coefficients[j])) settled = false
      coefficients[j] += step[j]
    }
    residuals = refine ? residualsOf(columns, response, coefficients) : sparseResiduals(x, response, coefficients)
    if (settled) break
  }
  const triangle = new Float64Array(size * size)
  for (let i = 0; i < size; i++) for (let j = i; j < size; j++) triangle[i * size + j] = lower[j * size + i]
  return { coefficients, estimable: Int32Array.from(columns.keys()), rank: size, residuals, triangle }
}

/** A loop, because `map` costs more than the multiplication; an iterated fit does this again and again. */
function product(a: Float64Array, b: Float64Array): Float64Array {
  const values = new Float64Array(a.length)
  for (let i = 0; i < values.length; i++) values[i] = a[i] * b[i]
  return values
}

/** y - Xb, every value rounded once. */
function residualsOf(columns: Columns, response: Float64Array, coefficients: Float64Array): Float64Array {
  const total = response.slice()
  const lost = new Float64Array(response.length)
  columns.forEach((column, j) => {
    if (coefficients[j] !== 0) addScaledAccurately(-coefficients[j], column, total, lost)
  })
  return total.map((value, i) => value + lost[i])
}

/** (X'WX)⁻¹ for all columns, row after row; NaN in rows and columns of aliased ones. */
export function unscaledCovariance(fit: LeastSquares, columns: number): Float64Array {
  const inverse = invertTriangle(fit.triangle, fit.rank)
  const covariance = new Float64Array(columns * columns).fill(Number.NaN)
  for (let i = 0; i < fit.rank; i++) {
    for (let j = 0; j <= i; j++) {
      let product = 0
      for (let k = i; k < fit.rank; k++) product += inverse[i * fit.rank + k] * inverse[j * fit.rank + k]
      covariance[fit.estimable[i] * columns + fit.estimable[j]] = product
      covariance[fit.estimable[j] * columns + fit.estimable[i]] = product
    }
  }
  return covariance
}

interface Factors {
  /** Unit vectors v of the reflections I - 2vv', one per estimable column; those of step k start at row k. */
  readonly reflections: readonly Float64Array[]
  readonly triangle: Float64Array
  readonly estimable: Int32Array
  readonly rank: number
}

function factorise(columns: Columns, tolerance: number): Factors {
  const rows = columns.length === 0 ? 0 : columns[0].length
  const reflections: Float64Array[] = []
  const heads: Float64Array[] = []
  const estimable: number[] = []
  columns.forEach((column, j) => {
    const rank = reflections.length
    if (rank === rows) return
    const work = column.slice()
    const length = norm(work, 0)
    for (const [k, reflection] of reflections.entries()) reflect(reflection, work, k)
    const left = norm(work, rank)
    if (!(left > tolerance * length)) return
    const corner = work[rank] > 0 ? -left : left
    const head = work.slice(0, rank + 1)
    head[rank] = corner
    work[rank] -= corner
    const scale = 1 / norm(work, rank)
    for (let i = rank; i < rows; i++) work[i] *= scale
    reflections.push(work)
    heads.push(head)
    estimable.push(j)
  })
  const rank = reflections.length
  const triangle = new Float64Array(rank * rank)
  heads.forEach((head, k) => {
    head.forEach((value, i) => {
      triangle[i * rank + k] = value
    })
  })
  return { reflections, triangle, estimable: Int32Array.from(estimable), rank }
}

function reflect(reflection: Float64Array, vector: Float64Array, from: number): void {
  addScaled(-2 * dot(reflection, vector, from), reflection, vector, from)
}

function norm(vector: Float64Array, from: number): number {
  const squares = dot(vector, vector, from)
  if (squares > 1e-200 && squares < 1e200) return Math.sqrt(squares)
  let largest = 0
  for (let i = from; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]))
  if (largest === 0) return 0
  let total = 0
  for (let i = from; i < vector.length; i++) total += (vector[i] / largest) ** 2
  return largest * Math.sqrt(total)
}

interface Solution {
  readonly b: Float64Array
  readonly r: Float64Array
}

/** b and r with r + Xb = f and X'r = g. */
function solve({ reflections, triangle, rank }: Factors, f: Float64Array, g: Float64Array): Solution {
  const r = f.slice()
  for (const [k, reflection] of reflections.entries()) reflect(reflection, r, k)
  const head = solveLower(triangle, rank, g)
  const b = r.slice(0, rank)
  for (let k = 0; k < rank; k++) {
    b[k] -= head[k]
    r[k] = head[k]
  }
  solveUpper(triangle, rank, b)
  for (let k = rank - 1; k >= 0; k--) reflect(reflections[k], r, k)
  return { b, r }
}

function improve(factors: Factors, columns: Columns, y: Float64Array, { b, r }: Solution): void {
  const used = Array.from(factors.estimable, (column) => columns[column])
  const lengths = used.map((column) => norm(column, 0))
  let previous = Number.POSITIVE_INFINITY
  for (let round = 0; round < MOST_REFINEMENTS; round++) {
    const total = y.slice()
    const lost = new Float64Array(y.length)
    addScaledAccurately(-1, r, total, lost)
    used.forEach((column, k) => {
      addScaledAccurately(-b[k], column, total, lost)
    })
    const step = solve(
      factors,
      total.map((value, i) => value + lost[i]),
      Float64Array.from(used, (column) => -accurateDot(column, r)),
    )
    const size = step.b.reduce((most, change, k) => Math.max(most, Math.abs(change) * lengths[k]), 0)
    if (!(size < previous / 2)) return
    const settled = step.b.every((change, k) => Math.abs(change) <= Number.EPSILON * Math.abs(b[k]))
    step.b.forEach((change, k) => {
      b[k] += change
    })
    step.r.forEach((change, i) => {
      r[i] += change
    })
    if (settled) return
    previous = size
  }
}

/** R b = b in place, R upper triangular. */
function solveUpper(triangle: Float64Array, size: number, b: Float64Array): void {
  for (let i = size - 1; i >= 0; i--) {
    let value = b[i]
    for (let k = i + 1; k < size; k++) value -= triangle[i * size + k] * b[k]
    b[i] = value / triangle[i * size + i]
  }
}

/** The solution of R'x = g, R upper triangular. */
function solveLower(triangle: Float64Array, size: number, g: Float64Array): Float64Array {
  const x = g.slice()
  for (let i = 0; i < size; i++) {
    x[i] /= triangle[i * size + i]
    for (let k = i + 1; k < size; k++) x[k] -= triangle[i * size + k] * x[i]
  }
  return x
}

function invertTriangle(triangle: Float64Array, size: number): Float64Array {
  const inverse = new Float64Array(size * size)
  const unit = new Float64Array(size)
  for (let j = 0; j < size; j++) {
    unit.fill(0)
    unit[j] = 1
    solveUpper(triangle, size, unit)
    for (let i = 0; i <= j; i++) inverse[i * size + j] = unit[i]
  }
  return inverse
}

/** Lower triangle L with LL' = A, row after row; null when A is not positive definite in double precision. */
export function cholesky(matrix: Float64Array, size: number): Float64Array | null {
  const lower = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let value = matrix[i * size + j]
      for (let k = 0; k < j; k++) value -= lower[i * size + k] * lower[j * size + k]
      if (i > j) lower[i * size + j] = value / lower[j * size + j]
      else if (value > matrix[i * size + i] * Number.EPSILON) lower[i * size + i] = Math.sqrt(value)
      else return null
    }
  }
  return lower
}

/** LL'x = x in place. */
export function solveCholesky(lower: Float64Array, size: number, x: Float64Array): void {
  for (let i = 0; i < size; i++) {
    let value = x[i]
    for (let k = 0; k < i; k++) value -= lower[i * size + k] * x[k]
    x[i] = value / lower[i * size + i]
  }
  for (let i = size - 1; i >= 0; i--) {
    x[i] /= lower[i * size + i]
    for (let k = 0; k < i; k++) x[k] -= lower[i * size + k] * x[i]
  }
}

/** A⁻¹ from L with LL' = A, row after row. */
export function invertCholesky(lower: Float64Array, size: number): Float64Array {
  const inverse = new Float64Array(size * size)
  for (let j = 0; j < size; j++) {
    const unit = inverse.subarray(j * size, (j + 1) * size)
    unit[j] = 1
    solveCholesky(lower, size, unit)
  }
  return inverse
}
