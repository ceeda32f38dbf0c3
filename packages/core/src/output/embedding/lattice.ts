import type { Stream } from '../../random/stream.js'

/**
 * Whole numbers x for which t - Σ x_i b_i is small, for vectors b_i of real numbers: the nearest vector of a lattice. The basis is
 * reduced (Lenstra, Lenstra and Lovász 1982), then x is rounded off coordinate by coordinate along the reduced vectors (the nearest
 * plane of Babai 1986). With `loose` above 0 a coordinate is now and then rounded the other way, the more so the nearer it lies to the
 * middle (Klein 2000), so that many near vectors are had and not only one. In floating point: right for the few dozen vectors it is
 * for, not proven to be the nearest.
 */
export interface ReducedBasis {
  /** Rows: reduced vectors, their orthogonal parts, and the whole numbers that make them of the given ones. */
  readonly vectors: readonly Float64Array[]
  readonly orthogonal: readonly Float64Array[]
  readonly norms: Float64Array
  readonly made: readonly Float64Array[]
}

const LOVASZ = 0.99
/** Steps after which a basis is taken as it is: rounding errors may go round in circles. */
const MOST_STEPS = 200_000

export function reducedBasis(basis: readonly Float64Array[]): ReducedBasis {
  const size = basis.length
  const vectors = basis.map((vector) => vector.slice())
  const made = basis.map((_, k) => Float64Array.from(basis, (_one, j) => (j === k ? 1 : 0)))
  const mu = basis.map(() => new Float64Array(size))
  const norms = new Float64Array(size)
  orthogonalise(vectors, mu, norms)
  for (let k = 1, step = 0; k < size && step < MOST_STEPS; step++) {
    for (let j = k - 1; j >= 0; j--) {
      const times = Math.round(mu[k][j])
      if (times === 0) continue
      subtract(vectors[k], vectors[j], times)
      subtract(made[k], made[j], times)
      for (let i = 0; i < j; i++) mu[k][i] -= times * mu[j][i]
      mu[k][j] -= times
    }
    if (norms[k] >= (LOVASZ - mu[k][k - 1] ** 2) * norms[k - 1]) k++
    else {
      exchange(k, vectors, made, mu, norms)
      k = Math.max(1, k - 1)
    }
  }
  const orthogonal = orthogonalise(vectors, mu, norms)
  return { vectors, orthogonal, norms, made }
}

/** Gram and Schmidt. */
function orthogonalise(vectors: readonly Float64Array[], mu: readonly Float64Array[], norms: Float64Array) {
  const orthogonal = vectors.map((vector) => vector.slice())
  vectors.forEach((vector, k) => {
    for (let j = 0; j < k; j++) {
      mu[k][j] = norms[j] > 0 ? product(vector, orthogonal[j]) / norms[j] : 0
      subtract(orthogonal[k], orthogonal[j], mu[k][j])
    }
    norms[k] = product(orthogonal[k], orthogonal[k])
  })
  return orthogonal
}

/** Vectors k and k - 1 change places (Cohen 1993, algorithm 2.6.3). */
function exchange(
  k: number,
  vectors: Float64Array[],
  made: Float64Array[],
  mu: readonly Float64Array[],
  norms: Float64Array,
): void {
  ;[vectors[k], vectors[k - 1]] = [vectors[k - 1], vectors[k]]
  ;[made[k], made[k - 1]] = [made[k - 1], made[k]]
  for (let j = 0; j < k - 1; j++) {
    const before = mu[k][j]
    mu[k][j] = mu[k - 1][j]
    mu[k - 1][j] = before
  }
  const share = mu[k][k - 1]
  const norm = norms[k] + share * share * norms[k - 1]
  mu[k][k - 1] = norm > 0 ? (share * norms[k - 1]) / norm : 0
  norms[k] = norm > 0 ? (norms[k - 1] * norms[k]) / norm : 0
  norms[k - 1] = norm
  for (let i = k + 1; i < vectors.length; i++) {
    const before = mu[i][k]
    mu[i][k] = mu[i][k - 1] - share * before
    mu[i][k - 1] = before + mu[k][k - 1] * mu[i][k]
  }
}

/** Whole multiples of the given vectors whose sum is near to `target`. */
export function nearVector(basis: ReducedBasis, target: Float64Array, loose: number, random: Stream): Float64Array {
  const { vectors, orthogonal, norms, made } = basis
  const rest = target.slice()
  const multiples = new Float64Array(vectors.length)
  for (let k = vectors.length - 1; k >= 0; k--) {
    const exact = norms[k] > 0 ? product(rest, orthogonal[k]) / norms[k] : 0
    const moved = loose > 0 ? exact + loose * (random.uniform() - 0.5) : exact
    const times = Math.round(moved)
    if (times === 0) continue
    subtract(rest, vectors[k], times)
    subtract(multiples, made[k], -times)
  }
  return multiples
}

function product(a: Float64Array, b: Float64Array): number {
  let total = 0
  for (let k = 0; k < a.length; k++) total += a[k] * b[k]
  return total
}

function subtract(from: Float64Array, what: Float64Array, times: number): void {
  for (let k = 0; k < from.length; k++) from[k] -= times * what[k]
}
