import { groupRows } from '@scrim/kernels'
import { NotApplicable } from '../../../errors.js'
import { type CodedTable, type CodesOfColumn, canonicalTables, codedTable } from '../../../table/canonical-tables.js'
import { type Part, rowCount, tableOfPart } from '../../../table/classes.js'
import { type IndexedTable, indexTable } from '../../../table/predicates.js'
import type { Release } from '../../../table/release.js'

/**
 * The records that predicates are put to, indexed for it, with all columns that the files share, by name. Written so that
 * neither the order of rows and columns nor the names of levels matter to what is drawn from them.
 */
export interface ComparedTables {
  readonly original: IndexedTable
  readonly released: IndexedTable
  readonly holdout: IndexedTable | null
  /** Rows of the file of the original that take part, in the order of its table. */
  readonly originalRows: Int32Array
  /** Records left out: released duplicates, and what other definitions leave out. */
  readonly leftOut: { readonly original: number; readonly holdout: number | null; readonly released: number }
}

/** Which rows of a file take part. */
export type ChooseRows = (columns: readonly CodesOfColumn[], all: Int32Array) => Int32Array

export const everyRecord: ChooseRows = (_, all) => all

/** Each distinct record once, where it comes first. */
export const distinctRecords: ChooseRows = (columns, all) => {
  // Groups are numbered by first appearance, so a row is the first of its kind when its number is the next one.
  const { ids } = groupRows(columns, all.length)
  let next = 0
  return all.filter((row) => ids[row] === next && next++ >= 0)
}

export function comparedTables(
  release: Release,
  part: Part,
  { people, released: ofRelease }: { readonly people: ChooseRows; readonly released: ChooseRows },
): ComparedTables {
  const parts: readonly Part[] = ['original', part, ...(release.holdout === null ? [] : (['holdout'] as const))]
  const [original, released, holdout] = canonicalTables(
    parts.map((of, k) => {
      const chosen = codedTable(release, of, k === 1 ? ofRelease : people)
      if (chosen.rows.length === 0) throw new NotApplicable(`${tableOfPart(release, of).name} has no complete record`)
      return chosen
    }),
  )
  const indexed = (which: Part, { columns }: CodedTable) => indexTable(tableOfPart(release, which).name, columns)
  return {
    original: indexed('original', original),
    released: indexed(part, released),
    holdout: holdout === undefined ? null : indexed('holdout', holdout),
    originalRows: original.rows,
    leftOut: {
      original: release.original.rows - original.rows.length,
      holdout: release.holdout === null || holdout === undefined ? null : release.holdout.rows - holdout.rows.length,
      released: rowCount(release, part) - released.rows.length,
    },
  }
}
