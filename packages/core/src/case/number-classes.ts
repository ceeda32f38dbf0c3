import { type Column, isMissing, numeric } from '../table/column.js'
import { type Table, table } from '../table/table.js'

/** Numbers of a column in classes that no measure cuts any finer, so that one number of each can stand for all of it. */
export interface NumberClasses {
  /** Where a class ends, ascending; the last has no end. */
  readonly cuts: Float64Array
  /** One number of each class, neither its least nor its greatest where it has more. */
  readonly typical: readonly number[]
  /** The column that the numbers are of. */
  readonly model: Column
}

/** All values in one class, those of a text too. */
export function anyNumber(name: string): NumberClasses {
  return { cuts: new Float64Array(), typical: [0], model: numeric(name, []) }
}

/** @param ends of `numbers`, which ascend, those that are the last of a class */
export function numberClasses(model: Column, numbers: Float64Array, ends: ReadonlySet<number>): NumberClasses {
  const last = Array.from(numbers.keys()).filter((k) => ends.has(numbers[k]) && k + 1 < numbers.length)
  const bounds = [-1, ...last, numbers.length - 1]
  return {
    cuts: Float64Array.from(last, (k) => between(numbers[k], numbers[k + 1])),
    typical: bounds.slice(1).map((end, k) => numbers[(bounds[k] + 1 + end) >> 1]),
    model,
  }
}

/** The numbers after which the class is another one, of numbers in any order. */
export function endsOfClasses(numbers: ArrayLike<number>, classes: ArrayLike<number>): number[] {
  const order = Array.from({ length: numbers.length }, (_, k) => k)
    .filter((k) => !Number.isNaN(numbers[k]))
    .sort((a, b) => numbers[a] - numbers[b])
  return order.flatMap((k, at) => (at + 1 < order.length && classes[k] !== classes[order[at + 1]] ? [numbers[k]] : []))
}

/** Counts of classes as counts of the numbers that stand for them. */
export function inClasses(counted: Table, classes: ReadonlyMap<string, NumberClasses>): Table {
  const columns = counted.columns.map((column): Column => {
    const own = classes.get(column.name)
    if (own === undefined || column.kind === 'categorical' || own.model.kind === 'categorical') return column
    const values = column.values.map((place, row) => (isMissing(column, row) ? place : own.typical[place]))
    return { ...own.model, values }
  })
  return table(counted.name, columns, counted.times)
}

/** A number that the lower one is not above, and the upper one is. */
function between(lower: number, upper: number): number {
  const middle = lower + (upper - lower) / 2
  return middle < upper ? middle : lower
}
