import { math } from '@scrim/kernels'
import { total } from '../sums.js'
/**
 * Entropic optimal transport (Cuturi 2013) between two files of records, each record of the first sending one unit:
 *   min Σ P_ij C_ij + ε Σ P_ij ln P_ij,  Σ_j P_ij = 1 per first record,  Σ_i P_ij <= 1 per second record.
 * ε -> 0 is the assignment, ε -> ∞ spreads evenly. The surplus of the larger file goes to a slack record of cost 0, so that
 * a perfect link keeps its weight of 1; without it (`slack: false`, columns sharing the rows evenly) none exceeds rows / columns.
 *
 * Solved by Sinkhorn's scaling on the logarithms: potentials f and g with P = exp((f + g - C) / ε), ε falling by halves
 * from the largest cost, the scalings taken into f and g before they overflow, until every row sums to 1 up to 1e-6. Where
 * that is slow, with an error that shrinks by θ each time, steps are lengthened by 2 / (1 + √(1 - θ)) (successive
 * over-relaxation; Thibault et al. 2021).
 * Equal records are held once with their number, which changes nothing: P is the same for all of them.
 */
export interface TransportOf {
  /** Rows times columns, row after row; infinite where there is no link. */
  readonly costs: Float64Array
  /** How many records each row and column stands for. */
  readonly rows: ArrayLike<number>
  readonly columns: ArrayLike<number>
  readonly epsilon: number
  readonly slack?: boolean
}

export interface EntropicPlan {
  /** Weight of one record of the row on one record of the column: over all columns it sums to 1, less what goes to the slack. */
  readonly weights: Float64Array
  readonly iterations: number
  readonly converged: boolean
}

const CLOSE = 1e-6
/** Pairs that are gone through in all iterations together, at most; and iterations. */
const MOST_PAIRS = 2e10
const ITERATIONS = { least: 1000, most: 200_000 }
/** After so many iterations, twice as many and so on, the rate of plain ones is estimated from a few of them. */
const PLAIN = 200
/** Scalings are taken into the potentials after so many iterations. */
const ABSORB_EVERY = 20

export function entropicPlan({ costs, rows, columns, epsilon, slack = true }: TransportOf): EntropicPlan {
  const [n, m] = [rows.length, columns.length]
  const problem = balanced(costs, rows, columns, slack)
  const { width, height, cost, b } = problem
  const f = new Float64Array(height)
  const g = new Float64Array(width)
  let largest = 0
  for (const value of cost) if (value < Number.POSITIVE_INFINITY) largest = Math.max(largest, Math.abs(value))
  const most = Math.min(ITERATIONS.most, Math.max(ITERATIONS.least, MOST_PAIRS / (width * height)))
  let iterations = 0
  let converged = false
  for (let eps = Math.max(largest, epsilon); ; eps = Math.max(epsilon, eps / 2)) {
    const isLast = eps === epsilon
    const scaled = scale(problem, f, g, eps, isLast ? CLOSE : 1e-2, isLast ? most : PLAIN)
    iterations += scaled.iterations
    converged = scaled.converged
    if (isLast) break
  }
  const weights = new Float64Array(n * m)
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let j = 0; j < width; j++) {
      const weight = math.exp((f[i] + g[j] - cost[i * width + j]) / epsilon)
      if (j < m) weights[i * m + j] = weight
      sum += b[j] * weight
    }
    // What the iteration leaves of the constraint is put right: a person's weights sum to 1.
    if (sum > 0) for (let j = 0; j < m; j++) weights[i * m + j] /= sum
  }
  return { weights, iterations, converged }
}

interface Balanced {
  readonly height: number
  readonly width: number
  readonly cost: Float64Array
  /** Records that rows and columns stand for. */
  readonly a: Float64Array
  readonly b: Float64Array
  /** What one record of a column receives; one of a row sends 1. */
  readonly share: number
}

