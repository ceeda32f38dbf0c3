import { UserError } from '../errors.js'
import { type Table, table } from '../table/table.js'
import { decodeText, type Encoding, encodingOf, withoutByteOrderMark } from './bytes/encoding.js'
import { type DistinctCells, distinctCells } from './distinct.js'
import { type DecimalMark, declaredColumn, inferColumn, MISSING_TOKENS, type Reading } from './infer.js'
import { checkCells, mayHaveTooManyCells } from './packed/limit.js'
import { BARE, type CellStyle, ESCAPED, scanRecords } from './records.js'
import { checkDeclaredColumns, declaredType, type Types } from './types.js'

/**
 * Delimited text with one header record. Every record has as many fields as the header, or else it is an error: no row
 * is dropped, padded or joined. Blank lines at the end of the file are no records; a blank line further up is a missing
 * value in a file of one column and an error in any other. Column names lose the blanks around them, cells do not.
 */
export interface CsvOptions {
  readonly delimiter?: string | undefined
  readonly encoding?: Encoding | undefined
  readonly decimal?: DecimalMark | undefined
  readonly missing?: readonly string[] | undefined
  readonly types?: Types | undefined
  readonly maxSize?: number | undefined
}

/** In order of preference where the first lines do not decide. */
const DELIMITERS = [',', ';', '\t', '|']
const LINES_SNIFFED = 20
const PROBLEMS_SHOWN = 3
/** Cells are kept as 32-bit offsets. */
const LARGEST = 2 ** 32
const [LF, CR, QUOTE] = [10, 13, 34]

export function readCsv(name: string, source: Uint8Array, options: CsvOptions = {}): Table {
  rejectBinary(name, source)
  if (source.length > LARGEST) throw new UserError(`${name}: is larger than 4 GiB; write it as Parquet or in parts`)
  const bytes = withoutTrailingLines(withoutByteOrderMark(source))
  if (bytes.length === 0) throw new UserError(`${name} is empty; expected a header line with column names`)
  const { delimiter, encoding, header, reading } = csvLayout(name, bytes, options)
  if (mayHaveTooManyCells(bytes.length, options.maxSize))
    checkCells(name, linesIn(bytes), header.names.length, options.maxSize)
  const columns = readBody(name, bytes, delimiter, header)
  return table(
    name,
    header.names.map((column, field) => {
      const { codes, texts, quoted } = columns[field]
      const cells = { name: column, codes: codes(), texts: texts(encoding), quoted }
      const spec = declaredType(options.types, column)
      return spec === undefined ? inferColumn(cells, reading) : declaredColumn(cells, spec, reading)
    }),
  )
}

/** How a delimited file is to be read, from its bytes or from its first lines, which begin without a byte order mark. */
export function csvLayout(name: string, bytes: Uint8Array, options: CsvOptions = {}) {
  const encoding = encodingOf(name, bytes, options.encoding)
  const delimiter = options.delimiter === undefined ? detectDelimiter(bytes) : checkDelimiter(options.delimiter)
  const header = readHeader(name, bytes, delimiter, encoding)
  checkDeclaredColumns(name, header.names, options.types)
  const reading: Reading = {
    table: name,
    missing: options.missing ?? MISSING_TOKENS,
    decimals: options.decimal === undefined ? (delimiter === ';' ? ['.', ','] : ['.']) : [options.decimal],
  }
  return { delimiter, encoding, header, reading }
}

function rejectBinary(name: string, bytes: Uint8Array): void {
  const at = bytes.indexOf(0)
  if (at < 0) return
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (utf16) throw new UserError(`${name}: is encoded in UTF-16; save it as UTF-8`)
  throw new UserError(`${name}: does not look like a CSV file: NUL byte at offset ${at}`)
}

/** At least as many as there are records. */
function linesIn(bytes: Uint8Array): number {
  let lines = 1
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) lines++
  return lines
}

function withoutTrailingLines(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] === LF || bytes[end - 1] === CR)) end--
  return bytes.subarray(0, end)
}

