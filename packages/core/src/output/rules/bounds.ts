import type { Table } from '../../table/table.js'
import { columnOf } from '../../table/table.js'
import { crossed, isListed } from '../crossed.js'
import { type Cell, cellName, type TableOutput } from '../description.js'
import { completeRows } from '../design.js'
import { filteredRows } from '../records.js'
import { labelled } from '../variables.js'
import type { Appetite } from './appetite.js'
import { people } from './cells.js'
import { FEW, type Finding, finding } from './finding.js'

/** What is known of a count. */
export interface Bounds {
  readonly lower: number
  readonly upper: number
}

/**
 * Bounds of Fréchet for the cell that two margins share: at most the smaller of the two, at least what is left of their sum when all that
 * both are a part of is full. `whole` is n, or, where the two tables share variables, the count of the shared cell
 * (Dobra and Fienberg 2000, "Bounds for cell entries in contingency tables given marginal totals and decomposable graphs").
 */
export function frechet(a: Bounds, b: Bounds, whole: number): Bounds {
  return { lower: Math.max(0, a.lower + b.lower - whole), upper: Math.min(a.upper, b.upper) }
}

/** More cells than this are not looked at. */
export const MOST_JOINT_CELLS = 200_000

/**
 * Cells of the joint table of several printed tables of counts of the same records that none of them shows, and that together they fix.
 * Bounds are those of Fréchet, table after table; they are sharp for two tables, and never too narrow for more.
 */
export function fixedCells(tables: readonly TableOutput[], data: Table, { threshold }: Appetite): Finding[] {
  const by = [...new Set(tables.flatMap((one) => one.by))]
  if (tables.length < 2 || tables.some((one) => one.by.length === by.length)) return []
  if (jointSize(by, data) > MOST_JOINT_CELLS) return []
  const rows = completeRows(data, by, filteredRows(tables[0], data))
  const counts = new Map<string, Map<string, number>>()
  const countOf = (names: readonly string[], cell: Cell): number => {
    const key = names.join('\n')
    const known =
      counts.get(key) ?? new Map(crossed(names, data, rows).map((one) => [cellName(names, one.cell), one.rows.length]))
    counts.set(key, known)
    return known.get(cellName(names, cell)) ?? 0
  }
  return crossed(by, data, rows).flatMap(({ cell }) => {
    let seen: string[] = []
    let bounds: Bounds = { lower: 0, upper: rows.length }
    for (const [k, one] of tables.entries()) {
      const own = printedBounds(one, restricted(cell, one.by), countOf, rows.length)
      const shared = one.by.filter((name) => seen.includes(name))
      bounds = k === 0 ? own : frechet(bounds, own, countOf(shared, restricted(cell, shared)))
      seen = [...new Set([...seen, ...one.by])]
    }
    if (bounds.lower !== bounds.upper || bounds.lower === 0 || bounds.lower >= threshold) return []
    const name = cellName(by, cell)
    const which = tables.map(({ id }) => `"${id}"`).join(' and ')
    return [
      {
        ...finding(
          'bounds',
          bounds.lower <= FEW ? 'fail' : 'review',
          tables[0].id,
          name,
          `${which} fix ${name} at ${people(bounds.lower)}; the least is ${threshold}`,
          bounds.lower,
          threshold,
        ),
        other: tables[1].id,
      },
    ]
  })
}

function jointSize(by: readonly string[], data: Table): number {
  return by.reduce((size, name) => size * labelled(columnOf(data, name)).levels.length, 1)
}

function restricted(cell: Cell, names: readonly string[]): Cell {
  return Object.fromEntries(names.map((name) => [name, cell[name]]))
}

/** What a table tells of a cell: its count, a range of it when it is rounded, nothing when it is suppressed. */
function printedBounds(
  { by, rounding, suppressed }: TableOutput,
  cell: Cell,
  countOf: (names: readonly string[], cell: Cell) => number,
  n: number,
): Bounds {
  if (isListed(cell, suppressed)) return { lower: 0, upper: n }
  const count = countOf(by, cell)
  if (rounding === undefined) return { lower: count, upper: count }
  const shown = Math.round(count / rounding.base) * rounding.base
  return { lower: Math.max(0, shown - Math.floor(rounding.base / 2)), upper: shown + Math.floor(rounding.base / 2) }
}
