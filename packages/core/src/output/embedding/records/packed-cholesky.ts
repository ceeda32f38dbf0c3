/**
 * Cholesky factors of a packed information matrix in which columns may depend on each other: a column that the ones before it
 * explain is aliased, and has the coefficient 0, as if it were not in the model.
 */

/** Of the diagonal less than this share is left by the columns before: a combination of them. */
const ALIASED = 1e-9

/** Lower triangle L with LL' = H, packed; rows of aliased columns are 0. */
export function factorise(
  sums: Float64Array,
  from: number,
  size: number,
  lower: Float64Array,
  aliased: Uint8Array,
): void {
  for (let i = 0; i < size; i++) {
    const row = (i * (i + 1)) / 2
    for (let j = 0; j <= i; j++) {
      const other = (j * (j + 1)) / 2
      let value = sums[from + row + j]
      for (let k = 0; k < j; k++) value -= lower[row + k] * lower[other + k]
      if (j < i) lower[row + j] = aliased[j] === 1 ? 0 : value / lower[other + j]
      else {
        aliased[i] = value > ALIASED * Math.max(sums[from + row + i], ALIASED) ? 0 : 1
        lower[row + i] = aliased[i] === 1 ? 1 : Math.sqrt(value)
        if (aliased[i] === 1) for (let k = 0; k < i; k++) lower[row + k] = 0
      }
    }
  }
}

/** LL'x = x in place; 0 for aliased columns. */
export function solve(lower: Float64Array, size: number, aliased: Uint8Array, x: Float64Array): void {
  for (let i = 0; i < size; i++) {
    const row = (i * (i + 1)) / 2
    if (aliased[i] === 1) {
      x[i] = 0
      continue
    }
    let value = x[i]
    for (let k = 0; k < i; k++) value -= lower[row + k] * x[k]
    x[i] = value / lower[row + i]
  }
  for (let i = size - 1; i >= 0; i--) {
    if (aliased[i] === 1) continue
    const row = (i * (i + 1)) / 2
    x[i] /= lower[row + i]
    for (let k = 0; k < i; k++) x[k] -= lower[row + k] * x[i]
  }
  for (let i = 0; i < size; i++) if (aliased[i] === 1) x[i] = 0
}

export function fullInverse(lower: Float64Array, size: number, aliased: Uint8Array, inverse: Float64Array): void {
  inverse.fill(0)
  for (let j = 0; j < size; j++) {
    const unit = inverse.subarray(j * size, (j + 1) * size)
    unit[j] = 1
    solve(lower, size, aliased, unit)
  }
}

export function inverseDiagonal(lower: Float64Array, size: number, aliased: Uint8Array): Float64Array {
  const inverse = new Float64Array(size * size)
  fullInverse(lower, size, aliased, inverse)
  return Float64Array.from({ length: size }, (_, j) => inverse[j * size + j])
}
