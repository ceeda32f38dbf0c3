import { Damaged } from '../bytes/damage.js'
import { unescaped, type Workbook } from './workbook.js'
import { visitXml } from './xml.js'

/** A cell as the sheet has it: a text, a number, a day since 1970-01-01, true or false, an error such as `#N/A`. */
export interface Cell {
  readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'error'
  readonly value: string | number
}

/** The cells of a sheet that hold something, by column and row, both from 0. */
export interface Sheet {
  readonly columns: ReadonlyMap<number, ReadonlyMap<number, Cell>>
  readonly rows: number
  /** How many cells were joined with others; only the first of them holds the value. */
  readonly merged: number
}

/** Excel's own limits. */
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384
/** Days from 1970-01-01 back to the day before 1899-12-31: Excel takes 1900 for a leap year, so 0 is a day earlier. */
const EPOCH_1900 = 25_569
const EPOCH_1904 = 24_107
/** Until here Excel's wrong leap day is still to come. */
const LEAP_DAY_1900 = 60

export function readSheet(bytes: Uint8Array, workbook: Workbook): Sheet {
  const columns = new Map<number, Map<number, Cell>>()
  let [row, column, rows, merged] = [-1, -1, 0, 0]
  let [type, style, value, isValue, isInline] = ['n', 0, '', false, false]
  visitXml(bytes, {
    open(name, attribute) {
      if (name === 'row') {
        row = attribute('r') === undefined ? row + 1 : Number(attribute('r')) - 1
        column = -1
      } else if (name === 'c') {
        const place = attribute('r')
        if (place === undefined) column++
        else [column, row] = placeOf(place)
        type = attribute('t') ?? 'n'
        style = Number(attribute('s') ?? 0)
        value = ''
        isInline = false
      } else if (name === 'is') isInline = true
      else if (name === 'v' || (name === 't' && isInline)) isValue = true
      else if (name === 'rPh') isValue = false
      else if (name === 'mergeCell') merged++
    },
    text(piece) {
      if (isValue) value += piece
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      if (name !== 'c' || (value === '' && type !== 'inlineStr')) return
      const cell = cellOf(value, type, workbook.isDate[style] === true, workbook)
      if (cell === undefined) return
      checkPlace(row, column)
      const cells = columns.get(column) ?? new Map<number, Cell>()
      columns.set(column, cells.set(row, cell))
      rows = Math.max(rows, row + 1)
    },
  })
  return { columns, rows, merged }
}

function checkPlace(row: number, column: number): void {
  const fits = row >= 0 && row < MOST_ROWS && column >= 0 && column < MOST_COLUMNS
  if (!fits) throw new Damaged('a cell lies outside of every sheet')
}

/** `AB12` is the cell in column 27 and row 11. */
function placeOf(reference: string): readonly [number, number] {
  const parts = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(reference)
  if (parts === null) throw new Damaged('a cell has no place')
  let column = 0
  for (const letter of parts[1].toUpperCase()) column = 26 * column + letter.charCodeAt(0) - 64
  return [column - 1, Number(parts[2]) - 1]
}

function cellOf(value: string, type: string, isDate: boolean, workbook: Workbook): Cell | undefined {
  switch (type) {
    case 's': {
      const text = workbook.texts[Number(value)]
      if (text === undefined) throw new Damaged('a cell refers to a text that is not there')
      return text === '' ? undefined : { kind: 'text', value: text }
    }
    case 'str':
    case 'inlineStr':
      return value === '' ? undefined : { kind: 'text', value: unescaped(value) }
    case 'b':
      return { kind: 'boolean', value: value === '1' || value === 'true' ? 'true' : 'false' }
    case 'e':
      return { kind: 'error', value }
    case 'd': {
      const days =
        Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$/.test(value) || !value.includes('T') ? value : `${value}Z`) / 86_400_000
      return Number.isNaN(days) ? { kind: 'text', value } : { kind: 'date', value: days }
    }
    default: {
      const number = Number(value)
      if (value.trim() === '' || !Number.isFinite(number))
        throw new Damaged('a cell that should hold a number does not')
      return isDate ? { kind: 'date', value: daysOf(number, workbook.from1904) } : { kind: 'number', value: number }
    }
  }
}

/** Rounded to milliseconds: Excel's fractions of days are no more exact. */
function daysOf(serial: number, from1904: boolean): number {
  const days = from1904 ? serial - EPOCH_1904 : serial < LEAP_DAY_1900 ? serial + 1 - EPOCH_1900 : serial - EPOCH_1900
  return Math.round(days * 86_400_000) / 86_400_000
}
