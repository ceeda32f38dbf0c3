import { UserError } from '../errors.js'
import { type Column, isMissing, MISSING_CODE, valueAt } from '../table/column.js'
import { type Table, table } from '../table/table.js'
import { damage } from './bytes/damage.js'
import type { Encoding } from './bytes/encoding.js'
import { type Contents, onlyTable, singleTable } from './contents.js'
import {
  BINARY_FORMATS,
  beginsWith,
  detectFormat,
  type Format,
  formatOfName,
  isBinary,
  TEXT_FORMATS,
} from './formats.js'
import { type Cells, type DecimalMark, declaredColumn, type Reading } from './infer.js'
import type { LabelsChoice } from './labelled.js'
import { checkSize } from './packed/limit.js'
import { isPacked, unpack, withoutPacking } from './packed/unpack.js'
import { codedTexts } from './texts.js'
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
  /** Bytes that the file may have, unpacked and in memory. Default: 2 GB, and less where it packs as no table does. */
  readonly maxSize?: number | undefined
}

/** Files that statisticians have and scrim cannot read. */
const FOREIGN = [
  { begins: beginsWith('\xd0\xcf\x11\xe0'), what: 'an old Excel workbook, or one with a password' },
  { begins: beginsWith('SQLite format 3'), what: 'an SQLite database' },
  { begins: beginsWith('FEA1'), what: 'a Feather file of version 1' },
]

/** Formats whose readers are other people's programs on whatever bytes there are: best run where they can be stopped. */
export function isBinaryFormat(name: string, bytes: Uint8Array, { format }: ReadOptions = {}): boolean {
  const plain = withoutPacking(name)
  return isBinary(format ?? (isPacked(bytes) ? formatOfName(plain) : detectFormat(plain, bytes)) ?? 'csv')
}

/** The one table of a file. */
export async function readTable(name: string, bytes: Uint8Array, options: ReadOptions = {}): Promise<Table> {
  return onlyTable(name, await readContents(name, bytes, options))
}

/** All tables of a file, and what it says that they are for. */
export async function readContents(name: string, bytes: Uint8Array, options: ReadOptions = {}): Promise<Contents> {
  checkSize(name, bytes.length, options.maxSize)
  const content = unpack(name, bytes, options.maxSize)
  const foreign = FOREIGN.find(({ begins }) => begins(content))
  if (foreign !== undefined && options.format === undefined)
    throw new UserError(`${name}: is ${foreign.what}; save it as CSV or Parquet`)
  const format = options.format ?? detectFormat(withoutPacking(name), content)
  if (!isBinary(format)) return singleTable(TEXT_FORMATS[format].read(name, content, options))
  const { title, read } = BINARY_FORMATS[format]
  const held = await read(name, content, options).catch((error: unknown) => {
    throw error instanceof UserError ? error : new UserError(`${name}: cannot be read as ${title}: ${damage(error)}`)
  })
  const contents = 'tables' in held ? held : singleTable(held)
  return { ...contents, tables: contents.tables.map((held) => ({ ...held, table: redeclared(held.table, options) })) }
}

/** Columns of a typed format with the user's missing tokens and types put over what the file says. */
function redeclared({ name, columns }: Table, options: ReadOptions): Table {
  checkDeclaredColumns(
    name,
    columns.map((column) => column.name),
    options.types,
  )
  return table(
    name,
    columns.map((column) => redeclaredColumn(column, options, name)),
  )
}

/** `owner` is what the user calls the table. */
export function redeclaredColumn(column: Column, options: ReadOptions, owner: string): Column {
  const missing = new Set(options.missing)
  const reading: Reading = { table: owner, missing: options.missing ?? [], decimals: ['.'] }
  const known = missing.size === 0 ? column : withoutTokens(column, missing)
  const spec = declaredType(options.types, column.name)
  const declaresLevels = spec?.kind === 'categorical' && spec.levels !== undefined
  if (spec === undefined || (spec.kind === known.kind && !declaresLevels)) return known
  return { ...declaredColumn(cellsOf(known), spec, reading), codebook: known.codebook }
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
  const textAt = (row: number) => {
    const value = valueAt(column, row)
    return value === null ? null : String(value)
  }
  return { name: column.name, ...codedTexts(rows, textAt), quoted: () => true }
}
