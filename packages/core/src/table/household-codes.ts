import { codeJointly } from './joint.js'
import { columnOf, type Table } from './table.js'

/** Who lives together, as numbers from 0 on. Who has no household is one. */
export interface HouseholdCodes {
  readonly ids: Int32Array
  readonly households: number
}

export function householdCodes(file: Table, household: string): HouseholdCodes {
  const { codes, cardinality } = codeJointly([columnOf(file, household)])
  let households = cardinality
  const ids = codes.map((code) => (code < 0 ? households++ : code))
  return { ids, households }
}
