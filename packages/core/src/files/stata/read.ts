import { type Table, table } from '../../table/table.js'
import { viewOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import { checkNames } from '../csv.js'
import { type LabelledOptions, labelledColumn, type TextValues } from '../labelled.js'
import { codedTexts, collectBytes, collectKinds, upToNul } from '../texts.js'
import { clockOf } from './formats.js'
import { type Layout, readLayout, type StataVariable } from './layout.js'
import { bytesOfVariable, referenceAt } from './long-texts.js'
import {
  isMissingDouble,
  isMissingFloat,
  kindOfByte,
  kindOfDouble,
  kindOfFloat,
  kindOfInt,
  kindOfLong,
  LARGEST_BYTE,
  LARGEST_INT,
  LARGEST_LONG,
} from './missing.js'

/** Stata files, releases 113 to 119, one column at a time: docs/decisions/0007-spss-and-stata.md. */
export function readStata(
  name: string,
  bytes: Uint8Array,
  options: LabelledOptions & { readonly encoding?: string | undefined },
): Table {
  const layout = readLayout(name, bytes, options.encoding)
  checkNames(
    name,
    layout.variables.map((variable) => variable.name),
  )
  return table(
    name,
    layout.variables.map((variable) => {
      const { label, format, labelSet } = variable
      const values = readValues(variable, layout, bytes)
      const toDays = values.values instanceof Float64Array ? clockOf(format)?.toDays : undefined
      const valueLabels = labelSet === '' ? undefined : layout.labels.get(labelSet)
      return labelledColumn(name, { name: variable.name, ...values, label, valueLabels, format, toDays }, options)
    }),
  )
}

interface Values {
  readonly values: Float64Array | TextValues
  /** Of numbers only, where there are several. */
  readonly kinds?: Uint8Array | undefined
}

function readValues(variable: StataVariable, layout: Layout, bytes: Uint8Array): Values {
  switch (variable.storage.kind) {
    case 'text':
      return { values: readTexts(variable, layout, bytes) }
    case 'long text':
      return { values: readReferences(variable, layout, bytes) }
    default:
      return readNumbers(variable, layout, bytes)
  }
}

function readTexts({ offset, storage }: StataVariable, { data, rows, rowLength, decode }: Layout, bytes: Uint8Array) {
  const collector = collectBytes(rows, decode)
  for (let row = 0; row < rows; row++) {
    const at = data + row * rowLength + offset
    collector.put(row, upToNul(bytes.subarray(at, at + storage.bytes)))
  }
  return collector.values()
}

const NO_TEXT = '0,0'

function readReferences({ name, offset }: StataVariable, layout: Layout, bytes: Uint8Array): TextValues {
  const { data, rows, rowLength, littleEndian, longTexts } = layout
  const view = viewOf(bytes)
  const first = variableBytes(layout, view)
  return codedTexts(rows, (row) => {
    const reference = referenceAt(view, data + row * rowLength + offset, first, littleEndian)
    const text = reference === NO_TEXT ? '' : longTexts.get(reference)
    if (text === undefined) throw new Damaged(`row ${row + 1} of "${name}" refers to a long text that is not there`)
    return text
  })
}

function variableBytes({ variables, longTexts, release, data, rows, rowLength, littleEndian }: Layout, view: DataView) {
  const [key = ''] = longTexts.keys()
  const [variable, observation] = key.split(',').map(Number)
  const described = variables[variable - 1]
  return bytesOfVariable(release, (bytes) => {
    if (described === undefined || described.storage.bytes !== 8 || observation < 1 || observation > rows) return false
    const at = data + (observation - 1) * rowLength + described.offset
    return referenceAt(view, at, bytes, littleEndian) === key
  })
}

/** A hot loop: the kind of storage is looked at once per column. */
function readNumbers({ offset, storage }: StataVariable, layout: Layout, bytes: Uint8Array): Values {
  const { data, rows, rowLength, littleEndian } = layout
  const view = viewOf(bytes)
  const values = new Float64Array(rows)
  const missing = collectKinds(rows)
  const visit = (
    read: (at: number) => number,
    isMissing: (raw: number) => boolean,
    kindOf: (raw: number) => number,
  ) => {
    for (let row = 0, at = data + offset; row < rows; row++, at += rowLength) {
      const raw = read(at)
      values[row] = isMissing(raw) ? Number.NaN : raw
      if (isMissing(raw)) missing.put(row, kindOf(raw))
    }
  }
  switch (storage.kind) {
    case 'byte':
      visit(
        (at) => view.getInt8(at),
        (raw) => raw > LARGEST_BYTE,
        kindOfByte,
      )
      break
    case 'int':
      visit(
        (at) => view.getInt16(at, littleEndian),
        (raw) => raw > LARGEST_INT,
        kindOfInt,
      )
      break
    case 'long':
      visit(
        (at) => view.getInt32(at, littleEndian),
        (raw) => raw > LARGEST_LONG,
        kindOfLong,
      )
      break
    case 'float':
      visit((at) => view.getInt32(at, littleEndian), isMissingFloat, kindOfFloat)
      for (let row = 0; row < rows; row++)
        if (!Number.isNaN(values[row])) values[row] = view.getFloat32(data + offset + row * rowLength, littleEndian)
      break
    default: {
      const high = littleEndian ? 4 : 0
      visit((at) => view.getInt32(at + high, littleEndian), isMissingDouble, kindOfDouble)
      for (let row = 0; row < rows; row++)
        if (!Number.isNaN(values[row])) values[row] = view.getFloat64(data + offset + row * rowLength, littleEndian)
    }
  }
  return { values, kinds: missing.kinds() }
}
