import { type Column, columnLength, isMissing } from '../../table/column.js'
import { countedValues } from '../../table/counted-values.js'
import { findColumn, type Table, table } from '../../table/table.js'
import { largestDifference } from './match-units.js'
import { type Texts, textsOf } from './texts.js'

/**
 * Columns of the original under another name. A column that only the release has is taken to be one of the original's if its values
 * are: the same levels in similar shares, or numbers with nearly the same distribution function, where the release lacks the
 * original's column; numbers that are mostly single people's own, whether it lacks it or not. Blind to columns that were renamed
 * and recoded.
 */
export interface ColumnMatch {
  readonly column: string
  readonly table: string
  readonly like: string
  /** What the original calls it. */
  readonly named: string
}

/** Largest difference of two distribution functions, and of the shares of levels altogether. */
const NEAR = 0.1
/** So much of a column are values that single people have alone. */
const MOSTLY = 0.5
const FINE = 0.5

export function findColumnMatches(original: Table, other: Table): readonly ColumnMatch[] {
  const extra = other.columns.filter(({ name }) => findColumn(original, name) === undefined)
  if (extra.length === 0) return []
  const texts = new Map<Column, Texts>()
  const textsIn = (column: Column) => {
    const known = texts.get(column) ?? textsOf(column)
    texts.set(column, known)
    return known
  }
  const pairs = extra.flatMap((column) =>
    original.columns.flatMap((ours) => {
      const apart = distance(ours, column, findColumn(other, ours.name) === undefined, textsIn)
      return apart === null ? [] : [{ column: column.name, named: ours.name, apart }]
    }),
  )
  const taken = new Set<string>()
  return pairs
    .toSorted((a, b) => a.apart - b.apart)
    .flatMap(({ column, named }) => {
      if (taken.has(`released ${column}`) || taken.has(`original ${named}`)) return []
      taken.add(`released ${column}`).add(`original ${named}`)
      return [{ column, named, table: other.name, like: original.name }]
    })
}

/** The table with columns under the original's names; one that has the name already gives way. */
export function applyColumnMatches(other: Table, matches: readonly ColumnMatch[]): Table {
  if (matches.length === 0) return other
  const nameOf = new Map(matches.map(({ column, named }) => [column, named]))
  const replaced = new Set(nameOf.values())
  return table(
    other.name,
    other.columns.flatMap((column) => {
      const named = nameOf.get(column.name)
      if (named !== undefined) return [{ ...column, name: named }]
      return replaced.has(column.name) ? [] : [column]
    }),
  )
}

/** How far two columns are apart; null where they are not the same. */
function distance(ours: Column, theirs: Column, isLacking: boolean, textsIn: (column: Column) => Texts): number | null {
  if (ours.kind !== theirs.kind || isEmpty(theirs) || isEmpty(ours)) return null
  if (ours.kind === 'categorical') return isLacking ? levelDistance(textsIn(ours), textsIn(theirs)) : null
  if (theirs.kind === 'categorical') return null
  if (sharesFineValues(ours.values, theirs.values)) return 0
  if (!isLacking) return null
  const apart = largestDifference(countedValues(ours), countedValues(theirs))
  return apart <= NEAR ? apart : null
}

function isEmpty(column: Column): boolean {
  for (let row = 0; row < columnLength(column); row++) if (!isMissing(column, row)) return false
  return true
}

/** Half the sum of differences of shares. A column of texts of their own is no such column: identifiers are compared elsewhere. */
function levelDistance(ours: Texts, theirs: Texts): number | null {
  if (ours.levels.length < 2 || ours.unique > MOSTLY * ours.present) return null
  const place = new Map(theirs.levels.map((level, k) => [level, k]))
  let common = 0
  for (const [k, level] of ours.levels.entries()) {
    const at = place.get(level)
    if (at !== undefined) common += Math.min(ours.counts[k] / ours.present, theirs.counts[at] / theirs.present)
  }
  const apart = 1 - common
  return apart <= NEAR + Math.sqrt(ours.levels.length / Math.min(ours.present, theirs.present)) / 2 ? apart : null
}

/** Most of the released numbers are numbers of the original that one person has alone. */
function sharesFineValues(ours: Float64Array, theirs: Float64Array): boolean {
  const people = new Map<number, number>()
  for (const value of ours) if (!Number.isNaN(value)) people.set(value, (people.get(value) ?? 0) + 1)
  let single = 0
  for (const count of people.values()) if (count === 1) single++
  if (single < FINE * ours.length || isDense(people)) return false
  let [shared, present] = [0, 0]
  for (const value of theirs) {
    if (Number.isNaN(value)) continue
    present++
    if (people.get(value) === 1) shared++
  }
  return shared >= MOSTLY * present
}

/** Whole numbers without many gaps are met by chance. */
function isDense(people: ReadonlyMap<number, number>): boolean {
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of people.keys()) {
    if (!Number.isInteger(value)) return false
    least = Math.min(least, value)
    largest = Math.max(largest, value)
  }
  return people.size > 0.1 * (largest - least + 1)
}
