import type { Pair } from '../../../utility/pair.js'
import { type Classes, completeRows } from '../../../utility/tables/cells.js'
import { type Counted, distancesOf, hellinger as own } from '../../../utility/tables/hellinger.js'
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
function withoutMissing(column: Classes, { original }: Pair, weights: Float64Array | null): Counted | null {
  const { columns, ...complete } = completeRows({ columns: [column], originals: original.rows, weights })
  const [known] = columns
  if (complete.originals === 0 || complete.originals === known.codes.length) return null
  return { column: known, ...complete }
}
