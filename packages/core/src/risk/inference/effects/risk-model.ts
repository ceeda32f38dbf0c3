import { groupRows, math } from '@scrim/kernels'
import { designColumns, designOf } from '../../../learners/coding/design-matrix.js'
import { fitLogistic } from '../../../learners/logistic.js'
import { chiSquaredUpper } from '../../../stats/distributions.js'
import { type Columns, cholesky, solveCholesky } from '../../../stats/matrices/linear-algebra.js'
import { sum } from '../../../stats/sums.js'
import { table } from '../../../table/table.js'
import type { KeyLevels } from './key-levels.js'

/**
 * A logistic regression of being at risk on factors. People with the same levels are one row with a weight, which gives the
 * same fit as one row each. Coefficients are those of all levels: with c the row of the contrast matrix that belongs to a
 * level, c'b with variance c'Vc, so that under sum coding the last level is minus the sum of the others.
 */
export interface Patterns {
  /** Per key, the level of each pattern. */
  readonly codes: readonly Int32Array[]
  readonly records: Float64Array
  /** Weight of the people at risk and of the others. */
  readonly atRisk: Float64Array
  readonly safe: Float64Array
}

export function patternsOf(keys: readonly KeyLevels[], atRisk: Uint8Array, weights: Float64Array | null): Patterns {
  const { ids, count } = groupRows(
    keys.map(({ codes, labels }) => ({ codes, cardinality: labels.length })),
    atRisk.length,
  )
  const patterns = {
    codes: keys.map(() => new Int32Array(count)),
    records: new Float64Array(count),
    atRisk: new Float64Array(count),
    safe: new Float64Array(count),
  }
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row]
    keys.forEach(({ codes }, k) => {
      patterns.codes[k][id] = codes[row]
    })
    patterns.records[id]++
    patterns[atRisk[row] === 1 ? 'atRisk' : 'safe'][id] += weights === null ? 1 : weights[row]
  }
  return patterns
}

export interface ModelOptions {
  readonly coding: 'sum' | 'treatment'
  readonly penalty: 'firth' | 'ridge' | 'none'
}

export interface Estimate {
  /** Null where it cannot be told from the others. */
  readonly estimate: number | null
  readonly standardError: number | null
}

const RIDGE = 0.01
/** Cells of the matrix of the regression; 400 MB. */
const MOST_CELLS = 5e7

/** Rows of the contrast matrix of a key with so many levels: levels x (levels - 1). */
function contrasts(levels: number, coding: ModelOptions['coding']): readonly Float64Array[] {
  return Array.from({ length: levels }, (_, level) =>
    Float64Array.from({ length: levels - 1 }, (_none, column) => {
      if (coding === 'treatment') return level === column + 1 ? 1 : 0
      return level === levels - 1 ? -1 : level === column ? 1 : 0
    }),
  )
}

interface Fit {
  readonly coefficients: Float64Array
  readonly covariance: Float64Array
  readonly iterations: number
  readonly converged: boolean
}

/** The columns of the patterns, without the intercept, key after key. */
function mainColumns(keys: readonly KeyLevels[], { codes }: Patterns, coding: ModelOptions['coding']): Columns {
  const features = table(
    'keys',
    keys.map(({ key, labels }, k) => ({
      kind: 'categorical' as const,
      name: key,
      codes: codes[k],
      levels: labels,
      ordered: false,
    })),
  )
  return designColumns(designOf(features, { coding }), features)
}

function fitPatterns(columns: Columns, { atRisk, safe }: Patterns, { penalty }: ModelOptions): Fit {
  const some = [...atRisk.keys()].filter((id) => atRisk[id] > 0)
  const others = [...safe.keys()].filter((id) => safe[id] > 0)
  const ids = Int32Array.from([...some, ...others])
  const y = new Float64Array(ids.length).fill(1, 0, some.length)
  const weights = Float64Array.from(ids, (id, row) => (row < some.length ? atRisk[id] : safe[id]))
  return fitLogistic(
    columns.map((column) => Float64Array.from(ids, (id) => column[id])),
    y,
    weights,
    { ridge: penalty === 'ridge' ? RIDGE : 0, firth: penalty === 'firth' },
  )
}

