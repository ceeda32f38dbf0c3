import type { JsonObject } from '../json.js'
import { type Column, isMissing } from '../table/column.js'
import { findColumn, type Table } from '../table/table.js'

/**
 * What synthesis by donors gives away: the share of released numbers (and dates) whose exact value one original record
 * alone has. Who knows such a value knows that its owner is in the original. It tells nothing about levels, nor about
 * values that two or more have; a number that is rare by chance in the original but made by a model counts as well.
 */
export interface SupportLeak extends JsonObject {
  /** Of all numbers; null without any. */
  readonly share: number | null
  readonly variables: readonly { readonly variable: string; readonly share: number | null }[]
}

export function supportLeak(original: Table, released: readonly Table[]): SupportLeak {
  const counted = original.columns
    .filter((column) => column.kind !== 'categorical')
    .map((column) => ({ variable: column.name, ...lonelyNumbers(column, released) }))
    .filter(({ columns }) => columns > 0)
  const sum = (of: 'lonely' | 'numbers') => counted.reduce((total, one) => total + one[of], 0)
  const share = (lonely: number, numbers: number) => (numbers === 0 ? null : lonely / numbers)
  return {
    share: share(sum('lonely'), sum('numbers')),
    variables: counted.map(({ variable, lonely, numbers }) => ({ variable, share: share(lonely, numbers) })),
  }
}

function lonelyNumbers(original: Column, released: readonly Table[]) {
  const counts = new Map<number, number>()
  for (const value of numbersIn(original)) counts.set(value, (counts.get(value) ?? 0) + 1)
  let [columns, numbers, lonely] = [0, 0, 0]
  for (const table of released) {
    const column = findColumn(table, original.name)
    if (column === undefined) continue
    columns++
    for (const value of numbersIn(column)) {
      numbers++
      if (counts.get(value) === 1) lonely++
    }
  }
  return { columns, numbers, lonely }
}

function numbersIn(column: Column): Float64Array {
  return column.kind === 'categorical' ? new Float64Array() : column.values.filter((_, row) => !isMissing(column, row))
}
