import { groupRows } from '@scrim/kernels'
import { NotApplicable } from '../../errors.js'
import { jointCodes, type Part, rowCount, rowsOfPart, tableOfPart } from '../../table/classes.js'
import { byCodePoint } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { type CodedTable, canonicalTables } from './canonical-tables.js'
import { type CodesOfColumn, type IndexedTable, indexTable } from './predicates.js'

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
  /** Records left out as incomplete (riskutility) or as duplicates (scrim: released ones only; anonymeter). */
  readonly leftOut: { readonly original: number; readonly holdout: number | null; readonly released: number }
}

/**
 * scrim: every person, and each distinct released record once, for a predicate holds for one record however often it is
 * written. anonymeter: each distinct record once. riskutility: records without a missing value.
 */
export type Definition = 'scrim' | 'anonymeter' | 'riskutility'

export function comparedTables(release: Release, part: Part, definition: Definition): ComparedTables {
  const parts: readonly Part[] = ['original', part, ...(release.holdout === null ? [] : (['holdout'] as const))]
  const [original, released, holdout] = canonicalTables(
    parts.map((of, k) => codedTable(release, of, definition, k === 1 ? 'release' : 'people')),
  )
  const indexed = (of: Part, { columns, rows }: CodedTable) =>
    indexTable(
      tableOfPart(release, of).name,
      columns,
      rows.map((_, record) => record),
    )
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

function codedTable(release: Release, part: Part, definition: Definition, as: 'people' | 'release'): CodedTable {
  const columns = release.variables.toSorted(byCodePoint).map((name): CodesOfColumn => {
    const { codes, cardinality, kind, ...joint } = jointCodes(release, name)
    return { name, numeric: kind !== 'categorical', cardinality, codes: rowsOfPart(release, joint, codes, part) }
  })
  const rows = chooseRows(columns, rowCount(release, part), definition, as)
  if (rows.length === 0) throw new NotApplicable(`${tableOfPart(release, part).name} has no complete record`)
  return { rows, columns: columns.map((column) => ({ ...column, codes: rows.map((row) => column.codes[row]) })) }
}

function chooseRows(
  columns: readonly CodesOfColumn[],
  rows: number,
  definition: Definition,
  as: 'people' | 'release',
): Int32Array {
  const all = Int32Array.from({ length: rows }, (_, row) => row)
  if (definition === 'riskutility') return all.filter((row) => columns.every(({ codes }) => codes[row] >= 0))
  if (definition === 'scrim' && as === 'people') return all
  // Groups are numbered by first appearance, so a row is the first of its kind when its number is the next one.
  const { ids } = groupRows(columns, rows)
  let next = 0
  return all.filter((row) => ids[row] === next && next++ >= 0)
}
