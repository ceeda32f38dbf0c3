import { longInt32, type NarrowCodes, narrowCodes, rowsByGroup } from '@scrim/kernels'
import type { CodesOfColumn } from './canonical-tables.js'

/**
 * Predicates about a record, such as "age >= 61, sex = f, income missing", and which records of a table they hold for.
 * All tables share their codes (the rank among the distinct numbers, or the level), missing having the code after the
 * last, so a condition is a range of codes. Every column keeps its rows sorted by code: a range is then a stretch of
 * that order, its length is known without looking, and a predicate costs no more than its shortest stretch.
 */
export const OPERATORS = ['=', '≤', '≥', 'missing', '≠', '<', '>', 'not missing'] as const
export const EQUAL = 0
export const AT_MOST = 1
export const AT_LEAST = 2
export const MISSING = 3
const DIFFERENT = 4
const BELOW = 5
const ABOVE = 6
const NOT_MISSING = 7
export const NAIVE_NOMINAL = [EQUAL, DIFFERENT] as const
export const NAIVE_NUMERIC = [EQUAL, DIFFERENT, AT_MOST, AT_LEAST, BELOW, ABOVE] as const
export const NAIVE_MISSING = [MISSING, NOT_MISSING] as const

/** Predicate q consists of the conditions q width to (q + 1) width - 1, columns ascending. */
export interface Predicates {
  readonly width: number
  readonly count: number
  readonly column: Int32Array
  readonly operator: Uint8Array
  readonly code: Int32Array
}

export interface IndexedColumn {
  readonly name: string
  readonly numeric: boolean
  /** How many codes there are; this one itself means missing. */
  readonly cardinality: number
  readonly codes: NarrowCodes
  /** The rows sorted by code; those with code c are `rows[start[c]]` to `rows[start[c + 1] - 1]`. */
  readonly rows: Int32Array
  readonly start: Int32Array
}

export interface IndexedTable {
  readonly name: string
  readonly rows: number
  readonly columns: readonly IndexedColumn[]
}

/** A table, coded as above or with -1 for missing, made ready for predicates. */
export function indexTable(name: string, columns: readonly CodesOfColumn[]): IndexedTable {
  const indexed = columns.map((column) => {
    const { cardinality } = column
    const codes = withMissingLast(column)
    return { ...column, codes: narrowCodes(codes, cardinality + 1), ...rowsByGroup(codes, cardinality + 1) }
  })
  return { name, rows: columns[0].codes.length, columns: indexed }
}

function withMissingLast({ codes, cardinality }: CodesOfColumn): Int32Array {
  const all = longInt32(codes.length)
  for (let row = 0; row < all.length; row++) all[row] = codes[row] < 0 ? cardinality : codes[row]
  return all
}

/**
 * Counts the rows for which predicate q holds, up to one more than `stopAfter` and without those that are passed over, and writes the
 * first of them to `found`.
 */
type Matcher = (
  predicates: Predicates,
  q: number,
  found: Int32Array,
  stopAfter?: number,
  isPassedOver?: (row: number) => boolean,
) => number

export function matcher({ columns, rows: n }: IndexedTable): Matcher {
  const across = columns.length
  /** The conditions, those that fewest rows satisfy first: column, and the range that codes must, or must not, lie in. */
  const places = new Int32Array(across)
  const low = new Int32Array(across)
  const high = new Int32Array(across)
  const outside = new Uint8Array(across)
  const lengths = new Int32Array(across)

  function sortIn(place: number, { column, operator, code }: Predicates, at: number): void {
    const { cardinality, start } = columns[column[at]]
    const from = firstCode(operator[at], code[at], cardinality)
    const to = codeAfterLast(operator[at], code[at], cardinality)
    const different = operator[at] === DIFFERENT
    const within = start[to] - start[from]
    const length = different ? n - within : within
    let k = place
    for (; k > 0 && lengths[k - 1] > length; k--) {
      places[k] = places[k - 1]
      low[k] = low[k - 1]
      high[k] = high[k - 1]
      outside[k] = outside[k - 1]
      lengths[k] = lengths[k - 1]
    }
    places[k] = column[at]
    low[k] = from
    high[k] = to
    outside[k] = different ? 1 : 0
    lengths[k] = length
  }

  return function match(predicates, q, found, stopAfter = n, isPassedOver = undefined) {
    const { width } = predicates
    for (let k = 0; k < width; k++) sortIn(k, predicates, q * width + k)
    const { rows, start } = columns[places[0]]
    // "Different" is all but a stretch: what lies after it, then what lies before.
    const last = outside[0] === 1 ? n + start[low[0]] : start[high[0]]
    let count = 0
    for (let i = outside[0] === 1 ? start[high[0]] : start[low[0]]; i < last && count <= stopAfter; i++) {
      const row = rows[i < n ? i : i - n]
      let k = 1
      for (; k < width; k++) {
        const own = columns[places[k]].codes[row]
        if ((own < low[k] || own >= high[k] ? 1 : 0) !== outside[k]) break
      }
      if (k < width || isPassedOver?.(row) === true) continue
      if (count < found.length) found[count] = row
      count++
    }
    return count
  }
}

/** How many of the predicates hold for exactly one row. */
export function countSingledOut(predicates: Predicates, table: IndexedTable): number {
  const match = matcher(table)
  const none = new Int32Array(0)
  let singled = 0
  for (let q = 0; q < predicates.count; q++) if (match(predicates, q, none, 1) === 1) singled++
  return singled
}

function firstCode(operator: number, code: number, cardinality: number): number {
  if (operator === AT_MOST || operator === BELOW || operator === NOT_MISSING) return 0
  return operator === MISSING ? cardinality : operator === ABOVE ? code + 1 : code
}

function codeAfterLast(operator: number, code: number, cardinality: number): number {
  if (operator === AT_LEAST || operator === ABOVE || operator === NOT_MISSING) return cardinality
  return operator === MISSING ? cardinality + 1 : operator === BELOW ? code : code + 1
}

/** A predicate without its values, which may be those of a single person: "age ≥, sex =". */
export function shapeOf(
  { width, column, operator }: Predicates,
  q: number,
  columns: readonly Pick<IndexedColumn, 'name'>[],
): string {
  return Array.from({ length: width }, (_, k) => k + q * width)
    .map((at) => `${columns[column[at]].name} ${OPERATORS[operator[at]]}`)
    .join(', ')
}
