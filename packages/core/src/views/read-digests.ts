import type { Column } from '../table/column.js'
import type { Digested, Release } from '../table/release.js'
import { columnOf, type Table, table } from '../table/table.js'
import { view, withoutColumns } from './view.js'

/**
 * A column of digests looks like noise, and whoever tries the few thousand combinations of keys and target reads it. So the columns
 * that were digested get the values of the person behind each digest, and the question is asked about these columns alone. A record
 * whose digest belongs to nobody in the original keeps its own values: with a digest of each record's own values, which an
 * honest producer may add, nothing changes and nothing is asked again.
 *
 * Blind to digests with a salt and to those of other columns (`case/carried-identifiers.ts` finds them).
 */
export const readDigests = view<Digested>({
  id: 'read-digests',
  undoes: 'a digest of several columns',
  what: 'with the digests read',
  detect({ original, released: [released], variables, identifiers: [carrying] }) {
    const digests = carrying?.columns.flatMap(({ digested }) => digested ?? []) ?? []
    return digests.find(
      ({ columns, person }) =>
        columns.every((name) => variables.includes(name)) &&
        columns.some((name) => differs(columnOf(released, name), columnOf(original, name), person)),
    )
  },
  apply(release, { columns, person }) {
    const digested = new Set(columns)
    const others = new Set(release.variables.filter((name) => !digested.has(name)))
    return {
      ...withoutColumns(release, others),
      released: release.released.map((file) => readIn(file, release, digested, person)),
    }
  },
})

function readIn(file: Table, { original }: Release, digested: ReadonlySet<string>, person: Int32Array): Table {
  const read = file.columns.map((column) =>
    digested.has(column.name) ? withValuesOf(column, columnOf(original, column.name), person) : column,
  )
  return { ...table(file.name, read), rows: file.rows }
}

function differs(theirs: Column, ours: Column, person: Int32Array): boolean {
  const [released, original] = [valuesOf(theirs), valuesOf(ours)]
  return person.some((row, record) => row >= 0 && !Object.is(released[record], original[row]))
}

/** Levels are those of both files, so a code means the same in both. */
function withValuesOf(theirs: Column, ours: Column, person: Int32Array): Column {
  const values = valuesOf(ours)
  const read = <Values extends Float64Array | Int32Array>(own: Values): Values =>
    own.map((value, record) => (person[record] < 0 ? value : values[person[record]])) as Values
  return theirs.kind === 'categorical'
    ? { ...theirs, codes: read(theirs.codes) }
    : { ...theirs, values: read(theirs.values) }
}

const valuesOf = (column: Column): Float64Array | Int32Array =>
  column.kind === 'categorical' ? column.codes : column.values
