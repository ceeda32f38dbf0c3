import { NotApplicable } from '../../../errors.js'
import type { Context, Subject } from '../../../measure.js'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import type { ColumnSets } from '../../../risk/article29/column-sets.js'
import { tableOfPart } from '../../../table/classes.js'
import type { Column } from '../../../table/column.js'
import { columnOf, selectRows, type Table } from '../../../table/table.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { completeRecords } from '../membership/complete-records.js'

/**
 * Linkability as riskutility 0.2.0 has it, for comparison only: the other way round. A released record is a success when
 * the original record nearest to it on A, the first in the file if several are, is among the k nearest on B. The same
 * against the holdout is the control, although a link by chance is the likelier the fewer records there are to choose
 * from. Complete records; VIM's distance, Σ |x / r - y / r| with r the range of the two tables, categories as numbers.
 * Which of equally far records is nearer is decided by the last bit of these sums, so they are added up as VIM does, one
 * pair of records after the other.
 */
export function reversedLinks(
  context: Context,
  { release, part }: Subject,
  columns: ColumnSets,
  most: number,
  attacks: number | null,
) {
  const names = [...columns.columnsA, ...columns.columnsB]
  const complete = (file: Table) => {
    const rows = completeRecords(file, names)
    if (rows.rows === 0) throw new NotApplicable(`${file.name} has no complete record`)
    return rows
  }
  const all = complete(tableOfPart(release, part))
  const released =
    attacks === null || attacks >= all.rows
      ? all
      : selectRows(all, sampleWithoutReplacement(context.random('released'), all.rows, attacks).sort())
  const against = (file: Table) => successes(context, released, complete(file), columns, most)
  return {
    released: released.rows,
    /** Successes for k from 1 on. */
    original: against(release.original),
    holdout: release.holdout === null ? null : against(release.holdout),
  }
}

function successes(context: Context, released: Table, real: Table, { columnsA, columnsB }: ColumnSets, most: number) {
  const [onA, onB] = [columnsA, columnsB].map((names) => distances(released, real, names))
  const counts = new Int32Array(most)
  for (let query = 0; query < released.rows; query++) {
    throwIfAborted(context.signal)
    const nearest = firstLeast(onA(query))
    for (let k = placeOf(nearest, onB(query)); k < most; k++) counts[k]++
    context.progress(query + 1, released.rows)
  }
  return counts
}

/** From a released record to every real one; the array is filled anew by every call. */
function distances(released: Table, real: Table, names: readonly string[]): (query: number) => Float64Array {
  const columns = names.map((name) => scaled(columnOf(released, name), columnOf(real, name)))
  const sums = new Float64Array(real.rows)
  return (query) => {
    sums.fill(0)
    for (const { from, to } of columns)
      for (let row = 0; row < to.length; row++) sums[row] += Math.abs(from[query] - to[row])
    return sums
  }
}

function scaled(released: Column, real: Column) {
  const [from, to] = [released, real].map((column) =>
    column.kind === 'categorical' ? Float64Array.from(column.codes, (code) => code + 1) : column.values,
  )
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const values of [from, to]) {
    for (const value of values) {
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  }
  const range = high > low ? high - low : 1
  return { from: from.map((value) => value / range), to: to.map((value) => value / range) }
}

function firstLeast(values: Float64Array): number {
  let least = 0
  for (let row = 1; row < values.length; row++) if (values[row] < values[least]) least = row
  return least
}

/** How many come before a row in a stable order. */
function placeOf(row: number, values: Float64Array): number {
  let before = 0
  for (let other = 0; other < values.length; other++)
    if (values[other] < values[row] || (values[other] === values[row] && other < row)) before++
  return before
}
