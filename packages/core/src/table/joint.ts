import { type CodedColumn, codeNumbers, sharedInt32 } from '@scrim/kernels'
import { oncePer } from '../once.js'
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

/** The columns must have been reconciled: categorical ones share their levels. Computed once for the same columns. */
export function codeJointly(columns: readonly Column[]): JointColumn {
  const known = coded(...columns)
  known.joint ??= codedTogether(columns)
  return known.joint
}

/** For whoever asks for it next. */
export function keepJointly(columns: readonly Column[], joint: JointColumn): void {
  coded(...columns).joint ??= joint
}

const coded = oncePer((..._: readonly Column[]): { joint?: JointColumn } => ({}))

function codedTogether(columns: readonly Column[]): JointColumn {
  const model = columns[0]
  if (model.kind === 'categorical') {
    const codes = sharedInt32(columns.reduce((sum, column) => sum + columnLength(column), 0))
    let at = 0
    for (const column of columns) {
      if (column.kind !== 'categorical') throw new Error(`"${column.name}" has not been reconciled`)
      codes.set(column.codes, at)
      at += column.codes.length
    }
    const { name, kind, levels, ordered } = model
    return { name, kind, ordered, codes, cardinality: levels.length, levels, numbers: new Float64Array(), unit: 'day' }
  }
  const { codes, numbers } = codeNumbers(
    columns.map((column) => {
      if (column.kind === 'categorical') throw new Error(`"${column.name}" has not been reconciled`)
      return column.values
    }),
  )
  const { name, kind } = model
  const unit = model.kind === 'date' ? model.unit : 'day'
  return { name, kind, ordered: true, codes, cardinality: numbers.length, levels: [], numbers, unit }
}
