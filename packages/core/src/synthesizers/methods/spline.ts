import { math } from '@scrim/kernels'
/**
 * The cubic smoothing spline of values at equal distances (Reinsch 1967): the curve g with the least
 * Σ (y - g)² + λ ∫ g''², and λ chosen by generalised cross-validation, n RSS / (n - tr A)² (Craven and Wahba 1979). In
 * O(n): second derivatives solve a system with five diagonals, and the trace needs those of its inverse only (Hutchinson
 * and de Hoog 1985).
 */
export function smoothingSpline(y: Float64Array): Float64Array {
  if (y.length < FEWEST) return y.slice()
  const score = (logLambda: number) => fitAt(y, math.exp(logLambda)).gcv
  const best = goldenSection(score, coarseBest(score))
  return fitAt(y, math.exp(best)).fitted
}

const FEWEST = 4
const LOG_LAMBDA_RANGE = { from: -14, to: 30, step: 2 }
const GOLDEN = (Math.sqrt(5) - 1) / 2
const PRECISION = 1e-3

function coarseBest(score: (logLambda: number) => number): number {
  const { from, to, step } = LOG_LAMBDA_RANGE
  let best = from
  let least = Number.POSITIVE_INFINITY
  for (let at = from; at <= to; at += step) {
    const value = score(at)
    if (value < least) {
      best = at
      least = value
    }
  }
  return best
}

function goldenSection(score: (x: number) => number, around: number): number {
  let low = around - LOG_LAMBDA_RANGE.step
  let high = around + LOG_LAMBDA_RANGE.step
  let left = high - GOLDEN * (high - low)
  let right = low + GOLDEN * (high - low)
  let [atLeft, atRight] = [score(left), score(right)]
  while (high - low > PRECISION) {
    if (atLeft <= atRight) {
      ;[high, right, atRight] = [right, left, atLeft]
      left = high - GOLDEN * (high - low)
      atLeft = score(left)
    } else {
      ;[low, left, atLeft] = [left, right, atRight]
      right = low + GOLDEN * (high - low)
      atRight = score(right)
    }
  }
  return (low + high) / 2
}

/**
 * With Q the n x (n-2) matrix of second differences and R the tridiagonal (4, 1) / 6: (R + λ Q'Q) γ = Q'y,
 * g = y - λ Q γ, and n - tr A = λ tr(Q (R + λ Q'Q)^-1 Q'). Q'Q has the diagonals 6, -4, 1. Factored as L D L'.
 */
function fitAt(y: Float64Array, lambda: number): { fitted: Float64Array; gcv: number } {
  const n = y.length
  const m = n - 2
  const diagonal = 2 / 3 + 6 * lambda
  const first = 1 / 6 - 4 * lambda
  const second = lambda
  const d = new Float64Array(m)
  const l1 = new Float64Array(m + 1)
  const l2 = new Float64Array(m + 2)
  for (let i = 0; i < m; i++) {
    const back1 = i >= 1 ? l1[i - 1] : 0
    const back2 = i >= 2 ? l2[i - 2] : 0
    d[i] = diagonal - (i >= 1 ? back1 * back1 * d[i - 1] : 0) - (i >= 2 ? back2 * back2 * d[i - 2] : 0)
    if (i + 1 < m) l1[i] = (first - (i >= 1 ? l2[i - 1] * l1[i - 1] * d[i - 1] : 0)) / d[i]
    if (i + 2 < m) l2[i] = second / d[i]
  }
  const gamma = new Float64Array(m)
  for (let i = 0; i < m; i++) {
    gamma[i] = y[i] - 2 * y[i + 1] + y[i + 2]
    if (i >= 1) gamma[i] -= l1[i - 1] * gamma[i - 1]
    if (i >= 2) gamma[i] -= l2[i - 2] * gamma[i - 2]
  }
  for (let i = m - 1; i >= 0; i--) {
    gamma[i] /= d[i]
    if (i + 1 < m) gamma[i] -= l1[i] * gamma[i + 1]
    if (i + 2 < m) gamma[i] -= l2[i] * gamma[i + 2]
  }
  const fitted = y.slice()
  for (let i = 0; i < m; i++) {
    fitted[i] -= lambda * gamma[i]
    fitted[i + 1] += 2 * lambda * gamma[i]
    fitted[i + 2] -= lambda * gamma[i]
  }
  let squares = 0
  for (let i = 0; i < n; i++) squares += (y[i] - fitted[i]) ** 2
  const spare = lambda * traceWithInverse(d, l1, l2, m)
  return { fitted, gcv: (n * squares) / spare ** 2 }
}

/** tr(Q'Q B^-1), from the five middle diagonals of the inverse, found from the last row upwards. */
function traceWithInverse(d: Float64Array, l1: Float64Array, l2: Float64Array, m: number): number {
  let trace = 0
  // Inverse entries (i+1,i+1), (i+1,i+2), (i+2,i+2) of the rows below.
  let [b11, b12, b22] = [0, 0, 0]
  for (let i = m - 1; i >= 0; i--) {
    const first = i + 1 < m ? l1[i] : 0
    const second = i + 2 < m ? l2[i] : 0
    const next = -first * b11 - second * b12
    const after = -first * b12 - second * b22
    const diagonal = 1 / d[i] - first * next - second * after
    trace += 6 * diagonal + 2 * (-4 * next + after)
    ;[b22, b12, b11] = [b11, next, diagonal]
  }
  return trace
}
