import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mad, quantileSorted, quantiles } from './quantile.js'
import { ascending, known, recordsOf, recordsUpTo } from './repeated.js'
import { mean, standardDeviation, sum } from './sums.js'

/** Numbers in quarters, whose sums are exact, each with how often it stands. */
const counted = fc
  .array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 20 })
  .map((pairs) => ({
    values: Float64Array.from(pairs, ([value]) => value / 4),
    times: Int32Array.from(pairs, ([, times]) => times),
  }))

const oneByOne = ({ values, times }: { values: Float64Array; times: Int32Array }) =>
  Float64Array.from([...values].flatMap((value, k) => Array.from({ length: times[k] }, () => value)))

describe('numbers that stand for several records', () => {
  it('have the sums, moments and quantiles of these records', () => {
    fc.assert(
      fc.property(counted, (repeated) => {
        const { values, times } = repeated
        const all = oneByOne(repeated)
        expect(sum(values, times)).toBe(sum(all))
        expect(mean(values, times)).toBe(mean(all))
        expect(standardDeviation(values, times) ?? 0).toBeCloseTo(standardDeviation(all) ?? 0, 12)
        expect(mad(values, undefined, times)).toBe(mad(all))
        expect(quantiles(values, [0, 0.1, 0.5, 0.9, 1], times)).toEqual(quantiles(all, [0, 0.1, 0.5, 0.9, 1]))
        const sorted = ascending(repeated)
        expect(quantileSorted(sorted.values, 0.3, sorted.times)).toBe(quantileSorted(all.toSorted(), 0.3))
        expect(recordsUpTo(sorted, 1)).toBe(all.filter((value) => value <= 1).length)
      }),
    )
  })

  it('are left out with their records where they are not known', () => {
    const some = { values: Float64Array.of(3, Number.NaN, 1), times: Int32Array.of(2, 5, 4) }
    expect(known(some)).toEqual({ values: Float64Array.of(3, 1), times: Int32Array.of(2, 4) })
    expect(ascending(some)).toEqual({ values: Float64Array.of(1, 3), times: Int32Array.of(4, 2) })
    expect(recordsOf(known(some))).toBe(6)
    expect(ascending({ values: some.values, times: null })).toEqual({ values: Float64Array.of(1, 3), times: null })
  })
})
