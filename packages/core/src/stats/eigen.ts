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
    vectors: order.map((k) => upright(Float64Array.from({ length: size }, (_, i) => v[i * size + k]))),
  }
}

function offDiagonal(a: Float64Array, size: number): number {
  let most = 0
  for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) most = Math.max(most, Math.abs(a[i * size + j]))
  return most
}

function rotate(a: Float64Array, v: Float64Array, size: number, p: number, q: number): void {
  const apq = a[p * size + q]
  if (apq === 0) return
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * apq)
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < size; k++) {
    const [akp, akq] = [a[k * size + p], a[k * size + q]]
    a[k * size + p] = c * akp - s * akq
    a[k * size + q] = s * akp + c * akq
  }
  for (let k = 0; k < size; k++) {
    const [apk, aqk] = [a[p * size + k], a[q * size + k]]
    a[p * size + k] = c * apk - s * aqk
    a[q * size + k] = s * apk + c * aqk
    const [vkp, vkq] = [v[k * size + p], v[k * size + q]]
    v[k * size + p] = c * vkp - s * vkq
    v[k * size + q] = s * vkp + c * vkq
  }
  a[p * size + q] = 0
  a[q * size + p] = 0
}

function upright(vector: Float64Array): Float64Array {
  let largest = 0
  for (let i = 1; i < vector.length; i++) if (Math.abs(vector[i]) > Math.abs(vector[largest]) + 1e-12) largest = i
  return vector[largest] < 0 ? vector.map((value) => -value) : vector
}
