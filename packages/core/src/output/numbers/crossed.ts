import { UserError } from '../../errors.js'
import { columnOf, type Table } from '../../table/table.js'
import type { Cell } from '../description/description.js'
import { labelled } from '../description/variables.js'

/** One cell of a table of counts, and the records in it. */
export interface CrossedCell {
  readonly cell: Cell
  readonly rows: Int32Array
}

/** A table larger than this is no output that a person reads. */
const MOST_CELLS = 100_000

/** All combinations of the levels of some variables, also those that no record has, the last variable running fastest. */
export function crossed(by: readonly string[], data: Table, rows: Int32Array): CrossedCell[] {
  const columns = by.map((name) => labelled(columnOf(data, name)))
  const size = columns.reduce((product, { levels }) => product * levels.length, 1)
  if (size > MOST_CELLS)
    throw new UserError(`the table of ${by.join(' x ')} has ${size} cells; scrim reads at most ${MOST_CELLS}`)
  const codes = new Int32Array(rows.length)
  for (const { codes: own, levels } of columns)
    for (let k = 0; k < rows.length; k++) codes[k] = codes[k] * levels.length + own[rows[k]]
  const counts = new Int32Array(size)
  for (const code of codes) counts[code]++
  const members = Array.from(counts, (count) => new Int32Array(count))
  const filled = new Int32Array(size)
  codes.forEach((code, k) => {
    members[code][filled[code]++] = rows[k]
  })
  return members.map((own, code) => ({ cell: cellAt(code, columns), rows: own }))
}

/** The cells of a table, and those of all its margins when they are wanted. */
export function withMargins(by: readonly string[], data: Table, rows: Int32Array, totals: boolean): CrossedCell[] {
  if (!totals) return crossed(by, data, rows)
  const subsets = Array.from({ length: 2 ** by.length }, (_, mask) =>
    by.filter((_, k) => (mask & (1 << (by.length - 1 - k))) !== 0),
  )
  return subsets.reverse().flatMap((subset) => crossed(subset, data, rows))
}

function cellAt(code: number, columns: readonly { readonly name: string; readonly levels: readonly string[] }[]): Cell {
  const cell: Record<string, string> = {}
  let rest = code
  for (let k = columns.length - 1; k >= 0; k--) {
    const { name, levels } = columns[k]
    cell[name] = levels[rest % levels.length]
    rest = Math.floor(rest / levels.length)
  }
  return Object.fromEntries(columns.map(({ name }) => [name, cell[name]]))
}

/** Whether a cell is one of those listed. */
export function isListed(cell: Cell, listed: readonly Cell[]): boolean {
  const size = Object.keys(cell).length
  return listed.some(
    (one) => Object.keys(one).length === size && Object.entries(one).every(([name, level]) => cell[name] === level),
  )
}
