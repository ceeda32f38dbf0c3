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
 * "Regularization paths for generalized linear models via coordinate descent"). `b` holds b⁰ on entry and the minimum on
 * return. A step counts as settled when it lowers the objective by less than `tolerance`.
 */
export function descendCoordinates(
  problem: PenalisedQuadratic,
  b: Float64Array,
  tolerance: number,
  mostRounds: number,
): void {
  const size = b.length
  const { hessian, descent, lasso, ridge } = problem
  /** H (b - b⁰), kept up to date. */
  const bent = new Float64Array(size)

  function settle(j: number): number {
    const curvature = hessian[j * size + j]
    const old = b[j]
    if (lasso[j] === Number.POSITIVE_INFINITY || !(curvature + ridge[j] > 0)) {
      if (old === 0 || lasso[j] !== Number.POSITIVE_INFINITY) return 0
      b[j] = 0
    } else {
      const pull = curvature * old + descent[j] - bent[j]
      const excess = Math.abs(pull) - lasso[j]
      b[j] = excess > 0 ? (Math.sign(pull) * excess) / (curvature + ridge[j]) : 0
    }
    const step = b[j] - old
    if (step === 0) return 0
    const row = j * size
    for (let k = 0; k < size; k++) bent[k] += step * hessian[row + k]
    return (curvature + ridge[j]) * step * step
  }

  for (let round = 0; round < mostRounds; round++) {
    let largest = 0
    for (let j = 0; j < size; j++) largest = Math.max(largest, settle(j))
    if (largest < tolerance) return
    for (; round < mostRounds; round++) {
      let among = 0
      for (let j = 0; j < size; j++) if (b[j] !== 0) among = Math.max(among, settle(j))
      if (among < tolerance) break
    }
  }
}
