import { UserError } from '../errors.js'
import { sizeText } from '../files/packed/limit.js'

/** What a table takes, by its size alone. */
export interface Sized {
  readonly rows: number
  readonly columns: number
}

/** The program itself, and what it holds whatever the data are. */
const PROGRAM = 250e6
/**
 * By the peaks of quick runs on 200,000 and 1,000,000 records of 12 columns. For each cell: its value and its code, its place in
 * a space with two indexes, and what is being sorted or counted. Threads share all of it, so that their number is no matter.
 * To that comes what they are done with and have not collected yet: several times what few cells need, and no more than so much.
 */
const PER_CELL = 45
const PER_CELL_OF_FEW = 100
const NOT_COLLECTED = 360e6

/** About how many bytes an assessment takes at its peak. */
export function memoryNeeded(tables: readonly Sized[]): number {
  const cells = tables.reduce((sum, { rows, columns }) => sum + rows * columns, 0)
  return PROGRAM + Math.min(PER_CELL_OF_FEW * cells, NOT_COLLECTED + PER_CELL * cells)
}

/** How many records of a table are looked at where all do not fit. */
const SAMPLE = 100_000

/** How many records of each table are to be looked at: so many as were asked for, all where they fit into memory, or a sample. */
export function sampleFor(tables: readonly Sized[], allowed: number, asked: number | undefined): number {
  if (asked !== undefined) return asked
  return memoryNeeded(tables) > allowed ? SAMPLE : Number.POSITIVE_INFINITY
}

/** For each combination of values in a table of counts, by what it takes to fetch, sort and group them: 320 bytes of two columns, measured. */
const PER_COMBINATION = 400

/** Numbers of a single column that take as much as one combination: 190 bytes each, measured on files of 1,000,000 and 2,000,000. */
export const NUMBERS_PER_COMBINATION = 2

/** How many combinations a table may have that is counted, in half of the memory. */
export function mostCombinations(tables: number, allowed: number): number {
  return Math.floor(allowed / 2 / PER_COMBINATION / tables)
}

/** Below this nothing need be said. */
const LARGE = 1e9

/** To be asked before a run: what it needs, in words where it is much; an error where there is less. */
export function checkMemory(tables: readonly Sized[], allowed: number): string | null {
  const needed = memoryNeeded(tables)
  if (needed > allowed)
    throw new UserError(
      `this run needs about ${sizeText(needed)} of memory, and ${sizeText(allowed)} are allowed: allow more with --memory, or take a sample of the records or fewer columns`,
    )
  return needed < LARGE ? null : `needs about ${sizeText(needed)} of memory`
}
