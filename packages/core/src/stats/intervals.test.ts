import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clopperPearson,
  deltaMethodResidual,
  type Interval,
  koopman,
  newcombe,
  normalInterval,
  percentileInterval,
  residualRisk,
  tInterval,
  wilson,
  wilsonCentre,
  wilsonWithVariance,
} from './intervals.js'

function expectInterval(interval: Interval | null | undefined, lower: number, upper: number, digits = 12): void {
  expect(interval?.lower).toBeCloseTo(lower, digits)
  expect(interval?.upper).toBeCloseTo(upper, digits)
}

const counts = fc.integer({ min: 1, max: 2000 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))

describe('wilson', () => {
  it.each([
    [0, 10, 0, 0.27753279986288915],
    [1, 10, 0.017876213095072892, 0.40415002679523837],
    [8, 16, 0.27999563610326017, 0.7200043638967398],
    [52, 500, 0.08019420676989107, 0.1338442708756583],
    [10, 10, 0.7224672001371109, 1],
    [3, 1e6, 1.0202712409681229e-6, 8.821149774312436e-6],
  ])('of %d in %d is that of prop.test in R', (successes, n, lower, upper) => {
    expectInterval(wilson(successes, n), lower, upper, 14)
  })

  it.each([
    [52, 500, 0.107019, 0.080194, 0.133844],
    [48, 500, 0.09908, 0.073174, 0.124987],
    [0, 100, 0.018497, 0, 0.036993],
    [50, 100, 0.5, 0.403832, 0.596168],
    [100, 100, 1 - 0.018497, 0.963007, 1],
    [23, 100, 0.239988, 0.158433, 0.321544],
  ])('of %d in %d has its centre at %d', (successes, n, centre, lower, upper) => {
    expect(wilsonCentre(successes, n).rate).toBeCloseTo(centre, 6)
    expectInterval(wilson(successes, n), lower, upper, 6)
  })

  it('takes a level and says what it is', () => {
    const interval = wilson(52, 500, 0.99)
    expectInterval(interval, 0.07386982642293216, 0.14450221494899687)
    expect(interval).toMatchObject({ level: 0.99, method: 'wilson' })
  })

  it('takes weighted successes', () => {
    const p = 2.5 / 10
    const z = 1.959963984540054
    expectInterval(
      wilson(2.5, 10),
      (p + z ** 2 / 20 - z * Math.sqrt((p * (1 - p)) / 10 + z ** 2 / 400)) / (1 + z ** 2 / 10),
      (p + z ** 2 / 20 + z * Math.sqrt((p * (1 - p)) / 10 + z ** 2 / 400)) / (1 + z ** 2 / 10),
    )
  })

  it('without trials is null; impossible counts and levels are refused', () => {
    expect(wilson(0, 0)).toBeNull()
    expect(() => wilson(3, 2)).toThrow('3 successes in 2 trials are impossible')
    expect(() => wilson(-1, 2)).toThrow(RangeError)
    expect(() => wilson(1, 2, 95)).toThrow('a confidence level lies between 0 and 1, but it is 95')
  })

  it('holds the proportion, lies in [0, 1] and mirrors', () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const interval = wilson(k, n)
        const mirror = wilson(n - k, n)
        if (interval === null || mirror === null) throw new Error('n > 0')
        expect(interval.lower).toBeGreaterThanOrEqual(0)
        expect(interval.lower).toBeLessThanOrEqual(k / n)
        expect(interval.upper).toBeGreaterThanOrEqual(k / n)
        expect(interval.upper).toBeLessThanOrEqual(1)
        expect(1 - mirror.upper).toBeCloseTo(interval.lower, 12)
      }),
    )
  })
})

describe('wilsonWithVariance', () => {
  it("is Wilson's where the variance is that of n trials, or says nothing", () => {
    expect(wilsonWithVariance(0.3, (0.3 * 0.7) / 50, 50)?.lower).toBeCloseTo(wilson(15, 50)?.lower ?? Number.NaN, 12)
    expect(wilsonWithVariance(0, 0.01, 50)).toEqual(wilson(0, 50))
    expect(wilsonWithVariance(1, 0, 50)).toEqual(wilson(50, 50))
    expect(wilsonWithVariance(0.3, 0, 50)).toEqual(wilson(15, 50))
    expect(wilsonWithVariance(0, 0, 0)).toBeNull()
  })

  it('is that of as many trials as vary as much', () => {
    expect(wilsonWithVariance(0.5, 0.025, 50)).toEqual(wilson(5, 10))
  })
})

