import {
  leastOf,
  listsOf,
  nothingFound,
  type RecordQuestion,
  recordCoder,
  recordScan,
  scanTask,
  type TaskRunner,
  tooManyNear,
} from '@scrim/core'
import type { Batch } from './engine.js'

/** Records as they come, and where they were looked at elsewhere what was found in them. */
export type Scanning = AsyncIterable<Batch & { readonly found?: Found }>

/** How many records have the values of a query, and the least that was found for each. */
export interface Found {
  readonly equal: Float64Array
  readonly least: Float64Array
}

/** Records with their numbers. */
type Numbered = Required<Batch>

interface Named extends Found {
  readonly near: Numbered
}

/** Records that are looked at together. */
const AT_ONCE = 1 << 17

/**
 * Every record is looked at, one part after the other or as many parts at a time as there are threads, while the next ones are read: memory
 * holds these and what was named so far. Parts name too many, not knowing the later ones: what they named is looked at once more among
 * itself.
 */
export async function scanRecords(
  records: Scanning,
  question: RecordQuestion,
  most: number,
  tasks: TaskRunner,
): Promise<Named> {
  const code = recordCoder(question)
  const lists = listsOf(question)
  const none = { equal: new Float64Array(), least: nothingFound(lists) }
  let [here, elsewhere]: Found[] = [none, none]
  let named: Numbered[] = []
  const together = (before: Found, parts: readonly Found[]): Found => ({
    equal: parts.reduce((sums, { equal }) => added(sums, equal), before.equal),
    least: leastOf(lists, [before.least, ...parts.map(({ least }) => least)]),
  })

  const lookAt = async (parts: readonly (readonly Numbered[])[]) => {
    const asked = parts.map((batches) => ({ part: code(batches), least: here.least }))
    const found = await tasks.map(scanTask, question, asked, { beside: true })
    here = together(here, found)
    named.push(...parts.map((batches, k) => picked(batches, found[k].rows)))
    if (rowsIn(named) > 2 * most) named = [onlyNear(named, question, most)]
  }

  let waiting: Numbered[] = []
  let parts: Numbered[][] = []
  let underWay = Promise.resolve()
  const lookAtParts = async () => {
    await underWay
    underWay = lookAt(parts)
    // Whoever waits for it next is told what went wrong.
    underWay.catch(() => {})
    parts = []
  }
  let next = 0
  for await (const batch of records) {
    if (batch.found !== undefined) elsewhere = together(elsewhere, [batch.found])
    waiting.push({ ...batch, numbers: batch.numbers ?? Int32Array.from({ length: batch.rows }, countingFrom(next)) })
    next += batch.rows
    if (rowsIn(waiting) < AT_ONCE) continue
    parts.push(waiting)
    waiting = []
    if (parts.length === tasks.threads) await lookAtParts()
  }
  parts.push(waiting)
  await lookAtParts()
  await underWay
  return { near: onlyNear(named, question, most), ...(elsewhere === none ? here : elsewhere) }
}

const countingFrom = (first: number) => (_: unknown, row: number) => first + row

function onlyNear(named: readonly Numbered[], question: RecordQuestion, most: number): Numbered {
  const near = picked(named, recordScan(question)(recordCoder(question)(named), nothingFound(listsOf(question))).rows)
  if (near.rows > most) throw tooManyNear(most)
  return near
}

export function rowsIn(batches: readonly Batch[]): number {
  return batches.reduce((sum, { rows }) => sum + rows, 0)
}

/** Some rows of batches, one after the other; ascending. */
function picked(batches: readonly Numbered[], rows: Int32Array): Numbered {
  const width = batches.find((batch) => batch.rows > 0)?.columns.length ?? 0
  const columns = Array.from({ length: width }, (): unknown[] => [])
  const numbers: number[] = []
  let [first, at] = [0, 0]
  for (const batch of batches) {
    for (; at < rows.length && rows[at] < first + batch.rows; at++) {
      const row = rows[at] - first
      numbers.push(batch.numbers[row])
      for (let j = 0; j < width; j++) columns[j].push(batch.columns[j][row])
    }
    first += batch.rows
  }
  return { rows: rows.length, numbers, columns }
}

function added(sums: Float64Array, part: Float64Array): Float64Array {
  return sums.length === 0 ? part : sums.map((sum, k) => sum + part[k])
}
