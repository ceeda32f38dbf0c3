import { describe, expect, it } from 'vitest'
import { columnOf } from '../../table/table.js'
import { describeReference, referenceTable } from '../../testing/reference.js'
import { bandwidth, densityCurve } from './density.js'
import { sampleOf } from './two-samples.js'

describe('kernel density', () => {
  it('has the bandwidth of R', () => {
    expect(bandwidth(sampleOf(Float64Array.of(1, 2, 3, 4, 10)))).toBeCloseTo(0.9735846, 7)
    expect(bandwidth(sampleOf(Float64Array.of(3, 3, 3)))).toBeCloseTo(0.9 * 3 * 3 ** -0.2, 12)
    expect(bandwidth(sampleOf(Float64Array.of(0, 0)))).toBeCloseTo(0.9 * 2 ** -0.2, 12)
  })

  it('is the mean of kernels and has area 1', () => {
    const sample = sampleOf(Float64Array.of(1, 2, 3, 4, 10))
    const { heights, step } = densityCurve(sample, { from: -4, to: 15, width: 1, points: 400 })
    const kernel = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
    const place = -4 + 200 * step
    const exact = [1, 2, 3, 4, 10].reduce((sum, value) => sum + kernel(place - value), 0) / 5
    expect(Math.abs(heights[200] - exact)).toBeLessThan(1e-3 * exact)
    expect(heights.reduce((sum, height) => sum + height, 0) * step).toBeCloseTo(1, 3)
  })

  it('weighs values', () => {
    const twice = densityCurve(sampleOf(Float64Array.of(0, 0, 1)), { from: -2, to: 3, width: 0.5 })
    const weighed = densityCurve(sampleOf(Float64Array.of(0, 1), Float64Array.of(2, 1)), {
      from: -2,
      to: 3,
      width: 0.5,
    })
    expect(weighed.heights[200]).toBeCloseTo(twice.heights[200], 12)
  })
})

describeReference('bandwidths of the running example', async () => {
  const original = await referenceTable('golden', 'vignette', 'original.csv')
  it.each([
    ['age', 4.878763, 6],
    ['income', 5491.923, 3],
  ])('%s', (name, width, digits) => {
    const column = columnOf(original, name)
    if (column.kind === 'categorical') throw new Error(`${name} is no number`)
    expect(bandwidth(sampleOf(column.values))).toBeCloseTo(width, digits)
  })
})