describe('clopperPearson', () => {
  it.each([
    [0, 10, 0, 0.30849710781876083],
    [1, 10, 0.0025285785444617865, 0.44501611702819543],
    [8, 16, 0.24651011149057533, 0.7534898885094247],
    [52, 500, 0.07865193527463434, 0.1341407484224808],
    [10, 10, 0.6915028921812392, 1],
    [3, 1e6, 6.18672550190639e-7, 8.76724778814522e-6],
  ])('of %d in %d is that of binom.test in R', (successes, n, lower, upper) => {
    expectInterval(clopperPearson(successes, n), lower, upper)
  })

  it('without trials is null', () => {
    expect(clopperPearson(0, 0)).toBeNull()
  })
})

describe('newcombe', () => {
  it('of 8/16 and 2/6', () => {
    expectInterval(newcombe(8, 16, 2, 6), -0.2609444, 0.48972, 7)
  })

  it.each([
    // Newcombe (1998), table II, method 10.
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('of %d/%d and %d/%d is that of the paper', (k1, n1, k2, n2, lower, upper) => {
    expectInterval(newcombe(k1, n1, k2, n2), lower, upper, 4)
  })

  it('is null without trials on either side', () => {
    expect(newcombe(0, 0, 1, 2)).toBeNull()
    expect(newcombe(1, 2, 0, 0)).toBeNull()
  })

  it('changes sign when the groups change places', () => {
    fc.assert(
      fc.property(counts, counts, ([k1, n1], [k2, n2]) => {
        const one = newcombe(k1, n1, k2, n2)
        const other = newcombe(k2, n2, k1, n1)
        expectInterval(one, -(other?.upper ?? Number.NaN), -(other?.lower ?? Number.NaN))
      }),
    )
  })
})

describe('koopman', () => {
  it.each([
    [448, 500, 452, 500, 0.950208257347, 1.033519532815],
    [300, 500, 450, 500, 0.615317348953, 0.718400044004],
    [36, 40, 16, 80, 2.939569192, 7.152223437],
  ])('of %d/%d and %d/%d is where the score in R reaches 3.84', (x1, n1, x2, n2, lower, upper) => {
    expectInterval(koopman(x1, n1, x2, n2), lower, upper, 8)
  })

  it('starts at 0 without successes in the first group, and takes all successes', () => {
    expect(koopman(0, 20, 5, 20)?.lower).toBe(0)
    const all = koopman(20, 20, 20, 20)
    // U(θ) = n (1 - θ) / θ below 1, as p_2 is 1 there.
    const chi = 1.959963984540054 ** 2
    expectInterval(all, 20 / (20 + chi), (20 + chi) / 20)
  })

  it('is null without trials, or without successes in the second group', () => {
    expect(koopman(0, 0, 1, 2)).toBeNull()
    expect(koopman(1, 2, 0, 0)).toBeNull()
    expect(koopman(1, 2, 0, 5)).toBeNull()
  })

  it('holds the ratio, and its reciprocal when the groups change places', () => {
    fc.assert(
      fc.property(counts, counts, ([x1, n1], [x2, n2]) => {
        fc.pre(x1 > 0 && x2 > 0)
        const one = koopman(x1, n1, x2, n2)
        const other = koopman(x2, n2, x1, n1)
        if (one === null || other === null) throw new Error('x > 0')
        const ratio = (x1 * n2) / (x2 * n1)
        expect(one.lower).toBeLessThanOrEqual(ratio)
        expect(one.upper).toBeGreaterThanOrEqual(ratio)
        expect(one.lower * other.upper).toBeCloseTo(1, 7)
        expect(one.upper * other.lower).toBeCloseTo(1, 7)
      }),
    )
  })
})

describe('residualRisk', () => {
  it.each([
    [52, 48, 0.00885, [-0.03352, 0.049792], [0, 0.065461], 0.008812, [0, 0.05003]],
    [200, 50, 0.333333, [0.2816, 0.384683], [0.2625, 0.3973], 0.3319, [0.2803, 0.3835]],
  ])('of %d and %d of 500 with all three intervals', (a, c, residual, koopmans, conservative, delta, deltas) => {
    const digits = a === 52 ? 6 : 4
    const result = residualRisk(a, 500, c, 500)
    expect(result?.residual).toBeCloseTo(residual, 6)
    expect(result?.risk).toBe(result?.residual)
    expectInterval(result?.interval, koopmans[0], koopmans[1], 6)
    expectInterval(result?.conservative, conservative[0], conservative[1], digits)
    expect(result?.deltaMethod.risk).toBeCloseTo(delta, digits)
    expectInterval(result?.deltaMethod.interval, deltas[0], deltas[1], digits)
  })

  it('of 1/500 against 3/500 is negative, as a headline 0', () => {
    const result = residualRisk(1, 500, 3, 500)
    expect(result?.residual).toBeCloseTo(-2 / 497, 12)
    expect(result?.risk).toBe(0)
    expectInterval(result?.conservative, 0, 0.009217, 6)
    expect(result?.deltaMethod.risk).toBe(0)
    expectInterval(result?.deltaMethod.interval, 0, 0.00556, 6)
    const raw = deltaMethodResidual(wilsonCentre(1, 500), wilsonCentre(3, 500))
    expect(raw?.estimate).toBeCloseTo(-0.004009, 6)
    expect(raw?.halfWidth).toBeCloseTo(0.009568, 6)
  })

  it('by the delta method on rates with half-widths', () => {
    const exact = deltaMethodResidual({ rate: 0.9, halfWidth: 0 }, { rate: 0.8, halfWidth: 0 })
    expect(exact?.estimate).toBeCloseTo(0.5, 12)
    expect(exact?.halfWidth).toBe(0)
    const wide = deltaMethodResidual({ rate: 0.9, halfWidth: 0.02 }, { rate: 0.85, halfWidth: 0.02 })
    expect(wide?.estimate).toBeCloseTo(0.333, 3)
    expect(wide?.halfWidth).toBeCloseTo(0.16, 3)
    expect(deltaMethodResidual({ rate: 0.9, halfWidth: 0 }, { rate: 1, halfWidth: 0 })).toBeNull()
  })

  it('has the p-value of prop.test without continuity correction in R', () => {
    expect(residualRisk(52, 500, 48, 500)?.p).toBeCloseTo(0.33664498982999785, 12)
    expect(residualRisk(200, 500, 20, 100)?.p).toBeCloseTo(7.5726093651938323e-5, 12)
  })

  it('takes other numbers of controls than of attacks, and fractional successes', () => {
    const result = residualRisk(12.5, 50, 20, 100)
    expect(result?.residual).toBeCloseTo(0.0625, 12)
    const failures = koopman(37.5, 50, 80, 100)
    expectInterval(result?.interval, 1 - (failures?.upper ?? Number.NaN), 1 - (failures?.lower ?? Number.NaN))
  })

  it('is null without attacks or without controls', () => {
    expect(residualRisk(0, 0, 1, 5)).toBeNull()
    expect(residualRisk(1, 5, 0, 0)).toBeNull()
  })

  it('says nothing when the control always succeeds', () => {
    const result = residualRisk(5, 5, 5, 5)
    expect(result).toMatchObject({ residual: null, risk: 0, interval: null, p: 1 })
    expectInterval(result?.conservative, 0, 1)
  })

  it('lies within its intervals', () => {
    fc.assert(
      fc.property(counts, counts, ([a, attacks], [c, controls]) => {
        const result = residualRisk(a, attacks, c, controls)
        if (result === null) throw new Error('n > 0')
        for (const { lower, upper } of [result.conservative, result.deltaMethod.interval]) {
          expect(lower).toBeGreaterThanOrEqual(0)
          expect(upper).toBeLessThanOrEqual(1)
        }
        expect(result.conservative.lower).toBeLessThanOrEqual(result.risk + 1e-12)
        expect(result.conservative.upper).toBeGreaterThanOrEqual(result.risk - 1e-12)
        expect(result.residual === null).toBe(c === controls)
        if (result.residual === null || result.interval === null) return
        expect(result.interval.lower).toBeLessThanOrEqual(result.residual + 1e-12)
        expect(result.interval.upper).toBeGreaterThanOrEqual(result.residual - 1e-12)
        expect(result.interval.upper).toBeLessThanOrEqual(1)
      }),
    )
  })
})

describe('intervals for means', () => {
  it('tInterval is that of t.test in R', () => {
    expectInterval(tInterval([1, 2, 4, 8, 16]), -1.3731325632789035, 13.773132563278903)
    expectInterval(tInterval([1, 2, 4, 8, 16], 0.9), 0.38509723558835535, 12.014902764411643)
  })

  it('tInterval needs two values', () => {
    expect(tInterval([])).toBeNull()
    expect(tInterval([3])).toBeNull()
    expectInterval(tInterval([3, 3]), 3, 3)
  })

  it('normalInterval is the estimate and 1.96 standard errors', () => {
    expectInterval(normalInterval(10, 2), 10 - 2 * 1.959963984540054, 10 + 2 * 1.959963984540054)
    expectInterval(normalInterval(10, 0), 10, 10)
  })
})

describe('percentileInterval', () => {
  it('is the middle of the replicates', () => {
    const replicates = Float64Array.from({ length: 1001 }, (_, i) => 1000 - i)
    expectInterval(percentileInterval(replicates), 25, 975)
    expectInterval(percentileInterval(replicates, 0.5), 250, 750)
  })

  it('of one replicate is that, of none null', () => {
    expectInterval(percentileInterval([4]), 4, 4)
    expect(percentileInterval([])).toBeNull()
  })
})
