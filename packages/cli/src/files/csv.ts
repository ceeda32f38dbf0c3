import { unlikeFormula } from '@scrim/core'
import type { Io } from '../io.js'

type Cell = string | number | boolean | null

/** Comma-separated text with quotes where needed; null is an empty cell. */
export function csvText(
  header: readonly string[],
  rows: Iterable<readonly Cell[]>,
  { safeCsv }: Pick<Io, 'safeCsv'>,
): string {
  const line = (cells: readonly Cell[]) => cells.map((cell) => csvCell(cell, safeCsv)).join(',')
  const lines = [line(header)]
  for (const row of rows) lines.push(line(row))
  return `${lines.join('\n')}\n`
}

function csvCell(cell: Cell, safeCsv: boolean): string {
  if (cell === null) return ''
  const text = safeCsv && typeof cell === 'string' ? unlikeFormula(cell) : String(cell)
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
