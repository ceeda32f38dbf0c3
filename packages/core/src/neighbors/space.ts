import { sharedFloat64 } from '@scrim/kernels'
import { quantile } from '../stats/quantile.js'
import { jointColumns, pointsOf, rowsOf, tableByTable } from '../table/coded-records.js'
import type { JointColumn } from '../table/joint.js'
import type { Table } from '../table/table.js'

/**
 * The records of several tables as points with one distance between them (Gower 1971):
 *   d(a, b) = Σ w_j s_j / Σ w_j
 * s_j is 0 or 1 for a nominal column, the difference of ranks over L - 1 for an ordered one with L levels, and
 * |a - b| / R_j, at most 1, for a number or a date. R_j is the range among the real records only: one outlier in a release
 * must not shrink every other distance. A column that is constant among them counts as nominal. Missing equals missing and
 * differs from everything else. So every s_j is a metric, and so is d.
 *
 * Equal records are one point: `ids` says which point each record is, and equality is that of the values, not of a
 * distance. Distances are handled as sums Σ w_j s_j; two of them tie when they differ by at most `TIE`.
 *
 * Three others say Gower and mean another question, so that they share no code with this: all records within a threshold on a
 * few keys (`risk/attribution/counts/gower-matches.ts`, a tree), costs of pairs for linkage with texts, classes and hierarchies
 * among the keys (`risk/linkage/methods/gower.ts`), and row i against row i (`utility/multivariate/gower.ts`).
 */
export interface Space extends Points {
  readonly columns: readonly SpaceColumn[]
  /** Point of each record, table by table as given. */
  readonly ids: readonly Int32Array[]
}

/** What distances are computed from: all that a task on another thread needs. */
export interface Points {
  readonly metric: Metric
  readonly missing: MissingRule
  /** Whether a number's term is at most its weight. */
  readonly clip: boolean
  readonly count: number
  /** One weight per column; nominal columns come first. */
  readonly weights: Float64Array
  readonly nominal: number
  /** Point by point: the code (missing is 0) or the scaled number, weight included (missing is NaN). */
  readonly values: Float64Array
  /** Σ w_j. */
  readonly weight: number
}

interface SpaceColumn {
  readonly name: string
  readonly kind: 'nominal' | 'ordinal' | 'numeric'
  readonly weight: number
  /** What a number's difference is divided by; 1 for a nominal column. */
  readonly range: number
}

type Metric = 'gower' | 'euclidean'
type MissingRule = 'match' | 'ignore'

export interface SpaceOptions {
  readonly metric?: Metric | undefined
  /** `match`: missing is a value of its own. `ignore`: the column is left out of this pair and the others weigh more. */
  readonly missing?: MissingRule | undefined
  readonly clip?: boolean | undefined
  readonly scale?: Scale | undefined
  readonly weights?: Readonly<Record<string, number>> | undefined
  /**
   * `vim`: as VIM's gowerD without column roles, which riskutility calls: categories are numbers too, ranges are those of
   * all tables, nothing is clipped, missing is the largest scaled value plus 1.
   */
  readonly definition?: 'vim' | undefined
}

type Scale = 'range' | 'iqr' | 'rank'

/** Two sums of terms are tied when they differ by no more. */
export const TIE = 1e-9

/** The tables share their columns and levels, as those of a release do; `real` holds the places in `tables` of those whose records set the ranges. */
export function space(
  tables: readonly Table[],
  names: readonly string[],
  real: readonly number[],
  options: SpaceOptions = {},
): Space {
  return spaceOf(comparedColumns(tables, names, options), real, options)
}

/** The codes of what is compared, over the records of all tables, and how many these have: all that a space is made from. */
export interface ComparedColumns {
  readonly columns: readonly JointColumn[]
  readonly rows: readonly number[]
}

export function comparedColumns(
  tables: readonly Table[],
  names: readonly string[],
  { weights = {} }: SpaceOptions,
): ComparedColumns {
  const weighing = names.filter((name) => weightIn(weights, name) > 0)
  return { columns: jointColumns(tables, weighing), rows: rowsOf(tables) }
}

