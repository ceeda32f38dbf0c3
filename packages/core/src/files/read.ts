import { UserError } from '../errors.js'
import { type Column, isMissing, MISSING_CODE, valueAt } from '../table/column.js'
import { columnNames, type Table, table } from '../table/table.js'
import { type Contents, onlyTable, singleTable } from './contents.js'
import { readCsv } from './csv.js'
import type { Encoding } from './encoding.js'
import { type Cells, type DecimalMark, declaredColumn, type Reading } from './infer.js'
import { readJson, readJsonLines } from './json.js'
import type { LabelsChoice } from './labelled.js'
import { isPacked, unpack, withoutPacking } from './packed/unpack.js'
import { isRFile, isSas, isXport, isZip } from './signatures.js'
import { checkDeclaredColumns, declaredType, type Types } from './types.js'

/** The one reader of scrim, from bytes, so that the command line and the page see the same table. */
export interface ReadOptions {
  /** Default: by the first bytes, else by the extension of the name, else JSON when it begins like JSON, else CSV. */
  readonly format?: Format | undefined
  /** CSV. Default: found among `,` `;` tab `|` on the first lines; a tab for `.tsv`. */
  readonly delimiter?: string | undefined
  /** Text formats. Default: UTF-8, or Latin-1 (windows-1252) when the bytes are not UTF-8. */
  readonly encoding?: Encoding | undefined
  /** CSV. Default: a point; where the delimiter is `;`, a comma for the columns that fit with commas only. */
  readonly decimal?: DecimalMark | undefined
  /**
   * Tokens that mean missing. Default for text formats: NA, NaN, NULL, null, N/A; what is given replaces these. The
   * empty cell is always missing. Parquet and Arrow have nulls, so there only tokens that are given count.
   */
  readonly missing?: readonly string[] | undefined
  /** Declared types by column, instead of inferred ones. */
  readonly types?: Types | undefined
  /** Files with labels of values. Default `levels`: values become their labels; `codes` keeps the values. */
  readonly labels?: LabelsChoice | undefined
  /** Files with codes for missing. Default: they are missing. */
  readonly keepMissingCodes?: boolean | undefined
  /** R and SAS files. The objects to take, by name or place, in order. Default: all, where that leaves no question. */
  readonly object?: readonly string[] | undefined
  /** Excel workbooks. The sheets to take, by name or number, in order. Default: the first. */
  readonly sheet?: readonly string[] | undefined
}

export type Format =
  | 'csv'
  | 'tsv'
  | 'parquet'
  | 'arrow'
  | 'json'
  | 'jsonl'
  | 'spss'
  | 'stata'
  | 'r'
  | 'xport'
  | 'sas'
  | 'excel'

const FORMAT_OF_EXTENSION = new Map<string, Format>([
  ['csv', 'csv'],
  ['txt', 'csv'],
  ['tsv', 'tsv'],
  ['tab', 'tsv'],
  ['parquet', 'parquet'],
  ['pq', 'parquet'],
  ['arrow', 'arrow'],
  ['arrows', 'arrow'],
  ['feather', 'arrow'],
  ['ipc', 'arrow'],
  ['json', 'json'],
  ['jsonl', 'jsonl'],
  ['ndjson', 'jsonl'],
  ['rds', 'r'],
  ['rda', 'r'],
  ['rdata', 'r'],
  ['xpt', 'xport'],
  ['xport', 'xport'],
  ['sas7bdat', 'sas'],
  ['xlsx', 'excel'],
  ['xlsm', 'excel'],
  ['sav', 'spss'],
  ['zsav', 'spss'],
  ['dta', 'stata'],
])

const FORMAT_OF_MAGIC: readonly (readonly [string, Format])[] = [
  ['PAR1', 'parquet'],
  ['ARROW1', 'arrow'],
  ['\xff\xff\xff\xff', 'arrow'],
  ['$FL2', 'spss'],
  ['$FL3', 'spss'],
  ['<stata_dta>', 'stata'],
]

/** Files that statisticians have and scrim cannot read. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ['\xd0\xcf\x11\xe0', 'an old Excel workbook, or one with a password'],
  ['SQLite format 3', 'an SQLite database'],
  ['FEA1', 'a Feather file of version 1'],
]

const BINARY: ReadonlySet<Format> = new Set(['parquet', 'arrow', 'spss', 'stata', 'r', 'xport', 'sas', 'excel'])

/** Formats whose readers are other people's programs on whatever bytes there are: best run where they can be stopped. */
export function isBinaryFormat(name: string, bytes: Uint8Array, { format }: ReadOptions = {}): boolean {
  const plain = withoutPacking(name)
  const found = format ?? (isPacked(bytes) ? FORMAT_OF_EXTENSION.get(extensionOf(plain)) : detectFormat(plain, bytes))
  return BINARY.has(found ?? 'csv')
}

/** The one table of a file. */
export async function readTable(name: string, bytes: Uint8Array, options: ReadOptions = {}): Promise<Table> {
  return onlyTable(name, await readContents(name, bytes, options))
}

