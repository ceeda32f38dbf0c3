import { columnOf } from '../../../table/table.js'
import { closenessOf, ciProximity as own } from '../../../utility/univariate/ci-proximity.js'
import type { Estimate } from '../../../utility/univariate/columns/mean-intervals.js'
import { comparedMeans, momentsInBoth } from '../../../utility/univariate/columns/mean-intervals.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'

/** riskutility 0.2.0, ci_proximity: of means only. */
export const ciProximity = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs:
      'mean of overlap over the common hull and 1 / (1 + relative error), of means of numbers only, not of dates',
    ...closenessOf(
      (pair, level) =>
        pair.variables.flatMap((name) => {
          const moments = columnOf(pair.original, name).kind === 'date' ? null : momentsInBoth(pair, name)
          const compared = moments === null ? null : comparedMeans(name, moments, level)
          if (moments === null || compared === null) return []
          const [x, y] = moments
          return { ...compared, riskutility: proximity(compared.original, compared.released, { x: x.n, y: y.n }) }
        }),
      ({ riskutility }) => riskutility.proximity,
    ),
  },
})

/** Below this a mean counts as 0 and its relative error is replaced. */
const NEARLY_ZERO = 1e-10

/**
 * (overlap + 1 / (1 + relative error)) / 2. Not the same for Celsius and Kelvin: the error of the mean is relative to the
 * mean; where that is 0, to √((se_X² n_X + se_Y² n_Y) / (n_X + n_Y)). Intervals without a length have no overlap, so that a
 * column that is the same constant in both files counts one half.
 */
function proximity(i: Estimate, j: Estimate, sizes: { readonly x: number; readonly y: number }) {
  const common = Math.max(0, Math.min(i.upper, j.upper) - Math.max(i.lower, j.lower))
  const hull = Math.max(i.upper, j.upper) - Math.min(i.lower, j.lower)
  const gap = Math.abs(j.value - i.value)
  const pooled = Math.sqrt((i.se ** 2 * sizes.x + j.se ** 2 * sizes.y) / (sizes.x + sizes.y))
  const unit = Math.abs(i.value) > NEARLY_ZERO ? Math.abs(i.value) : pooled
  const relativeError = gap === 0 ? 0 : unit > 0 ? gap / unit : Number.MAX_VALUE
  const overlap = hull > 0 ? common / hull : 0
  return {
    /** |I ∩ J| over the length of both together. */
    overlap,
    relativeError,
    proximity: (overlap + 1 / (1 + relativeError)) / 2,
    /** Whether the released interval contains the original estimate. */
    contains: j.lower <= i.value && i.value <= j.upper,
  }
}
