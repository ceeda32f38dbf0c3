/** What `descendCoordinates` minimises over b, moving away from a current point. */
export interface PenalisedQuadratic {
  /** H, size x size, row after row, symmetric. */
  readonly hessian: Float64Array
  /** Downhill direction at the current point: minus the gradient. */
  readonly descent: Float64Array
  /** λ₁ of every coefficient; Infinity keeps it at 0. */
  readonly lasso: Float64Array
  /** λ₂ of every coefficient. */
  readonly ridge: Float64Array
}

/**
 * Minimises -d'(b - b⁰) + ½ (b - b⁰)'H(b - b⁰) + Σ λ₁ |b| + ½ Σ λ₂ b² over b, one coefficient after the other, round and
 * round, first over all and then over those that are not 0 until these settle (Friedman, Hastie and Tibshirani 2010,
 * "Regularization paths for generalized linear models via coordinate descent"). Where these do not settle soon, which
 * takes thousands of rounds when columns are nearly dependent, their equations are solved at once. `b` holds b⁰ on entry
 * and the minimum on return. A step counts as settled when it lowers the objective by less than `tolerance`.
 */
export function descendCoordinates(
  problem: PenalisedQuadratic,
  b: Float64Array,
  tolerance: number,
  mostRounds: number,
): void {
  /** H (b - b⁰), kept up to date. */
  const bent = new Float64Array(b.length)
  for (let round = 0; round < mostRounds; round++) {
    if (descendOnce(problem, b, bent) < tolerance) return
    const active = Int32Array.from(b.keys()).filter((j) => b[j] !== 0)
    const own = Float64Array.from(active, (j) => b[j])
    round += settle(partOf(problem, bent, active), own, tolerance, mostRounds - round)
    active.forEach((j, k) => {
      bend(problem, bent, j, own[k] - b[j])
      b[j] = own[k]
    })
  }
}

/** One round over all coefficients; returns by how much the objective fell at most for one of them, twice. */
function descendOnce(problem: PenalisedQuadratic, b: Float64Array, bent: Float64Array): number {
  const { hessian, descent, lasso, ridge } = problem
  let largest = 0
  for (let j = 0; j < b.length; j++) {
    const curvature = hessian[j * b.length + j]
    const old = b[j]
    if (lasso[j] === Number.POSITIVE_INFINITY || !(curvature + ridge[j] > 0)) {
      if (old === 0 || lasso[j] !== Number.POSITIVE_INFINITY) continue
      b[j] = 0
    } else {
      const pull = curvature * old + descent[j] - bent[j]
      const excess = Math.abs(pull) - lasso[j]
      b[j] = excess > 0 ? (Math.sign(pull) * excess) / (curvature + ridge[j]) : 0
    }
    const step = b[j] - old
    if (step === 0) continue
    bend(problem, bent, j, step)
    largest = Math.max(largest, (curvature + ridge[j]) * step * step)
  }
  return largest
}

function bend({ hessian }: PenalisedQuadratic, bent: Float64Array, j: number, step: number): void {
  const row = j * bent.length
  if (step !== 0) for (let k = 0; k < bent.length; k++) bent[k] += step * hessian[row + k]
}

/** The same problem, from where it stands, for some of the coefficients. */
function partOf(problem: PenalisedQuadratic, bent: Float64Array, chosen: Int32Array): PenalisedQuadratic {
  const hessian = new Float64Array(chosen.length ** 2)
  for (let row = 0; row < chosen.length; row++)
    for (let column = 0; column < chosen.length; column++)
      hessian[row * chosen.length + column] = problem.hessian[chosen[row] * bent.length + chosen[column]]
  return {
    hessian,
    descent: Float64Array.from(chosen, (j) => problem.descent[j] - bent[j]),
    lasso: Float64Array.from(chosen, (j) => problem.lasso[j]),
    ridge: Float64Array.from(chosen, (j) => problem.ridge[j]),
  }
}

const FEWEST_ROUNDS = 10
/** Solving the equations of n coefficients costs as much as about n / 10 rounds. */
const SHARE = 1 / 10

/** Rounds until all settle; returns how many these were. */
function settle(problem: PenalisedQuadratic, b: Float64Array, tolerance: number, mostRounds: number): number {
  const bent = new Float64Array(b.length)
  const patience = Math.max(FEWEST_ROUNDS, Math.ceil(SHARE * b.length))
  for (let round = 1; round < mostRounds; round++) {
    if (descendOnce(problem, b, bent) < tolerance) return round
    if (round % patience === 0) solve(problem, b, bent)
  }
  return mostRounds
}

/**
 * The minimum over the coefficients that are not 0, as long as none of them changes its sign; where one would, the way
 * ends there, with it at 0. Where columns depend on each other nothing is done.
 */
function solve(problem: PenalisedQuadratic, b: Float64Array, bent: Float64Array): void {
  const { lasso, ridge } = problem
  const active = Int32Array.from(b.keys()).filter((j) => b[j] !== 0)
  const { hessian, descent } = partOf(problem, bent, active)
  active.forEach((j, k) => {
    hessian[k * active.length + k] += ridge[j]
  })
  const step = descent.map((own, k) => {
    const j = active[k]
    return own - ridge[j] * b[j] - lasso[j] * Math.sign(b[j])
  })
  if (!solvePositive(hessian, step)) return
  let share = 1
  let first = -1
  active.forEach((j, k) => {
    const until = -b[j] / step[k]
    if (until > 0 && until <= share) {
      share = until
      first = k
    }
  })
  active.forEach((j, k) => {
    const change = k === first ? -b[j] : share * step[k]
    b[j] += change
    bend(problem, bent, j, change)
  })
}

/** A pivot below this share of the diagonal is rounding error. */
const LEAST_PIVOT = 1e-12

/** Solves Ax = y in place by Cholesky's method, reading the lower triangle of A; false where A is not positive. */
function solvePositive(a: Float64Array, y: Float64Array): boolean {
  const n = y.length
  for (let i = 0; i < n; i++) {
    const least = LEAST_PIVOT * a[i * n + i]
    for (let j = 0; j <= i; j++) {
      let rest = a[i * n + j]
      for (let k = 0; k < j; k++) rest -= a[i * n + k] * a[j * n + k]
      if (j === i && !(rest > least)) return false
      a[i * n + j] = j === i ? Math.sqrt(rest) : rest / a[j * n + j]
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) y[i] -= a[i * n + k] * y[k]
    y[i] /= a[i * n + i]
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) y[i] -= a[k * n + i] * y[k]
    y[i] /= a[i * n + i]
  }
  return true
}
