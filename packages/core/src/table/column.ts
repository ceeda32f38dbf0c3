import { shared } from '@scrim/kernels'

/**
 * A column is one typed array. Missing is NaN in `values` and -1 in `codes`; it is never a text, so a literal "NA" that
 * the user declared to be a value stays a value. Equal numbers are equal keys (-0 is 0); nothing is ever formatted to
 * be compared.
 */
export interface NumericColumn extends Described {
  readonly kind: 'numeric'
  readonly name: string
  readonly values: Float64Array
}

/** `levels` holds each label once; their order means something only when `ordered`. */
export interface CategoricalColumn extends Described {
  readonly kind: 'categorical'
  readonly name: string
  readonly codes: Int32Array
  readonly levels: readonly string[]
  readonly ordered: boolean
}

/** Days since 1970-01-01; with `unit` time the fraction of the day counts too. */
export interface DateColumn extends Described {
  readonly kind: 'date'
  readonly name: string
  readonly values: Float64Array
  readonly unit: 'day' | 'time'
}

/** Columns of SPSS, Stata, SAS and labelled R files carry their entry of the codebook along; no measure looks at it. */
interface Described {
  readonly codebook?: CodebookEntry | undefined
}

/** What a file says of a variable besides its values: for reports, and to write a file of that kind again. */
export interface CodebookEntry {
  /** What the variable is, in words. */
  readonly label?: string | undefined
  /** What values stand for, in their order; where values became levels, the labels are those levels. */
  readonly values?: readonly ValueLabel[] | undefined
  /** Values that mean missing. */
  readonly missing?: MissingCodes | undefined
  /** How the program that wrote the file shows the variable: `F8.2`, `%td`. */
  readonly format?: string | undefined
  /** Whether the file holds texts; numbers otherwise. */
  readonly text?: boolean | undefined
}

/** `value` is a number, a text in a variable of texts, or a kind of missing of a number: `.a` to `.z`, `._`. */
export interface ValueLabel {
  readonly value: number | string
  readonly label: string
}

/** Single values, and all numbers from `low` to `high`. */
export interface MissingCodes {
  readonly values: readonly (number | string)[]
  readonly range?: { readonly low: number; readonly high: number } | undefined
  /** Whether they are values of the column all the same. */
  readonly kept?: boolean | undefined
}

export type Column = NumericColumn | CategoricalColumn | DateColumn

export const MISSING_CODE = -1
const MILLISECONDS_PER_DAY = 86_400_000

export function numeric(name: string, values: ArrayLike<number | null>): NumericColumn {
  return { kind: 'numeric', name, values: Float64Array.from(values, (value) => value ?? Number.NaN) }
}

/** A categorical column from labels; `null` is missing. Levels are those given, or else the labels sorted by code point. */
export function categorical(
  name: string,
  labels: readonly (string | null)[],
  levelled?: { levels?: readonly string[]; ordered?: boolean },
): CategoricalColumn {
  const levels = levelled?.levels ?? sortedLevels(labels)
  const codeOf = new Map(levels.map((level, code) => [level, code]))
  const codes = Int32Array.from(labels, (label) =>
    label === null ? MISSING_CODE : (codeOf.get(label) ?? MISSING_CODE),
  )
  return { kind: 'categorical', name, codes, levels, ordered: levelled?.ordered ?? false }
}

/** Of a column that holds numbers or dates. */
export function numbersOf(column: Column): Float64Array {
  if (column.kind === 'categorical') throw new Error(`"${column.name}" holds categories`)
  return column.values
}

/** A column that holds categories. */
export function categoriesOf(column: Column): CategoricalColumn {
  if (column.kind !== 'categorical') throw new Error(`"${column.name}" holds numbers`)
  return column
}

export function columnLength(column: Column): number {
  return column.kind === 'categorical' ? column.codes.length : column.values.length
}

export function isMissing(column: Column, row: number): boolean {
  return column.kind === 'categorical' ? column.codes[row] === MISSING_CODE : Number.isNaN(column.values[row])
}

export function hasMissing(column: Column): boolean {
  return column.kind === 'categorical' ? column.codes.includes(MISSING_CODE) : column.values.includes(Number.NaN)
}

export function countMissing(column: Column): number {
  let count = 0
  for (let row = 0; row < columnLength(column); row++) if (isMissing(column, row)) count++
  return count
}

/** The value for people: a label, a number as JavaScript prints it, an ISO date; `null` when missing. */
export function valueAt(column: Column, row: number): string | number | null {
  if (isMissing(column, row)) return null
  if (column.kind === 'categorical') return column.levels[column.codes[row]]
  return column.kind === 'date' ? dateLabel(column.values[row], column.unit) : column.values[row]
}

export function dateLabel(days: number, unit: 'day' | 'time'): string {
  const iso = new Date(Math.round(days * MILLISECONDS_PER_DAY)).toISOString()
  return unit === 'day' ? iso.slice(0, 10) : iso.slice(0, 19)
}

/** The column in memory that all threads share; itself where it is there already. */
export function sharedColumn(column: Column): Column {
  if (column.kind === 'categorical') {
    const codes = shared(column.codes)
    return codes === column.codes ? column : { ...column, codes }
  }
  const values = shared(column.values)
  return values === column.values ? column : { ...column, values }
}

/** The rows `rows` of a column, in that order. Written as loops: `from` with a function is many times slower. */
export function takeRows(column: Column, rows: ArrayLike<number>): Column {
  if (column.kind === 'categorical') {
    const codes = new Int32Array(rows.length)
    for (let k = 0; k < rows.length; k++) codes[k] = column.codes[rows[k]]
    return { ...column, codes }
  }
  const values = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) values[k] = column.values[rows[k]]
  return { ...column, values }
}

/** Columns of the same kind and levels, one below the other. */
export function stackColumns(columns: readonly Column[]): Column {
  const [first] = columns
  const rows = columns.reduce((sum, column) => sum + columnLength(column), 0)
  const codes = new Int32Array(first.kind === 'categorical' ? rows : 0)
  const values = new Float64Array(first.kind === 'categorical' ? 0 : rows)
  let at = 0
  for (const column of columns) {
    if (column.kind === 'categorical') codes.set(column.codes, at)
    else values.set(column.values, at)
    at += columnLength(column)
  }
  return first.kind === 'categorical' ? { ...first, codes } : { ...first, values }
}

function sortedLevels(labels: readonly (string | null)[]): string[] {
  return [...new Set(labels.filter((label) => label !== null))].sort(byCodePoint)
}

/** Independent of locale, so that every machine has the same order. */
export function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
