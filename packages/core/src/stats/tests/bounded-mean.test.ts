import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { clopperPearson } from '../intervals.js'
import { boundedMean } from './bounded-mean.js'

const ones = (count: number, n: number) => Float64Array.from({ length: n }, (_, i) => (i < count ? 1 : 0))

describe('boundedMean', () => {
  it('is the interval of Clopper and Pearson for values of 0 and 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(), fc.constantFrom(0.9, 0.95), (n, drawn, level) => {
        const count = drawn % (n + 1)
        const found = boundedMean(ones(count, n), level)
        const exact = clopperPearson(count, n, level)
        expect(found?.lower).toBeCloseTo(exact?.lower ?? Number.NaN, 9)
        expect(found?.upper).toBeCloseTo(exact?.upper ?? Number.NaN, 9)
      }),
    )
  })

  it('does not collapse where all values are the same', () => {
    expect(boundedMean(ones(10, 10), 0.9)).toMatchObject({ lower: expect.closeTo(0.05 ** 0.1, 12), upper: 1 })
    expect(boundedMean(ones(0, 10), 0.9)).toMatchObject({ lower: 0, upper: expect.closeTo(1 - 0.05 ** 0.1, 12) })
    expect(boundedMean(new Float64Array())).toBeNull()
  })

  it('mirrors, and holds the mean', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(values, (list) => {
        const found = boundedMean(Float64Array.from(list))
        const mirrored = boundedMean(Float64Array.from(list, (value) => 1 - value))
        const mean = list.reduce((sum, value) => sum + value, 0) / list.length
        expect(found?.lower).toBeLessThanOrEqual(mean)
        expect(found?.upper).toBeGreaterThanOrEqual(mean)
        expect(mirrored?.lower).toBeCloseTo(1 - (found?.upper ?? 0), 9)
      }),
    )
  })

  it('is as narrow as a normal interval for many values', () => {
    const values = Float64Array.from({ length: 20_000 }, (_, i) => (i % 100) / 100)
    const half = 1.959964 * Math.sqrt(0.083325 / 20_000)
    expect(boundedMean(values)?.lower).toBeCloseTo(0.495 - half, 4)
    expect(boundedMean(values)?.upper).toBeCloseTo(0.495 + half, 4)
  })

  // Where the normal interval fails: nearly all values alike, and a few far away that a small sample does not show.
  it.each([
    ['uniform', (u: number) => u],
    ['mostly 1', (u: number) => (u < 0.05 ? 0 : 1)],
    ['mostly near 1', (u: number) => (u < 0.1 ? 0.1 * u : 0.98 + 0.02 * u)],
    ['skewed', (u: number) => u ** 4],
  ] as const)('bounds the mean from below 95 times of 100: %s', (_, of) => {
    const random = stream(1, 'bounded mean')
    const truth = Array.from({ length: 100_000 }, (_, i) => of((i + 0.5) / 100_000)).reduce((a, b) => a + b) / 100_000
    for (const n of [5, 20]) {
      const runs = 4000
      let covered = 0
      for (let run = 0; run < runs; run++) {
        const found = boundedMean(
          Float64Array.from({ length: n }, () => of(random.uniform())),
          0.9,
        )
        if (found !== null && found.lower <= truth) covered++
      }
      expect(covered / runs, `n = ${n}`).toBeGreaterThanOrEqual(0.945)
    }
  })
})
