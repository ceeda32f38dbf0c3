import { UserError } from '../errors.js'
import {
  byCodePoint,
  type CodebookEntry,
  type Column,
  MISSING_CODE,
  type MissingCodes,
  type ValueLabel,
} from '../table/column.js'
import { dateColumn } from './infer.js'
import { declaredType, type Types } from './types.js'

/**
 * From a variable as SPSS, Stata, SAS or R's haven keep it (numbers or texts, labels of values, several kinds of missing)
 * to a column:
 *
 * - Values with labels become levels, in the order of the values, used or not. Values without a label are levels under their
 *   own number. Where more different values lack a label than have one, the variable is a number of which some values
 *   are explained (98 = "98 or older"), and stays one.
 * - Values that are declared missing, and numbers that are missing of some kind (Stata's .a), are missing.
 * - Numbers shown as dates are dates. Empty texts are missing: these programs have no other missing text.
 *
 * A declared type wins: `numeric` gives the numbers behind the labels, `categorical` the levels.
 */
export interface LabelledVariable {
  readonly name: string
  /** Missing is NaN in numbers and the empty text in texts. */
  readonly values: Float64Array | TextValues
  /** Of a number that is missing its kind, as the character code of `a` to `z` or `_`; 0 where it has none. */
  readonly kinds?: Uint8Array | undefined
  readonly label?: string | undefined
  readonly valueLabels?: readonly ValueLabel[] | undefined
  readonly missing?: MissingCodes | undefined
  readonly format?: string | undefined
  /** Where the numbers are dates or times: days since 1970-01-01. */
  readonly toDays?: ((value: number) => number) | undefined
  /** Whether the order of the values means something. */
  readonly ordered?: boolean | undefined
}

/** Texts as codes of the different ones. */
export interface TextValues {
  readonly codes: Int32Array
  readonly texts: readonly string[]
}

export interface LabelledOptions {
  /** `levels` (the default) or `codes`: labelled values stay the numbers, or the short texts, that they are in the file. */
  readonly labels?: LabelsChoice | undefined
  /**
   * Values that mean missing are values: levels of a categorical column, numbers of a numeric one. A kind of missing that
   * is no number (.a) stays missing in a numeric column.
   */
  readonly keepMissingCodes?: boolean | undefined
  readonly types?: Types | undefined
  readonly maxSize?: number | undefined
}

export type LabelsChoice = 'levels' | 'codes'

/** The dates that a table may hold, as in every JavaScript engine. */
const MOST_DAYS = 1e8

export function labelledColumn(table: string, variable: LabelledVariable, options: LabelledOptions = {}): Column {
  const labels = distinctLabels(variable.valueLabels ?? [])
  const wanted = declaredType(options.types, variable.name)?.kind
  const { values } = variable
  const column =
    values instanceof Float64Array
      ? numberColumn(table, { ...variable, values }, labels, { ...options, wanted })
      : textColumn(variable, values, options.labels === 'codes' ? [] : labels, options)
  const codebook = codebookOf(variable, labels, options.keepMissingCodes === true)
  return codebook === undefined ? column : { ...column, codebook }
}

type Numbers = LabelledVariable & { readonly values: Float64Array }
type Choices = LabelledOptions & { readonly wanted: string | undefined }

function numberColumn(table: string, variable: Numbers, labels: readonly ValueLabel[], choices: Choices): Column {
  const { name, values, missing, toDays } = variable
  const isMissing = missingTest(missing)
  checkFinite(table, name, values)
  if (toDays !== undefined) {
    return dateColumn(
      name,
      values.map((value, row) => (isMissing(value) ? Number.NaN : checkedDays(table, name, toDays(value), row))),
    )
  }
  if (becomesLevels(values, labels, isMissing, choices)) return levelColumn(variable, labels, isMissing, choices)
  return {
    kind: 'numeric',
    name,
    values: plainNumbers(values, choices.keepMissingCodes === true ? undefined : missing),
  }
}

/** Without codes for missing, and without -0; the same array where it has neither, so that a large file is not held twice. */
function plainNumbers(values: Float64Array, missing: MissingCodes | undefined): Float64Array {
  const isMissing = missingTest(missing)
  const isPlain = (value: number) => !Object.is(value, -0) && !isMissing(value)
  return values.every(isPlain) ? values : values.map((value) => (isMissing(value) ? Number.NaN : value + 0))
}

/** A declared type decides; else the numbers become levels where labels explain at least half of the different values. */
function becomesLevels(
  values: Float64Array,
  labels: readonly ValueLabel[],
  isMissing: (value: number) => boolean,
  { labels: choice, wanted }: Choices,
): boolean {
  if (labels.length === 0 || wanted === 'numeric' || wanted === 'date') return false
  if (wanted !== undefined) return true
  const explained = labels.flatMap(({ value }) => (typeof value === 'number' && !isMissing(value) ? [value] : []))
  if (choice === 'codes' || explained.length === 0) return false
  const known = new Set(explained)
  const others = new Set<number>()
  for (const value of values) {
    if (Number.isNaN(value) || known.has(value) || isMissing(value)) continue
    others.add(value)
    if (others.size > explained.length) return false
  }
  return true
}

