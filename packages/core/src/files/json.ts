import { UserError } from '../errors.js'
import { MISSING_CODE } from '../table/column.js'
import { type Table, table } from '../table/table.js'
import { decodeText, type Encoding, encodingOf, withoutByteOrderMark } from './bytes/encoding.js'
import { checkNames } from './csv.js'
import { type Cells, declaredColumn, inferColumn, MISSING_TOKENS, type Reading } from './infer.js'
import { checkCells } from './packed/limit.js'
import { checkDeclaredColumns, declaredType, type Types } from './types.js'

/**
 * JSON as an array of records or an object of columns, and JSON lines with one record per line. A key that is not there
 * and null are missing. Numbers, booleans and strings all go through the inference for texts, strings as quoted cells:
 * `"12"` is a number where the whole column is, and a column of numbers and words is categorical.
 */
export interface JsonOptions {
  readonly encoding?: Encoding | undefined
  readonly missing?: readonly string[] | undefined
  readonly types?: Types | undefined
  readonly maxSize?: number | undefined
}

export function readJson(name: string, bytes: Uint8Array, options: JsonOptions = {}): Table {
  const data = parseJson(name, textOf(name, bytes, options))
  if (Array.isArray(data)) return tableOfRecords(name, data, (row) => `row ${row + 1}`, options)
  if (isObject(data)) return tableOfArrays(name, data, options)
  throw new UserError(`${name}: expected an array of records or an object of columns, found ${nounOf(data)}`)
}

export function readJsonLines(name: string, bytes: Uint8Array, options: JsonOptions = {}): Table {
  const source = withoutByteOrderMark(bytes)
  const encoding = encodingOf(name, source, options.encoding)
  const records: unknown[] = []
  const lines: number[] = []
  // Line by line, so that a file may be longer than the longest string of the engine.
  for (let start = 0, line = 1; start < source.length; line++) {
    const newline = source.indexOf(NEWLINE, start)
    const end = newline < 0 ? source.length : newline
    const text = decodeText(source.subarray(start, end), encoding)
    if (text.trim() !== '') {
      records.push(parseJson(`${name}, line ${line}`, text))
      lines.push(line)
    }
    start = end + 1
  }
  return tableOfRecords(name, records, (row) => `line ${lines[row]}`, options)
}

const NEWLINE = 10
/** From here to 1e21 JavaScript prints all digits of an integer, right or wrong; above it prints an exponent. */
const PRINTED_IN_FULL = 1e21

function textOf(name: string, bytes: Uint8Array, options: JsonOptions): string {
  const source = withoutByteOrderMark(bytes)
  const encoding = encodingOf(name, source, options.encoding)
  try {
    return decodeText(source, encoding)
  } catch {
    throw new UserError(`${name}: is too large to be read as one JSON value; write it as JSON lines, CSV or Parquet`)
  }
}

function parseJson(where: string, text: string): unknown {
  if (text.trim() === '') throw new UserError(`${where} is empty`)
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UserError(`${where}: is not valid JSON${lineOfError(message, text)}: ${whatIsWrong(message)}`)
  }
}

/** Engines tell the position in the message, if at all. */
function lineOfError(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)
  return position === null ? '' : ` (line ${text.slice(0, Number(position[1])).split('\n').length})`
}

function tableOfRecords(
  name: string,
  records: readonly unknown[],
  placeOf: (row: number) => string,
  options: JsonOptions,
): Table {
  const collectors = new Map<string, Collector>()
  records.forEach((record, row) => {
    if (!isObject(record)) throw new UserError(`${name}, ${placeOf(row)}: expected an object, found ${nounOf(record)}`)
    for (const [key, value] of Object.entries(record)) {
      let collector = collectors.get(key)
      if (collector === undefined) {
        // Records that have no column in common would make a table of as many cells squared.
        checkCells(name, records.length, collectors.size + 1, options.maxSize)
        collector = collect(key, records.length)
        collectors.set(key, collector)
      }
      const problem = collector.put(row, value)
      if (problem !== undefined) throw new UserError(`${name}, ${placeOf(row)}, column "${key}": ${problem}`)
    }
  })
  if (collectors.size === 0) throw new UserError(`${name}: has no records, so there are no columns`)
  return tableOfCells(
    name,
    [...collectors.values()].map((collector) => collector.cells()),
    options,
  )
}

function tableOfArrays(name: string, data: Readonly<Record<string, unknown>>, options: JsonOptions): Table {
  const columns = Object.entries(data)
  if (columns.length === 0) throw new UserError(`${name}: has no columns`)
  const cells = columns.map(([key, values]) => {
    if (!Array.isArray(values)) {
      throw new UserError(
        `${name}: column "${key}" is ${nounOf(values)}; expected an array of records or an object of arrays`,
      )
    }
    const collector = collect(key, values.length)
    values.forEach((value, row) => {
      const problem = collector.put(row, value)
      if (problem !== undefined) throw new UserError(`${name}, row ${row + 1}, column "${key}": ${problem}`)
    })
    return collector.cells()
  })
  return tableOfCells(name, cells, options)
}

function tableOfCells(name: string, columns: readonly Cells[], options: JsonOptions): Table {
  const names = columns.map((cells) => cells.name)
  checkNames(name, names)
  checkDeclaredColumns(name, names, options.types)
  const reading: Reading = { table: name, missing: options.missing ?? MISSING_TOKENS, decimals: ['.'] }
  return table(
    name,
    columns.map((cells) => {
      const spec = declaredType(options.types, cells.name)
      return spec === undefined ? inferColumn(cells, reading) : declaredColumn(cells, spec, reading)
    }),
  )
}

interface Collector {
  /** Returns what is wrong with the value, if anything is. */
  put(row: number, value: unknown): string | undefined
  cells(): Cells
}

function collect(name: string, rows: number): Collector {
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  const codeOf = new Map<unknown, number>()
  return {
    put(row, value) {
      if (value === null) return undefined
      const problem = problemOf(value)
      if (problem !== undefined) return problem
      const known = codeOf.get(value)
      codes[row] = known ?? codeOf.size
      if (known === undefined) codeOf.set(value, codeOf.size)
      return undefined
    },
    cells() {
      const values = [...codeOf.keys()]
      return { name, codes, texts: values.map(String), quoted: (code) => typeof values[code] === 'string' }
    },
  }
}

function problemOf(value: unknown): string | undefined {
  if (typeof value === 'object') return `a cell cannot hold ${nounOf(value)}; flatten it first`
  const rounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  if (!rounded || Math.abs(value) >= PRINTED_IN_FULL) return undefined
  return 'the integer is too large to be read exactly from JSON; write it as a string'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nounOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** What the engine says without the text around it, which it quotes from the file. */
function whatIsWrong(message: string): string {
  return message.replace(/, (\.\.\.)?".*$/s, '')
}
