import { type Eigen, symmetricEigen } from '../../stats/eigen.js'
import { codeJointly } from '../../table/joint.js'
import { columnOf } from '../../table/table.js'
import type { Pair } from '../pair.js'
import { weightsIn } from '../univariate/columns.js'

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
    const joint = codeJointly([columnOf(pair.original, name), columnOf(pair.released, name)])
    return joint.kind === 'categorical'
      ? levelColumns(name, joint.codes, joint.levels, n1)
      : numberColumn(name, joint.codes, joint.numbers, n1, scale)
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

type CoordinateColumn = { readonly label: string; readonly values: Float64Array }

function numberColumn(
  name: string,
  codes: Int32Array,
  numbers: Float64Array,
  originals: number,
  scale: boolean,
): CoordinateColumn[] {
  let [n, centre, squares] = [0, 0, 0]
  for (let row = 0; row < originals; row++) {
    if (codes[row] < 0) continue
    const away = numbers[codes[row]] - centre
    centre += away / ++n
    squares += away * (numbers[codes[row]] - centre)
  }
  if (n < 2 || !(squares > 0)) return []
  const unit = scale ? Math.sqrt(squares / (n - 1)) : 1
  return [{ label: name, values: Float64Array.from(codes, (code) => (code < 0 ? 0 : (numbers[code] - centre) / unit)) }]
}

function levelColumns(
  name: string,
  codes: Int32Array,
  levels: readonly string[],
  originals: number,
): CoordinateColumn[] {
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
    return {
      label: `${name} = ${k === 0 ? 'missing' : levels[k - 1]}`,
      values: Float64Array.from(codes, (code) => (slotOf[code + 1] === slot ? unit : 0)),
    }
  })
}

/** Of the covariance of the rows, weighted where there are weights. */
export function principalAxes(rows: Float64Array, width: number, weights: Float64Array | null): Eigen {
  const n = width === 0 ? 0 : rows.length / width
  const centre = new Float64Array(width)
  let total = 0
  for (let row = 0; row < n; row++) {
    const weight = weights === null ? 1 : weights[row]
    total += weight
    for (let j = 0; j < width; j++) centre[j] += weight * rows[row * width + j]
  }
  for (let j = 0; j < width; j++) centre[j] /= total || 1
  const covariance = new Float64Array(width * width)
  const away = new Float64Array(width)
  for (let row = 0; row < n; row++) {
    const weight = weights === null ? 1 : weights[row]
    for (let j = 0; j < width; j++) away[j] = rows[row * width + j] - centre[j]
    for (let i = 0; i < width; i++) {
      const own = weight * away[i]
      if (own === 0) continue
      for (let j = i; j < width; j++) covariance[i * width + j] += own * away[j]
    }
  }
  const divisor = Math.max(1e-300, total - (weights === null ? 1 : 0))
  for (let i = 0; i < width; i++)
    for (let j = i; j < width; j++) {
      covariance[i * width + j] /= divisor
      covariance[j * width + i] = covariance[i * width + j]
    }
  return symmetricEigen(covariance, width)
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
