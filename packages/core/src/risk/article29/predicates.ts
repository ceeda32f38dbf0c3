import { rowsByGroup } from '@scrim/kernels'

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
  readonly codes: Int32Array
  /** The rows sorted by code; those with code c are `rows[start[c]]` to `rows[start[c + 1] - 1]`. */
  readonly rows: Int32Array
  readonly start: Int32Array
}

export interface IndexedTable {
  readonly name: string
  readonly rows: number
  readonly columns: readonly IndexedColumn[]
}

export interface CodesOfColumn {
  readonly name: string
  readonly numeric: boolean
  readonly cardinality: number
  readonly codes: Int32Array
}

/** The chosen rows of a table, coded as above or with -1 for missing, made ready for predicates. */
export function indexTable(name: string, columns: readonly CodesOfColumn[], chosen: Int32Array): IndexedTable {
  return {
    name,
    rows: chosen.length,
    columns: columns.map((column) => {
      const codes = chosen.map((row) => (column.codes[row] < 0 ? column.cardinality : column.codes[row]))
      return { ...column, codes, ...rowsByGroup(codes, column.cardinality + 1) }
    }),
  }
}

/**
 * Counts the rows for which predicate q holds, up to one more than `stopAfter`, and writes the first of them to `found`.
 */
type Matcher = (predicates: Predicates, q: number, found: Int32Array, stopAfter?: number) => number

export function matcher({ columns, rows: n }: IndexedTable): Matcher {
  /** The conditions but for the one whose stretch is scanned: their codes, and the range these must, or must not, lie in. */
  const codes: Int32Array[] = columns.map((column) => column.codes)
  const low = new Int32Array(columns.length)
  const high = new Int32Array(columns.length)
  const inside = new Uint8Array(columns.length)

  return function match({ width, column, operator, code }, q, found, stopAfter = n) {
    const first = q * width
    let driver = first
    let shortest = n + 1
    for (let at = first; at < first + width; at++) {
      const { cardinality, start } = columns[column[at]]
      const within =
        start[codeAfterLast(operator[at], code[at], cardinality)] -
        start[firstCode(operator[at], code[at], cardinality)]
      const length = operator[at] === DIFFERENT ? n - within : within
      if (length >= shortest) continue
      shortest = length
      driver = at
    }
    let others = 0
    for (let at = first; at < first + width; at++) {
      if (at === driver) continue
      const { cardinality, codes: own } = columns[column[at]]
      codes[others] = own
      low[others] = firstCode(operator[at], code[at], cardinality)
      high[others] = codeAfterLast(operator[at], code[at], cardinality)
      inside[others++] = operator[at] === DIFFERENT ? 0 : 1
    }

    const { rows, start, cardinality } = columns[column[driver]]
    const from = start[firstCode(operator[driver], code[driver], cardinality)]
    const to = start[codeAfterLast(operator[driver], code[driver], cardinality)]
    const inverted = operator[driver] === DIFFERENT
    // "Different" is all but a stretch: what lies after it, then what lies before.
    const last = inverted ? n + from : to
    let count = 0
    for (let i = inverted ? to : from; i < last && count <= stopAfter; i++) {
      const row = rows[i < n ? i : i - n]
      let k = 0
      for (; k < others; k++) {
        const own = codes[k][row]
        if ((own >= low[k] && own < high[k] ? 1 : 0) !== inside[k]) break
      }
      if (k < others) continue
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
export function shapeOf({ width, column, operator }: Predicates, q: number, columns: readonly IndexedColumn[]): string {
  return Array.from({ length: width }, (_, k) => k + q * width)
    .map((at) => `${columns[column[at]].name} ${OPERATORS[operator[at]]}`)
    .join(', ')
}
