import { describe, expect, it } from 'vitest'
import { sampleOf } from '../../../stats/samples/two-samples.js'
import { exceedance, hill, tailDistance } from './tails.js'

const upTo = (n: number) => Float64Array.from({ length: n }, (_, k) => k + 1)
const x = sampleOf(upTo(100))
const y = sampleOf(Float64Array.of(...upTo(99), 200))

describe('tails', () => {
  it('differ by the last value alone', () => {
    expect(tailDistance(x, y, 0.05, 'upper') / 49.5).toBeCloseTo(0.4040404, 7)
    expect(tailDistance(x, y, 0.05, 'lower')).toBe(0)
  })

  it('are compared for unequal sizes and weights', () => {
    const twice = sampleOf(Float64Array.of(1, 1, 2, 2, 3, 3, 4, 4))
    expect(tailDistance(sampleOf(upTo(4)), twice, 0.3, 'upper')).toBe(0)
    const weighted = sampleOf(upTo(4), Float64Array.of(2, 2, 2, 2))
    expect(tailDistance(weighted, twice, 0.3, 'lower')).toBe(0)
    expect(tailDistance(sampleOf(upTo(4)), sampleOf(Float64Array.of(1, 2, 3, 6)), 0.5, 'upper')).toBeCloseTo(1, 12)
  })

  it('are exceeded as often as in the original', () => {
    const same = exceedance(x, x, 0.05, 'upper')
    expect(same).toMatchObject({ original: 0.05, released: 0.05, ratio: 1 })
    expect(exceedance(x, sampleOf(upTo(50)), 0.05, 'upper')).toMatchObject({ released: 0, ratio: 0, lower: 0 })
    expect(exceedance(sampleOf(Float64Array.of(1, 1, 1)), x, 0.05, 'upper').ratio).toBeNull()
  })

  it('have the index of a Pareto distribution', () => {
    const pareto = Float64Array.from({ length: 1000 }, (_, k) => (1 - (k + 0.5) / 1000) ** (-1 / 2)).sort()
    const found = hill({ values: pareto, times: null }, 100)
    expect(Math.abs((found?.alpha ?? 0) - 2)).toBeLessThan(0.1)
    expect(found?.se).toBeCloseTo((found?.alpha ?? 0) / 10, 12)
    expect(hill({ values: Float64Array.of(-1, 1, 2, 3), times: null }, 3)).toBeNull()
    expect(hill({ values: Float64Array.of(1, 2, 2, 2), times: null }, 2)).toBeNull()
  })
})
