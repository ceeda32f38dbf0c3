import { inOneLine } from '@scrim/core'

/**
 * A column of a plain text table; `fold` is the one that is broken over lines when the table is too wide, and `spare` ones
 * are left out, the last first, where there is no room for them.
 */
export interface TextColumn {
  readonly title: string
  readonly align?: 'left' | 'right'
  readonly fold?: boolean
  readonly spare?: boolean
}

const GAP = '  '
const NARROWEST_FOLD = 13
/** What is folded narrower than this is hard to read: spare columns go first. */
const ROOMY_FOLD = 32

/** An aligned table without borders, folded to `width`. */
export function textTable(
  columns: readonly TextColumn[],
  texts: readonly (readonly string[])[],
  width: number,
): string {
  const rows = texts.map((row) => row.map(inOneLine))
  const widths = widthsOf(columns, rows)
  const spare = columns.findLastIndex((column) => column.spare)
  if (spare >= 0 && roomy(columns, widths) > width) {
    const without = <Of>(of: readonly Of[]) => of.filter((_, j) => j !== spare)
    return textTable(without(columns), rows.map(without), width)
  }
  const folding = columns.findIndex((column) => column.fold)
  if (folding >= 0) {
    const others = widths.reduce((sum, each, j) => sum + (j === folding ? 0 : each + GAP.length), 0)
    widths[folding] = Math.min(widths[folding], Math.max(NARROWEST_FOLD, width - others))
  }
  const lines = [
    columns.map((column) => column.title),
    widths.map((each) => '-'.repeat(each)),
    ...rows.flatMap((row) => foldRow(row, folding, widths)),
  ]
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, j) => pad(cell, widths[j], columns[j].align))
          .join(GAP)
          .trimEnd()}\n`,
    )
    .join('')
}

/** What a table takes that is not folded. */
export function tableWidth(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): number {
  const widths = widthsOf(
    columns,
    rows.map((row) => row.map(inOneLine)),
  )
  return widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1))
}

function widthsOf(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((column, j) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[j])), displayWidth(column.title)),
  )
}

function roomy(columns: readonly TextColumn[], widths: readonly number[]): number {
  const each = widths.map((own, j) => (columns[j].fold ? Math.min(own, ROOMY_FOLD) : own))
  return each.reduce((sum, own) => sum + own, GAP.length * (each.length - 1))
}

function foldRow(row: readonly string[], folding: number, widths: readonly number[]): string[][] {
  if (folding < 0) return [[...row]]
  return wrap(row[folding], widths[folding]).map((line, k) =>
    row.map((cell, j) => (j === folding ? line : k === 0 ? cell : '')),
  )
}

function pad(cell: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(cell)))
  return align === 'left' ? cell + space : space + cell
}

/** Breaks text at spaces, but not before a percent sign; a word longer than a line stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of inOneLine(text).split(/ +(?!%)/)) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** As much of a text as fits on a line: clauses up to a semicolon, if one fits, else whole words. */
export function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  const [line] = wrap(text, width - 2)
  const clause = line.lastIndexOf('; ')
  return clause > width / 3 ? line.slice(0, clause) : `${line.replace(/[,;:]$/, '')} …`
}

function displayWidth(text: string): number {
  return [...text].length
}
