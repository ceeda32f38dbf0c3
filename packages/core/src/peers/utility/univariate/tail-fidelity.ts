import { quantileSorted } from '../../../stats/quantile.js'
import { completePair } from '../../../utility/pair.js'
import { numberPairs } from '../../../utility/univariate/columns/columns.js'
import { type Hill, hill, type Tail } from '../../../utility/univariate/columns/tails.js'
import { tailFidelity as own, tailsBy } from '../../../utility/univariate/tail-fidelity.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'
import { withoutDates } from '../without-dates.js'

/** Tails of each file begin at its own quantiles, so that a release whose tails moved as a whole looks the same. */
export const tailFidelity = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'mean gap of 50 type-7 quantiles per tail, of records complete in all numbers, without dates',
    ...withoutDates(
      tailsBy({
        numbers: (pair) => {
          const { pairs, skipped } = numberPairs(pair)
          const names = pairs.map(({ name }) => name)
          return { ...numberPairs({ ...completePair(pair, names), variables: names }), skipped }
        },
        distance: (x, y, share, tail) => gridTailDistance(x.values, y.values, share, tail),
        hill: ({ values }, share) => hillAbove(values, share),
        limitsOf: (sample) => sample,
      }),
    ),
  },
})

const POINTS = 50

/** The mean over 50 equally spaced probabilities of the tail, type 7, both ends included. */
export function gridTailDistance(x: Float64Array, y: Float64Array, share: number, tail: Tail): number {
  let total = 0
  for (let k = 0; k < POINTS; k++) {
    const away = (share * k) / (POINTS - 1)
    const p = tail === 'upper' ? 1 - share + away : away
    const at = Math.min(1, p)
    total += Math.abs((quantileSorted(x, at) ?? 0) - (quantileSorted(y, at) ?? 0))
  }
  return total / POINTS
}

/** Among values above the own quantile, if all are positive and there are at least 5, k = ⌊√n⌋. */
export function hillAbove(sorted: Float64Array, share: number): Hill | null {
  const threshold = quantileSorted(sorted, 1 - share) ?? 0
  const tail = sorted.filter((value) => value > threshold)
  if (tail.length < 5 || !(tail[0] > 0)) return null
  return hill({ values: tail, times: null }, Math.floor(Math.sqrt(tail.length)))
}
