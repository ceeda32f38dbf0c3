import { joined, joinedCodes } from '../../../stats/joined.js'
import { type Eigen, symmetricEigen } from '../../../stats/matrices/eigen.js'
import { columnOf } from '../../../table/table.js'
import { type Pair, weightsIn } from '../../pair.js'

/**
 * The records of both files in coordinates that principal axes can be found in (factor analysis of mixed data, Pagès 2004):
 * numbers less the original's mean over its sd, missing ones as the mean; every category as a column of 0 and 1/√share. One
 * whose share in the original is below 1 % has no column. Row after row.
 */
export interface Coordinates {
  readonly width: number
  /** What each coordinate is: a column, or a column and a category. */
  readonly labels: readonly string[]
  readonly original: Float64Array
  readonly released: Float64Array
  readonly weights: readonly [Float64Array | null, Float64Array | null]
}

const LEAST_SHARE = 0.01

export function coordinates(pair: Pair, names: readonly string[], scale: boolean): Coordinates {
  const [n1, n2] = [pair.original.rows, pair.released.rows]
  const weights = [weightsIn(pair.original, pair.weight), weightsIn(pair.released, pair.weight)] as const
  const columns = names.flatMap((name) => {
    const [x, y] = [columnOf(pair.original, name), columnOf(pair.released, name)]
    if (x.kind === 'categorical' && y.kind === 'categorical')
      return levelColumns(name, joinedCodes([x.codes, y.codes]), x.levels, n1)
    if (x.kind === 'categorical' || y.kind === 'categorical') return []
    return numberColumn(name, joined([x.values, y.values]), n1, scale)
  })
  const width = columns.length
  const fill = (from: number, rows: number) => {
    const values = new Float64Array(rows * width)
    columns.forEach(({ values: own }, j) => {
      for (let row = 0; row < rows; row++) values[row * width + j] = own[from + row]
    })
    return values
  }
  return {
    width,
    labels: columns.map(({ label }) => label),
    original: fill(0, n1),
    released: fill(n1, n2),
    weights,
  }
}

function numberColumn(name: string, values: Float64Array, originals: number, scale: boolean) {
  let [n, centre, squares] = [0, 0, 0]
  for (let row = 0; row < originals; row++) {
    if (Number.isNaN(values[row])) continue
    const away = values[row] - centre
    centre += away / ++n
    squares += away * (values[row] - centre)
  }
  if (n < 2 || !(squares > 0)) return []
  const unit = scale ? Math.sqrt(squares / (n - 1)) : 1
  return [{ label: name, values: values.map((value) => (Number.isNaN(value) ? 0 : (value - centre) / unit)) }]
}

function levelColumns(name: string, codes: Int32Array, levels: readonly string[], originals: number) {
  const counts = new Float64Array(levels.length + 1)
  for (let row = 0; row < originals; row++) counts[codes[row] + 1]++
  const kept = [...counts.keys()].filter((k) => counts[k] >= Math.max(1, LEAST_SHARE * originals))
  if (kept.length < 2) return []
  const slotOf = new Int32Array(levels.length + 1).fill(-1)
  kept.forEach((k, slot) => {
    slotOf[k] = slot
  })
  return kept.map((k, slot) => {
    const unit = 1 / Math.sqrt(counts[k] / originals)
    const values = new Float64Array(codes.length)
    for (let row = 0; row < values.length; row++) if (slotOf[codes[row] + 1] === slot) values[row] = unit
    return { label: `${name} = ${k === 0 ? 'missing' : levels[k - 1]}`, values }
  })
}

/**
 * Of the covariance of the rows, weighted where there are weights. Most coordinates of a record are 0, those of the categories
 * that it does not have: only products of the others are added, and the means are taken out at the end.
 */
export function principalAxes(rows: Float64Array, width: number, weights: Float64Array | null): Eigen {
  const n = width === 0 ? 0 : rows.length / width
  const sums = new Float64Array(width)
  const products = new Float64Array(width * width)
  const filled = new Int32Array(width)
  let total = 0
  for (let row = 0; row < n; row++) {
    const weight = weights === null ? 1 : weights[row]
    const at = row * width
    let count = 0
    for (let j = 0; j < width; j++) if (rows[at + j] !== 0) filled[count++] = j
    total += weight
    for (let a = 0; a < count; a++) {
      const i = filled[a]
      const own = weight * rows[at + i]
      sums[i] += own
      for (let b = a; b < count; b++) products[i * width + filled[b]] += own * rows[at + filled[b]]
    }
  }
  const divisor = Math.max(1e-300, total - (weights === null ? 1 : 0))
  for (let i = 0; i < width; i++)
    for (let j = i; j < width; j++) {
      const value = (products[i * width + j] - (sums[i] * sums[j]) / (total || 1)) / divisor
      products[i * width + j] = value
      products[j * width + i] = value
    }
  return symmetricEigen(products, width)
}

/** The first axes that together explain this share of the variance. */
export function axesFor({ values }: Eigen, share: number): number {
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  let explained = 0
  for (let k = 0; k < values.length; k++) {
    explained += Math.max(0, values[k])
    if (explained >= share * total * (1 - 1e-12)) return k + 1
  }
  return values.length
}

/**
 * Krzanowski's (1979) likeness of two subspaces, Σ cos² of the principal angles / q: the mean over q unit vectors of one of the
 * squared length of their shadow on the other.
 */
export function subspaceLikeness(a: readonly Float64Array[], b: readonly Float64Array[]): number {
  let total = 0
  for (const u of a)
    for (const v of b) {
      let dot = 0
      for (let j = 0; j < u.length; j++) dot += u[j] * v[j]
      total += dot * dot
    }
  return a.length === 0 ? 1 : Math.min(1, total / a.length)
}