/** Levels in the order of their values: numbers ascending, then those that mean missing, then the kinds of missing. */
function levelColumn(
  { name, values, kinds, ordered = false }: Numbers,
  labels: readonly ValueLabel[],
  isMissing: (value: number) => boolean,
  { keepMissingCodes = false }: Choices,
): Column {
  const labelOf = new Map(labels.map(({ value, label }) => [value, label]))
  const taken = new Set(labelOf.values())
  const numbers = new Set<number>(labels.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])))
  for (const value of values) if (!Number.isNaN(value)) numbers.add(value + 0)
  const ascending = Float64Array.from(numbers).sort()
  const present = kinds === undefined ? [] : [...new Set(kinds)].filter((kind) => kind !== 0).map(kindName)
  const kindNames = new Set([...labels.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])), ...present])
  const inOrder: (number | string)[] = [
    ...ascending.filter((value) => !isMissing(value)),
    ...(keepMissingCodes ? [...ascending.filter(isMissing), ...[...kindNames].sort(byCodePoint)] : []),
  ]
  const codeOf = new Map(inOrder.map((value, code) => [value, code]))
  const codes = new Int32Array(values.length).fill(MISSING_CODE)
  for (let row = 0; row < codes.length; row++) {
    const kind = kinds?.[row] ?? 0
    const value = Number.isNaN(values[row]) ? (kind === 0 ? undefined : kindName(kind)) : values[row] + 0
    if (value !== undefined) codes[row] = codeOf.get(value) ?? MISSING_CODE
  }
  const levels = inOrder.map((value) => labelOf.get(value) ?? unlabelledName(value, taken))
  return { kind: 'categorical', name, codes, levels, ordered }
}

/** Labelled texts in the order of their labels, then the others by code point. */
function textColumn(
  { name, missing, ordered = false }: LabelledVariable,
  { codes, texts }: TextValues,
  labels: readonly ValueLabel[],
  { keepMissingCodes = false }: LabelledOptions,
): Column {
  const declared = new Set(keepMissingCodes ? [] : (missing?.values ?? []))
  const labelOf = new Map(labels.map(({ value, label }) => [value, label]))
  const taken = new Set(labelOf.values())
  const others = [...new Set(texts)].filter((text) => text !== '' && !labelOf.has(text)).sort(byCodePoint)
  const inOrder = [...labelOf.keys(), ...others].filter((value) => !declared.has(value))
  const codeOf = new Map(inOrder.map((value, code) => [value, code]))
  const place = Int32Array.from(texts, (text) => codeOf.get(text) ?? MISSING_CODE)
  const levels = inOrder.map((value) => labelOf.get(value) ?? unlabelledName(value, taken))
  return {
    kind: 'categorical',
    name,
    codes: codes.map((code) => (code === MISSING_CODE ? code : place[code])),
    levels,
    ordered: ordered && labels.length > 0,
  }
}

/**
 * Labels that tell their values apart: of several values with one label each gets its value added. This looks at the
 * labels alone, so that two files with the same labels have the same levels.
 */
function distinctLabels(labels: readonly ValueLabel[]): readonly ValueLabel[] {
  const byValue = new Map(labels.filter(({ label }) => label !== '').map((one) => [one.value, one.label]))
  const times = new Map<string, number>()
  for (const label of byValue.values()) times.set(label, (times.get(label) ?? 0) + 1)
  const taken = new Set([...times].flatMap(([label, count]) => (count === 1 ? [label] : [])))
  return [...byValue].map(([value, label]) => {
    const once = times.get(label) === 1
    const distinct = once ? label : unused(`${label} (${value})`, value, taken)
    taken.add(distinct)
    return { value, label: distinct }
  })
}

/** The value itself, unless it is the label of another one. */
function unlabelledName(value: number | string, taken: ReadonlySet<string>): string {
  return unused(String(value), value, taken)
}

function unused(name: string, value: number | string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? unused(`${name} (${value})`, value, taken) : name
}

function kindName(kind: number): string {
  return `.${String.fromCharCode(kind)}`
}

/** Whether a number means missing. */
export function missingTest(missing: MissingCodes | undefined): (value: number) => boolean {
  if (missing === undefined) return () => false
  const { values, range } = missing
  const single = new Set(values)
  return (value) => single.has(value) || (range !== undefined && value >= range.low && value <= range.high)
}

function checkFinite(table: string, name: string, values: Float64Array): void {
  const row = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY)
  if (row >= 0)
    throw new UserError(`${table}, column "${name}", row ${row + 1}: expected a number, found ${values[row]}`)
}

function checkedDays(table: string, name: string, days: number, row: number): number {
  if (Math.abs(days) > MOST_DAYS)
    throw new UserError(`${table}, column "${name}", row ${row + 1}: expected a date, found one beyond the calendar`)
  return days
}

function codebookOf(
  { values, label, missing, format }: LabelledVariable,
  labels: readonly ValueLabel[],
  kept: boolean,
): CodebookEntry | undefined {
  const entry: CodebookEntry = {
    ...(label === undefined || label === '' ? {} : { label }),
    ...(labels.length === 0 ? {} : { values: labels }),
    ...(missing === undefined ? {} : { missing: kept ? { ...missing, kept } : missing }),
    ...(format === undefined ? {} : { format }),
    ...(values instanceof Float64Array ? {} : { text: true }),
  }
  return Object.keys(entry).length === 0 ? undefined : entry
}
