import { groupRows, rowsByGroup } from '@scrim/kernels'
import { nameList } from '../../option-kinds.js'
import { valueAt } from '../../table/column.js'
import { codeJointly } from '../../table/joint.js'
import { columnOf, type Table } from '../../table/table.js'
import { nameProblems } from './anonymiser.js'

/** The option that names the columns within whose combinations a method works separately. */
export const strataOption = nameList().describe('columns within whose combinations it is done separately')

export type StratumName = readonly (string | number | null)[]

export interface Strata {
  /** The values of the stratum variables; null without strata. */
  readonly names: readonly (StratumName | null)[]
  readonly rows: readonly Int32Array[]
}

/** Rows by the combinations of the stratum variables, in the order in which these appear; missing is a value here. */
export function stratify(data: Table, names: readonly string[]): Strata {
  const columns = names.map((name) => columnOf(data, name))
  const { ids, count } = groupRows(
    columns.map((column) => codeJointly([column])),
    data.rows,
  )
  const { start, rows } = rowsByGroup(ids, count)
  const members = Array.from({ length: count }, (_, id) => rows.subarray(start[id], start[id + 1]))
  return {
    names: members.map(([first]) => (names.length === 0 ? null : columns.map((column) => valueAt(column, first)))),
    rows: members,
  }
}

/** Stratum columns that there are not, or that the method itself would change (`done`: what it does to them). */
export function strataProblems(
  data: Table,
  strata: readonly string[],
  masked: readonly string[],
  done: string,
): string[] {
  const problems = nameProblems(data, strata)
  for (const name of masked)
    if (strata.includes(name)) problems.push(`"${name}" cannot be ${done} within its own strata`)
  return problems
}

/** "the stratum north, f", for messages. */
export function stratumText(name: StratumName | null): string {
  return name === null ? 'the file' : `the stratum ${name.map((value) => value ?? 'missing').join(', ')}`
}