function checkDelimiter(delimiter: string): string {
  const code = delimiter.charCodeAt(0)
  if (delimiter.length === 1 && code < 128 && !['"', '\n', '\r', '\0'].includes(delimiter)) return delimiter
  throw new UserError(
    `delimiter: ${JSON.stringify(delimiter)} cannot separate cells; give one ASCII character such as , ; | or a tab`,
  )
}

/**
 * The delimiter that cuts the first lines into equally many cells, with no quote left inside a bare cell, the most cells
 * winning; where none does, the one that is most frequent in the header, so that the error about uneven lines is the one
 * the user expects.
 */
function detectDelimiter(bytes: Uint8Array): string {
  let best = { delimiter: ',', score: 0, fields: 1 }
  for (const delimiter of DELIMITERS) {
    const { counts, strayQuote } = sniff(bytes, delimiter)
    const fields = counts[0] ?? 1
    const even = fields > 1 && counts.every((count) => count === fields)
    const score = even ? (strayQuote ? 1 : 2) : 0
    if (score === best.score ? fields > best.fields : score > best.score) best = { delimiter, score, fields }
  }
  return best.delimiter
}

function sniff(bytes: Uint8Array, delimiter: string): { counts: readonly number[]; strayQuote: boolean } {
  const counts: number[] = []
  let strayQuote = false
  const cell = (_field: number, start: number, end: number, style: CellStyle) => {
    if (style === BARE && bytes.subarray(start, end).includes(QUOTE)) strayQuote = true
  }
  const record = (fields: number) => counts.push(fields) < LINES_SNIFFED
  try {
    scanRecords('', bytes, delimiter.charCodeAt(0), START, { cell, record })
  } catch (error) {
    // The quotes make no sense under this delimiter; under the right one they do, or the real scan says why not.
    if (!(error instanceof UserError)) throw error
    return { counts: [], strayQuote: true }
  }
  return { counts, strayQuote }
}

const START = { start: 0, line: 1 }

interface Header {
  readonly names: readonly string[]
  readonly next: { readonly start: number; readonly line: number }
}

function readHeader(name: string, bytes: Uint8Array, delimiter: string, encoding: Encoding): Header {
  const names: string[] = []
  const cell = (_field: number, start: number, end: number, style: CellStyle) => {
    const text = decodeText(bytes.subarray(start, end), encoding)
    names.push((style === ESCAPED ? text.replaceAll('""', '"') : text).trim())
  }
  const next = scanRecords(name, bytes, delimiter.charCodeAt(0), START, { cell, record: () => false })
  checkNames(name, names)
  return { names, next }
}

/** Every table has columns, each with a name of its own. */
export function checkNames(table: string, names: readonly string[]): void {
  if (names.length === 0) throw new UserError(`${table}: has no columns`)
  const problems: string[] = []
  const unnamed = names.indexOf('')
  if (unnamed >= 0) {
    const hint = unnamed === 0 ? '; for row names written by R, use row.names = FALSE' : ''
    problems.push(`${table}: column ${unnamed + 1} of ${names.length} has no name${hint}`)
  }
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const column of names) if (column !== '') (seen.has(column) ? repeated : seen).add(column)
  for (const column of repeated) problems.push(`${table}: the column name "${column}" occurs more than once`)
  if (problems.length > 0) throw new UserError(problems)
}

function readBody(name: string, bytes: Uint8Array, delimiter: string, header: Header): DistinctCells[] {
  const columns = header.names.map(() => distinctCells(bytes))
  const expected = columns.length
  const problems: string[] = []
  let uneven = 0
  const cell = (field: number, start: number, end: number, style: CellStyle) => {
    if (field < expected) columns[field].add(start, end, style)
  }
  const record = (fields: number, line: number) => {
    if (fields !== expected && uneven++ < PROBLEMS_SHOWN) {
      problems.push(`${name}, line ${line}: ${count(fields, 'field')}, the header has ${expected}`)
    }
    return true
  }
  scanRecords(name, bytes, delimiter.charCodeAt(0), header.next, { cell, record })
  if (uneven > PROBLEMS_SHOWN) problems.push(`${name}: ${count(uneven, 'line')} in all do not fit the header`)
  if (problems.length > 0) throw new UserError(problems)
  return columns
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`
}
