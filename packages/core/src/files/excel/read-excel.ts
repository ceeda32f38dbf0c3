import { UserError } from '../../errors.js'
import type { Column } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import { Damaged } from '../bytes/damage.js'
import { type Contents, chosenParts, heldTogether } from '../contents.js'
import { checkNames } from '../csv.js'
import { type Cells, dateColumn, inferColumn, MISSING_TOKENS } from '../infer.js'
import { codedTexts } from '../texts.js'
import { type Cell, readSheet, type Sheet } from './sheet.js'
import { demand, readWorkbook } from './workbook.js'
import { openZip } from './zip.js'

/**
 * Excel workbooks (.xlsx; ECMA-376, Office Open XML). The first row that holds anything names the columns, the rows below are
 * records; rows and columns that hold nothing are left out. What a cell holds is its value or the last result of its formula,
 * not how it is shown. A column is of dates where all its cells are, else its cells are read as the text formats are. Errors
 * (#N/A) are missing. Of cells that were joined the first holds the value and the others are missing. Notes tell of both.
 */
export interface ExcelOptions {
  /** Sheets by name or number, in order; default: the first that is not hidden. */
  readonly sheet?: readonly string[] | undefined
  readonly missing?: readonly string[] | undefined
  readonly maxSize?: number | undefined
}

export function readExcel(name: string, bytes: Uint8Array, options: ExcelOptions): Contents {
  const zip = openZip(name, bytes, options.maxSize)
  const workbook = readWorkbook(zip)
  const { sheets } = workbook
  const visible = sheets.find(([, { isHidden }]) => !isHidden) ?? sheets[0]
  const wanted = options.sheet ?? []
  const chosen = wanted.length === 0 ? [visible] : chosenParts(name, 'sheet', sheets, wanted)
  const read = chosen.map(([title, { path }]) => ({ title, sheet: readSheet(demand(zip, path), workbook) }))
  const others = sheets.flatMap(([title]) => (title === visible[0] ? [] : [title]))
  const isGuess = wanted.length === 0 && sheets.length > 1
  return {
    ...heldTogether(read.map(({ title, sheet }) => [title, tableOf(name, title, sheet, options)])),
    ...(sheets.length > 1 ? { sheets: [visible[0], ...others] } : {}),
    notes: [
      ...(isGuess ? [`${name}: of its ${sheets.length} sheets "${visible[0]}" is read`] : []),
      ...read.flatMap(({ title, sheet }) => notesOn(`${name}, sheet "${title}"`, sheet)),
    ],
  }
}

function notesOn(where: string, { columns, merged }: Sheet): readonly string[] {
  const hasErrors = [...columns.values()].some((cells) => [...cells.values()].some(({ kind }) => kind === 'error'))
  return [
    ...(hasErrors ? [`${where}: cells that hold an error such as #N/A are missing`] : []),
    ...(merged === 0
      ? []
      : [`${where}: has merged cells; only the first of each has the value, the others are missing`]),
  ]
}

function tableOf(name: string, title: string, { columns, rows }: Sheet, options: ExcelOptions): Table {
  const places = [...columns.keys()].sort((a, b) => a - b)
  const filled = new Uint8Array(rows)
  for (const cells of columns.values()) for (const row of cells.keys()) filled[row] = 1
  const head = filled.indexOf(1)
  if (head < 0) throw new UserError(`${name}: the sheet "${title}" is empty`)
  const records: number[] = []
  for (let row = head + 1; row < rows; row++) if (filled[row] === 1) records.push(row)
  checkRoom(columns, places.length, records.length)
  const names = places.map((place) => String(columns.get(place)?.get(head)?.value ?? ''))
  checkNames(name, names)
  const reading = { table: name, missing: options.missing ?? MISSING_TOKENS, decimals: ['.'] as const }
  return table(
    name,
    places.map((place, k) => columnOf(names[k], columns.get(place) ?? new Map(), records, reading)),
  )
}

/** Cells in rows and columns of their own make a table of as many squared: no sheet that people keep records in is so. */
function checkRoom(columns: Sheet['columns'], width: number, height: number): void {
  let cells = 0
  for (const column of columns.values()) cells += column.size
  if (width * height > MOST_EMPTY * cells + SMALL) throw new Damaged('almost all of its cells are empty')
}

const MOST_EMPTY = 100
const SMALL = 1e6

type Reading = Parameters<typeof inferColumn>[1]

function columnOf(name: string, cells: ReadonlyMap<number, Cell>, rows: readonly number[], reading: Reading): Column {
  const held = rows.map((row) => heldIn(cells.get(row)))
  const kinds = new Set(held.map((cell) => cell?.kind))
  kinds.delete(undefined)
  const [only] = kinds
  if (kinds.size !== 1 || (only !== 'date' && only !== 'number')) return inferColumn(textsOf(name, held), reading)
  const values = Float64Array.from(held, (cell) => (cell === undefined ? Number.NaN : Number(cell.value)))
  return only === 'date' ? dateColumn(name, values) : { kind: 'numeric', name, values }
}

/** An error is missing. */
function heldIn(cell: Cell | undefined): Cell | undefined {
  return cell?.kind === 'error' ? undefined : cell
}

/** Texts count as quoted cells: "NA" is one where the column is text. */
function textsOf(name: string, held: readonly (Cell | undefined)[]): Cells {
  const { codes, texts } = codedTexts(held.length, (row) => {
    const cell = held[row]
    return cell === undefined ? null : `${cell.kind === 'text' ? '"' : ' '}${shownValue(cell)}`
  })
  return { name, codes, texts: texts.map((text) => text.slice(1)), quoted: (code) => texts[code].startsWith('"') }
}

function shownValue({ kind, value }: Cell): string {
  return kind === 'date' ? new Date(Number(value) * 86_400_000).toISOString().slice(0, 19) : String(value)
}