export type RiskModel = NonNullable<ReturnType<typeof riskModel>>

interface Margin {
  readonly rate: number
  readonly effect: number
  readonly standardError: number | null
}

/** Null when the matrix would be too large. */
export function riskModel(keys: readonly KeyLevels[], patterns: Patterns, options: ModelOptions) {
  const matrices = keys.map(({ labels }) => contrasts(labels.length, options.coding))
  const blocks = blocksOf(matrices)
  if (isTooLarge(blocks.width, patterns)) return null
  const fit = fitPatterns(mainColumns(keys, patterns, options.coding), patterns, options)
  return {
    intercept: estimateOf(fit, 0, Float64Array.of(1)),
    iterations: fit.iterations,
    converged: fit.converged,
    /** Of each level of each key. */
    levels: matrices.map((rows, k) => rows.map((row) => estimateOf(fit, blocks.starts[k], row))),
    /** By level: share at risk if everybody had it, and its difference to the reference, with a standard error. */
    margins: matrices.map((_, k) => marginsOf(k, matrices, blocks.starts, patterns, fit, options.coding)),
    /** Wald test that all coefficients of a key are 0; null where it cannot be had. */
    tests: matrices.map((rows, k) => waldTest(fit, blocks.starts[k], rows.length - 1)),
  }
}

function isTooLarge(width: number, { records }: Patterns): boolean {
  return width * 2 * records.length > MOST_CELLS
}

/** Where the coefficients of each key start, after the intercept. */
function blocksOf(matrices: readonly (readonly Float64Array[])[]): { starts: readonly number[]; width: number } {
  let width = 1
  const starts = matrices.map((rows) => {
    const start = width
    width += rows.length - 1
    return start
  })
  return { starts, width }
}

/** c'b and its standard error, c being zero outside of the columns from `start`. */
function estimateOf({ coefficients, covariance }: Fit, start: number, c: Float64Array): Estimate {
  const size = coefficients.length
  let estimate = 0
  let variance = 0
  for (let i = 0; i < c.length; i++) {
    if (c[i] === 0) continue
    estimate += c[i] * coefficients[start + i]
    for (let j = 0; j < c.length; j++)
      if (c[j] !== 0) variance += c[i] * c[j] * covariance[(start + i) * size + start + j]
  }
  if (c.every((value) => value === 0)) return { estimate: 0, standardError: null }
  if (Number.isNaN(variance)) return { estimate: null, standardError: null }
  return { estimate, standardError: finiteRoot(variance) }
}

function finiteRoot(variance: number): number | null {
  const root = Math.sqrt(Math.max(0, variance))
  return Number.isFinite(root) ? root : null
}

function waldTest({ coefficients, covariance }: Fit, start: number, count: number) {
  const size = coefficients.length
  const block = new Float64Array(count * count)
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) block[i * count + j] = covariance[(start + i) * size + start + j]
  if (block.some(Number.isNaN)) return null
  const lower = cholesky(block, count)
  if (lower === null) return null
  const b = coefficients.slice(start, start + count)
  const solved = b.slice()
  solveCholesky(lower, count, solved)
  const chiSquared = sum(b.map((value, k) => value * solved[k]))
  return Number.isFinite(chiSquared) ? { chiSquared, p: chiSquaredUpper(Math.max(0, chiSquared), count) } : null
}

