import { type Groups, groupRows } from '@scrim/kernels'
import { isMissing, valueAt } from '../../table/column.js'
import { codeJointly } from '../../table/joint.js'
import { columnOf, type Table } from '../../table/table.js'
import { stratify } from './strata.js'

/** The rows of each household, in the order of its first one. A record without a household id is one of its own. */
export function householdRows(data: Table, household: string | null): readonly Int32Array[] {
  if (household === null) return Array.from({ length: data.rows }, (_, row) => Int32Array.of(row))
  const ids = columnOf(data, household)
  return stratify(data, [household]).rows.flatMap((rows) =>
    isMissing(ids, rows[0]) ? Array.from(rows, (row) => Int32Array.of(row)) : [rows],
  )
}

/** Columns that should be the same for all members and are not, one sentence each. */
export function memberProblems(
  data: Table,
  households: readonly Int32Array[],
  names: readonly string[],
  what: string,
): string[] {
  return names.flatMap((name) => {
    const column = columnOf(data, name)
    const mixed = households.filter((rows) => rows.some((row) => valueAt(column, row) !== valueAt(column, rows[0])))
    if (mixed.length === 0) return []
    return [`${what}: "${name}" differs between members of ${mixed.length} of ${households.length} households`]
  })
}

/** Rows by their combination of columns, numbered by first appearance; missing is a value. */
export function combinations(data: Table, names: readonly string[]): Groups {
  return groupRows(
    names.map((name) => codeJointly([columnOf(data, name)])),
    data.rows,
  )
}
