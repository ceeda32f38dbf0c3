import { z } from 'zod'
import type { Release } from '../../table/release.js'
import { type Cells, homogeneousInRelease, isWholeClassInTruth } from './cells.js'
import { gowerMatches } from './gower-matches.js'

/**
 * Whom an intruder takes for the person looked up: with `exact` the records with the same keys, with `gower` all records
 * within a distance. The searcher's side is `truth` when people of the original are looked up in the release, and
 * `release` when released records are looked up in the original.
 */
export interface Matches {
  /** Per class of the searcher: records of the other side that match, as counted. */
  readonly records: Int32Array
  /** Per cell: those among them with this cell's target level. */
  readonly agreeing: Int32Array
  /** Per class: 1 if there are any and all have one target level. */
  readonly homogeneous: Uint8Array
}

export type Side = 'truth' | 'release'

export const matchingOptions = {
  matching: z
    .enum(['exact', 'gower'])
    .default('exact')
    .describe('exact: equal keys; gower: keys and numeric keys within a Gower distance'),
  threshold: z.number().min(0).max(1).default(0.1).describe('largest Gower distance that is a match'),
}

export interface MatchingOptions {
  readonly matching: 'exact' | 'gower'
  readonly threshold: number
}

export function matchesOf(release: Release, cells: Cells, side: Side, options: MatchingOptions): Matches {
  return options.matching === 'exact'
    ? exactMatches(cells, side)
    : gowerMatches(release, cells, side, options.threshold)
}

function exactMatches(cells: Cells, side: Side): Matches {
  return side === 'truth'
    ? { records: cells.sClass, agreeing: cells.s, homogeneous: homogeneousInRelease(cells) }
    : { records: cells.dClassCount, agreeing: cells.dCount, homogeneous: homogeneousInTruth(cells) }
}

/** Per class: does the truth have one single target value? */
function homogeneousInTruth(cells: Cells): Uint8Array {
  const flags = new Uint8Array(cells.classes)
  for (let cell = 0; cell < cells.dCount.length; cell++)
    if (isWholeClassInTruth(cells, cell)) flags[cells.classOf[cell]] = 1
  return flags
}

/** Do all records that match a record of this cell have its target level? */
export function isRightForSure({ homogeneous, agreeing }: Matches, { classOf }: Cells, cell: number): boolean {
  return homogeneous[classOf[cell]] === 1 && agreeing[cell] > 0
}
