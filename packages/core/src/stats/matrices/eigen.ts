/** Eigenvalues, largest first, with their unit vectors; of each vector the largest coordinate is positive. */
export interface Eigen {
  readonly values: Float64Array
  /** Vector k is `vectors[k]`. */
  readonly vectors: readonly Float64Array[]
}

const MOST_SWEEPS = 60
/** Of the largest element: rounding leaves no less of the others. */
const NEARLY_ZERO = 1e-14

/**
 * Of a symmetric matrix, row after row, by Jacobi's (1846) rotations: each makes one element off the diagonal 0, in cyclic
 * order, until they all are but for rounding. Slower than others for large matrices, and as exact as can be.
 */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const a = matrix.slice()
  const v = new Float64Array(size * size)
  for (let i = 0; i < size; i++) v[i * size + i] = 1
  const scale = a.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  for (let sweep = 0; sweep < MOST_SWEEPS && offDiagonal(a, size) > NEARLY_ZERO * scale; sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) rotate(a, v, size, p, q)
  const order = Array.from({ length: size }, (_, k) => k).sort((i, j) => a[j * size + j] - a[i * size + i])
  return {
    values: Float64Array.from(order, (k) => a[k * size + k]),
    vectors: order.map((k) => upright(v.slice(k * size, (k + 1) * size))),
  }
}

function offDiagonal(a: Float64Array, size: number): number {
  let most = 0
  for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) most = Math.max(most, Math.abs(a[i * size + j]))
  return most
}

/** Hot: rows are contiguous, so the two rows are turned first and their columns then copied from them. */
function rotate(a: Float64Array, v: Float64Array, size: number, p: number, q: number): void {
  const [atP, atQ] = [p * size, q * size]
  const apq = a[atP + q]
  if (apq === 0) return
  const [app, aqq] = [a[atP + p], a[atQ + q]]
  const theta = (aqq - app) / (2 * apq)
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < size; k++) {
    const x = a[atP + k]
    const y = a[atQ + k]
    const turnedP = c * x - s * y
    const turnedQ = s * x + c * y
    a[atP + k] = turnedP
    a[atQ + k] = turnedQ
    a[k * size + p] = turnedP
    a[k * size + q] = turnedQ
    const u = v[atP + k]
    const w = v[atQ + k]
    v[atP + k] = c * u - s * w
    v[atQ + k] = s * u + c * w
  }
  a[atP + p] = app - t * apq
  a[atQ + q] = aqq + t * apq
  a[atP + q] = 0
  a[atQ + p] = 0
}

function upright(vector: Float64Array): Float64Array {
  let largest = 0
  for (let i = 1; i < vector.length; i++) if (Math.abs(vector[i]) > Math.abs(vector[largest]) + 1e-12) largest = i
  return vector[largest] < 0 ? vector.map((value) => -value) : vector
}
