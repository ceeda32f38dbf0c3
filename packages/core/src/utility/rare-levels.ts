import { countIds } from '@scrim/kernels'
import { grouped } from '../print.js'
import { joinedCodes } from '../stats/joined.js'
import { columnOf, countedBy, type Table } from '../table/table.js'
import type { Pair } from './pair.js'

/**
 * Categories of very many levels. Most of a thousand levels have a handful of records, and what chance does to these hides
 * all else in a table; levels with fewer than five records in both files together are one level then, "rare".
 */
const MOST_LEVELS = 1000
const RARE = 5
const RARE_LABEL = 'rare'

export interface Levels {
  /** -1 is missing. */
  readonly codes: Int32Array
  readonly labels: readonly string[]
  /** How many records each code is of, where that is not one. */
  readonly times?: Int32Array | null
}

/** How many records the rows of files stand for, one file below the other; null where that is one each. */
export function joinedTimes(files: readonly Table[]): Int32Array | null {
  if (files.every(({ times }) => times === undefined)) return null
  return joinedCodes(files.map(({ rows, times }) => times ?? new Int32Array(rows).fill(1)))
}

/** The same levels, or, of more than a thousand that occur, with the rare ones together. */
export function withoutRareLevels({ codes, labels, times }: Levels): Levels {
  if (labels.length <= MOST_LEVELS) return { codes, labels }
  const counts = times ? countTimes(codes, times, labels.length) : countIds(codes, labels.length)
  if (counts.filter((count) => count > 0).length <= MOST_LEVELS) return { codes, labels }
  const kept = [...counts.keys()].filter((code) => counts[code] >= RARE)
  return withOnly({ codes, labels }, kept, RARE_LABEL)
}

function countTimes(codes: Int32Array, times: Int32Array, levels: number): Int32Array {
  const counts = new Int32Array(levels)
  for (let row = 0; row < codes.length; row++) if (codes[row] >= 0) counts[codes[row]] += times[row]
  return counts
}

/** The levels with these codes, in this order, and all others as one. */
export function withOnly({ codes, labels }: Levels, kept: readonly number[], others: string): Levels {
  const place = new Int32Array(labels.length).fill(kept.length)
  for (const [k, code] of kept.entries()) place[code] = k
  return {
    codes: codes.map((code) => (code < 0 ? -1 : place[code])),
    labels: [...kept.map((code) => labels[code]), others],
  }
}

/** What is said of columns whose rare levels may have been put together. */
export function rareLevelWarnings({ original, released, variables }: Pair): string[] {
  return variables.flatMap((name) => {
    const seen = new Set<number>()
    for (const column of [original, released].map((file) => columnOf(countedBy(file, [name]), name)))
      if (column.kind === 'categorical') for (const code of column.codes) if (code >= 0) seen.add(code)
    if (seen.size <= MOST_LEVELS) return []
    const levels = grouped(seen.size)
    return [`"${name}" has ${levels} levels; those with fewer than ${RARE} records in both files count as one`]
  })
}
