import {
  type CategoricalColumn,
  type Column,
  type DateColumn,
  MISSING_CODE,
  type MissingCodes,
  type ValueLabel,
} from '../table/column.js'
import { BOOLEAN_LEVELS } from './infer.js'
import { missingTest } from './labelled.js'

/**
 * The way back from a column to a variable of SPSS or Stata. A level becomes the value that it was the label of; a level
 * under its own number becomes that number; levels that are new, or of a column that never had values, get the next whole
 * numbers. All labels of the codebook are kept, of other levels only those that occur: a level that was removed from the
 * records must not be revealed by the list of labels.
 */
export type StoredVariable = StoredNumbers | StoredTexts

interface Stored {
  readonly name: string
  readonly label: string
  readonly valueLabels: readonly ValueLabel[]
  readonly missing: MissingCodes | undefined
  readonly format: string | undefined
  readonly level: 'nominal' | 'ordinal' | 'scale'
}

export interface StoredNumbers extends Stored {
  readonly kind: 'number'
  /** NaN where missing; days since 1970-01-01 where they are dates. */
  readonly values: Float64Array
  /** As in `LabelledVariable`. */
  readonly kinds: Uint8Array | undefined
  readonly date: DateColumn['unit'] | undefined
}

export interface StoredTexts extends Stored {
  readonly kind: 'text'
  readonly codes: Int32Array
  readonly texts: readonly string[]
}

/** What a program can store. */
export interface Program {
  /** Whether a number may have a label. */
  readonly takesLabel: (value: number) => boolean
  /** Whether there are kinds of missing besides numbers. */
  readonly hasKinds: boolean
  /** Whether a file says which values mean missing. */
  readonly declaresMissing: boolean
  /** Whether texts may have labels. */
  readonly labelsTexts: boolean
  /** Bytes of a label. */
  readonly longestLabel: number
}

/** A text with more different values than this is written as texts, unless its values are numbers in the codebook. */
const MOST_CATEGORIES = 256

export function storedVariable(column: Column, program: Program): StoredVariable {
  if (column.kind !== 'categorical') return storedNumbers(column, program)
  const { values = [], text = false } = column.codebook ?? {}
  const isText = text && (program.labelsTexts || values.length === 0)
  return isText || (values.length === 0 && !fitsLabels(column, program))
    ? storedTexts(column, program)
    : storedLevels(column, program)
}

function about({ name, codebook }: Column): Pick<Stored, 'name' | 'label' | 'format'> {
  return { name, label: codebook?.label ?? '', format: codebook?.format }
}

function storedNumbers(column: Exclude<Column, CategoricalColumn>, program: Program): StoredNumbers {
  const { values: labels = [], missing } = column.codebook ?? {}
  const isMissing = missingTest(missing)
  const taken = missing?.kept !== true && column.values.some(isMissing)
  return {
    ...about(column),
    kind: 'number',
    values: column.values,
    kinds: undefined,
    valueLabels: storableLabels(labels, missing, program),
    // What was made since may have values that meant missing before.
    missing: taken ? undefined : missing,
    date: column.kind === 'date' ? column.unit : undefined,
    level: 'scale',
  }
}

/** Labels of values that mean missing, and are not there, would make values of them where a file cannot say so. */
function storableLabels(
  labels: readonly ValueLabel[],
  missing: MissingCodes | undefined,
  { takesLabel, hasKinds, declaresMissing }: Program,
): readonly ValueLabel[] {
  const isMissing = missingTest(declaresMissing || missing?.kept === true ? undefined : missing)
  return labels.filter(({ value }) =>
    typeof value === 'number' ? takesLabel(value) && !isMissing(value) : hasKinds && KIND.test(value),
  )
}

const KIND = /^\.[a-z]$/

