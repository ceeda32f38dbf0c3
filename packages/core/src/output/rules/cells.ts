import { type Cell, cellName } from '../description/description.js'
import type { Appetite } from './appetite.js'
import { FEW, type Finding, finding } from './finding.js'

/** A cell of a table with the number of its records. */
export interface CountedCell {
  readonly cell: Cell
  readonly count: number
}

/** Records per cell below the threshold; a count that is printed rounded is not told, so that it only needs a look. */
export function lowCounts(
  id: string,
  by: readonly string[],
  cells: readonly CountedCell[],
  { threshold }: Appetite,
  base: number | null = null,
): Finding[] {
  return cells.flatMap(({ cell, count }) => {
    if (count === 0 || count >= threshold) return []
    const name = cellName(by, cell)
    if (base !== null)
      return [
        finding(
          'threshold',
          'review',
          id,
          name,
          `${name} has ${people(count)}, told as a multiple of ${base}; the least is ${threshold}`,
          count,
          threshold,
        ),
      ]
    const status = count <= FEW ? 'refuse' : 'fail'
    return [
      finding(
        'threshold',
        status,
        id,
        name,
        `${name} has ${people(count)}; the least is ${threshold}`,
        count,
        threshold,
      ),
    ]
  })
}

/** Cells that nobody is in. */
export function emptyCells(
  id: string,
  by: readonly string[],
  cells: readonly CountedCell[],
  base: number | null = null,
): Finding[] {
  return cells.flatMap(({ cell, count }) => {
    if (count > 0) return []
    const name = cellName(by, cell)
    return [
      finding('zeros', base === null ? 'fail' : 'review', id, name, `${name} has no record: nobody is there`, 0, 1),
    ]
  })
}

/**
 * Groups of which all, or nearly all, have one value: the share of a cell in its line along one variable. A group of 1 or 2 is a low
 * count already. `most` is 1 for class disclosure (full cells), 0.9 for the group disclosure of ESSnet.
 */
export function concentratedGroups(
  id: string,
  by: readonly string[],
  cells: readonly CountedCell[],
  rule: 'full' | 'group',
  most: number,
): Finding[] {
  if (by.length < 2) return []
  return by.flatMap((along) => {
    const rest = by.filter((name) => name !== along)
    const lines = new Map<string, CountedCell[]>()
    for (const one of cells) {
      const key = cellName(rest, one.cell)
      lines.set(key, [...(lines.get(key) ?? []), one])
    }
    return [...lines].flatMap(([group, line]) => {
      const total = line.reduce((sum, { count }) => sum + count, 0)
      const top = line.find(({ count }) => count === Math.max(...line.map((one) => one.count)))
      if (top === undefined || line.length < 2 || total === 0) return []
      const share = top.count / total
      const isOver = rule === 'full' ? share === 1 : share > most && share < 1
      if (!isOver) return []
      const value = `${along}=${top.cell[along]}`
      const who = rule === 'full' ? 'everybody' : `${Math.round(1000 * share) / 10} %`
      return [
        finding(
          rule,
          'fail',
          id,
          cellName(by, top.cell),
          `${who} of ${group} has ${value} (${people(total)})`,
          share,
          most,
        ),
      ]
    })
  })
}

export function people(count: number): string {
  return count === 1 ? '1 record' : `${count} records`
}
