import { NotApplicable } from '../../errors.js'
import { jointCodes, rowsOfPart } from '../../table/classes.js'
import { byCodePoint } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import type { Options } from './linkability.js'
import { comparableColumns } from './targets.js'

/** The columns of the two files that an attacker of linkability holds. */
export interface ColumnSets {
  readonly columnsA: readonly string[]
  readonly columnsB: readonly string[]
}

/**
 * The two files' columns as chosen; otherwise in turn, by name, so that the order of columns does not matter. A column in
 * which all people are alike tells nobody apart and takes no turn.
 */
export function columnSets(
  release: Release,
  { columnsA, columnsB, distance }: Options,
  isVarying = (name: string) => varies(release, name),
): ColumnSets {
  const given = [...(columnsA ?? []), ...(columnsB ?? [])]
  const free = comparableColumns(release, { distance })
    .filter((name) => !given.includes(name) && isVarying(name))
    .toSorted(byCodePoint)
  const nothing = columnsA === null && columnsB === null
  const sets = {
    columnsA: columnsA ?? free.filter((_, place) => !nothing || place % 2 === 0),
    columnsB: columnsB ?? free.filter((_, place) => !nothing || place % 2 === 1),
  }
  if (sets.columnsA.length === 0 || sets.columnsB.length === 0)
    throw new NotApplicable('it takes columns for two files, and there are not enough to compare')
  return sets
}

export function varies(release: Release, name: string): boolean {
  const joint = jointCodes(release, name)
  const codes = rowsOfPart(release, joint, joint.codes, 'original')
  return codes.some((code) => code !== codes[0])
}
