import type { CategoricalColumn, Column, NumericColumn } from './column.js'
import { classOf, isNumber, overlap, type Range, rangeOf } from './interval-labels.js'
import { isEmpty } from './reconcile.js'

/** A column that is numbers in the original and classes of numbers in the releases, with how many values there were and are. */
export interface ClassedColumn {
  readonly column: string
  readonly original: number
  readonly released: number
}

interface Classed {
  readonly columns: readonly Column[]
  readonly classed: ClassedColumn
}

interface NumberClass {
  readonly label: string
  readonly range: Range
}

/**
 * Numbers of the original and other files in the classes of the releases: who knows that somebody is 43 looks them up in "40-49".
 * A number between two classes of whole numbers is in the lower (49.5 in "40-49"), one where classes touch in the upper (30 in
 * "30-40"), and one outside all classes keeps its own label. Null where the releases do not all have the column in classes, or in
 * classes that overlap: there is no scale then on which all could be compared.
 */
export function numbersInClasses(columns: readonly Column[], isReleased: (index: number) => boolean): Classed | null {
  const [original] = columns
  if (original.kind !== 'numeric') return null
  const coarse = columns.filter(
    (column): column is CategoricalColumn => column.kind === 'categorical' && !isEmpty(column),
  )
  const hasNumbers = columns.some((column, k) => isReleased(k) && column.kind !== 'categorical' && !isEmpty(column))
  const classes = coarse.length === 0 || hasNumbers ? null : classesOf(coarse)
  if (classes === null) return null
  const numbers = columns.filter((column): column is NumericColumn => column.kind === 'numeric')
  const outside = numbers.flatMap(({ values }) => outsideOf(classes, values))
  const levels = [...classes, ...new Map(outside.map((each) => [each.label, each])).values()].sort(byRange)
  const codeOf = new Map(levels.map(({ label }, code) => [label, code]))
  return {
    columns: columns.map((column) => inLevels(column, levels, codeOf)),
    classed: { column: original.name, original: new Set(present(original.values)).size, released: classes.length },
  }
}

/** Null where a label is no class of numbers, all are single numbers, or two may be of the same number. */
function classesOf(columns: readonly CategoricalColumn[]): readonly NumberClass[] | null {
  const used = new Set(
    columns.flatMap(({ codes, levels }) => [...new Set(codes)].flatMap((code) => levels[code] ?? [])),
  )
  const classes: NumberClass[] = []
  for (const label of used) {
    const range = classOf(label) ?? numberOf(label)
    if (range === null) return null
    classes.push({ label, range })
  }
  classes.sort(byRange)
  const isCoarse = classes.some(({ range }) => !isNumber(range))
  const isClear = classes.every(({ range }, k) => k === 0 || !overlap(classes[k - 1].range, range))
  return isCoarse && isClear ? classes : null
}

function numberOf(label: string): Range | null {
  const range = rangeOf(label)
  return range !== null && isNumber(range) ? range : null
}

function byRange({ range: a }: NumberClass, { range: b }: NumberClass): number {
  return a.low === b.low ? a.high - b.high || 0 : a.low - b.low
}

function outsideOf(classes: readonly NumberClass[], values: Float64Array): readonly NumberClass[] {
  return present([...new Set(values)])
    .filter((value) => classAround(classes, value) === null)
    .map((value) => ({ label: String(value), range: { low: value, high: value } }))
}

function inLevels(
  column: Column,
  levels: readonly NumberClass[],
  codeOf: ReadonlyMap<string, number>,
): CategoricalColumn {
  const labels = levels.map(({ label }) => label)
  const common = { kind: 'categorical' as const, name: column.name, levels: labels, ordered: true }
  if (column.kind === 'categorical')
    return { ...common, codes: column.codes.map((code) => codeOf.get(column.levels[code] ?? '') ?? -1) }
  const codes = new Map<number, number>()
  for (const value of new Set(present(column.values)))
    codes.set(value, codeOf.get(classAround(levels, value)?.label ?? '') ?? -1)
  return { ...common, codes: Int32Array.from(column.values, (value) => codes.get(value) ?? -1) }
}

function classAround(classes: readonly NumberClass[], value: number): NumberClass | null {
  return classes.findLast(({ range }) => holds(range, value)) ?? null
}

function holds({ low, high, open }: Range, value: number): boolean {
  if (value < low || (value === low && (open === 'low' || open === 'both'))) return false
  if (value === high) return open !== 'high' && open !== 'both'
  const isOfWholeNumbers = open === undefined && low < high && Number.isInteger(low) && Number.isInteger(high)
  return value < (isOfWholeNumbers ? high + 1 : high)
}

function present(values: Iterable<number>): number[] {
  return [...values].filter((value) => !Number.isNaN(value))
}
