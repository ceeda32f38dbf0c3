import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { numeric } from '../../../table/column.js'
import { table, tableOf } from '../../../table/table.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
import type { MissingMode } from '../costs/key-costs.js'
import { classicalCovariance, distanceUnit, mahalanobisCosts } from './mahalanobis.js'

const costs = (files: ReturnType<typeof together>, given: { robust?: boolean; missing?: MissingMode } = {}) =>
  mahalanobisCosts(files, { robust: false, missing: 'ignore', original: 'query', random: stream(1, 'test'), ...given })

const close = (found: ArrayLike<number>, expected: readonly number[], digits = 8) => {
  for (const [k, value] of expected.entries()) expect(found[k]).toBeCloseTo(value, digits)
}

describe("linkage by Mahalanobis' distance", () => {
  it('has the units of the chi-squared distribution', () => {
    close([1, 2, 3, 4, 5, 6].map(distanceUnit), [3.1698221, 3.8412912, 4.3239805, 4.7208658, 5.066064, 5.3757558], 6)
  })

  it('ten people, numbers only', async () => {
    const files = together(TEN, TEN_RELEASED, ['age', 'inc', 'edu'])
    const columns = files.keys.map((key) => Float64Array.from(files.query.ids, (id) => key.numbers[key.query[id]]))
    close(
      classicalCovariance(columns),
      [190.23333, 152.78889, 0.22222222, 152.78889, 274.23333, 6.4444444, 0.22222222, 6.4444444, 0.66666667],
      4,
    )
    const { distance, risk } = await score(files, costs(files))
    close(
      distance,
      [
        0.04622121, 0.050743499, 0.092667275, 0.34214529, 0.036363317, 0.060214813, 0.120164375, 0.050743499, 0.1383363,
        0.334462637,
      ],
    )
    expect(meanOf(risk)).toBe(1)
  })

  it('ten people, with a category', async () => {
    const files = together(TEN, TEN_RELEASED)
    const { distance, risk, least } = await score(files, costs(files))
    expect(distance[2]).toBeCloseTo(0.319500456, 8)
    expect(least[2]).toBeCloseTo(0.215823046, 8)
    expect(meanOf(risk)).toBeCloseTo(0.9, 12)
  })

  it('does not let an outlier of the original choose the metric', async () => {
    const far = (values: readonly number[]) => [...values, 30, 35]
    const X = tableOf('x', {
      age: far([23, 25, 31, 34, 38, 41, 47, 52, 58, 64]),
      inc: [18, 22, 30, 28, 45, 39, 52, 41, 75, 33, 200, 220],
    })
    const files = together(X, X)
    const robust = costs(files, { robust: true })
    const classical = costs(files)
    const spread = (of: typeof robust) => {
      const z = of.round?.query ?? new Float64Array()
      return Math.hypot(z[0] - z[2 * 10], z[1] - z[2 * 10 + 1])
    }
    expect(spread(robust)).toBeGreaterThan(2 * spread(classical))
    expect(meanOf((await score(files, robust)).risk)).toBe(1)
  })

  it('missing numbers', async () => {
    const X = tableOf('x', { a: [0, 1, 2, 5], b: [3, 1, 0, 2] })
    const A = table('a', [numeric('a', [0, 1, null, 5]), numeric('b', [3, 1, 0, 2])])
    const files = together(X, A)
    for (const missing of ['ignore', 'match'] as const)
      expect((await score(files, costs(files, { missing }))).risk).toEqual([1, 1, 1, 1])
    const mismatch = (await score(files, costs(files, { missing: 'mismatch' }))).distance[2]
    const expected = (await score(files, costs(files, { missing: 'expected' }))).distance[2]
    expect(mismatch).toBeCloseTo(0.5, 12)
    expect(expected).toBeLessThan(mismatch)
  })
})
