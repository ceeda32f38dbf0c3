import { math } from '@scrim/kernels'
/** Rows of texts, as a small CSV file has them; rows may be of different length. */
export type TextGrid = readonly (readonly string[])[]

/** Reads CSV with commas and quotes (RFC 4180) as texts, so that no printed digit is lost. */
export function parseGrid(text: string): TextGrid {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const source = text.replace(/^\ufeff/, '')
  for (let at = 0; at < source.length; at++) {
    const character = source[at]
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (source[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === ',') {
      row.push(cell)
      cell = ''
    } else if (character === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
    } else if (character !== '\r') cell += character
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
}

export function gridText(grid: TextGrid): string {
  return grid.map((row) => `${row.map(quoted).join(',')}\n`).join('')
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A number as it was printed; null for a text. */
export interface PrintedNumber {
  readonly value: number
  readonly decimals: number
}

export function printedNumber(text: string): PrintedNumber | null {
  const trimmed = text.trim()
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed)) return null
  const [digits, exponent = '0'] = trimmed.toLowerCase().split('e')
  return { value: Number(trimmed), decimals: Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent)) }
}

/** Whether a value would be printed so: it is nearer than half a unit of the last digit. */
export function isPrintedAs(value: number, { value: shown, decimals }: PrintedNumber): boolean {
  return Math.abs(value - shown) <= (0.5 / math.tenTo(decimals)) * (1 + 1e-6) + Math.abs(value) * 1e-12
}
