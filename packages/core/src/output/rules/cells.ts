import { type Cell, cellName } from '../description/description.js'
import type { Appetite } from './appetite.js'
import { below, type Finding, finding, people, smallStatus } from './finding.js'

/** A cell of a table with the number of its records. */
export interface CountedCell {
  readonly cell: Cell
  readonly count: number
}

/** Records per cell below the threshold; a count that is printed as a multiple of `base` is not known, so that it only needs a look. */
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
    const rounding = base === null ? '' : `, told as a multiple of ${base}`
    const status = base === null ? smallStatus(count) : 'review'
    return [below('threshold', status, id, name, `${name} has ${people(count)}${rounding}`, count, threshold)]
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
    const sentence = `${name} has no record: nobody is there`
    return [finding('zeros', base === null ? 'fail' : 'review', id, name, sentence, 0, 1)]
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
    for (const counted of cells) {
      const key = cellName(rest, counted.cell)
      lines.set(key, [...(lines.get(key) ?? []), counted])
    }
    return [...lines].flatMap(([group, line]) => {
      const total = line.reduce((sum, { count }) => sum + count, 0)
      if (line.length < 2 || total === 0) return []
      const top = line.reduce((a, b) => (b.count > a.count ? b : a))
      const share = top.count / total
      if (rule === 'full' ? share < 1 : share <= most || share === 1) return []
      const who = rule === 'full' ? 'everybody' : `${Math.round(1000 * share) / 10} %`
      const sentence = `${who} of ${group} has ${along}=${top.cell[along]} (${people(total)})`
      return [finding(rule, 'fail', id, cellName(by, top.cell), sentence, share, most)]
    })
  })
}
