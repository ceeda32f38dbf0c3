import { significant } from '../../print.js'
import type { Column } from '../../table/column.js'
import { type CountedValues, countedValues } from '../../table/counted-values.js'
import { columnNames, findColumn, type Table, table } from '../../table/table.js'

/**
 * Numbers in other units: incomes in thousands, ages in months. No value of one file is near one of the other, and a copy passes
 * for something new. A column is taken to be in other units when its distribution function is farther than one half from that of
 * the original, and within a tenth once it is multiplied by one of the usual factors. Blind to offsets and to rare units.
 */
export interface UnitMatch {
  readonly column: string
  readonly table: string
  readonly like: string
  /** By what the numbers of `table` are to be multiplied. */
  readonly factor: number
}

/** Tenths and thousands; months, weeks and days of a year; hours of a day; minutes of an hour. */
const UNITS = [10, 100, 1000, 1e4, 1e5, 1e6, 12, 52, 365, 24, 60]
const FACTORS = UNITS.flatMap((unit) => [unit, 1 / unit])
const FAR = 0.5
const NEAR = 0.1

export function findUnitMatches(original: Table, other: Table): readonly UnitMatch[] {
  return columnNames(original).flatMap((name) => {
    const [ours, theirs] = [findColumn(original, name), findColumn(other, name)]
    if (ours?.kind !== 'numeric' || theirs?.kind !== 'numeric') return []
    const [own, its] = [countedValues(ours), countedValues(theirs)]
    if (own.known === 0 || its.known === 0 || largestDifference(own, its) <= FAR) return []
    const [best] = FACTORS.map((factor) => ({ factor, far: largestDifference(own, its, factor) })).toSorted(
      (a, b) => a.far - b.far,
    )
    return best.far > NEAR ? [] : [{ column: name, table: other.name, like: original.name, factor: best.factor }]
  })
}

export function applyUnitMatches(other: Table, matches: readonly UnitMatch[]): Table {
  if (matches.length === 0) return other
  const factorOf = new Map(matches.map(({ column, factor }) => [column, factor]))
  return table(
    other.name,
    other.columns.map((column) => rescaled(column, factorOf.get(column.name) ?? 1)),
  )
}

/** By a whole number where there is one, so that 350 in thousands and back is 350. */
function rescaled(column: Column, factor: number): Column {
  if (factor === 1 || column.kind !== 'numeric') return column
  const divisor = Math.round(1 / factor)
  const back = (value: number) => significant(factor > 1 ? value * factor : value / divisor, 15)
  return { ...column, values: column.values.map((value) => (Number.isNaN(value) ? value : back(value))) }
}

/** Between two distribution functions, the numbers of the second one multiplied. */
export function largestDifference(a: CountedValues, b: CountedValues, factor = 1): number {
  let largest = 0
  let [upToA, upToB] = [0, 0]
  for (let i = 0, j = 0; i < a.values.length && j < b.values.length; ) {
    const at = Math.min(a.values[i], b.values[j] * factor)
    while (i < a.values.length && a.values[i] <= at) upToA += a.counts[i++]
    while (j < b.values.length && b.values[j] * factor <= at) upToB += b.counts[j++]
    largest = Math.max(largest, Math.abs(upToA / a.known - upToB / b.known))
  }
  return largest
}