function storedTexts(column: CategoricalColumn, { labelsTexts }: Program): StoredTexts {
  const { values = [], missing } = column.codebook ?? {}
  const textOf = new Map(values.map(({ value, label }) => [label, String(value)]))
  const used = usedLevels(column)
  const texts = column.levels.map((level, code) => (used[code] === 1 ? (textOf.get(level) ?? level) : ''))
  const taken = missing?.kept !== true && missing?.values.some((value) => texts.includes(String(value)))
  return {
    ...about(column),
    kind: 'text',
    codes: column.codes,
    texts,
    valueLabels: labelsTexts ? values : [],
    missing: labelsTexts && !taken ? missing : undefined,
    level: column.ordered ? 'ordinal' : 'nominal',
  }
}

function storedLevels(column: CategoricalColumn, program: Program): StoredNumbers {
  const { values: known = [], missing, text = false } = column.codebook ?? {}
  const storable = text ? [] : storableLabels(known, missing, program)
  const levelValue = levelValues(column, storable, program, text)
  const kinds = levelValue.some((value) => typeof value === 'string') ? new Uint8Array(column.codes.length) : undefined
  const values = new Float64Array(column.codes.length).fill(Number.NaN)
  for (let row = 0; row < values.length; row++) {
    const code = column.codes[row]
    const value = code === MISSING_CODE ? undefined : levelValue[code]
    if (typeof value === 'number') values[row] = value
    else if (value !== undefined && kinds !== undefined) kinds[row] = value.charCodeAt(1)
  }
  const explained = new Set(storable.map(({ value }) => value))
  const fresh = column.levels.flatMap((level, code) => {
    const value = levelValue[code]
    return value === undefined || explained.has(value) || String(value) === level ? [] : [{ value, label: level }]
  })
  return {
    ...about(column),
    kind: 'number',
    values,
    kinds,
    valueLabels: [...storable, ...fresh],
    missing: missing !== undefined && missing.kept !== true && values.some(missingTest(missing)) ? undefined : missing,
    date: undefined,
    level: column.ordered ? 'ordinal' : 'nominal',
  }
}

/** The value of each level; undefined where the level neither occurs nor is in the codebook. */
function levelValues(
  column: CategoricalColumn,
  storable: readonly ValueLabel[],
  { hasKinds }: Program,
  wasText: boolean,
): (number | string | undefined)[] {
  const { levels, codebook } = column
  const byLabel = new Map(storable.map(({ value, label }) => [label, value]))
  const used = usedLevels(column)
  if (isBoolean(levels)) return [0, 1]
  const hadNumbers = codebook?.values !== undefined && !wasText
  const values = levels.map((level, code) => {
    const known = byLabel.get(level)
    if (known !== undefined || used[code] === 0 || !hadNumbers) return known
    if (hasKinds && KIND.test(level)) return level
    const number = Number(level)
    return level.trim() !== '' && Number.isFinite(number) && String(number) === level ? number : undefined
  })
  const numbers = [...storable.map(({ value }) => value), ...values].filter((value) => typeof value === 'number')
  let next = numbers.reduce((most, value) => Math.max(most, Math.ceil(value)), 0)
  return values.map((value, code) => value ?? (used[code] === 1 ? ++next : undefined))
}

function isBoolean(levels: readonly string[]): boolean {
  return levels.length === 2 && levels.every((level, code) => level === BOOLEAN_LEVELS[code])
}

function usedLevels({ codes, levels }: CategoricalColumn): Uint8Array {
  const used = new Uint8Array(levels.length)
  for (const code of codes) if (code !== MISSING_CODE) used[code] = 1
  return used
}

function fitsLabels(column: CategoricalColumn, { longestLabel }: Program): boolean {
  const used = usedLevels(column)
  const occurring = column.levels.filter((_, code) => used[code] === 1)
  const encoder = new TextEncoder()
  return (
    column.codebook?.text !== true &&
    occurring.length <= MOST_CATEGORIES &&
    occurring.every((level) => level.trim() !== '' && encoder.encode(level).length <= longestLabel)
  )
}

/** As many bytes of UTF-8 as fit, whole characters only. */
export function cutText(text: string, most: number): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= most) return bytes
  let end = most
  // Bytes 10xxxxxx go on with a character.
  while (end > 0 && (bytes[end] & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}
