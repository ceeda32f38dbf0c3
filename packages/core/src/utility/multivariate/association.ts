import { meanRanks } from '../../stats/ranks.js'
import { type Column, MISSING_CODE } from '../../table/column.js'

/**
 * How strongly two columns of one file go together, on the records that have both: Spearman's (or Pearson's) correlation of
 * two numbers, in [-1, 1]; Cramér's V of two categories and the correlation ratio η of a category and a number, in [0, 1].
 */
export type AssociationKind = 'correlation' | 'V' | 'eta' | 'point-biserial'

export interface AssociationRules {
  readonly method: 'spearman' | 'pearson'
  /**
   * `scrim`: V of Bergsma (2013) and η of Kelley (1935), which are 0 on average where there is no association, while the
   * plain ones grow with the number of categories. `riskutility` 0.2.0: plain η, V from X² with Yates's correction for 2 x 2,
   * and Pearson's correlation with 0/1 for two categories.
   */
  readonly definition: 'scrim' | 'riskutility'
  readonly weights: Float64Array | null
}

/** Which of them it is: decided once for both files. */
export function associationKind(a: Column, b: Column, levels: (column: Column) => number, rules: AssociationRules) {
  const categorical = [a, b].filter(({ kind }) => kind === 'categorical')
  if (categorical.length === 0) return 'correlation' as const
  if (categorical.length === 2) return 'V' as const
  const binary = levels(categorical[0]) === 2
  return binary && rules.definition === 'riskutility' ? ('point-biserial' as const) : ('eta' as const)
}

/** Null where one of the columns is constant, or no record has both. */
export function association(a: Column, b: Column, kind: AssociationKind, rules: AssociationRules): number | null {
  if (kind === 'V' && a.kind === 'categorical' && b.kind === 'categorical') return cramersV(a, b, rules)
  if (kind === 'correlation' && a.kind !== 'categorical' && b.kind !== 'categorical')
    return correlation(a.values, b.values, rules.method, rules.weights)
  const [category, number] = a.kind === 'categorical' ? [a, b] : [b, a]
  if (category.kind !== 'categorical' || number.kind === 'categorical') throw new Error('the kind does not fit')
  if (kind === 'eta') return correlationRatio(category.codes, category.levels.length, number.values, rules)
  const last = category.codes.reduce((most, code) => Math.max(most, code), 0)
  const flags = Float64Array.from(category.codes, (code) =>
    code === MISSING_CODE ? Number.NaN : code === last ? 1 : 0,
  )
  return correlation(flags, number.values, 'pearson', rules.weights)
}

function correlation(
  x: Float64Array,
  y: Float64Array,
  method: 'spearman' | 'pearson',
  weights: Float64Array | null,
): number | null {
  const [a, b] = method === 'spearman' ? jointRanks(x, y) : [x, y]
  let [total, meanA, meanB, aa, bb, ab] = [0, 0, 0, 0, 0, 0]
  for (let row = 0; row < a.length; row++) {
    if (Number.isNaN(a[row]) || Number.isNaN(b[row])) continue
    const weight = weights === null ? 1 : weights[row]
    if (weight === 0) continue
    // Moments updated record by record (Welford 1962): no sum of large squares is subtracted from another.
    total += weight
    const [da, db] = [a[row] - meanA, b[row] - meanB]
    const share = weight / total
    meanA += da * share
    meanB += db * share
    aa += weight * da * (a[row] - meanA)
    bb += weight * db * (b[row] - meanB)
    ab += weight * da * (b[row] - meanB)
  }
  if (!(aa > 0) || !(bb > 0)) return null
  return Math.max(-1, Math.min(1, ab / Math.sqrt(aa * bb)))
}

const ranked = new WeakMap<Float64Array, { readonly ranks: Float64Array; readonly known: boolean }>()

