import { meanRanks } from '../../../stats/samples/ranks.js'
import { type Column, MISSING_CODE } from '../../../table/column.js'

/**
 * How strongly two columns of one file go together, on the records that have both: Spearman's (or Pearson's) correlation of
 * two numbers, in [-1, 1]; Cramér's V of two categories and the correlation ratio η of a category and a number, in [0, 1].
 */
export type AssociationKind = 'correlation' | 'V' | 'eta' | 'point-biserial'

/** How categories are associated, where definitions differ. */
export interface AssociationRules {
  /** What a category of two levels and a number have in common. */
  readonly binary: 'eta' | 'point-biserial'
  V(table: CrossTable): number | null
  /** @param share of the variance that lies between the groups, of n records */
  eta(share: number, n: number, groups: number): number | null
}

/** V of Bergsma (2013) and η of Kelley (1935), which are 0 on average without association; the plain ones grow with the categories. */
export const unbiasedRules: AssociationRules = {
  binary: 'eta',
  V: ({ n, seen: [r, s], ...table }) => {
    if (n < 2) return null
    const excess = Math.max(0, squares(table, 0) / table.total - ((r - 1) * (s - 1)) / (n - 1))
    const [wide, high] = [r - (r - 1) ** 2 / (n - 1), s - (s - 1) ** 2 / (n - 1)]
    const least = Math.min(wide - 1, high - 1)
    return least > 0 ? Math.min(1, Math.sqrt(excess / least)) : null
  },
  eta: (share, n, groups) => (n <= groups ? null : Math.sqrt(Math.max(0, 1 - ((1 - share) * (n - 1)) / (n - groups)))),
}

/** Which of them it is: decided once for both files. */
export function associationKind(
  a: Column,
  b: Column,
  levels: (column: Column) => number,
  { binary }: AssociationRules,
): AssociationKind {
  const categorical = [a, b].filter(({ kind }) => kind === 'categorical')
  if (categorical.length === 0) return 'correlation'
  if (categorical.length === 2) return 'V'
  return levels(categorical[0]) === 2 ? binary : 'eta'
}

export interface Associating {
  readonly method: 'spearman' | 'pearson'
  readonly weights: Float64Array | null
  readonly rules: AssociationRules
}

/** Null where one of the columns is constant, or no record has both. */
export function association(a: Column, b: Column, kind: AssociationKind, settings: Associating): number | null {
  const { method, weights, rules } = settings
  if (kind === 'V' && a.kind === 'categorical' && b.kind === 'categorical') {
    const table = crossTable(a, b, weights)
    return Math.min(...table.seen) < 2 ? null : rules.V(table)
  }
  if (kind === 'correlation' && a.kind !== 'categorical' && b.kind !== 'categorical')
    return correlation(a.values, b.values, method, weights)
  const [category, number] = a.kind === 'categorical' ? [a, b] : [b, a]
  if (category.kind !== 'categorical' || number.kind === 'categorical') throw new Error('the kind does not fit')
  if (kind === 'eta') return correlationRatio(category.codes, category.levels.length, number.values, settings)
  const last = category.codes.reduce((most, code) => Math.max(most, code), 0)
  const flags = Float64Array.from(category.codes, (code) =>
    code === MISSING_CODE ? Number.NaN : code === last ? 1 : 0,
  )
  return correlation(flags, number.values, 'pearson', weights)
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
  { weights, rules }: Associating,
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
  return rules.eta(between / total, n, groups)
}

type Categories = { readonly codes: Int32Array; readonly levels: readonly string[] }

/** Two categories crossed: weights by cell and by level, the number of records and of levels that occur. */
export type CrossTable = NonNullable<ReturnType<typeof crossTable>>

function crossTable(a: Categories, b: Categories, weights: Float64Array | null) {
  const [r, s] = [a.levels.length, b.levels.length]
  const cells = new Float64Array(r * s)
  const [rows, columns] = [new Float64Array(r), new Float64Array(s)]
  let [n, total] = [0, 0]
  for (let row = 0; row < a.codes.length; row++) {
    if (a.codes[row] === MISSING_CODE || b.codes[row] === MISSING_CODE) continue
    const weight = weights === null ? 1 : weights[row]
    cells[a.codes[row] * s + b.codes[row]] += weight
    rows[a.codes[row]] += weight
    columns[b.codes[row]] += weight
    total += weight
    n++
  }
  const occurring = (margin: Float64Array) => margin.filter((weight) => weight > 0).length
  return { cells, rows, columns, total, n, seen: [occurring(rows), occurring(columns)] }
}

/** X², every gap between observed and expected less by up to `correction`. */
export function squares({ cells, rows, columns, total }: Omit<CrossTable, 'n' | 'seen'>, correction: number): number {
  let sum = 0
  for (let i = 0; i < rows.length; i++)
    for (let j = 0; j < columns.length; j++) {
      if (rows[i] === 0 || columns[j] === 0) continue
      const expected = (rows[i] * columns[j]) / total
      const gap = Math.abs(cells[i * columns.length + j] - expected)
      sum += (gap - Math.min(correction, gap)) ** 2 / expected
    }
  return sum
}
