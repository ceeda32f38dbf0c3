import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { CannotScan, inline, isNaming, type RecordQuestion } from '@scrim/core'
import { type Scanning, scanRecords } from './scan.js'

/**
 * What Spark runs with Node for every partition of a table: lines of a record as JSON, its file and its place in there come in, those of
 * the records that are named go out, and then one line with what else was found; or one line with the reason why nothing was looked at.
 * What is asked lies beside this file, as JSON.
 */
export interface AskedOfExecutors {
  readonly question: RecordQuestion
  /** A partition that names more records is refused. */
  readonly most: number
}

const { question, most }: AskedOfExecutors = JSON.parse(readFileSync(`${process.argv[1]}.json`, 'utf8'))

const LINES_AT_ONCE = 8192

async function* recordsIn(lines: AsyncIterable<string>): Scanning {
  let waiting: string[] = []
  for await (const line of lines) {
    waiting.push(line)
    if (waiting.length < LINES_AT_ONCE) continue
    yield batchOf(waiting)
    waiting = []
  }
  yield batchOf(waiting)
}

/** The values of the records, and the lines themselves. */
function batchOf(lines: readonly string[]) {
  const records = lines.map((line) => Object.values(JSON.parse(line.slice(0, line.indexOf('\t')))))
  return {
    rows: lines.length,
    columns: [...question.columns.map((_, j) => records.map((record) => record[j])), lines],
  }
}

const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
try {
  const { near, equal, least } = await scanRecords(recordsIn(lines), question, most, inline)
  for (const line of Array.from(near.columns.at(-1) ?? [])) process.stdout.write(`${line}\t\n`)
  // Of the records that were named it is found again.
  const found = { equal: Array.from(equal), least: isNaming(question) ? [] : Array.from(least) }
  process.stdout.write(`\t\t\t${JSON.stringify(found)}\n`)
} catch (error) {
  if (!(error instanceof CannotScan)) throw error
  // Spark takes a program that does not read to the end for one that failed.
  process.stdin.resume()
  process.stdout.write(`\t\t\t${JSON.stringify(error.message)}\n`)
}
