import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../draws.js'
import { mean } from '../sums.js'
import {
  bridgeDraws,
  effectiveSize,
  expectedWasserstein,
  largestGap,
  mergeSamples,
  type Sample,
  sampleOf,
  smirnovP,
  tieEnds,
  wasserstein,
} from './two-samples.js'

const sample = (...values: number[]) => sampleOf(Float64Array.from(values))

function merged(x: Sample, y: Sample) {
  const both = mergeSamples(x, y)
  if (both === null) throw new Error('empty sample')
  return both
}

describe('two samples on one axis', () => {
  it.each([
    { x: [0, 0, 1], y: [0, 1, 1], w: 1 / 3, d: 1 / 3 },
    { x: [1, 2, 3, 4], y: [2, 3, 5], w: 5 / 6, d: 1 / 3 },
    { x: [1, 2, 3], y: [3, 1, 2], w: 0, d: 0 },
    { x: [0], y: [7], w: 7, d: 1 },
  ])('gives W₁ $w and D $d for $x and $y', ({ x, y, w, d }) => {
    const both = merged(sample(...x), sample(...y))
    expect(wasserstein(both)).toBeCloseTo(w, 12)
    expect(largestGap(both).d).toBeCloseTo(d, 12)
  })

  it('weighs values', () => {
    const x = sampleOf(Float64Array.of(0, 1), Float64Array.of(3, 1))
    expect(wasserstein(merged(x, sample(0, 1)))).toBeCloseTo(0.25, 12)
    expect(effectiveSize(x)).toBeCloseTo(1.6, 12)
  })

  it('leaves out missing values and weights of 0', () => {
    expect(Array.from(sampleOf(Float64Array.of(2, Number.NaN, 1)).values)).toEqual([1, 2])
    const weighted = sampleOf(Float64Array.of(2, Number.NaN, 1, 5), Float64Array.of(1, 1, 2, 0))
    expect(Array.from(weighted.values)).toEqual([1, 2])
    expect(Array.from(weighted.weights ?? [])).toEqual([2, 1])
    expect(mergeSamples(sample(), sample(1))).toBeNull()
  })

  it('counts paths for the exact p-value, ties included', () => {
    const tied = [sample(1, 2, 3, 4), sample(2, 3, 5)] as const
    expect(smirnovP({ d: 1 / 3, m: 4, n: 3 }, tieEnds(...tied))).toBeCloseTo(0.8857143, 7)
    const untied = [sample(1.1, 2.2, 3.3, 4.4, 5.5), sample(3.1, 4.2, 6.3, 7.4)] as const
    expect(largestGap(merged(...untied)).d).toBe(0.5)
    expect(smirnovP({ d: 0.5, m: 5, n: 4 }, tieEnds(...untied))).toBeCloseTo(0.5634921, 7)
    expect(smirnovP({ d: 1, m: 5, n: 5 })).toBeCloseTo(2 / 252, 12)
  })

  it('uses the limit for many values', () => {
    expect(smirnovP({ d: 0.08, m: 500, n: 500 })).toBeCloseTo(0.0815189, 7)
    expect(smirnovP({ d: 0.03, m: 500, n: 500 })).toBeCloseTo(0.9780359, 7)
    expect(smirnovP({ d: 0, m: 500, n: 500 })).toBe(1)
  })

  it('expects of two samples of one distribution what they are on average', () => {
    const pairs = Array.from({ length: 200 }, (_, k) => {
      const random = stream(3, 'pairs', k)
      const draw = () => sampleOf(Float64Array.from({ length: 60 }, () => drawNormal(random)))
      const both = merged(draw(), draw())
      return { w: wasserstein(both), expected: expectedWasserstein(both) }
    })
    const ratio = (mean(pairs.map(({ w }) => w)) ?? 0) / (mean(pairs.map(({ expected }) => expected)) ?? 1)
    expect(Math.abs(ratio - 1)).toBeLessThan(0.12)
  })

  it('draws bridges with the mean that is expected, and Kolmogorov as their limit', () => {
    const random = stream(4, 'bridge')
    const values = Float64Array.from({ length: 2000 }, () => drawNormal(random))
    const both = merged(sampleOf(values.subarray(0, 1000)), sampleOf(values.subarray(1000)))
    const { d, w } = bridgeDraws(both, random, 2000)
    expect((mean(w) ?? 0) / expectedWasserstein(both)).toBeCloseTo(1, 1)
    const beyond = d.filter((gap) => gap > 1.36 * Math.sqrt(2 / 1000)).length / d.length
    expect(Math.abs(beyond - 0.049)).toBeLessThan(0.02)
  })
})
