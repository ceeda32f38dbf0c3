import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binomialEffect, normalEffect, shareEffect } from './effects.js'

describe('normalEffect', () => {
  it('has one-sided bounds and p', () => {
    expect(normalEffect(0.2, 0.1)).toMatchObject({
      lower: expect.closeTo(0.2 - 0.1644854, 6),
      upper: expect.closeTo(0.2 + 0.1644854, 6),
      p: expect.closeTo(0.0227501, 6),
    })
    expect([normalEffect(0.1, 0).p, normalEffect(0, 0).p, normalEffect(-0.1, 0).p]).toEqual([0, 1, 1])
  })
})

describe('shareEffect', () => {
  it('is the score test for many people', () => {
    const { value, p, lower, upper } = shareEffect(52, 500, 48, 500)
    expect(value).toBeCloseTo(0.008, 12)
    // z = 0.008 / √(0.1 · 0.9 · 2 / 500)
    expect(p).toBeCloseTo(0.3366, 4)
    expect(lower).toBeLessThan(value)
    expect(upper).toBeGreaterThan(value)
  })

  it.each([
    // One outsider fails where 990 of 1000 succeed: 11 of 1001 would have.
    [990, 1000, 0, 1, 11 / 1001],
    [900, 1000, 0, 2, (102 * 101) / (1002 * 1001)],
    [10, 10, 0, 10, 1 / 184756],
    [0, 10, 0, 10, 1],
    [3, 3, 3, 3, 1],
  ])('is exact for few: %d of %d against %d of %d', (x1, n1, x2, n2, p) => {
    expect(shareEffect(x1, n1, x2, n2).p).toBeCloseTo(p, 9)
  })

  it('has a p within 0 and 1, and none below one half for an effect that is not there', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 30 }))
    const shares = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(sizes, shares, ([n1, n2], [a, b]) => {
        const { p, value, lower, upper } = shareEffect(a * n1, n1, b * n2, n2)
        expect(p).toBeGreaterThanOrEqual(0)
        expect(p).toBeLessThanOrEqual(1)
        expect(lower).toBeLessThanOrEqual(value + 1e-12)
        expect(upper).toBeGreaterThanOrEqual(value - 1e-12)
        if (value <= 0) expect(p).toBeGreaterThan(0.4)
      }),
    )
  })
})

describe('binomialEffect', () => {
  it('is exact, also for all and for none of few', () => {
    // All of 5: the lower bound is 0.05^(1/5), p = 0.1^5.
    expect(binomialEffect(5, 5, 0.1)).toMatchObject({
      value: expect.closeTo(0.9, 12),
      lower: expect.closeTo(0.05 ** (1 / 5) - 0.1, 9),
      upper: expect.closeTo(0.9, 12),
      p: expect.closeTo(1e-5, 12),
    })
    expect(binomialEffect(0, 5, 0.1)).toMatchObject({ value: -0.1, p: 1 })
    // 3 or more of 4 at 1/2: 5 of 16.
    expect(binomialEffect(3, 4, 0.5).p).toBeCloseTo(5 / 16, 12)
  })
})
