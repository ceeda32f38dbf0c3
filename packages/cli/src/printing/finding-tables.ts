import { join } from 'node:path'
import {
  type AnyMeasure,
  cellText,
  type FindingTable,
  findingTableView,
  INTERNAL,
  type Result,
  type TableView,
  tablesOf,
} from '@scrim/core'
import { csvText } from '../files/csv.js'
import { writeOutput } from '../files/outputs.js'
import type { Io } from '../io.js'
import { type TextColumn, tableWidth, textTable, wrap } from './text-table.js'

const MOST_ROWS = 30

/** The tables of a measure as text, each below its title. What is to be typed stands as it is typed, whatever its width. */
export function findingTablesText(tables: readonly FindingTable[], width: number, mostRows = MOST_ROWS): string {
  return tables
    .flatMap((table) => findingTableView(table, INTERNAL, 0) ?? [])
    .map((view) => {
      const shown = { ...view, rows: view.rows.slice(0, mostRows) }
      const typed = view.columns.findIndex((column) => column.as === 'code')
      const lines = typed < 0 ? blocks(shown, width) : [shown.rows.map((row) => `  ${cellText(row[typed])}\n`).join('')]
      const left = view.rows.length - shown.rows.length
      const more = left === 0 ? '' : `... and ${left} more: --tables DIR or --json has them all\n`
      return `${wrap(view.caption, width).join('\n')}\n\n${lines.join('\n')}${more}`
    })
    .join('\n')
}

/** What is too wide is printed in blocks of columns, as R does; each begins with the names of the rows. */
function blocks({ columns, rows }: TableView, width: number): readonly string[] {
  const texts = rows.map((row) => row.map(cellText))
  const head: TextColumn[] = columns.map(({ title, align }) => ({ title, ...(align === undefined ? {} : { align }) }))
  const label = labelOf(head, texts)
  const widthOf = (chosen: readonly number[]) =>
    tableWidth(
      chosen.map((j) => head[j]),
      texts.map((row) => chosen.map((j) => row[j])),
    )
  const groups: number[][] = []
  for (let j = label.length; j < head.length; j++) {
    const last = groups.at(-1)
    if (last !== undefined && widthOf([...label, ...last, j]) <= width) last.push(j)
    else groups.push([j])
  }
  return groups.map((group) => {
    const chosen = [...label, ...group]
    return textTable(
      chosen.map((j) => head[j]),
      texts.map((row) => chosen.map((j) => row[j])),
      width,
    )
  })
}

/** The columns that name the rows: texts on the left, and the number after them where only that tells the rows apart. */
function labelOf(head: readonly TextColumn[], texts: readonly (readonly string[])[]): readonly number[] {
  const names = head.findIndex(({ align }) => align !== undefined)
  const label = [...head.keys()].slice(0, names < 0 ? 1 : names)
  const further = [...head.keys()].slice(0, label.length + 1)
  const tells = (columns: readonly number[]) =>
    new Set(texts.map((row) => JSON.stringify(columns.map((j) => row[j])))).size === texts.length
  return !tells(label) && tells(further) ? further : label
}

/** A folder to write tables into. */
export const tablesFolder = (name: string) => ({ name, endings: ['.csv'] })

/** Writes every table of a result as CSV into a folder: shares as fractions, all digits. */
export function writeTables(measure: AnyMeasure, result: Result, folder: string, io: Io): void {
  for (const table of tablesOf(measure, result)) writeTable(measure.id, table, folder, io)
}

export function writeTable(measure: string, { name, columns, rows }: FindingTable, folder: string, io: Io): void {
  const header = columns.map((column) => column.name)
  writeOutput(join(folder, `${measure}-${name}.csv`), csvText(header, rows, io), io)
}
