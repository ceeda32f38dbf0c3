import { groupRows } from '@scrim/kernels'
import { UserError } from '../../errors.js'
import { count } from '../../print.js'
import type { Records, Variable } from '../generator/records.js'

/** The rarest combination, the last row, a row (from 0), rows, all rows that are unique, or all. */
export type RecordChoice = 'rarest' | 'last' | 'uniques' | 'all' | number | readonly number[]

/** The rows to attack, each distinct record once; with the number of equal ones. */
export function targetRows(
  { variables, original }: { readonly variables: readonly Variable[]; readonly original: Records },
  choice: RecordChoice,
) {
  const { ids, count: classes } = groupRows(
    variables.map(({ codes }, j) => ({ codes: original.codes[j], cardinality: codes })),
    original.rows,
  )
  const frequency = new Int32Array(classes)
  const first = new Int32Array(classes).fill(-1)
  ids.forEach((id, row) => {
    frequency[id]++
    if (first[id] < 0) first[id] = row
  })
  const at = (row: number) => {
    if (!(Number.isInteger(row) && row >= 0 && row < original.rows))
      throw new UserError(`there is no record ${row + 1}; the original has ${count(original.rows, 'record')}`)
    return { row, frequency: frequency[ids[row]] }
  }
  const all = Array.from(first, at)
  switch (choice) {
    case 'rarest':
      return [all.reduce((rarest, one) => (one.frequency < rarest.frequency ? one : rarest))]
    case 'last':
      return [at(original.rows - 1)]
    case 'all':
      return all
    case 'uniques': {
      const uniques = all.filter((one) => one.frequency === 1)
      if (uniques.length === 0) throw new UserError('no record of the original is unique')
      return uniques
    }
    default:
      return typeof choice === 'number' ? [at(choice)] : choice.map(at)
  }
}
