import { UserError } from '../../errors.js'
import { type Column, MISSING_CODE, type ValueLabel } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import { Damaged } from '../bytes/damage.js'
import { checkNames } from '../csv.js'
import { type LabelledOptions, labelledColumn } from '../labelled.js'
import { codedTexts, collectKinds } from '../texts.js'
import { collectValues } from '../values.js'
import { NA_INTEGER } from './source.js'
import {
  attribute,
  hasClass,
  numbersOf,
  partsOf,
  type RSequence,
  type RTexts,
  type RValue,
  type RVector,
  textsOf,
} from './values.js'

/**
 * A data frame (tibble, data.table) as a table: factors keep their levels in order, ordered ones their meaning; logicals are
 * true and false; Date and POSIXct are dates (UTC); difftime is a number in its units; haven's labelled vectors are labelled
 * variables. NA is missing and "" is a text, as in R. Row names are left out. Other columns are refused by name.
 */
export function tableOfFrame(name: string, frame: RValue, options: LabelledOptions): Table {
  const parts = partsOf(frame)
  checkNames(
    name,
    parts.map(([column]) => column),
  )
  const rows = rowsOf(parts.map(([, value]) => value))
  return table(
    name,
    parts.map(([column, value]) => columnOf({ table: name, column, rows, options }, value)),
  )
}

export function isFrame(value: RValue): boolean {
  return value.type === 'list' && hasClass(value, 'data.frame')
}

interface Place {
  readonly table: string
  readonly column: string
  readonly rows: number
  readonly options: LabelledOptions
}

const SECONDS_PER_DAY = 86_400
/** A frame of sequences only takes no room in the file; no table that scrim measures is longer. */
const MOST_ROWS = 1e7

function rowsOf(columns: readonly RValue[]): number {
  const written = columns.find((value) => 'values' in value)
  if (written !== undefined && 'values' in written) return written.values.length
  const longest = Math.max(0, ...columns.map((value) => (value.type === 'sequence' ? value.length : 0)))
  if (longest > MOST_ROWS) throw new Damaged(`a sequence of ${longest} numbers is all there is`)
  return longest
}

function columnOf(place: Place, value: RValue): Column {
  const shape = numbersOf(attribute(value, 'dim'))
  if (shape.length > 1 && shape[1] !== 1) return refuse(place, 'a matrix')
  switch (value.type) {
    case 'texts':
      return hasClass(value, 'haven_labelled') ? labelledTexts(place, value) : described(value, texts(place, value))
    case 'sequence':
      return numbers(place, writtenOut(place, value))
    case 'logical':
      return described(value, logicals(place, value))
    case 'integer':
      return hasClass(value, 'factor') ? described(value, factor(value, place)) : numbers(place, value)
    case 'double':
      return hasClass(value, 'integer64') ? longIntegers(place, value) : numbers(place, value)
    default:
      return refuse(place, value.type === 'nothing' ? value.what : value.type === 'list' ? 'a list' : 'an object')
  }
}

function refuse({ table: name, column }: Place, what: string): never {
  throw new UserError(`${name}: column "${column}" is ${what}, which is not a number, text or date; leave it out`)
}

function writtenOut({ column, rows }: Place, { length, from, step, attributes }: RSequence): RVector {
  if (length !== rows) throw new Damaged(`column "${column}" has ${length} values, and others have ${rows}`)
  const values = new Float64Array(length)
  for (let k = 0; k < length; k++) values[k] = from + k * step
  return { type: 'double', values, attributes }
}

/** A text in R may be empty, and is a value then: only NA is missing. */
function texts({ table: name, column }: Place, { values }: RTexts): Column {
  const collector = collectValues(name, column, 'text', values.length)
  values.forEach((text, row) => {
    collector.put(row, text)
  })
  return collector.column()
}

function logicals({ table: name, column }: Place, { values }: RVector): Column {
  const collector = collectValues(name, column, 'boolean', values.length)
  for (let row = 0; row < values.length; row++) if (values[row] !== NA_INTEGER) collector.put(row, values[row] !== 0)
  return collector.column()
}

