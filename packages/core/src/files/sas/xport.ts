import { table } from '../../table/table.js'
import { asciiOf, viewOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import type { Encoding } from '../bytes/encoding.js'
import { type Contents, chosenParts, heldTogether, SeveralObjects } from '../contents.js'
import { checkNames } from '../csv.js'
import { type LabelledOptions, type LabelledVariable, labelledColumn } from '../labelled.js'
import { collectKinds, type Decode, decoderOf, paddedTexts, withoutPadding } from '../texts.js'
import { daysOf, formatName } from './formats.js'
import { ibmDouble, missingKind } from './ibm-double.js'

/**
 * SAS transport files of version 5 and of version 8 ("Record Layout of a SAS Version 5 or 6 Data Set in SAS Transport (XPORT)
 * Format", TS-140, and "... Version 8 or 9 ...", SAS Institute): records of 80 bytes that say what follows, one description of
 * 140 bytes per variable, then rows of a fixed length with numbers as IBM mainframes have them. The format has no count of its
 * rows: those that are blank to the end of the last record are padding, so blank texts alone at the end would be lost with it.
 */
export interface XportOptions extends LabelledOptions {
  readonly encoding?: Encoding | undefined
  /** The data set, where the file holds several. */
  readonly object?: readonly string[] | undefined
}

const RECORD = 80
const HEADER = 'HEADER RECORD*******'
const DESCRIPTIONS = [136, 140]
const BLANK = 32

export function readXport(name: string, bytes: Uint8Array, options: XportOptions): Contents {
  const decode = decoderOf(name, options.encoding)
  const parts = membersOf(bytes).map((member) => [decode(withoutPadding(member.name)), member] as const)
  if (parts.length === 0) throw new Damaged('it holds no data set')
  const wanted = options.object ?? []
  const chosen = parts.length === 1 || wanted.length === 0 ? parts : chosenParts(name, 'data set', parts, wanted)
  if (chosen.length > 1 && wanted.length === 0) {
    const names = parts.map(([part]) => part)
    const choice = 'choose with the option object, the original first'
    throw new SeveralObjects(`${name}: holds several data sets: ${names.join(', ')}; ${choice}`, names)
  }
  return heldTogether(chosen.map(([part, member]) => [part, readMember(name, member, decode, options)]))
}

interface Member {
  readonly name: Uint8Array
  readonly isVersion8: boolean
  /** Descriptions of variables. */
  readonly descriptions: readonly Uint8Array[]
  readonly labels: ReadonlyMap<number, Uint8Array>
  readonly data: Uint8Array
}

/** The header that a record is, without its mark. */
function headerAt(bytes: Uint8Array, at: number): string | undefined {
  const text = asciiOf(bytes.subarray(at, at + RECORD))
  return text.startsWith(HEADER) ? text.slice(HEADER.length) : undefined
}

function membersOf(bytes: Uint8Array): readonly Member[] {
  if (bytes.length % RECORD !== 0) throw new Damaged('it is cut short: it is not made of records of 80 bytes')
  const starts: number[] = []
  for (let at = 0; at < bytes.length; at += RECORD)
    if (/^(MEMBER |MEMBV8 )/.test(headerAt(bytes, at) ?? '')) starts.push(at)
  return starts.map((start, k) => readHeaders(bytes.subarray(start, starts[k + 1] ?? bytes.length)))
}

function readHeaders(bytes: Uint8Array): Member {
  const head = headerAt(bytes, 0) ?? ''
  const isVersion8 = head.startsWith('MEMBV8')
  const size = Number(head.slice(-6).trim()) || 140
  if (!DESCRIPTIONS.includes(size))
    throw new Damaged(`a variable is described in ${size} bytes, and 136 or 140 are known`)
  const name = bytes.subarray(2 * RECORD + 8, 2 * RECORD + (isVersion8 ? 40 : 16))
  const names = headerAt(bytes, 4 * RECORD) ?? ''
  if (!/^NAM(ESTR|STV8) /.test(names)) throw new Damaged('it does not say what variables there are')
  const count = countIn(names)
  const first = 5 * RECORD
  const end = first + RECORD * Math.ceil((count * size) / RECORD)
  if (end > bytes.length) throw new Damaged('it is cut short')
  const descriptions = Array.from({ length: count }, (_, k) => bytes.subarray(first + k * size, first + (k + 1) * size))
  let at = end
  const labels = new Map<number, Uint8Array>()
  if (/^LABELV[89] /.test(headerAt(bytes, at) ?? '')) at = readLabels(bytes, at, labels)
  if (!/^OBS(V8)? /.test(headerAt(bytes, at) ?? '')) throw new Damaged('it does not say where its rows begin')
  return { name, isVersion8, descriptions, labels, data: bytes.subarray(at + RECORD) }
}

/** Behind the words of a header stand numbers of five digits; the second is the count. */
function countIn(header: string): number {
  const digits = header.slice(33, 38)
  if (!/^\d{5}$/.test(digits)) throw new Damaged('it does not say how many variables there are')
  return Number(digits)
}

/** Version 8: labels and formats longer than a description has room for. */
function readLabels(bytes: Uint8Array, start: number, labels: Map<number, Uint8Array>): number {
  const header = headerAt(bytes, start) ?? ''
  const isVersion9 = header.startsWith('LABELV9')
  const count = Number(header.slice(28).trim())
  if (!Number.isInteger(count)) throw new Damaged('it does not say how many labels there are')
  const sizes = isVersion9 ? 5 : 3
  const view = viewOf(bytes)
  let at = start + RECORD
  for (let k = 0; k < count; k++) {
    if (at + 2 * sizes > bytes.length) throw new Damaged('it is cut short')
    const [variable, nameLength, labelLength, formatLength, informatLength] = Array.from({ length: sizes }, (_, j) =>
      view.getUint16(at + 2 * j),
    )
    at += 2 * sizes
    labels.set(variable, bytes.subarray(at + nameLength, at + nameLength + labelLength))
    at += nameLength + labelLength + (formatLength ?? 0) + (informatLength ?? 0)
  }
  return start + RECORD * Math.ceil((at - start) / RECORD)
}

interface Variable {
  readonly isText: boolean
  readonly at: number
  readonly length: number
  readonly name: string
  readonly label: string
  readonly format: string | undefined
}

function describe(member: Member, bytes: Uint8Array, decode: Decode): Variable {
  const view = viewOf(bytes)
  const text = (from: number, length: number) => decode(withoutPadding(bytes.subarray(from, from + length)))
  const long = member.isVersion8 ? text(88, 32) : ''
  const number = view.getInt16(6)
  const label = member.labels.get(number)
  return {
    isText: view.getInt16(0) === 2,
    length: view.getInt16(4),
    name: long === '' ? text(8, 8) : long,
    label: label === undefined ? text(16, 40) : decode(withoutPadding(label)),
    format: formatName(text(56, 8), view.getInt16(64), view.getInt16(66)),
    at: view.getInt32(84),
  }
}

function readMember(name: string, member: Member, decode: Decode, options: XportOptions) {
  const variables = member.descriptions.map((bytes) => describe(member, bytes, decode))
  checkNames(
    name,
    variables.map((variable) => variable.name),
  )
  const width = variables.reduce((sum, { length }) => sum + length, 0)
  const fits = ({ isText, at, length }: Variable) =>
    at >= 0 && length >= (isText ? 1 : 2) && at + length <= width && (isText || length <= 8)
  if (!variables.every(fits)) throw new Damaged('a variable lies outside of its row')
  const rows = rowsIn(member.data, width)
  return table(
    name,
    variables.map((variable) =>
      labelledColumn(name, { ...valuesOf(member.data, variable, width, rows, decode), ...aboutOf(variable) }, options),
    ),
  )
}

function aboutOf({ name, label, format, isText }: Variable): Omit<LabelledVariable, 'values'> {
  return { name, label, format, toDays: isText || format === undefined ? undefined : daysOf(format) }
}

/** Whole rows, without the blank ones that begin in the last record: those are padding. */
function rowsIn(data: Uint8Array, width: number): number {
  let rows = Math.floor(data.length / width)
  const isBlank = (row: number) => data.subarray(row * width, (row + 1) * width).every((byte) => byte === BLANK)
  while (rows > 0 && (rows - 1) * width > data.length - RECORD && isBlank(rows - 1)) rows--
  return rows
}

function valuesOf(
  data: Uint8Array,
  { isText, at, length }: Variable,
  width: number,
  rows: number,
  decode: Decode,
): Pick<LabelledVariable, 'values' | 'kinds'> {
  const cell = (row: number) => data.subarray(row * width + at, row * width + at + length)
  if (isText) return { values: paddedTexts(rows, cell, decode) }
  const values = new Float64Array(rows)
  const missing = collectKinds(rows)
  for (let row = 0; row < rows; row++) {
    const from = row * width + at
    const kind = missingKind(data, from, length)
    values[row] = kind === undefined ? ibmDouble(data, from, length) : Number.NaN
    missing.put(row, kind ?? 0)
  }
  return { values, kinds: missing.kinds() }
}
