import { numeric } from '../../table/column.js'
import { type Table, table, tableOf } from '../../table/table.js'

/** 1000 records of four binary variables, of which one alone is 1111 (Latner, Neunhoeffer and Drechsler 2025, Table A.1). */
export const ORIGINAL_CELLS = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1] as const

/** Ten syntheses of them by synthpop's default, as published. */
export const SYNTHETIC_CELLS = [
  [68, 60, 77, 70, 73, 60, 58, 72, 77, 69, 50, 61, 79, 65, 60, 1],
  [66, 53, 71, 51, 63, 77, 68, 91, 84, 66, 54, 59, 77, 52, 68, 0],
  [71, 57, 73, 56, 80, 49, 66, 86, 80, 57, 57, 77, 76, 54, 60, 1],
  [73, 56, 71, 68, 54, 66, 61, 81, 73, 68, 51, 71, 83, 57, 64, 3],
  [76, 58, 71, 63, 61, 52, 69, 80, 70, 73, 47, 66, 78, 66, 68, 2],
  [62, 60, 84, 55, 79, 90, 56, 77, 81, 56, 50, 69, 66, 67, 47, 1],
  [72, 67, 65, 74, 65, 52, 67, 82, 82, 68, 39, 75, 65, 59, 65, 3],
  [52, 67, 70, 57, 73, 53, 65, 77, 65, 75, 62, 69, 88, 65, 62, 0],
  [64, 57, 77, 68, 66, 65, 64, 75, 76, 78, 58, 68, 70, 49, 64, 1],
  [67, 67, 74, 52, 71, 71, 53, 72, 73, 55, 54, 81, 89, 60, 60, 1],
] as const

/** Records in the cells 0000 to 1111, coded as numbers or as levels. */
export function cellTable(name: string, counts: readonly number[], coding: 'numbers' | 'levels' = 'numbers'): Table {
  const variables = [1, 2, 3, 4].map((j) => ({
    name: `var${j}`,
    bits: counts.flatMap((n, cell) => Array.from({ length: n }, () => (cell >> (4 - j)) & 1)),
  }))
  return coding === 'numbers'
    ? table(
        name,
        variables.map((one) => numeric(one.name, one.bits)),
      )
    : tableOf(name, Object.fromEntries(variables.map((one) => [one.name, one.bits.map(String)])))
}
