import { UserError } from '../../errors.js'
import { columnOf, type Table } from '../../table/table.js'
import { type Cell, cellName, type SummaryOutput, type TableOutput } from '../description/description.js'
import { labelled } from '../description/variables.js'
import { recordsOf } from './records.js'

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
  for (const column of columns)
    for (let k = 0; k < rows.length; k++) codes[k] = codes[k] * column.levels.length + column.codes[rows[k]]
  const counts = new Int32Array(size)
  for (const code of codes) counts[code]++
  const members = Array.from(counts, (count) => new Int32Array(count))
  const filled = new Int32Array(size)
  codes.forEach((code, k) => {
    members[code][filled[code]++] = rows[k]
  })
  return members.map((inside, code) => ({ cell: cellAt(code, columns), rows: inside }))
}

/** A cell that is printed, by the name that its numbers have. */
export interface PrintedCell extends CrossedCell {
  readonly element: string
}

/** The cells of a table with its totals, or the groups of a summary: those that are printed, and `all` of them with what is suppressed. */
export function printedCells(output: TableOutput | SummaryOutput, data: Table) {
  const { by } = output
  const rows = recordsOf(output, data, output.var === undefined ? by : [...by, output.var])
  const isTable = output.kind === 'table'
  // The whole table first, then its margins without the last variable.
  const margins =
    isTable && output.totals
      ? subsets(by.toReversed())
          .map((names) => names.reverse())
          .reverse()
      : [by]
  const all = margins.flatMap((margin) => crossed(margin, data, rows))
  const shown = isTable ? all.filter(({ cell }) => !isListed(cell, output.suppressed)) : all
  const nameOf = (cell: Cell) => (by.length === 0 ? (output.var ?? '') : cellName(by, cell))
  return { rows, all, cells: shown.map((one): PrintedCell => ({ ...one, element: nameOf(one.cell) })) }
}

/** Every set of these variables; the first is in every second one. */
export function subsets(names: readonly string[]): string[][] {
  return Array.from({ length: 2 ** names.length }, (_, mask) => names.filter((_, k) => (mask & (1 << k)) !== 0))
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
  return listed.some((other) => Object.keys(other).length === size && isWithin(cell, other))
}

/** Whether a cell lies in a line of the table: it has the levels that the line names. */
export function isWithin(cell: Cell, line: Cell): boolean {
  return Object.entries(line).every(([name, level]) => cell[name] === level)
}
