import { standardDeviation } from '../../../stats/sums.js'
import { coordinates } from '../../../utility/multivariate/axes/principal-axes.js'
import { comparedColumns } from '../../../utility/multivariate/pairs/compared.js'
import { axesBy, pca as own } from '../../../utility/multivariate/pca.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'

/** A column that spreads twice as far in the release as in the original looks the same. */
export const pca = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: "numbers only, each file divided by its own sd instead of the original's",
    ...axesBy((pair, { scale }) => {
      const points = coordinates(pair, comparedColumns(pair, 'numbers'), scale)
      return scale ? { ...points, released: inOwnUnits(points.released, points.width) } : points
    }),
  },
})

/** Every coordinate over its sd, where it has one. */
function inOwnUnits(rows: Float64Array, width: number): Float64Array {
  const spreads = Array.from({ length: width }, (_, j) => standardDeviation(rows.filter((_, at) => at % width === j)))
  return rows.map((value, at) => value / (spreads[at % width] || 1))
}
