import { math } from '@scrim/kernels'
import { countBelow, countUpTo } from '../../stats/sorted.js'
import {
  type CategoricalColumn,
  type Column,
  categoriesOf,
  type DateColumn,
  hasMissing,
  MISSING_CODE,
  type NumericColumn,
  numbersOf,
} from '../../table/column.js'
import { binNumbers } from '../../table/grouping.js'
import type { Streams } from '../synthesizer.js'

/**
 * How a variable becomes columns without missing values, its parts, and back. Missing is one more level of a categorical
 * variable, the last one. A number that may be missing or have special values (codes such as -8, spikes such as 0) is made
 * in two parts, as in synthpop: first which special value it is, if any, then the number of those that are regular. Later
 * variables see both, the number 0 where it is special. A number with few values may be made as levels. A number may also
 * be made as one of some quantile groups; it is then drawn from the original numbers of its group.
 */
export type Coding = LevelsCoding | ClassesCoding | GroupsCoding | NumberCoding

interface LevelsCoding {
  readonly kind: 'levels'
  readonly original: CategoricalColumn
  /** Whether missing is a level. */
  readonly missing: boolean
}

interface ClassesCoding {
  readonly kind: 'classes'
  readonly original: NumericColumn | DateColumn
  /** The values that are levels, ascending. */
  readonly values: readonly number[]
  readonly missing: boolean
}

interface GroupsCoding {
  readonly kind: 'groups'
  readonly original: NumericColumn | DateColumn
  readonly labels: readonly string[]
  /** The group of each number that occurs. */
  readonly groupOf: ReadonlyMap<number, number>
  /** The original numbers of each group, ascending. */
  readonly members: readonly Float64Array[]
  readonly missing: boolean
}

interface NumberCoding {
  readonly kind: 'number'
  readonly original: NumericColumn | DateColumn
  /** Special values, NaN for missing; the indicator has one level for each, after that of regular numbers. */
  readonly specials: readonly number[]
}

const REGULAR = 0
const MISSING_LEVEL = '(missing)'

export interface CodingWishes {
  /** Numbers that are codes or spikes. */
  readonly specials: readonly number[]
  /** Numbers with at most so many different values become levels. */
  readonly mostClasses: number
  /** Numbers with more values become so many quantile groups; they stay numbers if not given. */
  readonly groups?: number | undefined
  /** Whether missing may be made even if the original has none. */
  readonly missing: boolean
}

export function codingOf(original: Column, wishes: CodingWishes): Coding {
  const { specials, mostClasses, groups, missing: wanted } = wishes
  const missing = wanted || hasMissing(original)
  if (original.kind === 'categorical') return { kind: 'levels', original, missing }
  const values = distinct(original.values, mostClasses)
  if (values !== null && values.length > 0) return { kind: 'classes', original, values, missing }
  if (groups !== undefined) return groupsCoding(original, groups, specials, missing)
  const present = specials.filter((special) => original.values.includes(special))
  return { kind: 'number', original, specials: [...(missing ? [Number.NaN] : []), ...new Set(present)] }
}

/** The groups of synthpop's `numtocat.syn`: quantiles, or equal widths where those give fewer than three groups. */
function groupsCoding(
  original: NumericColumn | DateColumn,
  n: number,
  codes: readonly number[],
  missing: boolean,
): GroupsCoding {
  const sorted = original.values.filter((value) => !Number.isNaN(value)).sort()
  const numbers = Float64Array.from(new Set(sorted))
  const counts = numbers.map((value) => countUpTo(sorted, value) - countBelow(sorted, value))
  const { bins, labels } = binNumbers({ numbers, counts }, { style: 'synthpop', n, codes })
  const used = [...labels.keys()].filter((bin) => bins.includes(bin))
  const groupOf = new Map(Array.from(numbers, (value, k) => [value, used.indexOf(bins[k])]))
  const members = used.map((_, group) => sorted.filter((value) => groupOf.get(value) === group))
  return { kind: 'groups', original, labels: used.map((bin) => labels[bin]), groupOf, members, missing }
}

/** The different values, ascending; null if there are more than `most`. */
function distinct(values: Float64Array, most: number): number[] | null {
  const different = new Set<number>()
  for (const value of values) {
    if (Number.isNaN(value)) continue
    different.add(value)
    if (different.size > most) return null
  }
  return [...different].sort((a, b) => a - b)
}

