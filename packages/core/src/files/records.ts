import { UserError } from '../errors.js'

/**
 * Cuts delimited text (RFC 4180) into records and cells on its bytes; a cell is a range of bytes, nothing is copied.
 * Delimiters, quotes and line ends are ASCII, so the cuts are right in UTF-8 and Latin-1 alike. A line ends in LF, CRLF
 * or CR. A quote opens a quoted cell only at the cell's start; elsewhere it is an ordinary character. What follows the
 * standard in no reading (text after a closing quote, a quote never closed) is an error.
 *
 * Not uDSV: it joins a short record with the next one, puts a surplus field into the last cell, skips blank lines, and
 * does not end on a file whose last record is short, so rows would be lost without a word.
 */
export interface RecordHandler {
  /** Cell number `field` of the current record is `bytes[start, end)`, without the quotes around it. */
  cell(field: number, start: number, end: number, style: CellStyle): void
  /** The record that began on `line` (1-based) has ended; false stops the scan. */
  record(fields: number, line: number): boolean
}

/** `ESCAPED` is a quoted cell with doubled quotes in it. */
export const BARE = 0
const QUOTED = 1
export const ESCAPED = 2
export type CellStyle = typeof BARE | typeof QUOTED | typeof ESCAPED

const LF = 10
const CR = 13
const QUOTE = 34

/** Scans `bytes` from `start`, where a record begins; returns where the first record not scanned begins, and its line. */
export function scanRecords(
  name: string,
  bytes: Uint8Array,
  delimiter: number,
  from: { readonly start: number; readonly line: number },
  handler: RecordHandler,
): { start: number; line: number } {
  const end = bytes.length
  let at = from.start
  let line = from.line
  while (at < end) {
    const firstLine = line
    let field = 0
    for (;;) {
      if (bytes[at] === QUOTE) {
        const cell = quotedCell(name, bytes, at, line)
        handler.cell(field++, at + 1, cell.close, cell.style)
        at = cell.close + 1
        line += cell.lines
        if (at < end && !endsCell(bytes[at], delimiter)) {
          throw new UserError(
            `${name}, line ${line}: text follows a closing quote; a quote inside a quoted cell is doubled`,
          )
        }
      } else {
        const start = at
        while (at < end && !endsCell(bytes[at], delimiter)) at++
        handler.cell(field++, start, at, BARE)
      }
      if (at >= end || bytes[at] !== delimiter) break
      at++
    }
    at += bytes[at] === CR && bytes[at + 1] === LF ? 2 : 1
    line++
    if (!handler.record(field, firstLine)) break
  }
  return { start: Math.min(at, end), line }
}

function endsCell(byte: number, delimiter: number): boolean {
  return byte === delimiter || byte === LF || byte === CR
}

function quotedCell(name: string, bytes: Uint8Array, open: number, line: number) {
  let style: CellStyle = QUOTED
  let lines = 0
  for (let at = open + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) lines++
    if (byte !== QUOTE) continue
    if (bytes[at + 1] !== QUOTE) return { close: at, style, lines }
    style = ESCAPED
    at++
  }
  throw new UserError(`${name}, line ${line}: a quote is opened and never closed`)
}
