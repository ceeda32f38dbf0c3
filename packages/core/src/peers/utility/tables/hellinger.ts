import { type Coded, completeRows } from '../../../utility/tables/cells.js'
import { distancesOf, hellinger as own } from '../../../utility/tables/hellinger.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'

/** A release that blanks values looks the same. */
export const hellinger = withUtilityDefinitions(
  own,
  {
    riskutility: {
      ...RISKUTILITY,
      differs: 'missing values are left out',
      ...distancesOf(withoutMissing),
    },
  },
  { what: 'missing is a category' },
)

/** Null when a file has no value at all. */
function withoutMissing(column: Coded): Coded | null {
  const known = completeRows(column)
  return known.originals === 0 || known.originals === known.columns[0].codes.length ? null : known
}