/** The parts of a column like the original one: the value, or what is special about a number and the regular number. */
export function encode(coding: Coding, column: Column): Column[] {
  const { name } = coding.original
  if (coding.kind === 'levels') {
    const codes = alignedCodes(coding, column)
    const levels = coding.missing ? [...coding.original.levels, MISSING_LEVEL] : coding.original.levels
    return [{ kind: 'categorical', name, codes, levels, ordered: coding.original.ordered }]
  }
  const values = numbersOf(column)
  if (coding.kind !== 'number') {
    const place = coding.kind === 'groups' ? coding.groupOf : new Map(coding.values.map((value, code) => [value, code]))
    const known = coding.kind === 'groups' ? coding.labels : coding.values.map(String)
    const last = coding.missing ? known.length : MISSING_CODE
    const codes = Int32Array.from(values, (value) => (Number.isNaN(value) ? last : (place.get(value) ?? MISSING_CODE)))
    const levels = coding.missing ? [...known, MISSING_LEVEL] : known
    return [{ kind: 'categorical', name, codes, levels, ordered: false }]
  }
  if (coding.specials.length === 0) return [{ ...coding.original, values }]
  const codes = specialCodes(coding, values)
  const regular = values.map((value, row) => (codes[row] === REGULAR ? value : 0))
  return [specialPart(coding, codes), { ...coding.original, values: regular }]
}

function specialPart(coding: NumberCoding, codes: Int32Array): CategoricalColumn {
  const levels = ['regular', ...coding.specials.map((value) => (Number.isNaN(value) ? MISSING_LEVEL : String(value)))]
  return { kind: 'categorical', name: `${coding.original.name} special`, codes, levels, ordered: false }
}

function specialCodes(coding: NumberCoding, values: Float64Array): Int32Array {
  const codes = new Int32Array(values.length)
  for (let row = 0; row < values.length; row++) codes[row] = specialCode(coding, values[row])
  return codes
}

function specialCode({ specials }: NumberCoding, value: number): number {
  for (let k = 0; k < specials.length; k++) if (Object.is(specials[k], value) || specials[k] === value) return k + 1
  return REGULAR
}

/** Codes by the levels of the original; a level that it does not have is missing even as a code. */
function alignedCodes({ original, missing }: LevelsCoding, column: Column): Int32Array {
  const { codes, levels } = categoriesOf(column)
  const last = missing ? original.levels.length : MISSING_CODE
  if (levels === original.levels) {
    return hasMissing(column) ? codes.map((code) => (code === MISSING_CODE ? last : code)) : codes
  }
  const codeOf = new Map(original.levels.map((level, code) => [level, code]))
  const place = Int32Array.from(levels, (level) => codeOf.get(level) ?? MISSING_CODE)
  return codes.map((code) => (code === MISSING_CODE ? last : place[code]))
}

/** The column as the original has it, from its parts: missing is missing again, a group becomes one of its numbers. */
export function decode(coding: Coding, parts: readonly Column[], random: Streams): Column {
  const last = parts[parts.length - 1]
  if (coding.kind === 'number') {
    const values = numbersOf(last)
    const [special] = parts
    if (special.kind !== 'categorical') return { ...coding.original, values }
    const { codes } = special
    return {
      ...coding.original,
      values: values.map((value, row) => (codes[row] === REGULAR ? value : coding.specials[codes[row] - 1])),
    }
  }
  if (last.kind !== 'categorical') throw new Error(`${coding.original.name} has changed its kind`)
  if (coding.kind === 'classes')
    return { ...coding.original, values: Float64Array.from(last.codes, (code) => coding.values[code] ?? Number.NaN) }
  if (coding.kind === 'groups') {
    const { members } = coding
    const draw = random(`${coding.original.name}/group`)
    const number = (group: Float64Array | undefined) =>
      group === undefined ? Number.NaN : group[draw.below(group.length)]
    return { ...coding.original, values: Float64Array.from(last.codes, (code) => number(members[code])) }
  }
  if (!coding.missing) return { ...coding.original, codes: last.codes }
  const known = coding.original.levels.length
  return { ...coding.original, codes: last.codes.map((code) => (code < known ? code : MISSING_CODE)) }
}

/** Log probability of each number given its group; null where nothing is drawn within groups. */
export function logWithinGroup(coding: Coding, column: Column): Float64Array | null {
  if (coding.kind !== 'groups') return null
  const { groupOf, members } = coding
  return numbersOf(column).map((value) => {
    const group = groupOf.get(value)
    if (group === undefined) return Number.isNaN(value) ? 0 : Number.NEGATIVE_INFINITY
    const numbers = members[group]
    return math.log((countUpTo(numbers, value) - countBelow(numbers, value)) / numbers.length)
  })
}

/** The rows of the first part whose number is regular; all of them where nothing is special. */
export function isRegular(parts: readonly Column[]): (row: number) => boolean {
  const [special] = parts
  if (parts.length === 1 || special.kind !== 'categorical') return () => true
  return (row) => special.codes[row] === REGULAR
}
