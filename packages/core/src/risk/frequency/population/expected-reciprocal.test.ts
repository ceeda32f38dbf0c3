import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  approximateReciprocal,
  negativeBinomialReciprocal,
  poissonGammaReciprocal,
  poissonReciprocal,
} from './expected-reciprocal.js'

/** (p/f) Σ t_k with t_(k+1) = t_k (1 - p)(k + b)/(f + 1 + k), all terms positive for b = 1: slow and beyond doubt. */
function bySeries(f: number, p: number, b = 1): number {
  let term = 1
  let sum = 1
  for (let k = 0; Math.abs(term) > 1e-17 * sum; k++) {
    term *= ((1 - p) * (k + b)) / (f + 1 + k)
    sum += term
  }
  return (p / f) * sum
}

describe('negative binomial model', () => {
  it.each([
    // f, weighted f, E(1/F | f)
    [3, 1000, 0.001495617564],
    [10, 1000, 0.001109726171],
    [40, 100, 0.01015070791],
    [200, 250, 0.004003988004],
    [1.5, 65, 0.03694562],
    [1, 45.5, 0.08579129],
    [1, 100, 0.0465169],
    [3, 108, 0.01355297],
    [2, 100, 0.01877883],
  ])('f = %d, F = %d', (f, F, expected) => {
    const r = negativeBinomialReciprocal(f, f / F)
    expect(Math.abs(r / expected - 1)).toBeLessThan(1e-6)
    expect(r).toBeCloseTo(bySeries(f, f / F), 14)
  })

  it('equals the hypergeometric series to full precision for any f, whole or not, and any p', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.double({ min: 0.2, max: 50, noNaN: true }))
    fc.assert(
      fc.property(size, fc.double({ min: 1e-3, max: 1, noNaN: true }), (f, p) => {
        expect(Math.abs(negativeBinomialReciprocal(f, p) / bySeries(f, p) - 1)).toBeLessThan(1e-12)
      }),
    )
  })

  it('lies between 1/F and 1/f, falls with F, and is 1/f when the sample is the population', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.double({ min: 1, max: 1e5, noNaN: true }), (f, ratio) => {
        const r = negativeBinomialReciprocal(f, 1 / ratio)
        expect(r).toBeLessThanOrEqual((1 / f) * (1 + 1e-14))
        expect(r).toBeGreaterThanOrEqual((1 / (f * ratio)) * (1 - 1e-14))
        expect(negativeBinomialReciprocal(f, 1 / (2 * ratio))).toBeLessThan(r)
      }),
    )
    expect(negativeBinomialReciprocal(7, 1)).toBe(1 / 7)
  })

  it('does not lose accuracy where an alternating sum would, nor give 0 between 1 and 2', () => {
    expect(negativeBinomialReciprocal(200, 0.8)).toBeCloseTo(0.004003988004, 12)
    expect(negativeBinomialReciprocal(1.5, 0.01)).toBeGreaterThan(0.01)
    expect(negativeBinomialReciprocal(2, 1 - 1e-9)).toBeCloseTo(0.5, 8)
    expect(negativeBinomialReciprocal(1.5, 1e-9)).toBeGreaterThan(0)
  })

  it('has the approximation of sdcMicro beside it, slightly too high for f > 2', () => {
    expect(approximateReciprocal(3, 3 / 108)).toBeCloseTo(0.01369863, 8)
    expect(approximateReciprocal(2, 0.02)).toBe(negativeBinomialReciprocal(2, 0.02))
    expect(approximateReciprocal(1.5, 1.5 / 65)).toBe(negativeBinomialReciprocal(1.5, 1.5 / 65))
  })
})

describe('Poisson model', () => {
  it('has the published value at f = 3, nu = 9, and its closed form at f = 1', () => {
    expect(poissonReciprocal(3, 9)).toBeCloseTo(0.0891629, 7)
    expect(poissonReciprocal(1, 9)).toBeCloseTo((1 - Math.exp(-9)) / 9, 15)
    expect(poissonReciprocal(4, 0)).toBe(0.25)
  })

  it('equals the integral, whichever way it is computed', () => {
    const integral = (f: number, nu: number) => {
      const steps = 20_000
      let sum = 0
      for (let k = 0; k <= steps; k++) {
        const t = k / steps
        const weight = k === 0 || k === steps ? 1 : k % 2 === 1 ? 4 : 2
        sum += weight * t ** (f - 1) * Math.exp(-nu * (1 - t))
      }
      return sum / (3 * steps)
    }
    for (const f of [1, 2, 3, 4.5, 9, 80]) {
      for (const nu of [0.01, 0.7, 3, 20, 60]) expect(poissonReciprocal(f, nu)).toBeCloseTo(integral(f, nu), 9)
    }
  })

  it('stays finite for classes that are huge in the population', () => {
    expect(poissonReciprocal(2, 1e5)).toBeCloseTo(1e-5, 8)
    expect(poissonReciprocal(2.5, 1e5)).toBeCloseTo(1e-5, 8)
  })
})

describe('Poisson-gamma model', () => {
  it('becomes the negative binomial model as r goes to 0', () => {
    expect(poissonGammaReciprocal(3, 0, 0.1)).toBeCloseTo(negativeBinomialReciprocal(3, 0.1), 14)
  })

  it('equals its expectation, summed', () => {
    for (const [f, r, q] of [
      [1, 0.5, 0.2],
      [2, 3, 0.4],
      [5, 1, 0.05],
    ]) {
      let probability = q ** (r + f)
      let sum = 0
      for (let k = 0; k < 5000; k++) {
        sum += probability / (f + k)
        probability *= ((r + f + k) * (1 - q)) / (k + 1)
      }
      expect(poissonGammaReciprocal(f, r, q)).toBeCloseTo(sum, 12)
    }
  })
})