const weightIn = (weights: Readonly<Record<string, number>>, name: string) =>
  Object.hasOwn(weights, name) ? weights[name] : 1

export function spaceOf(compared: ComparedColumns, real: readonly number[], options: SpaceOptions = {}): Space {
  const {
    metric = 'gower',
    missing = 'match',
    clip = metric === 'gower',
    scale = 'range',
    weights = {},
    definition,
  } = options
  const { rows } = compared
  const coded = pointsOf(compared.columns, rows)
  const { count, ids } = coded
  const isReal = definition === 'vim' || metric === 'euclidean' ? () => true : (table: number) => real.includes(table)
  const encoded = coded.columns.map((column) => {
    const weight = weightIn(weights, column.name)
    return definition === 'vim'
      ? asVim(column, weight)
      : encode(
          column,
          weight,
          tableByTable(column.codes, rows).filter((_, k) => isReal(k)),
          metric === 'gower' ? scale : 'range',
        )
  })
  const ordered = [
    ...encoded.filter(({ column }) => column.kind === 'nominal'),
    ...encoded.filter(({ column }) => column.kind !== 'nominal'),
  ]
  const columns = ordered.map(({ column }) => column)
  const values = sharedFloat64(count * columns.length)
  for (const [j, { codes, placeOf }] of ordered.entries()) {
    let row = 0
    // Hot.
    for (const table of ids)
      for (let k = 0; k < table.length; k++) values[table[k] * columns.length + j] = placeOf[codes[row++] + 1]
  }
  return {
    metric,
    missing,
    clip: clip && definition !== 'vim',
    count,
    columns,
    weights: Float64Array.from(columns, (column) => column.weight),
    nominal: columns.filter(({ kind }) => kind === 'nominal').length,
    values,
    ids,
    weight: columns.reduce((sum, column) => sum + column.weight, 0),
  }
}

interface EncodedColumn {
  readonly column: SpaceColumn
  readonly codes: Int32Array
  /** The value in the space: of missing, then of each code. */
  readonly placeOf: Float64Array
}

/** `real` holds the codes of the real records. */
function encode(joint: JointColumn, weight: number, real: readonly Int32Array[], scale: Scale): EncodedColumn {
  const { name, codes, cardinality } = joint
  const ordinal = joint.kind === 'categorical' && joint.ordered
  if (joint.kind === 'categorical' && !ordinal) return nominal(name, weight, codes, cardinality)
  const numbers = ordinal ? Float64Array.from({ length: cardinality }, (_, code) => code) : joint.numbers
  const present = new Float64Array(cardinality)
  for (const part of real) for (const code of part) if (code >= 0) present[code]++
  const { places, low, range } = ordinal
    ? { places: numbers, low: 0, range: cardinality - 1 }
    : scaled(numbers, present, scale)
  if (!(range > 0)) return nominal(name, weight, codes, cardinality)
  const placeOf = new Float64Array(cardinality + 1)
  placeOf[0] = Number.NaN
  for (let code = 0; code < cardinality; code++) placeOf[code + 1] = ((places[code] - low) / range) * weight
  return { column: { name, kind: ordinal ? 'ordinal' : 'numeric', weight, range }, codes, placeOf }
}

function nominal(name: string, weight: number, codes: Int32Array, cardinality: number): EncodedColumn {
  const placeOf = Float64Array.from({ length: cardinality + 1 }, (_, code) => code)
  return { column: { name, kind: 'nominal', weight, range: 1 }, codes, placeOf }
}

/** Where the numbers lie and what their differences are divided by; `present` counts the real records at each number. */
function scaled(numbers: Float64Array, present: Float64Array, scale: Scale) {
  const seen: number[] = []
  for (let code = 0; code < numbers.length; code++) if (present[code] > 0) seen.push(code)
  if (seen.length < 2) return { places: numbers, low: 0, range: 0 }
  if (scale === 'rank') return rankPlaces(numbers, present)
  const low = numbers[seen[0]]
  if (scale === 'range') return { places: numbers, low, range: numbers[seen[seen.length - 1]] - low }
  const repeated = seen.flatMap((code) => new Array<number>(present[code]).fill(numbers[code]))
  return { places: numbers, low, range: (quantile(repeated, 0.75) ?? 0) - (quantile(repeated, 0.25) ?? 0) }
}

