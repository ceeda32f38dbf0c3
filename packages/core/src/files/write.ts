import { type Column, dateLabel, isMissing, valueAt } from '../table/column.js'
import type { Table } from '../table/table.js'
import { MISSING_TOKENS } from './infer.js'

const ROWS_PER_CHUNK = 10_000
const DAY = 86_400_000
/** All characters that readers take for delimiters, so that none is guessed from a column name. */
const NAME_NEEDS_QUOTES = /[",;\t|\r\n\ufeff]/
const CELL_NEEDS_QUOTES = /[",\r\n]/
const TOKENS = new Set(MISSING_TOKENS)

/**
 * CSV with commas and LF, quoted only where needed; missing is the empty cell, and `""` in a table of one column, where
 * an empty line would be no record at the end of a file. A text that reads like a missing token is quoted, and comes
 * back as text. What CSV cannot say: an empty text comes back as missing, and texts that all look like numbers, dates
 * or booleans come back as such unless their type is declared.
 */
export function toCsv(table: Table): string {
  return [...csvChunks(table)].join('')
}

interface CsvOptions {
  /** Whether text that a spreadsheet would take for a formula is marked as text. */
  readonly unlikeFormulas?: boolean
}

/** With these, also in their full-width form, a spreadsheet begins a formula. */
const BEGINS_FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** Text with an apostrophe in front where a spreadsheet would compute it. A number is no formula and stays one. */
export function unlikeFormula(text: string): string {
  return BEGINS_FORMULA.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text
}

/** The same in pieces of some thousand rows, for tables whose CSV is longer than the longest string of the engine. */
export function* csvChunks(table: Table, { unlikeFormulas = false }: CsvOptions = {}): Generator<string> {
  const written = unlikeFormulas ? unlikeFormula : (text: string) => text
  const lone = table.columns.length === 1
  const printers = table.columns.map((column) => cellPrinter(column, lone ? '""' : '', written))
  const names = table.columns.map(({ name }) => written(name))
  yield `${names.map((name) => quotedIf(NAME_NEEDS_QUOTES.test(name), name)).join(',')}\n`
  for (let first = 0; first < table.rows; first += ROWS_PER_CHUNK) {
    let chunk = ''
    for (let row = first; row < Math.min(first + ROWS_PER_CHUNK, table.rows); row++) {
      chunk += `${printers.map((print) => print(row)).join(',')}\n`
    }
    yield chunk
  }
}

function cellPrinter(column: Column, missing: string, written: (text: string) => string): (row: number) => string {
  if (column.kind === 'categorical') {
    const labels = column.levels.map((level) => quotedIf(level === '' || needsQuotes(level), written(level)))
    return (row) => (isMissing(column, row) ? missing : labels[column.codes[row]])
  }
  const print =
    column.kind === 'date'
      ? (row: number) => exactDate(column.values[row], column.unit)
      : (row: number) => String(valueAt(column, row))
  return (row) => (isMissing(column, row) ? missing : print(row))
}

/** The label for people stops at seconds; a file keeps milliseconds. */
function exactDate(days: number, unit: 'day' | 'time'): string {
  const time = Math.round(days * DAY)
  return unit === 'time' && time % 1000 !== 0 ? new Date(time).toISOString() : dateLabel(days, unit)
}

function needsQuotes(text: string): boolean {
  return CELL_NEEDS_QUOTES.test(text) || text.trim() === '' || TOKENS.has(text.trim())
}

function quotedIf(quoted: boolean, text: string): string {
  return quoted ? `"${text.replaceAll('"', '""')}"` : text
}
