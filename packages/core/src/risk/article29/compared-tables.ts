import { groupRows } from '@scrim/kernels'
import { NotApplicable } from '../../errors.js'
import { jointCodes, type Part, rowCount, rowsOfPart, tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type CodesOfColumn, type IndexedTable, indexTable } from './predicates.js'

/** The records that predicates are put to, indexed for it, with all columns that the files share. */
export interface ComparedTables {
  readonly columns: (part: Part) => readonly CodesOfColumn[]
  readonly original: IndexedTable
  readonly released: IndexedTable
  readonly holdout: IndexedTable | null
  /** Rows of the files that take part, in the order of the tables. */
  readonly originalRows: Int32Array
  readonly holdoutRows: Int32Array
  /** Records left out as incomplete (riskutility) or as duplicates (anonymeter). */
  readonly leftOut: { readonly original: number; readonly holdout: number | null; readonly released: number }
}

/**
 * scrim: every person, and each distinct released record once, for a predicate holds for one record however often it is
 * written. anonymeter: each distinct record once. riskutility: records without a missing value.
 */
export type Definition = 'scrim' | 'anonymeter' | 'riskutility'

export function comparedTables(release: Release, part: Part, definition: Definition): ComparedTables {
  const columns = (of: Part): CodesOfColumn[] =>
    release.variables.map((name) => {
      const { codes, cardinality, kind, ...joint } = jointCodes(release, name)
      return { name, numeric: kind !== 'categorical', cardinality, codes: rowsOfPart(release, joint, codes, of) }
    })
  const rowsOf = (of: Part, once = definition === 'anonymeter') =>
    chooseRows(columns(of), rowCount(release, of), definition, once)
  const indexed = (of: Part, rows: Int32Array) => {
    const { name } = tableOfPart(release, of)
    if (rows.length === 0) throw new NotApplicable(`${name} has no complete record`)
    return indexTable(name, columns(of), rows)
  }
  const originalRows = rowsOf('original')
  const releasedRows = rowsOf(part, definition !== 'riskutility')
  const holdoutRows = release.holdout === null ? new Int32Array(0) : rowsOf('holdout')
  return {
    columns,
    original: indexed('original', originalRows),
    released: indexed(part, releasedRows),
    holdout: release.holdout === null ? null : indexed('holdout', holdoutRows),
    originalRows,
    holdoutRows,
    leftOut: {
      original: release.original.rows - originalRows.length,
      holdout: release.holdout === null ? null : release.holdout.rows - holdoutRows.length,
      released: rowCount(release, part) - releasedRows.length,
    },
  }
}

function chooseRows(
  columns: readonly CodesOfColumn[],
  rows: number,
  definition: Definition,
  once: boolean,
): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row)
  if (definition === 'riskutility') return all.filter((row) => columns.every(({ codes }) => codes[row] >= 0))
  if (!once) return all
  // Groups are numbered by first appearance, so a row is the first of its kind when its number is the next one.
  const { ids } = groupRows(columns, rows)
  let next = 0
  return all.filter((row) => ids[row] === next && next++ >= 0)
}
