import type { Table } from '../table/table.js'
import type { Contents } from './contents.js'
import { readCsv } from './csv.js'
import { readJson, readJsonLines } from './json.js'
import type { ReadOptions } from './read.js'

/** The formats of files: how each is recognised, and what reads it. A new format is one more name and one more entry here. */
type TextFormat = 'csv' | 'tsv' | 'json' | 'jsonl'
type BinaryFormat = 'parquet' | 'arrow' | 'spss' | 'stata' | 'r' | 'xport' | 'sas' | 'excel'
export type Format = TextFormat | BinaryFormat

type Read<Result> = (name: string, bytes: Uint8Array, options: ReadOptions) => Result

interface TextReader {
  readonly extensions: readonly string[]
  readonly read: Read<Table>
}

interface BinaryReader {
  /** What a damaged file cannot be read as. */
  readonly title: string
  readonly extensions: readonly string[]
  /** Whether a file begins as those of the format do. */
  readonly begins: (bytes: Uint8Array) => boolean
  /** Throws `Damaged`, or whatever somebody else's program throws, at bytes that are not of the format. */
  readonly read: Read<Promise<Table | Contents>>
  /** Whether one file may be all that a command needs. */
  readonly holdsSeveral?: true
}

export const TEXT_FORMATS: Readonly<Record<TextFormat, TextReader>> = {
  csv: { extensions: ['csv', 'txt'], read: readCsv },
  tsv: {
    extensions: ['tsv', 'tab'],
    read: (name, bytes, options) => readCsv(name, bytes, { ...options, delimiter: options.delimiter ?? '\t' }),
  },
  json: { extensions: ['json'], read: readJson },
  jsonl: { extensions: ['jsonl', 'ndjson'], read: readJsonLines },
}

/** Loaded when first needed: these readers are larger than all others together. */
export const BINARY_FORMATS: Readonly<Record<BinaryFormat, BinaryReader>> = {
  parquet: {
    title: 'Parquet',
    extensions: ['parquet', 'pq'],
    begins: beginsWith('PAR1'),
    read: async (...file) => (await import('./parquet/parquet.js')).readParquet(...file),
  },
  arrow: {
    title: 'Arrow',
    extensions: ['arrow', 'arrows', 'feather', 'ipc'],
    begins: beginsWith('ARROW1', '\xff\xff\xff\xff'),
    read: async (...file) => (await import('./arrow/arrow.js')).readArrow(...file),
  },
  spss: {
    title: 'SPSS',
    extensions: ['sav', 'zsav'],
    begins: beginsWith('$FL2', '$FL3'),
    read: async (...file) => (await import('./spss/read.js')).readSpss(...file),
  },
  stata: {
    title: 'Stata',
    extensions: ['dta'],
    begins: beginsWith('<stata_dta>'),
    read: async (...file) => (await import('./stata/read.js')).readStata(...file),
  },
  r: {
    title: 'an R file',
    extensions: ['rds', 'rda', 'rdata'],
    // Files of `save` begin in a word and a version, those of `saveRDS` in a letter and a version, its bytes either way round.
    begins: beginsWith(
      /^RD[XBA][23]\n|^A\n[23]\n\d/,
      ...['\x02', '\x03'].flatMap((version) => [`X\n\0\0\0${version}`, `B\n\0\0\0${version}`, `B\n${version}\0\0\0`]),
    ),
    read: async (...file) => (await import('./r/read-r.js')).readR(...file),
    holdsSeveral: true,
  },
  xport: {
    title: 'a SAS transport file',
    extensions: ['xpt', 'xport'],
    begins: beginsWith(/^HEADER RECORD\*{7}(LIBRARY|LIBV8) /),
    read: async (...file) => (await import('./sas/xport.js')).readXport(...file),
  },
  sas: {
    title: 'a SAS data set',
    extensions: ['sas7bdat'],
    begins: beginsWith(`${'\0'.repeat(12)}\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0`),
    read: async (...file) => (await import('./sas/sas7bdat.js')).readSas(...file),
  },
  excel: {
    title: 'an Excel workbook',
    extensions: ['xlsx', 'xlsm'],
    // Workbooks are ZIP archives.
    begins: beginsWith('PK\x03\x04'),
    read: async (...file) => (await import('./excel/read-excel.js')).readExcel(...file),
    holdsSeveral: true,
  },
}

const LONGEST_SIGNATURE = 40

/** Whether the first bytes, each as the character of its number, are one of these texts. */
export function beginsWith(...signatures: readonly (string | RegExp)[]): (bytes: Uint8Array) => boolean {
  return (bytes) => {
    const first = String.fromCharCode(...bytes.subarray(0, LONGEST_SIGNATURE))
    return signatures.some((signature) =>
      typeof signature === 'string' ? first.startsWith(signature) : signature.test(first),
    )
  }
}

const FORMAT_OF_EXTENSION = new Map(
  Object.entries({ ...TEXT_FORMATS, ...BINARY_FORMATS }).flatMap(([format, { extensions }]) =>
    extensions.map((extension) => [extension, format as Format] as const),
  ),
)

export function formatOfName(name: string): Format | undefined {
  return FORMAT_OF_EXTENSION.get(/\.([^./\\]+)$/.exec(name)?.[1].toLowerCase() ?? '')
}

/** Files that may hold an original and its releases, by their names. */
export function mayHoldSeveral(name: string): boolean {
  const format = formatOfName(name)
  return format !== undefined && isBinary(format) && BINARY_FORMATS[format].holdsSeveral === true
}

/** By the first bytes, else by the name, else JSON where it begins like JSON. */
export function detectFormat(name: string, bytes: Uint8Array): Format {
  const known = Object.entries(BINARY_FORMATS).find(([, { begins }]) => begins(bytes))
  if (known !== undefined) return known[0] as BinaryFormat
  const format = formatOfName(name) ?? (startsLikeJson(bytes) ? 'json' : 'csv')
  return format === 'json' && twoLinesOfRecords(bytes) ? 'jsonl' : format
}

export function isBinary(format: Format): format is BinaryFormat {
  return format in BINARY_FORMATS
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
