import type { CodedColumn } from '@scrim/kernels'
import { type Column, columnLength, type DateColumn, dateLabel } from './column.js'

/**
 * One column of several tables as integer codes over all their rows, one table after the other. Equal codes are equal
 * values, numbers by IEEE equality (-0 is 0); codes follow the order of the levels or of the numbers; -1 is missing.
 */
export interface JointColumn extends CodedColumn {
  readonly name: string
  readonly kind: Column['kind']
  readonly ordered: boolean
  /** The level behind each code; empty for numbers, whose labels are made only when needed. */
  readonly levels: readonly string[]
  /** The number behind each code; empty for a categorical column. */
  readonly numbers: Float64Array
  readonly unit: DateColumn['unit']
}

/** The value behind each code, for people. */
export function labelsOf({ kind, levels, numbers, unit }: JointColumn): readonly string[] {
  if (kind === 'categorical') return levels
  return Array.from(numbers, (value) => (kind === 'date' ? dateLabel(value, unit) : String(value)))
}

/** The columns must have been reconciled: categorical ones share their levels. */
export function codeJointly(columns: readonly Column[]): JointColumn {
  const model = columns[0]
  const rows = columns.reduce((sum, column) => sum + columnLength(column), 0)
  const codes = new Int32Array(rows)
  if (model.kind === 'categorical') {
    let at = 0
    for (const column of columns) {
      if (column.kind !== 'categorical') throw new Error(`"${column.name}" has not been reconciled`)
      codes.set(column.codes, at)
      at += column.codes.length
    }
    const { name, kind, levels, ordered } = model
    return { name, kind, ordered, codes, cardinality: levels.length, levels, numbers: new Float64Array(), unit: 'day' }
  }
  const numbers = codeNumbers(columns, codes)
  const { name, kind } = model
  const unit = model.kind === 'date' ? model.unit : 'day'
  return { name, kind, ordered: true, codes, cardinality: numbers.length, levels: [], numbers, unit }
}

/** Writes the rank of each number among the distinct ones into `codes` and returns these, ascending. */
function codeNumbers(columns: readonly Column[], codes: Int32Array): Float64Array {
  const seen = new Map<number, number>()
  let row = 0
  for (const column of columns) {
    if (column.kind === 'categorical') throw new Error(`"${column.name}" has not been reconciled`)
    for (const value of column.values) {
      let code = -1
      if (!Number.isNaN(value)) {
        const known = seen.get(value)
        code = known ?? seen.size
        if (known === undefined) seen.set(value, code)
      }
      codes[row++] = code
    }
  }
  const distinct = Float64Array.from(seen.keys()).sort()
  const rank = new Int32Array(seen.size)
  for (let k = 0; k < distinct.length; k++) rank[seen.get(distinct[k]) ?? 0] = k
  for (let k = 0; k < codes.length; k++) if (codes[k] >= 0) codes[k] = rank[codes[k]]
  return distinct.map((value) => value + 0)
}
