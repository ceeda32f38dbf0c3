import { UserError } from '../../errors.js'
import { MISSING_CODE } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import { type ByteWriter, byteWriter } from '../bytes/byte-writer.js'
import { viewOf } from '../bytes/cursor.js'
import { cutText, type Program, type StoredNumbers, type StoredTexts, storedVariable } from '../unlabelled.js'
import { clockOf } from './formats.js'
import { doubleOfKind, LARGEST_BYTE, LARGEST_INT, LARGEST_LONG, longOfKind, missingOf } from './missing.js'

/**
 * A table as a Stata file of release 118 (Stata 14 and later), in UTF-8, with labels of variables and values, kinds of missing and
 * dates. Whole numbers take the smallest type that holds them, texts beyond 2,045 bytes are strL. The time of its making
 * is left out, so that the same table gives the same bytes. See `layout.ts` for the description of the format.
 */
export function toStata(table: Table): Uint8Array {
  checkStataNames(table)
  const variables = table.columns.map((column) => withStorage(storedVariable(column, STATA)))
  const out = byteWriter()
  const places: number[] = []
  const section = (tag: string, write: () => void) => {
    places.push(out.length())
    out.ascii(`<${tag}>`)
    write()
    out.ascii(`</${tag}>`)
  }
  out.ascii('<stata_dta>')
  writeHeader(out, table.rows, variables.length)
  const map = out.length()
  out.ascii(`<map>${'\0'.repeat(8 * PLACES)}</map>`)
  const each = (write: (variable: Variable) => void) => () => {
    for (const variable of variables) write(variable)
  }
  section(
    'variable_types',
    each(({ type }) => out.uint16(type)),
  )
  section(
    'varnames',
    each(({ stored }) => fixedText(out, stored.name, WIDTH.name)),
  )
  section('sortlist', () => out.fill(0, 2 * (variables.length + 1)))
  section(
    'formats',
    each(({ format }) => fixedText(out, format, WIDTH.format)),
  )
  section(
    'value_label_names',
    each(({ stored }) => fixedText(out, hasLabels(stored) ? stored.name : '', WIDTH.name)),
  )
  section(
    'variable_labels',
    each(({ stored }) => fixedText(out, firstCharacters(stored.label, LONGEST_LABEL), WIDTH.label)),
  )
  section('characteristics', () => {})
  section('data', () => writeRows(out, table.rows, variables))
  section('strls', () => writeLongTexts(out, variables))
  section(
    'value_labels',
    each(({ stored }) => writeLabels(out, stored)),
  )
  places.push(out.length())
  out.ascii('</stata_dta>')
  const bytes = out.whole()
  const view = viewOf(bytes)
  for (const [k, place] of [0, map, ...places, bytes.length].entries())
    view.setBigInt64(map + '<map>'.length + 8 * k, BigInt(place), true)
  return bytes
}

const STATA: Program = {
  takesLabel: (value) => Number.isInteger(value) && Math.abs(value) <= LARGEST_LONG,
  hasKinds: true,
  declaresMissing: false,
  labelsTexts: false,
  longestLabel: 32_000,
}
const PLACES = 14
const WIDTH = { name: 129, format: 57, label: 321 } as const
const LONGEST_NAME = 32
const LONGEST_LABEL = 80
const MOST_VARIABLES = 32_767
const LARGEST_DOUBLE = 8.9884656743115e307
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u
const RESERVED =
  /^(_all|_b|byte|_coef|_cons|double|float|if|in|int|long|_n|_N|_pi|_pred|_rc|_skip|strL|using|with|str\d+)$/

/** To be asked before a table is made. */
export function checkStataNames({ columns }: Pick<Table, 'columns'>): void {
  const problems = columns.flatMap(({ name }) =>
    NAME.test(name) && !RESERVED.test(name) && [...name].length <= LONGEST_NAME
      ? []
      : [`Stata takes no variable of the name "${name}": letters, digits and _, no digit first, 32 characters at most`],
  )
  if (columns.length > MOST_VARIABLES) problems.push(`a Stata file has ${MOST_VARIABLES} variables at most`)
  if (problems.length > 0) throw new UserError(problems)
}

