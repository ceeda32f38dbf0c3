import { joined } from '../stats/joined.js'
import { countUpTo } from '../stats/sorted.js'
import { type Column, isMissing, numeric } from '../table/column.js'
import { type Table, table } from '../table/table.js'

/** Numbers of a column in classes that no measure cuts any finer, so that one number of each can stand for all of it. */
export interface NumberClasses {
  /** Where a class ends, ascending; the last has no end. */
  readonly cuts: Float64Array
  /** By file: a number of each class that the file has, neither its least nor its greatest there where it has more. */
  readonly typical: readonly (readonly number[])[]
  /** The column that the numbers are of. */
  readonly model: Column
}

/** All values of so many files in one class, those of a text too. */
export function anyNumber(name: string, files: number): NumberClasses {
  return { cuts: new Float64Array(), typical: Array.from({ length: files }, () => [0]), model: numeric(name, []) }
}

/**
 * @param files the numbers of each
 * @param ends the numbers that are the last of a class
 */
export function numberClasses(model: Column, files: readonly Float64Array[], ends: ReadonlySet<number>): NumberClasses {
  const numbers = new Float64Array(new Set(joined(files.map(distinct)))).sort()
  const last = Array.from(numbers.keys()).filter((k) => ends.has(numbers[k]) && k + 1 < numbers.length)
  const cuts = Float64Array.from(last, (k) => between(numbers[k], numbers[k + 1]))
  const typical = files.map((file) => {
    const own = distinct(file)
    const ends = [...Array.from(cuts, (cut) => countUpTo(own, cut)), own.length]
    return ends.map((end, k) => own[((k === 0 ? 0 : ends[k - 1]) + end) >> 1])
  })
  return { cuts, typical, model }
}

/** Ascending, without what is missing. */
function distinct(numbers: Float64Array): Float64Array {
  return new Float64Array(new Set(numbers.filter((value) => !Number.isNaN(value)))).sort()
}

/** The numbers after which the class is another one, of numbers in any order. */
export function endsOfClasses(numbers: ArrayLike<number>, classes: ArrayLike<number>): number[] {
  const order = Array.from({ length: numbers.length }, (_, k) => k)
    .filter((k) => !Number.isNaN(numbers[k]))
    .sort((a, b) => numbers[a] - numbers[b])
  return order.flatMap((k, at) => (at + 1 < order.length && classes[k] !== classes[order[at + 1]] ? [numbers[k]] : []))
}

/** Counts of the classes of a file as counts of the numbers that stand for them. */
export function inClasses(counted: Table, classes: ReadonlyMap<string, NumberClasses>, file: number): Table {
  const columns = counted.columns.map((column): Column => {
    const own = classes.get(column.name)
    if (own === undefined || column.kind === 'categorical' || own.model.kind === 'categorical') return column
    const values = column.values.map((place, row) => (isMissing(column, row) ? place : own.typical[file][place]))
    return { ...own.model, values }
  })
  return table(counted.name, columns, counted.times)
}

/** A number that the lower one is not above, and the upper one is. */
function between(lower: number, upper: number): number {
  const middle = lower + (upper - lower) / 2
  return middle < upper ? middle : lower
}
