import { extname } from 'node:path'
import {
  checkSpssNames,
  checkStataNames,
  csvChunks,
  type Table,
  toParquet,
  toSpss,
  toStata,
  UserError,
} from '@scrim/core'
import type { Io } from '../io.js'
import { STANDARD } from './files.js'
import { type Content, writeOutput } from './outputs.js'

/** Help for a flag that names a table to write. */
export const TABLE_FILE =
  'file to write, as CSV or, if it ends in .parquet, .sav or .dta, as Parquet, SPSS or Stata; - for stdout'

const csv = (table: Table, { safeCsv }: Io) => csvChunks(table, { unlikeFormulas: safeCsv })

const FORMATS: Readonly<Record<string, (table: Table, io: Io) => Content>> = {
  '': csv,
  '.csv': csv,
  '.txt': csv,
  '.parquet': toParquet,
  '.pq': toParquet,
  '.sav': toSpss,
  '.dta': toStata,
}

/** The ending says how a table is written; to be asked before the table is made. */
export function checkTableFile(name: string): void {
  formatOf(name)
}

/** What programs take no table with such columns; to be asked before anything is made of the table. */
export function checkColumnNames(name: string, table: Table): void {
  const check = { '.sav': checkSpssNames, '.dta': checkStataNames }[extname(name).toLowerCase()]
  if (check !== undefined) told(name, () => check(table))
}

/** Whether files of this ending keep what the values stand for. */
export function hasLabels(name: string): boolean {
  return ['.sav', '.dta'].includes(extname(name).toLowerCase())
}

export function writeTable(name: string, table: Table, io: Io): void {
  writeOutput(
    name,
    told(name, () => formatOf(name)(table, io)),
    io,
  )
}

function formatOf(name: string): (table: Table, io: Io) => Content {
  const ending = name === STANDARD ? '' : extname(name).toLowerCase()
  const format = Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
  if (format === undefined)
    throw new UserError(
      `cannot write ${name}: tables are written as CSV (.csv), Parquet (.parquet), SPSS (.sav) or Stata (.dta), not as ${ending}`,
    )
  return format
}

function told<Result>(name: string, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(error.problems.map((problem) => `cannot write ${name}: ${problem}`))
  }
}
