import type { Column, NumericColumn } from '../../table/column.js'
import { findColumn, type Table } from '../../table/table.js'

/**
 * The same numbers as two files have them: R's `write.csv` writes 15 significant digits where a double has up to 17, so
 * 0.3333333333333333 from an R, SPSS or Stata file is another number than 0.333333333333333 from a text file, and nobody's
 * values would be found again. Where one table has a column in 15 digits throughout, another has more, and rounding makes
 * values of the two equal, the longer ones are rounded.
 */
export interface CommonDigits {
  /** In the order given. */
  readonly tables: readonly Table[]
  /** Columns that were rounded in some table. */
  readonly columns: readonly string[]
}

const DIGITS = 15
/** So many fractions tell how a column is written. */
const LOOKED_AT = 1000

export function withCommonDigits(tables: readonly Table[]): CommonDigits {
  const [original] = tables
  const columns = original.columns.flatMap(({ name }) => (differsInDigits(tables, name) ? [name] : []))
  if (columns.length === 0) return { tables, columns }
  const rounded = (column: Column): Column =>
    column.kind === 'numeric' && columns.includes(column.name)
      ? { ...column, values: column.values.map(short) }
      : column
  return { tables: tables.map((table) => ({ ...table, columns: table.columns.map(rounded) })), columns }
}

function differsInDigits(tables: readonly Table[], name: string): boolean {
  const styled = tables
    .map((table) => findColumn(table, name))
    .filter((column): column is NumericColumn => column?.kind === 'numeric')
    .map((column) => ({ column, style: styleOf(column) }))
  const long = styled.filter(({ style }) => style === 'long')
  if (long.length === 0) return false
  const texts = styled.filter(({ style }) => style === 'short')
  return texts.some(({ column }) => {
    const values = new Set(column.values)
    return long.some((other) => other.column.values.some((value) => short(value) !== value && values.has(short(value))))
  })
}

/** By its first fractions: `long` where one has more digits; `whole` where there are none. */
function styleOf({ values }: NumericColumn): 'long' | 'short' | 'whole' {
  let seen = 0
  for (const value of values) {
    if (Number.isNaN(value) || Number.isInteger(value)) continue
    if (short(value) !== value) return 'long'
    if (++seen === LOOKED_AT) break
  }
  return seen === 0 ? 'whole' : 'short'
}

function short(value: number): number {
  return Number.isInteger(value) || Number.isNaN(value) ? value : Number(value.toPrecision(DIGITS))
}
