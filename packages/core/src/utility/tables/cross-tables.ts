import type { Release } from '../../table/release.js'
import { classesOf, countCells, subsets } from './cells.js'
import { type TableUtility, tableUtility } from './table-utility.js'

/** All one-, two- or three-way tables of a release beside those of the original: synthpop's utility.tables. */
export interface CrossTable {
  readonly variables: readonly string[]
  readonly utility: TableUtility
}

export interface CrossTablesOptions {
  readonly variables: readonly string[]
  /** How many variables a table has. */
  readonly ways: number
  /** Classes of a numeric variable. */
  readonly groups?: number
}

export const GROUPS = 5

/** @param k which of the released tables */
export function crossTables(
  release: Release,
  k: number,
  { variables, ways, groups = GROUPS }: CrossTablesOptions,
): CrossTable[] {
  const coded = variables.map((name) => classesOf(release, k, name, groups))
  return subsets(coded, ways).map((columns) => {
    const { original, released } = countCells(columns, release.original.rows)
    return { variables: columns.map(({ name }) => name), utility: tableUtility(original, released) }
  })
}
