/**
 * Sequential minimal optimisation (Platt 1998) with the working sets of Fan, Chen and Lin (2005): minimises
 *   ½ αᵀQα + pᵀα  subject to  yᵀα = 0, 0 ≤ α_i ≤ C_i,   Q_ij = y_i y_j K(row_i, row_j),
 * which is a support-vector machine of classes (p = -1) or, with each record twice, of numbers.
 */
export interface SmoProblem {
  readonly y: Int8Array
  readonly p: Float64Array
  readonly most: Float64Array
  /** The record of each variable. */
  readonly row: Int32Array
  /** Records x records. */
  readonly kernel: Float64Array
  readonly records: number
}

export interface SmoSolution {
  readonly alpha: Float64Array
  /** The decision is Σ y_i α_i K(row_i, x) - rho. */
  readonly rho: number
  readonly converged: boolean
}

const TOLERANCE = 1e-3
const SMALLEST_CURVATURE = 1e-12

export function solveSmo({ y, p, most, row, kernel, records }: SmoProblem, maxSteps: number): SmoSolution {
  const n = y.length
  const alpha = new Float64Array(n)
  const gradient = Float64Array.from(p)
  const isUp = (i: number) => (y[i] > 0 ? alpha[i] < most[i] : alpha[i] > 0)
  const isLow = (i: number) => (y[i] > 0 ? alpha[i] > 0 : alpha[i] < most[i])
  let converged = false
  for (let step = 0; step < maxSteps; step++) {
    let i = -1
    let highest = Number.NEGATIVE_INFINITY
    for (let t = 0; t < n; t++)
      if (isUp(t) && -y[t] * gradient[t] > highest) {
        highest = -y[t] * gradient[t]
        i = t
      }
    if (i < 0) {
      converged = true
      break
    }
    const from = row[i] * records
    let j = -1
    let lowest = Number.POSITIVE_INFINITY
    let best = 0
    for (let t = 0; t < n; t++) {
      if (!isLow(t)) continue
      const pull = -y[t] * gradient[t]
      if (pull < lowest) lowest = pull
      const gap = highest - pull
      if (gap <= 0) continue
      const curvature = kernel[from + row[i]] + kernel[row[t] * records + row[t]] - 2 * kernel[from + row[t]]
      const gain = -(gap * gap) / Math.max(curvature, SMALLEST_CURVATURE)
      if (gain < best) {
        best = gain
        j = t
      }
    }
    if (j < 0 || highest - lowest < TOLERANCE) {
      converged = true
      break
    }
    const other = row[j] * records
    const curvature = kernel[from + row[i]] + kernel[other + row[j]] - 2 * kernel[from + row[j]]
    const wanted = (highest + y[j] * gradient[j]) / Math.max(curvature, SMALLEST_CURVATURE)
    // How far y_i α_i may rise and y_j α_j may fall.
    const room = Math.min(y[i] > 0 ? most[i] - alpha[i] : alpha[i], y[j] > 0 ? alpha[j] : most[j] - alpha[j])
    const move = Math.min(wanted, room)
    alpha[i] = within(alpha[i] + y[i] * move, most[i])
    alpha[j] = within(alpha[j] - y[j] * move, most[j])
    for (let t = 0; t < n; t++) gradient[t] += y[t] * move * (kernel[from + row[t]] - kernel[other + row[t]])
  }
  return { alpha, rho: rhoOf(alpha, gradient, y, most), converged }
}

function within(value: number, most: number): number {
  return Math.max(0, Math.min(value, most))
}

/** The mean of y G over free variables, or the middle of what the others allow. */
function rhoOf(alpha: Float64Array, gradient: Float64Array, y: Int8Array, most: Float64Array): number {
  let lower = Number.NEGATIVE_INFINITY
  let upper = Number.POSITIVE_INFINITY
  let sum = 0
  let free = 0
  for (let t = 0; t < alpha.length; t++) {
    const pull = y[t] * gradient[t]
    if (alpha[t] > 0 && alpha[t] < most[t]) {
      sum += pull
      free++
    } else if (alpha[t] === 0 ? y[t] > 0 : y[t] < 0) upper = Math.min(upper, pull)
    else lower = Math.max(lower, pull)
  }
  if (free > 0) return sum / free
  if (!Number.isFinite(lower) || !Number.isFinite(upper))
    return Number.isFinite(lower) ? lower : Number.isFinite(upper) ? upper : 0
  return (lower + upper) / 2
}