/** NA may be a level of its own (`addNA`), and is missing even so. */
function factor(value: RVector, { column: name }: Place): Column {
  const labels = textsOf(attribute(value, 'levels'))
  const levels = labels.filter((label) => label !== null)
  if (new Set(levels).size < levels.length) throw new Damaged(`the factor "${name}" has a level twice`)
  const codeOf = new Map(levels.map((level, code) => [level, code]))
  const place = Int32Array.from(labels, (label) =>
    label === null ? MISSING_CODE : (codeOf.get(label) ?? MISSING_CODE),
  )
  const codes = new Int32Array(value.values.length)
  for (let row = 0; row < codes.length; row++) {
    const code = value.values[row]
    if (code !== NA_INTEGER && !(code >= 1 && code <= labels.length))
      throw new Damaged(`the factor "${name}" has a code without a level`)
    codes[row] = code === NA_INTEGER ? MISSING_CODE : place[code - 1]
  }
  return { kind: 'categorical', name, codes, levels, ordered: hasClass(value, 'ordered') }
}

/** bit64 keeps integers of 64 bits in the room of doubles; the smallest is NA. */
function longIntegers({ table: name, column }: Place, { values }: RVector): Column {
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength)
  const collector = collectValues(name, column, 'number', values.length)
  for (let row = 0; row < values.length; row++) {
    const long = view.getBigInt64(8 * row, true)
    collector.put(row, long === -(2n ** 63n) ? null : long)
  }
  return collector.column()
}

function numbers(place: Place, value: RVector): Column {
  const isDate = hasClass(value, 'Date')
  const isTime = hasClass(value, 'POSIXct')
  const toDays = isDate ? (days: number) => days : isTime ? (seconds: number) => seconds / SECONDS_PER_DAY : undefined
  return labelledColumn(place.table, { ...labelsOf(place, value), ...doublesOf(value), toDays }, place.options)
}

function doublesOf({ values }: RVector): { values: Float64Array; kinds: Uint8Array | undefined } {
  if (values instanceof Float64Array) return { values, kinds: kindsOf(values) }
  const doubles = new Float64Array(values.length)
  for (let row = 0; row < doubles.length; row++) doubles[row] = values[row] === NA_INTEGER ? Number.NaN : values[row]
  return { values: doubles, kinds: undefined }
}

/** haven keeps the kind of a missing number (Stata's .a) in the bits of its NaN, beside R's mark of NA. */
function kindsOf(values: Float64Array): Uint8Array | undefined {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  const missing = collectKinds(values.length)
  for (let row = 0; row < values.length; row++) {
    const kind = words[2 * row + 1] & 0xff
    if (Number.isNaN(values[row]) && words[2 * row] === R_NA && kind >= LETTER_A && kind <= LETTER_Z)
      missing.put(row, kind)
  }
  return missing.kinds()
}

/** The year in which Ross Ihaka was born marks NA among the NaN. */
const R_NA = 1954
const [LETTER_A, LETTER_Z] = [97, 122]

function labelledTexts(place: Place, value: RTexts): Column {
  const values = codedTexts(value.values.length, (row) => value.values[row])
  return labelledColumn(place.table, { ...labelsOf(place, value), values }, place.options)
}

function labelsOf({ column }: Place, value: RValue) {
  const labels = attribute(value, 'labels')
  const range = numbersOf(attribute(value, 'na_range'))
  const single = attribute(value, 'na_values')
  const missing = [...numbersOf(single), ...textsOf(single).flatMap((text) => text ?? [])]
  const format = ['format.spss', 'format.stata', 'format.sas'].flatMap((own) => textsOf(attribute(value, own)))[0]
  return {
    name: column,
    label: labelOf(value),
    valueLabels: labels === undefined ? undefined : valueLabels(labels),
    missing:
      missing.length === 0 && range.length < 2
        ? undefined
        : { values: missing, ...(range.length < 2 ? {} : { range: { low: range[0], high: range[1] } }) },
    format: format ?? undefined,
  }
}

function valueLabels(labels: RValue): readonly ValueLabel[] {
  const names = textsOf(attribute(labels, 'names'))
  const values: readonly (number | string | null)[] = labels.type === 'texts' ? labels.values : numbersOf(labels)
  const kinds = labels.type === 'double' && labels.values instanceof Float64Array ? kindsOf(labels.values) : undefined
  return values.flatMap((value, k) => {
    const kind = kinds?.[k] ?? 0
    const shown = kind === 0 ? value : `.${String.fromCharCode(kind)}`
    const label = names[k]
    return shown === null || Number.isNaN(shown) || shown === NA_INTEGER || label == null
      ? []
      : [{ value: shown, label }]
  })
}

function labelOf(value: RValue): string | undefined {
  return textsOf(attribute(value, 'label'))[0] ?? undefined
}

function described(value: RValue, column: Column): Column {
  const label = labelOf(value)
  return label === undefined ? column : { ...column, codebook: { label } }
}