/** Mid-ranks among the real records, over their number; a number that none of them has lies between its neighbours. */
function rankPlaces(numbers: Float64Array, present: Float64Array) {
  const places = new Float64Array(numbers.length)
  let below = 0
  for (let code = 0; code < numbers.length; code++) {
    places[code] = below + present[code] / 2
    below += present[code]
  }
  return { places, low: 0, range: below }
}

/** Everything is a number; the scaled values are divided by the range but not moved, so that missing lies beyond all. */
function asVim({ name, kind, codes, cardinality, numbers }: JointColumn, weight: number): EncodedColumn {
  const places = kind === 'categorical' ? Float64Array.from({ length: cardinality }, (_, code) => code + 1) : numbers
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const code of codes) {
    if (code < 0) continue
    low = Math.min(low, places[code])
    high = Math.max(high, places[code])
  }
  const range = high > low ? high - low : 1
  const placeOf = new Float64Array(cardinality + 1)
  for (let code = 0; code < cardinality; code++) placeOf[code + 1] = ((places[code] - low) / range) * weight
  placeOf[0] = ((high > low ? high - low : 0) / range + 1) * weight
  return { column: { name, kind: 'numeric', weight, range }, codes, placeOf }
}

/** Σ w_j s_j (gower) or Σ (w_j s_j)² (euclidean) between two points: what searches compare. */
export function sumBetween(points: Points, a: number, b: number): number {
  return sumOfTerms(points, points.values, a, points.values, b)
}

/** The same for points that are kept elsewhere: the a-th of some values and the b-th of others. */
function sumOfTerms(
  { metric, missing, clip, weights, nominal, weight }: Points,
  ours: Float64Array,
  a: number,
  theirs: Float64Array,
  b: number,
): number {
  const width = weights.length
  let at = a * width
  let other = b * width
  let sum = 0
  let ignored = 0
  for (let j = 0; j < width; j++) {
    const x = ours[at++]
    const y = theirs[other++]
    let term: number
    if (j < nominal) {
      term = x === y ? 0 : weights[j]
      if (missing === 'ignore' && (x === 0 || y === 0)) {
        term = 0
        ignored += weights[j]
      }
    } else {
      term = x > y ? x - y : y - x
      if (Number.isNaN(term)) {
        term = missing === 'ignore' || (Number.isNaN(x) && Number.isNaN(y)) ? 0 : weights[j]
        if (missing === 'ignore') ignored += weights[j]
      } else if (clip && term > weights[j]) term = weights[j]
    }
    sum += metric === 'euclidean' ? term * term : term
  }
  if (ignored === 0) return sum
  return ignored < weight ? (sum * weight) / (weight - ignored) : weight
}

/** The sum between the one point in `ours` and any of `theirs`: the same bits, faster in the usual space. */
export function sumsTo(points: Points, ours: Float64Array, theirs: Float64Array): (place: number) => number {
  const { metric, missing, clip, weights, nominal } = points
  if (metric !== 'gower' || missing !== 'match' || !clip) return (place) => sumOfTerms(points, ours, 0, theirs, place)
  const width = weights.length
  // Hot.
  return (place) => {
    let at = place * width
    let sum = 0
    for (let j = 0; j < nominal; j++) if (ours[j] !== theirs[at++]) sum += weights[j]
    for (let j = nominal; j < width; j++) {
      const x = ours[j]
      const y = theirs[at++]
      const term = x > y ? x - y : y - x
      if (term <= weights[j]) sum += term
      else if (!(Number.isNaN(x) && Number.isNaN(y))) sum += weights[j]
    }
    return sum
  }
}

/** The distance that a sum of terms stands for. */
export function distanceOf({ metric, weight }: Points, sum: number): number {
  return metric === 'euclidean' ? Math.sqrt(sum) : sum / weight
}

/** The sum of terms that a distance stands for. */
export function sumOf({ metric, weight }: Points, distance: number): number {
  return metric === 'euclidean' ? distance * distance : distance * weight
}