/** Ranks among the records that have both; of columns without missing values they are made once. */
function jointRanks(x: Float64Array, y: Float64Array): [Float64Array, Float64Array] {
  const [a, b] = [ranksOf(x), ranksOf(y)]
  if (a.known && b.known) return [a.ranks, b.ranks]
  const [onlyX, onlyY] = [x.slice(), y.slice()]
  for (let row = 0; row < x.length; row++) {
    if (Number.isNaN(x[row])) onlyY[row] = Number.NaN
    if (Number.isNaN(y[row])) onlyX[row] = Number.NaN
  }
  return [meanRanks(onlyX), meanRanks(onlyY)]
}

function ranksOf(values: Float64Array) {
  const found = ranked.get(values)
  if (found !== undefined) return found
  const made = { ranks: meanRanks(values), known: !values.some(Number.isNaN) }
  ranked.set(values, made)
  return made
}

function correlationRatio(
  codes: Int32Array,
  levels: number,
  values: Float64Array,
  { weights, definition }: AssociationRules,
): number | null {
  const [totals, sums] = [new Float64Array(levels), new Float64Array(levels)]
  let [n, all, weight] = [0, 0, 0]
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] === MISSING_CODE || Number.isNaN(values[row])) continue
    const own = weights === null ? 1 : weights[row]
    totals[codes[row]] += own
    sums[codes[row]] += own * values[row]
    weight += own
    all += own * values[row]
    n++
  }
  if (weight === 0) return null
  const centre = all / weight
  let within = 0
  let between = 0
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] === MISSING_CODE || Number.isNaN(values[row])) continue
    const own = weights === null ? 1 : weights[row]
    const group = sums[codes[row]] / totals[codes[row]]
    within += own * (values[row] - group) ** 2
    between += own * (group - centre) ** 2
  }
  const total = within + between
  const groups = totals.filter((one) => one > 0).length
  if (!(total > 0) || groups < 2) return null
  const plain = between / total
  if (definition === 'riskutility') return Math.sqrt(plain)
  return n <= groups ? null : Math.sqrt(Math.max(0, 1 - ((1 - plain) * (n - 1)) / (n - groups)))
}

type Categories = { readonly codes: Int32Array; readonly levels: readonly string[] }

function cramersV(a: Categories, b: Categories, { weights, definition }: AssociationRules): number | null {
  const [r, s] = [a.levels.length, b.levels.length]
  const table = new Float64Array(r * s)
  const [rows, columns] = [new Float64Array(r), new Float64Array(s)]
  let [n, total] = [0, 0]
  for (let row = 0; row < a.codes.length; row++) {
    if (a.codes[row] === MISSING_CODE || b.codes[row] === MISSING_CODE) continue
    const weight = weights === null ? 1 : weights[row]
    table[a.codes[row] * s + b.codes[row]] += weight
    rows[a.codes[row]] += weight
    columns[b.codes[row]] += weight
    total += weight
    n++
  }
  const [seenA, seenB] = [rows, columns].map((margin) => margin.filter((one) => one > 0).length)
  if (seenA < 2 || seenB < 2) return null
  const yates = definition === 'riskutility' && seenA === 2 && seenB === 2
  let squares = 0
  for (let i = 0; i < r; i++)
    for (let j = 0; j < s; j++) {
      if (rows[i] === 0 || columns[j] === 0) continue
      const expected = (rows[i] * columns[j]) / total
      const gap = Math.abs(table[i * s + j] - expected)
      squares += (yates ? gap - Math.min(0.5, gap) : gap) ** 2 / expected
    }
  const phi = squares / total
  if (definition === 'riskutility') return Math.sqrt(phi / Math.min(seenA - 1, seenB - 1))
  if (n < 2) return null
  const excess = Math.max(0, phi - ((seenA - 1) * (seenB - 1)) / (n - 1))
  const [wide, high] = [seenA - (seenA - 1) ** 2 / (n - 1), seenB - (seenB - 1) ** 2 / (n - 1)]
  const least = Math.min(wide - 1, high - 1)
  return least > 0 ? Math.min(1, Math.sqrt(excess / least)) : null
}
