import { expect, it } from 'vitest'
import { errorStatistics } from './error-statistics.js'

it('is right on a case by hand', () => {
  const { mae, mse, rmse, mape, smape, n, aitchison } = errorStatistics([1, 2, 4, Number.NaN], [1, 3, 2, 5])
  expect({ n, mae }).toEqual({ n: 3, mae: 1 })
  expect(mse).toBeCloseTo(5 / 3, 12)
  expect(rmse).toBeCloseTo(1.290994, 6)
  expect(mape).toBeCloseTo(33.3333, 4)
  expect(smape).toBeCloseTo(35.5556, 4)
  // ln 1, ln 1.5, ln 0.5 about their mean -0.0959.
  expect(aitchison).toBeCloseTo(Math.sqrt(0.0959 ** 2 + 0.5014 ** 2 + 0.5973 ** 2) / 6, 3)
})

it('gives null where a share of nothing is asked for', () => {
  expect(errorStatistics([0, 1], [0, 2])).toMatchObject({ mape: null, aitchison: null, mae: 0.5 })
  expect(errorStatistics([0], [0]).smape).toBe(0)
  expect(errorStatistics([], [])).toMatchObject({ n: 0, mae: null, rmse: null, smape: null })
})
