import { type RecordQuestion, recordScan, tooManyNear } from '@scrim/core'
import type { Batch } from './engine.js'

/** Records as they come, and where they were looked at elsewhere how many of them have the value of a query. */
export type Scanning = AsyncIterable<Batch & { readonly equal?: readonly number[] }>

/** Records with their numbers. */
type Numbered = Required<Batch>

interface Named {
  readonly near: Numbered
  readonly equal: Float64Array
}

/** Records that are looked at together. */
const AT_ONCE = 1 << 17

/**
 * Every record is looked at, one part after the other, so that memory holds no more than a part and what was named so far. Parts name
 * too many, not knowing the later ones: what they named is looked at once more among itself.
 */
export async function scanRecords(records: Scanning, question: RecordQuestion, most: number): Promise<Named> {
  const { look, equal } = recordScan(question)
  let waiting: Numbered[] = []
  let named: Numbered[] = []
  const lookAtWaiting = () => {
    const part = oneBatch(waiting)
    named.push(picked(part, look(part.columns, part.rows)))
    waiting = []
    if (rowsIn(named) > 2 * most) named = [onlyNear(named, question, most)]
  }
  const elsewhere: (readonly number[])[] = []
  let next = 0
  for await (const batch of records) {
    if (batch.equal !== undefined) elsewhere.push(batch.equal)
    const first = next
    const numbers = batch.numbers ?? Int32Array.from({ length: batch.rows }, (_, row) => first + row)
    next += batch.rows
    waiting.push({ ...batch, numbers })
    if (rowsIn(waiting) >= AT_ONCE) lookAtWaiting()
  }
  lookAtWaiting()
  return {
    near: onlyNear(named, question, most),
    equal:
      elsewhere.length === 0 ? equal : equal.map((_, k) => elsewhere.reduce((sum, counted) => sum + counted[k], 0)),
  }
}

function onlyNear(named: readonly Numbered[], question: RecordQuestion, most: number): Numbered {
  const all = oneBatch(named)
  const near = picked(all, recordScan(question).look(all.columns, all.rows))
  if (near.rows > most) throw tooManyNear(most)
  return near
}

function rowsIn(batches: readonly Batch[]): number {
  return batches.reduce((sum, { rows }) => sum + rows, 0)
}

function oneBatch(batches: readonly Numbered[]): Numbered {
  const rows = rowsIn(batches)
  const width = batches.find((batch) => batch.rows > 0)?.columns.length ?? 0
  const columns = Array.from({ length: width }, (_, j) => {
    const all = new Array<unknown>(rows)
    let at = 0
    for (const batch of batches) for (let row = 0; row < batch.rows; row++) all[at++] = batch.columns[j][row]
    return all
  })
  const numbers = new Int32Array(rows)
  let at = 0
  for (const batch of batches) {
    numbers.set(batch.numbers, at)
    at += batch.rows
  }
  return { rows, numbers, columns }
}

function picked({ numbers, columns }: Numbered, rows: Int32Array): Numbered {
  return {
    rows: rows.length,
    numbers: rows.map((row) => numbers[row]),
    columns: columns.map((column) => Array.from(rows, (row) => column[row])),
  }
}
