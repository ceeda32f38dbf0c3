import { extname } from 'node:path'
import { csvChunks, type Table, toParquet, UserError } from '@scrim/core'
import { STANDARD } from './files.js'
import type { Io } from './io.js'
import { type Content, writeOutput } from './outputs.js'

/** Help for a flag that names a table to write. */
export const TABLE_FILE = 'file to write, as CSV or, if it ends in .parquet, as Parquet; - for stdout'

const FORMATS: Readonly<Record<string, (table: Table) => Content>> = {
  '': csvChunks,
  '.csv': csvChunks,
  '.txt': csvChunks,
  '.parquet': toParquet,
  '.pq': toParquet,
}

/** The ending says how a table is written; to be asked before the table is made. */
export function checkTableFile(name: string): void {
  formatOf(name)
}

export function writeTable(name: string, table: Table, io: Io): void {
  writeOutput(name, formatOf(name)(table), io)
}

function formatOf(name: string): (table: Table) => Content {
  const ending = name === STANDARD ? '' : extname(name).toLowerCase()
  const format = Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
  if (format === undefined)
    throw new UserError(
      `cannot write ${name}: tables are written as CSV (.csv) or Parquet (.parquet), not as ${ending}`,
    )
  return format
}
