import { describe, expect, it } from 'vitest'
import { summaryOf } from '../../../stats/samples/summaries.js'
import { sampleOf } from '../../../stats/samples/two-samples.js'
import { karrOverlap, meanEstimate } from './mean-intervals.js'

function estimate(values: Float64Array) {
  const summary = summaryOf(sampleOf(values))
  const found = summary === null ? null : meanEstimate(summary, 0.95)
  if (found === null) throw new Error('no estimate')
  return found
}

describe('intervals of means', () => {
  const x = estimate(Float64Array.of(1, 2, 3, 4, 5))
  const y = estimate(Float64Array.of(2, 3, 4, 5, 6))
  it('overlap as worked out', () => {
    expect((x.upper - x.lower) / 2).toBeCloseTo(1.963243, 6)
    expect(karrOverlap(x, y)).toBeCloseTo(0.7453194, 7)
  })
  it('are signed when disjoint, and 1 when the same', () => {
    const far = estimate(Float64Array.of(102, 103, 104, 105, 106))
    expect(karrOverlap(x, far)).toBeLessThan(-1)
    expect(karrOverlap(x, x)).toBe(1)
    const point = { value: 1, se: 0, lower: 1, upper: 1 }
    expect(karrOverlap(point, point)).toBe(1)
    expect(karrOverlap(point, { ...point, value: 2, lower: 2, upper: 2 })).toBe(0)
  })
  it('need two values', () => {
    const summary = summaryOf(sampleOf(Float64Array.of(3)))
    expect(summary && meanEstimate(summary, 0.95)).toBeNull()
  })
})
