import type { GrowthColumn } from '../generator/grown-tree.js'
import { type Variable, valueCount } from '../generator/records.js'

/** What later trees see of a variable: its value, before it whether it is missing if that occurs (the number is 0 then). */
export function columnsOf(variable: Variable, j: number, codes: Int32Array): GrowthColumn[] {
  const column = (isIndicator: boolean, distinct: Float64Array | null, levels: number): GrowthColumn => {
    const empty = { variable: j, isIndicator, distinct, levels, codes, order: new Int32Array(0) }
    const columnOfCodes = columnCodes(variable, empty, codes)
    return { ...empty, codes: columnOfCodes, order: distinct === null ? empty.order : ascending(columnOfCodes) }
  }
  if (variable.kind === 'levels') {
    const values = Float64Array.from({ length: variable.codes }, (_, code) => code)
    return [column(false, variable.ordered ? values : null, variable.codes)]
  }
  if (variable.missing < 0) return [column(false, variable.numbers.slice(0, variable.codes), 0)]
  const values = Float64Array.from(new Set([...variable.numbers.subarray(0, valueCount(variable)), 0])).sort()
  return [column(true, null, 2), column(false, values, 0)]
}

function ascending(codes: Int32Array): Int32Array {
  return Int32Array.from(codes.keys()).sort((a, b) => codes[a] - codes[b] || a - b)
}

export function columnCodes(variable: Variable, column: GrowthColumn, codes: Int32Array): Int32Array {
  const known = new Int32Array(variable.codes + 1).fill(-1)
  return codes.map((code) => {
    if (known[code] < 0) known[code] = columnCode(variable, column, code)
    return known[code]
  })
}

/** The rank or level that a code of the variable is in a column; one more than there are for values nobody has. */
export function columnCode(
  { kind, codes, missing, numbers }: Variable,
  { isIndicator, distinct }: GrowthColumn,
  code: number,
): number {
  if (isIndicator) return code === missing ? 1 : 0
  if (kind === 'levels' || missing < 0 || distinct === null) return code
  return code >= codes ? distinct.length : distinct.indexOf(numbers[code])
}

/** Two different numbers have at least half the square of their difference as squared error; classes one error. */
export function leastPositiveRisk(variable: Variable, classes: number): number {
  if (classes > 0) return 1
  let gap = Number.POSITIVE_INFINITY
  for (let code = 1; code < valueCount(variable); code++)
    gap = Math.min(gap, variable.numbers[code] - variable.numbers[code - 1])
  return (gap * gap) / 2
}
