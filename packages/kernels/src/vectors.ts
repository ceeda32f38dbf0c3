/** Σ a b over positions `from` to `to - 1`, in four interleaved sums: faster, and rounding errors grow a quarter as fast. */
export function dot(a: Float64Array, b: Float64Array, from = 0, to = a.length): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  let i = from
  for (; i + 3 < to; i += 4) {
    first += a[i] * b[i]
    second += a[i + 1] * b[i + 1]
    third += a[i + 2] * b[i + 2]
    fourth += a[i + 3] * b[i + 3]
  }
  for (; i < to; i++) first += a[i] * b[i]
  return first + second + (third + fourth)
}

/** y += factor x over positions `from` to `to - 1`. */
export function addScaled(factor: number, x: Float64Array, y: Float64Array, from = 0, to = x.length): void {
  for (let i = from; i < to; i++) y[i] += factor * x[i]
}

/** Σ a b as if computed in twice the precision and then rounded: Ogita, Rump and Oishi (2005), "Accurate sum and dot product", Dot2. */
export function accurateDot(a: Float64Array, b: Float64Array): number {
  let total = 0
  let lost = 0
  for (let i = 0; i < a.length; i++) {
    const product = a[i] * b[i]
    const next = total + product
    const carried = next - total
    lost += total - (next - carried) + (product - carried) + productError(a[i], b[i], product)
    total = next
  }
  return total + lost
}

/** total + lost += factor x, element by element, `lost` collecting what `total` rounds away. */
export function addScaledAccurately(factor: number, x: Float64Array, total: Float64Array, lost: Float64Array): void {
  for (let i = 0; i < x.length; i++) {
    const product = factor * x[i]
    const old = total[i]
    const next = old + product
    const carried = next - old
    lost[i] += old - (next - carried) + (product - carried) + productError(factor, x[i], product)
    total[i] = next
  }
}

/** 2^27 + 1 cuts a double into two halves whose products are exact (Veltkamp). */
const SPLITTER = 134_217_729

/** a b - product exactly (Dekker 1971); needs |a|, |b| below 2^996. */
function productError(a: number, b: number, product: number): number {
  const aWide = SPLITTER * a
  const aHigh = aWide - (aWide - a)
  const aLow = a - aHigh
  const bWide = SPLITTER * b
  const bHigh = bWide - (bWide - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}
