import type { Pair } from '../../utility/pair.js'
import type { Classes } from '../../utility/tables/cells.js'
import { type Counted, distancesOf, hellinger as own } from '../../utility/tables/hellinger.js'
import { RISKUTILITY, withUtilityDefinitions } from '../definition.js'

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
  const rows = Int32Array.from(column.codes.keys()).filter((row) => column.codes[row] >= 0)
  const originals = rows.filter((row) => row < original.rows).length
  if (originals === 0 || originals === rows.length) return null
  return {
    column: { ...column, codes: rows.map((row) => column.codes[row]) },
    originals,
    weights: weights === null ? null : Float64Array.from(rows, (row) => weights[row]),
  }
}
