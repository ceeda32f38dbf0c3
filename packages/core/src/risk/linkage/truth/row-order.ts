import type { Context } from '../../../measure.js'
import { space, sumBetween } from '../../../neighbors/space.js'
import { someRows } from '../../../random/sampling.js'
import type { Stream } from '../../../random/stream.js'
import { mean, standardDeviation } from '../../../stats/sums.js'
import { selectRows, type Table } from '../../../table/table.js'

/** Rows that are compared with their own and with others. */
const COMPARED_ROWS = 5000
const OTHER_ROWS = 8
/** How many standard errors nearer than others the own row must be. */
const CLEARLY = 3
export const NO_CORRESPONDENCE =
  'row i of the release is no more like row i of the original than other rows are; if the rows were put into another order, nothing can be said'

/** A file and the release of it, or some rows of both. */
export type BothFiles = readonly [original: Table, released: Table]

export function comparedRows(rows: number, random: Context['random']): Int32Array {
  return someRows(rows, COMPARED_ROWS, () => random('compared rows'))
}

export function comparedIn([original, released]: BothFiles, random: Context['random']): BothFiles {
  const rows = comparedRows(original.rows, random)
  return rows.length === original.rows ? [original, released] : [selectRows(original, rows), selectRows(released, rows)]
}

/** Were the rows of the release reordered, every find would be scored against the wrong person. */
export function rowsCorrespond(variables: readonly string[], compared: BothFiles, random: Stream): boolean {
  const n = compared[0].rows
  const all = space(compared, variables, [0], { clip: false })
  const [originals, released] = all.ids
  if (n < 2 || all.columns.length === 0) return true
  const nearer = Float64Array.from(originals, (point, row) => {
    let others = 0
    for (let k = 0; k < OTHER_ROWS; k++)
      others += sumBetween(all, point, released[(row + 1 + random.below(n - 1)) % n]) / OTHER_ROWS
    return others - sumBetween(all, point, released[row])
  })
  const gap = mean(nearer) ?? 0
  // All rows of the release are as far: there is nothing that another order would hide.
  if (nearer.every((difference) => Math.abs(difference) < 1e-9)) return true
  return gap > 0 && gap >= (CLEARLY * (standardDeviation(nearer) ?? 0)) / Math.sqrt(n)
}