/** All tables of a file, and what it says that they are for. */
export async function readContents(name: string, bytes: Uint8Array, options: ReadOptions = {}): Promise<Contents> {
  const content = unpack(name, bytes)
  const foreign = FOREIGN.find(([magic]) => startsWith(content, magic))
  if (foreign !== undefined && options.format === undefined) {
    throw new UserError(`${name}: is ${foreign[1]}; save it as CSV or Parquet`)
  }
  const format = options.format ?? detectFormat(withoutPacking(name), content)
  switch (format) {
    case 'r':
      return redeclaredAll((await import('./r/read-r.js')).readR(name, content, options), options)
    case 'xport':
      return redeclaredAll((await import('./sas/xport.js')).readXport(name, content, options), options)
    case 'excel':
      return redeclaredAll((await import('./excel/read-excel.js')).readExcel(name, content, options), options)
    default:
      return singleTable(await readSingle(name, content, format, options))
  }
}

async function readSingle(
  name: string,
  content: Uint8Array,
  format: Exclude<Format, 'r' | 'xport' | 'excel'>,
  options: ReadOptions,
): Promise<Table> {
  switch (format) {
    case 'csv':
      return readCsv(name, content, options)
    case 'tsv':
      return readCsv(name, content, { ...options, delimiter: options.delimiter ?? '\t' })
    case 'json':
      return readJson(name, content, options)
    case 'jsonl':
      return readJsonLines(name, content, options)
    // Loaded when first needed: these readers are larger than all others together.
    case 'parquet':
      return redeclared(await (await import('./parquet.js')).readParquet(name, content), options)
    case 'sas':
      return redeclared((await import('./sas/sas7bdat.js')).readSas(name, content, options), options)
    case 'arrow':
      return redeclared((await import('./arrow.js')).readArrow(name, content), options)
    case 'spss':
      return redeclared((await import('./spss/read.js')).readSpss(name, content, options), options)
    case 'stata':
      return redeclared((await import('./stata/read.js')).readStata(name, content, options), options)
  }
}

function detectFormat(name: string, bytes: Uint8Array): Format {
  if (isRFile(bytes)) return 'r'
  if (isXport(bytes)) return 'xport'
  if (isSas(bytes)) return 'sas'
  if (isZip(bytes)) return 'excel'
  const known = FORMAT_OF_MAGIC.find(([magic]) => startsWith(bytes, magic))
  if (known !== undefined) return known[1]
  const format = FORMAT_OF_EXTENSION.get(extensionOf(name)) ?? (startsLikeJson(bytes) ? 'json' : 'csv')
  return format === 'json' && twoLinesOfRecords(bytes) ? 'jsonl' : format
}

function extensionOf(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? ''
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  for (let at = 0; at < magic.length; at++) if (bytes[at] !== magic.charCodeAt(at)) return false
  return true
}

const [NEWLINE, BLANK, BRACKET, BRACE] = [10, 32, 91, 123]

function startsLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > BLANK)
  return first === BRACKET || first === BRACE
}

/** Many programs call their JSON lines `.json`; no JSON value has two lines that both begin an object at its top. */
function twoLinesOfRecords(bytes: Uint8Array): boolean {
  const newline = bytes.indexOf(NEWLINE)
  const beginsRecord = (line: Uint8Array) => line.find((byte) => byte > BLANK) === BRACE
  return newline >= 0 && beginsRecord(bytes.subarray(0, newline)) && beginsRecord(bytes.subarray(newline))
}

function redeclaredAll(contents: Contents, options: ReadOptions): Contents {
  return { ...contents, tables: contents.tables.map((one) => ({ ...one, table: redeclared(one.table, options) })) }
}

/** Columns of a typed format with the user's missing tokens and types put over what the file says. */
function redeclared(of: Table, options: ReadOptions): Table {
  checkDeclaredColumns(of.name, columnNames(of), options.types)
  const missing = new Set(options.missing)
  const reading: Reading = { table: of.name, missing: options.missing ?? [], decimals: ['.'] }
  return table(
    of.name,
    of.columns.map((column) => {
      const known = missing.size === 0 ? column : withoutTokens(column, missing)
      const spec = declaredType(options.types, column.name)
      if (spec === undefined || spec.kind === known.kind) return known
      return { ...declaredColumn(cellsOf(known), spec, reading), codebook: known.codebook }
    }),
  )
}

function withoutTokens(column: Column, missing: ReadonlySet<string>): Column {
  const isToken = (row: number) => !isMissing(column, row) && missing.has(String(valueAt(column, row)))
  if (column.kind !== 'categorical') {
    return { ...column, values: column.values.map((value, row) => (isToken(row) ? Number.NaN : value)) }
  }
  const levels = column.levels.filter((level) => !missing.has(level))
  const codeOf = new Map(levels.map((level, code) => [level, code]))
  const kept = column.levels.map((level) => codeOf.get(level) ?? MISSING_CODE)
  return { ...column, levels, codes: column.codes.map((code) => (code === MISSING_CODE ? code : kept[code])) }
}

function cellsOf(column: Column): Cells {
  const rows = column.kind === 'categorical' ? column.codes.length : column.values.length
  const codeOf = new Map<string, number>()
  const codes = new Int32Array(rows).fill(MISSING_CODE)
  for (let row = 0; row < rows; row++) {
    const value = valueAt(column, row)
    if (value === null) continue
    const text = String(value)
    codes[row] = codeOf.get(text) ?? codeOf.size
    if (codes[row] === codeOf.size) codeOf.set(text, codeOf.size)
  }
  return { name: column.name, codes, texts: [...codeOf.keys()], quoted: () => true }
}
