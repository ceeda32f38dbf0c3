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

/** Records as they come, and where they were looked at elsewhere how many of them have the value of a query. */
export type Scanning = AsyncIterable<Batch & { readonly equal?: readonly number[] }>

/** Records with their numbers. */
type Numbered = Required<Batch>

interface Named {
  readonly near: Numbered
  readonly equal: readonly number[]
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
  let least = nothingFound(lists)
  let named: Numbered[] = []
  const [here, elsewhere]: number[][] = [[], []]

  const lookAt = async (parts: readonly (readonly Numbered[])[]) => {
    const asked = parts.map((batches) => ({ part: code(batches), least }))
    const found = await tasks.map(scanTask, question, asked, { beside: true })
    least = leastOf(lists, [least, ...found.map((part) => part.least)])
    for (const { equal } of found) addTo(here, equal)
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
    if (batch.equal !== undefined) addTo(elsewhere, batch.equal)
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
  return { near: onlyNear(named, question, most), equal: elsewhere.length > 0 ? elsewhere : here }
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

function addTo(sums: number[], part: ArrayLike<number>): void {
  for (let k = 0; k < part.length; k++) sums[k] = (sums[k] ?? 0) + part[k]
}