const TYPE = { double: 65_526, long: 65_528, int: 65_529, byte: 65_530, longText: 32_768 } as const
const LONGEST_TEXT = 2045

interface Variable {
  readonly stored: StoredNumbers | StoredTexts
  readonly type: number
  readonly bytes: number
  readonly format: string
  /** Puts the cell of a row at a place. */
  readonly put: (view: DataView, at: number, row: number, place: { variable: number }) => void
  /** The long texts, each with the row that has it first. */
  readonly longTexts: readonly { readonly row: number; readonly bytes: Uint8Array }[]
}

function withStorage(stored: StoredNumbers | StoredTexts): Variable {
  return stored.kind === 'text' ? textVariable(stored) : numberVariable(stored)
}

function numberVariable(stored: StoredNumbers): Variable {
  const { date, kinds } = stored
  const format = date === undefined ? numberFormat(stored) : dateFormat(stored, date)
  const clock = date === undefined ? undefined : clockOf(format)
  const values = clock === undefined ? stored.values : stored.values.map(clock.fromDays)
  const type = storageType(stored.name, values)
  const bytes = { [TYPE.byte]: 1, [TYPE.int]: 2, [TYPE.long]: 4 }[type] ?? 8
  return {
    stored,
    type,
    bytes,
    format,
    longTexts: [],
    put(view, at, row) {
      const value = values[row]
      const kind = kinds?.[row] ?? 0
      if (type === TYPE.double) {
        if (Number.isNaN(value)) view.setInt32(at + 4, doubleOfKind(kind), true)
        else view.setFloat64(at, value, true)
        return
      }
      const stands = Number.isNaN(value) ? missingOf(bytes, kind) : value
      if (bytes === 1) view.setInt8(at, stands)
      else if (bytes === 2) view.setInt16(at, stands, true)
      else view.setInt32(at, stands, true)
    },
  }
}

function storageType(name: string, values: Float64Array): number {
  let largest = 0
  let isWhole = true
  for (const value of values) {
    if (Number.isNaN(value)) continue
    largest = Math.max(largest, Math.abs(value))
    isWhole &&= Number.isInteger(value)
  }
  if (largest > LARGEST_DOUBLE)
    throw new UserError(`column "${name}" has the number ${largest}; Stata takes it for missing`)
  if (!isWhole || largest > LARGEST_LONG) return TYPE.double
  return largest <= LARGEST_BYTE ? TYPE.byte : largest <= LARGEST_INT ? TYPE.int : TYPE.long
}

function numberFormat({ format }: StoredNumbers): string {
  return /^%[-0]?\d+([.,]\d+)?[fge]c?$/.test(format ?? '') ? (format ?? '') : '%10.0g'
}

/** The format of the codebook where all dates come back from it as they are. */
function dateFormat({ format, values }: StoredNumbers, date: 'day' | 'time'): string {
  const clock = clockOf(format)
  const comesBack = (days: number) =>
    clock !== undefined && Math.abs(clock.toDays(clock.fromDays(days)) - days) * 86_400_000 < 1
  const keeps = clock !== undefined && values.every((days) => Number.isNaN(days) || comesBack(days))
  return keeps && format !== undefined ? format : date === 'day' ? '%td' : '%tc'
}

function textVariable(stored: StoredTexts): Variable {
  const encoder = new TextEncoder()
  const encoded = stored.texts.map((text) => encoder.encode(text))
  const longest = encoded.reduce((most, bytes) => Math.max(most, bytes.length), 1)
  return longest > LONGEST_TEXT ? longTextVariable(stored, encoded) : shortTextVariable(stored, encoded, longest)
}

function shortTextVariable(stored: StoredTexts, encoded: readonly Uint8Array[], longest: number): Variable {
  return {
    stored,
    type: longest,
    bytes: longest,
    format: `%${longest}s`,
    longTexts: [],
    put(view, at, row) {
      const code = stored.codes[row]
      const bytes = code === MISSING_CODE ? [] : encoded[code]
      for (let k = 0; k < bytes.length; k++) view.setUint8(at + k, bytes[k])
    },
  }
}