function balanced(costs: Float64Array, rows: ArrayLike<number>, columns: ArrayLike<number>, slack: boolean): Balanced {
  const [n, m] = [rows.length, columns.length]
  const [nq, ns] = [total(rows), total(columns)]
  const height = slack && ns > nq ? n + 1 : n
  const width = slack && nq > ns ? m + 1 : m
  const cost = new Float64Array(height * width)
  for (let i = 0; i < n; i++) cost.set(costs.subarray(i * m, (i + 1) * m), i * width)
  const a = new Float64Array(height).fill(ns - nq)
  a.set(Float64Array.from(rows))
  const b = new Float64Array(width).fill(nq - ns)
  b.set(Float64Array.from(columns))
  return { height, width, cost, a, b, share: slack ? 1 : nq / ns }
}

/** Scales at one ε; f and g are changed in place. */
function scale(
  { height, width, cost, a, b, share }: Balanced,
  f: Float64Array,
  g: Float64Array,
  epsilon: number,
  close: number,
  most: number,
): { readonly iterations: number; readonly converged: boolean } {
  const kernel = new Float64Array(height * width)
  const u = new Float64Array(height)
  const v = new Float64Array(width)
  const sums = new Float64Array(width)
  let iterations = 0
  let [step, before, estimateAt] = [1, Number.POSITIVE_INFINITY, PLAIN]
  while (iterations < most) {
    if (step === 1) logRowUpdate(cost, b, f, g, epsilon, height, width)
    for (let i = 0; i < height; i++)
      for (let j = 0; j < width; j++) kernel[i * width + j] = math.exp((f[i] + g[j] - cost[i * width + j]) / epsilon)
    u.fill(1)
    v.fill(1)
    for (let k = 0; k < ABSORB_EVERY; k++) {
      iterations++
      sums.fill(0)
      for (let i = 0; i < height; i++) {
        const weight = a[i] * u[i]
        const at = i * width
        for (let j = 0; j < width; j++) sums[j] += weight * kernel[at + j]
      }
      for (let j = 0; j < width; j++) v[j] = sums[j] > 0 ? v[j] * math.pow(share / (sums[j] * v[j]), step) : 0
      let error = 0
      for (let i = 0; i < height; i++) {
        const at = i * width
        let sum = 0
        for (let j = 0; j < width; j++) sum += b[j] * v[j] * kernel[at + j]
        if (sum > 0) {
          error = Math.max(error, Math.abs(u[i] * sum - 1))
          u[i] *= math.pow(1 / (sum * u[i]), step)
        }
      }
      if (iterations === estimateAt) {
        if (error < before) step = 2 / (1 + Math.sqrt(1 - error / before))
        estimateAt *= 2
      } else if (iterations === estimateAt - PLAIN / 4 || error > 0.5) step = 1
      before = error
      if (error < close) {
        absorb(f, u, epsilon)
        absorb(g, v, epsilon)
        return { iterations, converged: true }
      }
      if (extreme(u) || extreme(v)) break
    }
    absorb(f, u, epsilon)
    absorb(g, v, epsilon)
  }
  return { iterations, converged: false }
}

/** f_i = -ε ln Σ_j b_j exp((g_j - C_ij) / ε): every row then sums to 1, whatever the size of the exponents. */
function logRowUpdate(
  cost: Float64Array,
  b: Float64Array,
  f: Float64Array,
  g: Float64Array,
  epsilon: number,
  height: number,
  width: number,
): void {
  for (let i = 0; i < height; i++) {
    let most = Number.NEGATIVE_INFINITY
    for (let j = 0; j < width; j++) most = Math.max(most, g[j] - cost[i * width + j])
    if (most === Number.NEGATIVE_INFINITY) continue
    let sum = 0
    for (let j = 0; j < width; j++) sum += b[j] * math.exp((g[j] - cost[i * width + j] - most) / epsilon)
    f[i] = -most - epsilon * math.log(sum)
  }
}

function absorb(potentials: Float64Array, scalings: Float64Array, epsilon: number): void {
  for (let k = 0; k < potentials.length; k++) if (scalings[k] > 0) potentials[k] += epsilon * math.log(scalings[k])
}

const LARGE = 1e100

function extreme(scalings: Float64Array): boolean {
  for (const value of scalings) if (value > LARGE || (value > 0 && value < 1 / LARGE)) return true
  return false
}