/** Adjusted rates of one key, by the delta method: the gradient of a mean probability sums p (1 - p) c over the patterns. */
function marginsOf(
  key: number,
  matrices: readonly (readonly Float64Array[])[],
  starts: readonly number[],
  { codes, atRisk, safe }: Patterns,
  fit: Fit,
  coding: ModelOptions['coding'],
): readonly Margin[] {
  const effects = matrices.map((rows, k) =>
    rows.map((row) => row.reduce((total, c, i) => total + c * fit.coefficients[starts[k] + i], 0)),
  )
  const total = sum(atRisk) + sum(safe)
  const adjusted = matrices[key].map((_, level) => {
    let rate = 0
    let slope = 0
    const slopes = matrices.map((rows) => new Float64Array(rows.length))
    for (let id = 0; id < atRisk.length; id++) {
      let predictor = fit.coefficients[0] + effects[key][level]
      for (let k = 0; k < codes.length; k++) if (k !== key) predictor += effects[k][codes[k][id]]
      const p = 1 / (1 + math.exp(-predictor))
      const weight = (atRisk[id] + safe[id]) / total
      const d = weight * p * (1 - p)
      rate += weight * p
      slope += d
      for (let k = 0; k < codes.length; k++) if (k !== key) slopes[k][codes[k][id]] += d
    }
    slopes[key][level] = slope
    const gradient = new Float64Array(fit.coefficients.length)
    gradient[0] = slope
    matrices.forEach((rows, k) => {
      rows.forEach((row, other) => {
        for (let i = 0; i < row.length; i++) gradient[starts[k] + i] += slopes[k][other] * row[i]
      })
    })
    return { rate, gradient }
  })
  const shareOfReference = (level: number) => (coding === 'sum' ? 1 / adjusted.length : level === 0 ? 1 : 0)
  const reference = adjusted.reduce((mean, { rate }, level) => mean + shareOfReference(level) * rate, 0)
  return adjusted.map(({ rate, gradient }) => {
    const difference = gradient.map((value, i) =>
      adjusted.reduce((left, other, level) => left - shareOfReference(level) * other.gradient[i], value),
    )
    return { rate, effect: rate - reference, standardError: estimateOf(fit, 0, difference).standardError }
  })
}

export interface ProductEstimate extends Estimate {
  /** Positions of the two keys, and of their levels. */
  readonly keys: readonly [number, number]
  readonly levels: readonly [number, number]
  readonly records: number
}

/** The model with all products of two keys, and the coefficients of those that somebody has; null when it would be too large. */
export function productModel(
  keys: readonly KeyLevels[],
  patterns: Patterns,
  options: ModelOptions,
): readonly ProductEstimate[] | null {
  const matrices = keys.map(({ labels }) => contrasts(labels.length, options.coding))
  const { starts, width } = blocksOf(matrices)
  const pairs = keys.flatMap((_, first) => keys.slice(first + 1).map((_none, k) => [first, first + 1 + k] as const))
  const products = pairs.reduce((count, [j, k]) => count + (matrices[j].length - 1) * (matrices[k].length - 1), 0)
  if (isTooLarge(width + products, patterns)) return null
  const main = mainColumns(keys, patterns, options.coding)
  const block = (k: number) => main.slice(starts[k] - 1, starts[k] - 2 + matrices[k].length)
  const columns = pairs.flatMap(([j, k]) =>
    block(j).flatMap((a) => block(k).map((b) => a.map((value, id) => value * b[id]))),
  )
  const fit = fitPatterns([...main, ...columns], patterns, options)
  let start = width
  return pairs.flatMap(([j, k]) => {
    const at = start
    start += (matrices[j].length - 1) * (matrices[k].length - 1)
    const records = countCells(patterns, j, k, matrices[k].length, matrices[j].length)
    return matrices[j].flatMap((a, first) =>
      matrices[k].flatMap((b, second) => {
        const c = Float64Array.from(Array.from(a).flatMap((x) => Array.from(b, (y) => x * y)))
        const held = records[first * matrices[k].length + second]
        if (held === 0 || c.every((value) => value === 0)) return []
        const estimate = estimateOf(fit, at, c)
        return [{ ...estimate, keys: [j, k] as const, levels: [first, second] as const, records: held }]
      }),
    )
  })
}

function countCells({ codes, records }: Patterns, j: number, k: number, width: number, height: number): Float64Array {
  const counts = new Float64Array(width * height)
  for (let id = 0; id < records.length; id++) counts[codes[j][id] * width + codes[k][id]] += records[id]
  return counts
}
