import { oncePer } from '../../once.js'
import type { Task } from '../../tasks/task.js'
import { type BitsQuestion, bitCoder, bitLists, bitScan } from './bit-scan.js'
import { type DistanceQuestion, distanceCoder, distanceLists, distanceScan } from './distance-scan.js'
import { type DrawQuestion, drawCoder, drawLists, drawScan } from './draw-scan.js'
import type { Lists } from './least.js'
import { type PredicateQuestion, predicateCoder, predicateLists, predicateScan } from './predicate-scan.js'

/**
 * What is asked of all records of a table that need not be in memory: which of them are among the k nearest of some others, the
 * queries, ties included; which are drawn; or for how many of them predicates hold. All values are plain, so that the question can
 * be sent to where the records are. A part of the table may name too many of its records, since it knows no other part, but never too
 * few: a measure on the records named is the measure on all.
 */
export type RecordQuestion = DistanceQuestion | BitsQuestion | DrawQuestion | PredicateQuestion

/** Records as engines give them, column by column. */
export interface Records {
  readonly rows: number
  readonly columns: readonly ArrayLike<unknown>[]
}

/** Records as they are looked at, on any thread: codes, or numbers. */
export interface RecordPart {
  readonly rows: number
  readonly columns: readonly ArrayLike<number>[]
}

export interface Looked {
  /** Rows of the records that are named, ascending. */
  readonly rows: Int32Array
  /** What was found in this part for each query, as far as it is less than what was found before. */
  readonly least: Float64Array
  /** By distance, how many of the records have the values of a query: query by query, set by set of columns. Of predicates, how many each holds for. */
  readonly equal: Float64Array
}

/** Looks at a part of the records, knowing the least that was found in others. */
export type RecordScan = (part: RecordPart, least: Float64Array) => Looked

export function recordCoder(question: RecordQuestion): (records: readonly Records[]) => RecordPart {
  const code = coderOf(question)
  return (records) =>
    code(
      records,
      records.reduce((sum, part) => sum + part.rows, 0),
    )
}

function coderOf(question: RecordQuestion): (records: readonly Records[], rows: number) => RecordPart {
  if ('draw' in question) return drawCoder(question)
  if ('groups' in question) return predicateCoder(question)
  const code = 'pools' in question ? bitCoder(question) : distanceCoder(question)
  return (records, rows) => ({ rows, columns: question.columns.map((_, j) => code(j, records, rows)) })
}

export function recordScan(question: RecordQuestion): RecordScan {
  if ('draw' in question) return drawScan(question)
  if ('groups' in question) return predicateScan(question)
  return 'pools' in question ? bitScan(question) : distanceScan(question)
}

/** What is kept of what was found, to be looked at beside other parts. */
export function listsOf(question: RecordQuestion): readonly Lists[] {
  if ('draw' in question) return drawLists(question)
  if ('groups' in question) return predicateLists(question)
  return 'pools' in question ? bitLists(question.pools) : distanceLists(question)
}

/** Whether records that are equal in all columns asked about are looked at once. */
export function isOnce(question: RecordQuestion): boolean {
  return 'once' in question && question.once === true
}

/** Whether records are named, and not only how near they are. */
export function isNaming(question: RecordQuestion): boolean {
  return !('isNamed' in question && question.isNamed === false)
}

interface PartAsked {
  readonly part: RecordPart
  readonly least: Float64Array
}

const scanOf = oncePer(recordScan)

export const scanTask: Task<RecordQuestion, PartAsked, Looked> = {
  name: 'neighbors/scan',
  run: (question, { part, least }) => scanOf(question)(part, least),
}
