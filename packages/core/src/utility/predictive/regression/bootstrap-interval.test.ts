import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { drawNormal } from '../../../stats/draws.js'
import { quantile } from '../../../stats/quantile.js'
import { standardDeviation } from '../../../stats/sums.js'
import { bootstrapInterval, ESTIMATORS, quantileEstimator } from './bootstrap-interval.js'

const sorted = Float64Array.of(1, 2, 4, 8)
const ones = Float64Array.of(1, 1, 1, 1)

describe('a statistic of values and of how often they count', () => {
  it.each([
    ['mean', 15 / 4],
    ['median', 3],
    ['variance', (2.75 ** 2 + 1.75 ** 2 + 0.25 ** 2 + 4.25 ** 2) / 3],
    ['sd', standardDeviation(sorted) ?? Number.NaN],
    ['iqr', 5 - 1.75],
    ['p10', quantile(sorted, 0.1) ?? Number.NaN],
    // Mean difference of two records drawn with replacement: 2 (1 + 3 + 7 + 2 + 6 + 4) / 16, over twice the mean.
    ['gini', (2 * 23) / 16 / (2 * 3.75)],
  ])('%s', (name, expected) => {
    expect(ESTIMATORS[name](sorted, ones)).toBeCloseTo(expected, 12)
  })

  it('counts repeated values', () => {
    const counts = Float64Array.of(0, 3, 0, 2)
    expect(ESTIMATORS.mean(sorted, counts)).toBeCloseTo(22 / 5, 12)
    for (const p of [0, 0.3, 0.5, 0.61, 1])
      expect(quantileEstimator(p)(sorted, counts)).toBeCloseTo(quantile([2, 2, 2, 8, 8], p) ?? Number.NaN, 12)
  })
})

describe('bootstrap', () => {
  const random = stream(8, 'values')
  const values = Float64Array.from({ length: 400 }, () => drawNormal(random))
  const draw = (k: number) => stream(8, 'draws', k)

  it('of a mean is about z standard errors wide', () => {
    const found = bootstrapInterval(values, ESTIMATORS.mean, { draws: 400 }, draw)
    const half = ((found?.upper ?? 0) - (found?.lower ?? 0)) / 2
    expect(half).toBeCloseTo((1.96 * (standardDeviation(values) ?? 0)) / 20, 1)
    const larger = bootstrapInterval(values, ESTIMATORS.mean, { draws: 400, size: 1600 }, draw)
    expect((larger?.upper ?? 0) - (larger?.lower ?? 0)).toBeLessThan(half * 1.3)
  })

  it('of a constant has no width, of nothing is nothing', () => {
    expect(bootstrapInterval(Float64Array.of(2, 2, 2), ESTIMATORS.median, { draws: 20 }, draw)).toEqual({
      estimate: 2,
      lower: 2,
      upper: 2,
    })
    expect(bootstrapInterval(new Float64Array(), ESTIMATORS.median, { draws: 20 }, draw)).toBeNull()
  })
})
