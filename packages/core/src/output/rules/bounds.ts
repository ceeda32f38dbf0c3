import { byCodePoint } from '../../table/column.js'
import { columnOf, completeRows, type Table } from '../../table/table.js'
import { type Cell, cellName, type TableOutput } from '../description/description.js'
import { labelled } from '../description/variables.js'
import { type CrossedCell, crossed, isListed } from '../numbers/crossed.js'
import { filteredRows } from '../numbers/records.js'
import type { Appetite } from './appetite.js'
import { below, FEW, type Finding, people } from './finding.js'

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

/** Larger joint tables are not looked at. */
const MOST_JOINT_CELLS = 50_000
const MOST_ROUNDS = 100

/**
 * Cells of the joint table of several printed tables of counts of the same records that none of them shows, and that together they fix.
 *
 * Bounds start from those of Fréchet, table after table, and are narrowed by the shuttle algorithm (Buzzigoli and Giusti 1999): within a
 * printed sum a cell is at most the sum less the lower bounds of the others, and at least the sum less their upper bounds. They are never
 * too narrow, and sharp for two tables; for more a linear programme may narrow them further, which is not done.
 */
export function fixedCells(tables: readonly TableOutput[], data: Table, { threshold }: Appetite): Finding[] {
  const by = [...new Set(tables.flatMap((one) => one.by))].sort(byCodePoint)
  if (tables.length < 2 || tables.some((one) => one.by.length === by.length)) return []
  if (jointSize(by, data) > MOST_JOINT_CELLS) return []
  const rows = completeRows(data, by, filteredRows(tables[0], data))
  const joint = crossed(by, data, rows)
  const sums = tables.flatMap((one) => printedSums(one, joint, data, rows))
  const bounds = shuttled(startingBounds(tables, joint, data, rows), sums)
  return joint.flatMap(({ cell }, k) => {
    const { lower, upper } = bounds[k]
    if (lower !== upper || lower === 0 || lower >= threshold) return []
    const name = cellName(by, cell)
    const which = tables.map(({ id }) => `"${id}"`).join(' and ')
    const what = `${which} fix ${name} at ${people(lower)}`
    const finding = below('bounds', lower <= FEW ? 'fail' : 'review', tables[0].id, name, what, lower, threshold)
    return [{ ...finding, others: tables.slice(1).map(({ id }) => id) }]
  })
}

/** Whether the joint table is too large to be looked at. */
export function isTooLarge(tables: readonly TableOutput[], data: Table): boolean {
  return jointSize([...new Set(tables.flatMap((one) => one.by))], data) > MOST_JOINT_CELLS
}

function jointSize(by: readonly string[], data: Table): number {
  return by.reduce((size, name) => size * labelled(columnOf(data, name)).levels.length, 1)
}

/** A printed count, and the cells of the joint table that it is the sum of. */
interface PrintedSum extends Bounds {
  readonly cells: readonly number[]
}

function printedSums(table: TableOutput, joint: readonly CrossedCell[], data: Table, rows: Int32Array): PrintedSum[] {
  const members = new Map<string, number[]>()
  joint.forEach(({ cell }, k) => {
    const name = cellName(table.by, cell)
    const inside = members.get(name) ?? []
    inside.push(k)
    members.set(name, inside)
  })
  return crossed(table.by, data, rows).flatMap((printed) =>
    isListed(printed.cell, table.suppressed)
      ? []
      : [{ ...printedBounds(table, printed.rows.length), cells: members.get(cellName(table.by, printed.cell)) ?? [] }],
  )
}

/** A count as it is printed: exactly, or as a multiple of a base. */
function printedBounds({ rounding }: TableOutput, count: number): Bounds {
  if (rounding === undefined) return { lower: count, upper: count }
  const shown = Math.round(count / rounding.base) * rounding.base
  const half = Math.floor(rounding.base / 2)
  return { lower: Math.max(0, shown - half), upper: shown + half }
}

function startingBounds(
  tables: readonly TableOutput[],
  joint: readonly CrossedCell[],
  data: Table,
  rows: Int32Array,
): Bounds[] {
  const counts = new Map<string, Map<string, number>>()
  const countOf = (names: readonly string[], cell: Cell): number => {
    const key = names.join('\n')
    const known =
      counts.get(key) ?? new Map(crossed(names, data, rows).map((one) => [cellName(names, one.cell), one.rows.length]))
    counts.set(key, known)
    return known.get(cellName(names, cell)) ?? 0
  }
  return joint.map(({ cell }) => {
    let seen: readonly string[] = []
    let bounds: Bounds = { lower: 0, upper: rows.length }
    for (const [k, one] of tables.entries()) {
      const margin = restricted(cell, one.by)
      const known = isListed(margin, one.suppressed)
        ? { lower: 0, upper: rows.length }
        : printedBounds(one, countOf(one.by, cell))
      const shared = one.by.filter((name) => seen.includes(name))
      bounds = k === 0 ? known : frechet(bounds, known, countOf(shared, cell))
      seen = [...seen, ...one.by]
    }
    return bounds
  })
}

function restricted(cell: Cell, names: readonly string[]): Cell {
  return Object.fromEntries(names.map((name) => [name, cell[name]]))
}

function shuttled(start: readonly Bounds[], sums: readonly PrintedSum[]): readonly Bounds[] {
  const lower = Float64Array.from(start, (one) => one.lower)
  const upper = Float64Array.from(start, (one) => one.upper)
  for (let round = 0, moved = true; moved && round < MOST_ROUNDS; round++) {
    moved = false
    for (const { cells, lower: least, upper: most } of sums) {
      let [lowers, uppers] = [0, 0]
      for (const k of cells) {
        lowers += lower[k]
        uppers += upper[k]
      }
      for (const k of cells) {
        const atMost = most - (lowers - lower[k])
        const atLeast = least - (uppers - upper[k])
        if (atMost < upper[k]) {
          uppers += atMost - upper[k]
          upper[k] = atMost
          moved = true
        }
        if (atLeast > lower[k]) {
          lowers += atLeast - lower[k]
          lower[k] = atLeast
          moved = true
        }
      }
    }
  }
  return start.map((_, k) => ({ lower: lower[k], upper: upper[k] }))
}
