import { type Note, note } from '../../discretion.js'
import { isCount } from '../../keys/direct-identifiers.js'
import { grouped } from '../../print.js'
import { type Column, columnLength, valueAt } from '../../table/column.js'
import { columnNames, findColumn, type Table } from '../../table/table.js'

/**
 * A column that is different for each record of every file says who a record is, not what it is like: no measure may use
 * it, and if two files share its values they can be joined by it. Texts that are all different are identifiers; whole
 * numbers are where they count without gaps, or where the name of the column says so (incomes of few people are all
 * different too).
 */
export interface Identifier {
  readonly column: string
  /** Per table: how many of its values the original has too. */
  readonly shared: readonly { readonly table: string; readonly values: number; readonly rows: number }[]
  /** Whether the original counts its rows 1, 2, 3, ...: then equal values may mean nothing. */
  readonly counts: boolean
}

const FEWEST_ROWS = 20
const NAMED_ID =
  /(^|[^a-z])(id|ident|identifier|uuid|guid|pid|hhid|caseid|respid|rownames?|rownum|index|ssn|pnr|nr|number)([^a-z]|$)/
const CAMEL_ID = /[a-z](Id|ID)$/

export function findIdentifiers(
  original: Table,
  others: readonly Table[],
  inRole: ReadonlySet<string>,
): readonly Identifier[] {
  const tables = [original, ...others]
  if (tables.some(({ rows }) => rows < FEWEST_ROWS)) return []
  return columnNames(original)
    .filter((name) => !inRole.has(name))
    .flatMap((name) => {
      const owners = tables.filter((one) => findColumn(one, name) !== undefined)
      const columns = owners.flatMap((one) => findColumn(one, name) ?? [])
      if (owners.length < 2 || !columns.every((column) => isIdentifier(column))) return []
      const values = distinctValues(columns[0])
      const shared = owners.slice(1).map((owner, k) => ({
        table: owner.name,
        values: [...distinctValues(columns[k + 1])].filter((value) => values.has(value)).length,
        rows: owner.rows,
      }))
      return [{ column: name, shared, counts: isCount(columns[0]) }]
    })
}

export function identifierNotes(original: Table, { column, shared, counts }: Identifier): Note[] {
  return shared
    .filter(({ values, rows }) => 2 * values >= rows)
    .map(({ table, values, rows }) =>
      note((numbers) => {
        const ofAll = `${numbers.count(values, rows)} of ${grouped(rows)}`
        return counts
          ? `${table} numbers its records in "${column}" as ${original.name} does (${ofAll} values): if equal numbers are the same person, both files can be joined by it; leave it out of the release`
          : `${table} has the identifiers of ${original.name} in "${column}" (${ofAll}): whoever has both files can join them; leave it out of the release`
      }),
    )
}

function isIdentifier(column: Column): boolean {
  const rows = columnLength(column)
  if (column.kind === 'date' || distinctValues(column).size !== rows) return false
  if (column.kind === 'categorical') return true
  if (!column.values.every((value) => Number.isSafeInteger(value))) return false
  return isCount(column) || isNamedIdentifier(column.name)
}

/** Whether a column is called a number of records or people. */
export function isNamedIdentifier(name: string): boolean {
  return NAMED_ID.test(name.toLowerCase()) || CAMEL_ID.test(name)
}

/** Of a column without missing values; with missing ones there are fewer than rows. */
function distinctValues(column: Column): Set<string | number> {
  const values = new Set<string | number>()
  for (let row = 0; row < columnLength(column); row++) {
    const value = valueAt(column, row)
    if (value !== null) values.add(value)
  }
  return values
}
