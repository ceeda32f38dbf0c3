import { join } from 'node:path'
import { tableFromArrays, tableToIPC } from '@uwdata/flechette'
import { gzipSync } from 'fflate'
import { toParquet } from '../../files/parquet/write-parquet.js'
import { isBinaryFormat } from '../../files/read.js'
import { toSpss } from '../../files/spss/write.js'
import { toStata } from '../../files/stata/write.js'
import { toCsv } from '../../files/write.js'
import { type Stream, stream } from '../../random/stream.js'
import { tableOf } from '../../table/table.js'
import { sas7bdat } from './sas7bdat.js'
import { fixture } from './seen.js'

/** Whole files of all formats, and the same with a few bytes changed, cut off, repeated or moved. */
export interface DamagedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

interface WholeFile extends DamagedFile {
  readonly rows: number
}

const ROWS = 40
const data = {
  sex: Array.from({ length: ROWS }, (_, row) => ['f', 'm', null][(row * 5) % 3]),
  age: Array.from({ length: ROWS }, (_, row) => 20 + ((row * 7) % 50)),
  income: Array.from({ length: ROWS }, (_, row) => (row % 9 === 0 ? null : row * 10.25)),
}

/** Made by R's haven, with labels, kinds of missing, dates and long texts; 6 records. */
const byR = ['people.sav', 'people-plain.sav', 'people.zsav', 'release113.dta', 'release117.dta', 'release118.dta'].map(
  (name) => ({ name, bytes: fixture(name, join(import.meta.dirname, '../labelled')), rows: 6 }),
)

/** Made by R's `saveRDS`, `save`, haven and openxlsx: every way of packing and writing; 12 and 5 records. */
const others = [
  ...[
    'people.rds',
    'people-bzip2.rds',
    'people-xz.rds',
    'people-plain.rds',
    'people-native.rds',
    'people-ascii.RData',
  ].map((name) => ({ name, rows: 12 })),
  ...['sas-v5.xpt', 'sas-v8.xpt', 'sas.sas7bdat', 'excel.xlsx'].map((name) => ({ name, rows: 5 })),
].map((file) => ({ ...file, bytes: fixture(file.name) }))

const sasColumns = Object.entries(data).map(([name, values]) => ({
  name,
  values: values.map((value) => value ?? '').some((value) => typeof value === 'string' && value !== '')
    ? values.map((value) => String(value ?? ''))
    : values.map((value) => (typeof value === 'number' ? value : Number.NaN)),
}))

export function wholeFiles(): readonly WholeFile[] {
  const table = tableOf('people', data)
  const text = (content: string) => new TextEncoder().encode(content)
  const csv = toCsv(table)
  const records = data.age.map((age, row) => JSON.stringify({ sex: data.sex[row], age, income: data.income[row] }))
  const arrow = (format: 'file' | 'stream') => tableToIPC(tableFromArrays(data), { format }) ?? new Uint8Array()
  const made = [
    { name: 'a.csv', bytes: text(csv) },
    { name: 'a.tsv', bytes: text(csv.replaceAll(',', '\t')) },
    { name: 'a.json', bytes: text(`[${records.join(',\n')}]`) },
    { name: 'a.jsonl', bytes: text(records.join('\n')) },
    { name: 'a.csv.gz', bytes: gzipSync(text(csv)) },
    { name: 'a.parquet', bytes: toParquet(table) },
    { name: 'a.arrow', bytes: arrow('file') },
    { name: 'a.arrows', bytes: arrow('stream') },
    { name: 'a.sav', bytes: toSpss(table) },
    { name: 'a.dta', bytes: toStata(table) },
    { name: 'a.sas7bdat', bytes: sas7bdat(sasColumns, { word: 8, little: true, compression: 'runs' }) },
    { name: 'a.sas7bdat', bytes: sas7bdat(sasColumns, { word: 4, little: false, compression: 'ross' }) },
  ]
  return [...made.map((file) => ({ ...file, rows: ROWS })), ...byR, ...others]
}

let made: readonly WholeFile[] | undefined

/** The `index`-th damaged file; every second one is binary. */
export function damagedFile(index: number): DamagedFile {
  const random = stream(1, 'damaged files', index)
  made ??= wholeFiles()
  const files = made
  const binary = files.filter(({ name, bytes }) => isBinaryFormat(name, bytes))
  const from = index % 2 === 0 ? binary : files
  const { name, bytes } = from[random.below(from.length)]
  let damaged: Uint8Array = bytes.slice()
  const times = 1 + random.below(4)
  for (let time = 0; time < times; time++) damaged = damage(damaged, random)
  return { name, bytes: damaged }
}

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff]

function damage(bytes: Uint8Array, random: Stream): Uint8Array {
  if (bytes.length === 0) return bytes
  const at = random.below(bytes.length)
  const length = 1 + random.below(Math.min(16, bytes.length - at))
  const changed = bytes.slice()
  switch (random.below(8)) {
    case 0:
      changed[at] ^= 1 << random.below(8)
      return changed
    case 1:
      changed[at] = EXTREMES[random.below(EXTREMES.length)]
      return changed
    case 2:
      return changed.fill(random.below(256), at, at + length)
    case 3:
      return changed.subarray(0, at)
    case 4:
      return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + length)])
    case 5:
      return Uint8Array.from([...bytes.subarray(0, at + length), ...bytes.subarray(at)])
    case 6:
      // Where a count or a length may be, a large one.
      for (let k = 0; k < 4 && at + k < bytes.length; k++) changed[at + k] = [0xff, 0xff, 0xff, 0x7f][k]
      return changed
    default:
      // Near the end, where the footers of binary formats are.
      changed[Math.max(0, bytes.length - 1 - random.below(200))] = random.below(256)
      return changed
  }
}
