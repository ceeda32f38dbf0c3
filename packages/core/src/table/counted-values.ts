import { codeNumbers, countIds } from '@scrim/kernels'
import { oncePer } from '../once.js'
import type { Column } from './column.js'

/** The numbers of a column, or the codes of its levels, ascending and each once, and how many records have it: a distribution needs no more. */
export interface CountedValues {
  readonly values: Float64Array
  readonly counts: Int32Array
  /** How many records have a value. */
  readonly known: number
}

export const countedValues = oncePer((column: Column): CountedValues => {
  const { codes, numbers } =
    column.kind === 'categorical'
      ? { codes: column.codes, numbers: Float64Array.from(column.levels.keys()) }
      : codeNumbers([column.values])
  const all = countIds(codes, numbers.length)
  const counts = all.filter((count) => count > 0)
  return {
    values: numbers.filter((_, code) => all[code] > 0),
    counts,
    known: counts.reduce((sum, count) => sum + count, 0),
  }
})
