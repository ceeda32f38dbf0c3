import { sharedFloat64, sharedInt32 } from '@scrim/kernels'
import { UserError, unknownName } from '../errors.js'
import { byCodePoint, type CategoricalColumn, type Column, type DateColumn, MISSING_CODE } from '../table/column.js'
import type { TypeSpec } from './types.js'

/**
 * From texts to a typed column, the same for every text format. The type is that of the whole column, missing cells
 * aside, and the first that fits of
 *
 * - numeric: plain decimal numbers, blanks around them allowed. Not: hexadecimal, Infinity, and columns in which some
 *   cell has a leading zero ("007") or is an integer that a double cannot hold exactly: those are codes, not quantities;
 * - date: ISO `yyyy-mm-dd`, with or without `Thh:mm[:ss[.fff]]` (or a blank for the T) and `Z` or an offset. A time
 *   without an offset counts as UTC. The unit is day when all of them are midnight;
 * - true and false, in lower, upper or title case: categorical with the levels false, true;
 * - categorical otherwise: texts exactly as they are, blanks included, levels sorted by code point.
 *
 * One text among a million numbers makes the column categorical; a cell is never made missing to fit. A column with no
 * value at all is numeric.
 */
export interface Cells {
  readonly name: string
  /** Of each row the index of its text, -1 when there is no cell. */
  readonly codes: Int32Array
  readonly texts: readonly string[]
  /**
   * Whether the text stood in quotes. A bare missing token is missing. A quoted one ("NA" for Namibia, as R writes it)
   * is a value where the column turns out to be text, and missing where all the rest are numbers, dates or booleans.
   * The empty text is missing either way.
   */
  quoted(code: number): boolean
}

export interface Reading {
  /** What the user calls the table, for messages. */
  readonly table: string
  /** Tokens for missing, compared without the blanks around a cell; the empty cell is missing whatever they are. */
  readonly missing: readonly string[]
  /** The decimal marks to try, in order. */
  readonly decimals: readonly DecimalMark[]
}

export type DecimalMark = '.' | ','

export const MISSING_TOKENS: readonly string[] = ['NA', 'NaN', 'NULL', 'null', 'N/A']
const EXAMPLES_SHOWN = 3
const DAY = 86_400_000

