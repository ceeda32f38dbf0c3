import { type Column, columnLength, isMissing } from '../table/column.js'
import { stepOf } from '../table/precision.js'
import type { Release } from '../table/release.js'
import { findColumn } from '../table/table.js'

/** A column that the release has on a coarser scale, with how many values there were and are. */
export interface CoarserColumn {
  readonly column: string
  readonly original: number
  readonly released: number
}

/** A step that much larger is no accident of which values were drawn. */
const TIMES_THE_STEP = 2

/**
 * Columns that were rounded or recoded: numbers that lie on a larger step than those of the original, and categories that became
 * fewer with some of them new. Blind to levels that were merged into one that was there before: a sample may lack a level too.
 */
export function coarserColumns({ original, released, variables }: Release, part: number): CoarserColumn[] {
  return variables.flatMap((name) => {
    const [before, after] = [findColumn(original, name), findColumn(released[part], name)]
    if (before === undefined || after === undefined) return []
    const [from, to] = [valuesIn(before), valuesIn(after)]
    const isCoarser = to.size > 1 && to.size < from.size && (isRounded(before, after) || isRecoded(after, from, to))
    return isCoarser ? [{ column: name, original: from.size, released: to.size }] : []
  })
}

function isRounded(before: Column, after: Column): boolean {
  const step = stepOf(after)
  const own = stepOf(before)
  return step !== null && before.kind === 'numeric' && (own === null || step >= TIMES_THE_STEP * own)
}

function isRecoded(after: Column, from: ReadonlySet<number>, to: ReadonlySet<number>): boolean {
  return after.kind === 'categorical' && [...to].some((code) => !from.has(code))
}

/** Codes mean the same in both files. */
function valuesIn(column: Column): ReadonlySet<number> {
  const seen = new Set<number>()
  for (let row = 0; row < columnLength(column); row++)
    if (!isMissing(column, row)) seen.add(column.kind === 'categorical' ? column.codes[row] : column.values[row])
  return seen
}