/** A cell names the variable and the observation, both from 1, that have the text first. */
function longTextVariable(stored: StoredTexts, encoded: readonly Uint8Array[]): Variable {
  const firstRow = new Map<number, number>()
  stored.codes.forEach((code, row) => {
    if (code !== MISSING_CODE && encoded[code].length > 0 && !firstRow.has(code)) firstRow.set(code, row)
  })
  return {
    stored,
    type: TYPE.longText,
    bytes: 8,
    format: '%9s',
    longTexts: [...firstRow].map(([code, row]) => ({ row, bytes: encoded[code] })),
    put(view, at, row, { variable }) {
      const first = firstRow.get(stored.codes[row])
      if (first !== undefined) view.setBigUint64(at, BigInt(variable) + (BigInt(first + 1) << 16n), true)
    },
  }
}

function writeHeader(out: ByteWriter, rows: number, variables: number): void {
  out.ascii('<header><release>118</release><byteorder>LSF</byteorder><K>')
  out.uint16(variables)
  out.ascii('</K><N>')
  out.int64(rows)
  out.ascii('</N><label>')
  out.uint16(0)
  out.ascii('</label><timestamp>')
  out.uint8(0)
  out.ascii('</timestamp></header>')
}

function fixedText(out: ByteWriter, text: string, width: number): void {
  const bytes = cutText(text, width - 1)
  out.bytes(bytes)
  out.fill(0, width - bytes.length)
}

function firstCharacters(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}

function hasLabels(stored: StoredNumbers | StoredTexts): boolean {
  return stored.kind === 'number' && stored.valueLabels.length > 0
}

function writeRows(out: ByteWriter, rows: number, variables: readonly Variable[]): void {
  const length = variables.reduce((sum, { bytes }) => sum + bytes, 0)
  const line = new Uint8Array(length)
  const view = viewOf(line)
  for (let row = 0; row < rows; row++) {
    line.fill(0)
    let at = 0
    for (let k = 0; k < variables.length; k++) {
      variables[k].put(view, at, row, { variable: k + 1 })
      at += variables[k].bytes
    }
    out.bytes(line)
  }
}

const TEXT = 130

function writeLongTexts(out: ByteWriter, variables: readonly Variable[]): void {
  const all = variables.flatMap(({ longTexts }, k) => longTexts.map((text) => ({ ...text, variable: k + 1 })))
  for (const { variable, row, bytes } of all.sort((a, b) => a.row - b.row || a.variable - b.variable)) {
    out.ascii('GSO')
    out.int32(variable)
    out.int64(row + 1)
    out.uint8(TEXT)
    out.int32(bytes.length + 1)
    out.bytes(bytes)
    out.uint8(0)
  }
}

/** A set of labels bears the name of its variable. */
function writeLabels(out: ByteWriter, stored: StoredNumbers | StoredTexts): void {
  if (!hasLabels(stored)) return
  const entries = stored.valueLabels.map(({ value, label }) => ({
    value: typeof value === 'number' ? value : longOfKind(value.charCodeAt(1)),
    text: cutText(label, STATA.longestLabel - 1),
  }))
  const textLength = entries.reduce((sum, { text }) => sum + text.length + 1, 0)
  out.ascii('<lbl>')
  out.int32(8 + 8 * entries.length + textLength)
  fixedText(out, stored.name, WIDTH.name)
  out.fill(0, 3)
  out.int32(entries.length)
  out.int32(textLength)
  let place = 0
  const ascending = entries.sort((a, b) => a.value - b.value)
  for (const { text } of ascending) {
    out.int32(place)
    place += text.length + 1
  }
  for (const { value } of ascending) out.int32(value)
  for (const { text } of ascending) {
    out.bytes(text)
    out.uint8(0)
  }
  out.ascii('</lbl>')
}