const NUMBER = {
  '.': /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/,
  ',': /^\s*[+-]?(?:\d+,?\d*|,\d+)(?:[eE][+-]?\d+)?\s*$/,
} as const
const LEADING_ZERO = /^\s*[+-]?0\d/
const LONG_INTEGER = /^\s*[+-]?\d{16,}\s*$/
const DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?:(:\d{2})(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const BOOLEAN = new Map([
  ['true', 1],
  ['TRUE', 1],
  ['True', 1],
  ['false', 0],
  ['FALSE', 0],
  ['False', 0],
])

export function inferColumn(cells: Cells, reading: Reading): Column {
  const blank = blanks(cells, reading)
  const values = parseAll(cells, blank.any, reading.decimals.map(plainNumber))
  if (values !== undefined) return { kind: 'numeric', name: cells.name, values: spread(cells, values) }
  const days = parseAll(cells, blank.any, [parseDate])
  if (days !== undefined) return dateColumn(cells.name, spread(cells, days))
  const truths = parseAll(cells, blank.any, [(text) => BOOLEAN.get(text) ?? Number.NaN])
  if (truths !== undefined) return booleanColumn(cells, truths)
  return categoricalColumn(cells, blank.bare)
}

/** The column as the user declared it; cells that do not fit are an error, never missing. */
export function declaredColumn(cells: Cells, spec: TypeSpec, reading: Reading): Column {
  const blank = blanks(cells, reading)
  switch (spec.kind) {
    case 'categorical':
      return spec.levels === undefined
        ? categoricalColumn(cells, blank.bare)
        : leveledColumn(cells, spec.levels, false, blank.bare, reading)
    case 'ordered':
      return leveledColumn(cells, spec.levels, true, blank.bare, reading)
    case 'date':
      return dateColumn(cells.name, spread(cells, demandAll(cells, blank.any, NO_DATES, [parseDate], reading)))
    case 'numeric': {
      const values = demandAll(cells, blank.any, NO_NUMBERS, reading.decimals.map(anyNumber), reading)
      return { kind: 'numeric', name: cells.name, values: spread(cells, values) }
    }
  }
}

/** Which distinct texts are missing: tokens that stood bare, and tokens however they stood. */
function blanks(cells: Cells, reading: Reading): { bare: Uint8Array; any: Uint8Array } {
  const tokens = new Set(['', ...reading.missing])
  const longest = Math.max(0, ...reading.missing.map((token) => token.length))
  const bare = new Uint8Array(cells.texts.length)
  const any = new Uint8Array(cells.texts.length)
  for (let code = 0; code < cells.texts.length; code++) {
    const text = cells.texts[code].trim()
    if (text.length > longest || !tokens.has(text)) continue
    any[code] = 1
    if (cells.texts[code] === '' || !cells.quoted(code)) bare[code] = 1
  }
  return { bare, any }
}

type Parser = (text: string) => number

/** The distinct texts under the first parser that reads them all (NaN = it does not), or undefined. */
function parseAll(cells: Cells, blank: Uint8Array, parsers: readonly Parser[]): Float64Array | undefined {
  for (const parse of parsers) {
    const parsed = new Float64Array(cells.texts.length).fill(Number.NaN)
    let code = 0
    for (; code < parsed.length; code++) {
      if (blank[code] === 1) continue
      parsed[code] = parse(cells.texts[code])
      if (Number.isNaN(parsed[code])) break
    }
    if (code === parsed.length) return parsed
  }
  return undefined
}

function demandAll(
  cells: Cells,
  blank: Uint8Array,
  complaint: Complaint,
  parsers: readonly Parser[],
  reading: Reading,
): Float64Array {
  const parsed = parseAll(cells, blank, parsers)
  if (parsed !== undefined) return parsed
  const readable = (text: string) => parsers.some((parse) => !Number.isNaN(parse(text)))
  const misfit = cells.texts.map((text, code) => blank[code] === 0 && !readable(text))
  if (misfit.includes(true)) throw new UserError(misfitProblem(cells, misfit, complaint, reading.table))
  throw new UserError(`${reading.table}, column "${cells.name}": mixes decimal points and decimal commas`)
}

interface Complaint {
  readonly one: string
  readonly many: string
}

const NO_NUMBERS: Complaint = { one: 'is not a number', many: 'are not numbers' }
const NO_DATES: Complaint = { one: 'is not an ISO date', many: 'are not ISO dates' }
const NO_LEVELS: Complaint = { one: 'is none of its levels', many: 'are none of its levels' }

/** Names the first cells that do not fit, by data row (1-based, the header not counted), and how many there are. */
function misfitProblem(cells: Cells, misfit: readonly boolean[], complaint: Complaint, table: string): string {
  const shown: string[] = []
  let count = 0
  cells.codes.forEach((code, row) => {
    if (code === MISSING_CODE || !misfit[code]) return
    if (count++ < EXAMPLES_SHOWN) shown.push(`row ${row + 1} ${JSON.stringify(cells.texts[code])}`)
  })
  const rest = count > shown.length ? ', ...' : ''
  const sentence = count === 1 ? `1 cell ${complaint.one}` : `${count} cells ${complaint.many}`
  return `${table}, column "${cells.name}": ${sentence}: ${shown.join(', ')}${rest}`
}

function anyNumber(decimal: DecimalMark): Parser {
  return (text) => {
    if (!NUMBER[decimal].test(text)) return Number.NaN
    const value = Number(decimal === ',' ? text.replace(',', '.') : text)
    return Number.isFinite(value) ? value + 0 : Number.NaN
  }
}

function plainNumber(decimal: DecimalMark): Parser {
  const parse = anyNumber(decimal)
  return (text) => {
    const value = parse(text)
    if (LEADING_ZERO.test(text)) return Number.NaN
    return LONG_INTEGER.test(text) && !Number.isSafeInteger(value) ? Number.NaN : value
  }
}

/** Days since 1970-01-01; NaN when it is no date of the calendar. */
function parseDate(text: string): number {
  const parts = DATE.exec(text.trim())
  if (parts === null) return Number.NaN
  const [, day, minutes = '00:00', seconds = ':00', fraction = '.', zone = 'Z'] = parts
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Engines differ on 30 February: some refuse it, some take it for March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return Number.NaN
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  return Date.parse(`${day}T${minutes}${seconds}${fraction.slice(0, 4).padEnd(4, '0')}${offset}`) / DAY
}

/** From values of distinct texts to values of rows. */
function spread(cells: Cells, byCode: Float64Array): Float64Array {
  const { codes } = cells
  const values = sharedFloat64(codes.length)
  for (let row = 0; row < values.length; row++) {
    values[row] = codes[row] === MISSING_CODE ? Number.NaN : byCode[codes[row]]
  }
  return values
}

export function dateColumn(name: string, values: Float64Array): DateColumn {
  const wholeDays = values.every((value) => Number.isNaN(value) || Number.isInteger(value))
  return { kind: 'date', name, values, unit: wholeDays ? 'day' : 'time' }
}

export const BOOLEAN_LEVELS: readonly string[] = ['false', 'true']

function booleanColumn(cells: Cells, truths: Float64Array): CategoricalColumn {
  const codeOf = Int32Array.from(truths, (truth) => (Number.isNaN(truth) ? MISSING_CODE : truth))
  return {
    kind: 'categorical',
    name: cells.name,
    codes: recode(cells.codes, codeOf),
    levels: BOOLEAN_LEVELS,
    ordered: false,
  }
}

function categoricalColumn(cells: Cells, blank: Uint8Array): CategoricalColumn {
  const levels = [...new Set(cells.texts.filter((_, code) => blank[code] === 0))].sort(byCodePoint)
  return labelled(cells, levels, false, blank)
}

function leveledColumn(
  cells: Cells,
  levels: readonly string[],
  ordered: boolean,
  blank: Uint8Array,
  reading: Reading,
): CategoricalColumn {
  const known = new Set(levels)
  const misfit = cells.texts.map((text, code) => !known.has(text) && blank[code] === 0)
  const first = cells.codes.find((code) => code !== MISSING_CODE && misfit[code])
  if (first !== undefined) {
    const hint = unknownName('level', cells.texts[first], levels)
    throw new UserError(`${misfitProblem(cells, misfit, NO_LEVELS, reading.table)}; ${hint}`)
  }
  // A token that is declared to be a level is a value, so nothing is blank any more.
  return labelled(cells, levels, ordered, new Uint8Array(cells.texts.length))
}

function labelled(cells: Cells, levels: readonly string[], ordered: boolean, blank: Uint8Array): CategoricalColumn {
  const levelCode = new Map(levels.map((level, code) => [level, code]))
  const codeOf = Int32Array.from(cells.texts, (text, code) =>
    blank[code] === 1 ? MISSING_CODE : (levelCode.get(text) ?? MISSING_CODE),
  )
  return { kind: 'categorical', name: cells.name, codes: recode(cells.codes, codeOf), levels, ordered }
}

function recode(codes: Int32Array, codeOf: Int32Array): Int32Array {
  const recoded = sharedInt32(codes.length)
  for (let row = 0; row < codes.length; row++)
    recoded[row] = codes[row] === MISSING_CODE ? MISSING_CODE : codeOf[codes[row]]
  return recoded
}
