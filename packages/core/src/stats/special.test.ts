import { describe, expect, it } from 'vitest'
import {
  binomialTerm,
  incompleteBeta,
  logBeta,
  logChoose,
  logFallingFactorial,
  logGamma,
  lowerGamma,
  poissonTerm,
  subsets,
  upperGamma,
} from './special.js'

/** Twelve digits and more; the expected numbers are R 4.2's. */
function expectSame(actual: number, expected: number, digits = 12): void {
  if (expected === 0) expect(actual).toBe(0)
  else expect(actual / expected).toBeCloseTo(1, digits)
}

describe('logGamma', () => {
  it.each([
    [1e-10, 23.025850929882736],
    [0.001, 6.907178885383853],
    [0.1, 2.252712651734206],
    [0.5, 0.5723649429247001],
    [1.25, -0.0982718364218132],
    [1.4616321449683622, -0.12148629053584956],
    [1.75, -0.08440112102048555],
    [2.5, 0.2846828704729192],
    [3.7, 1.428072326665388],
    [9.99, 12.779315214350193],
    [10, 12.801827480081469],
    [10.5, 13.940625219403763],
    [100, 359.1342053695754],
    [171.5, 709.1431630309283],
    [12345.678, 103959.91990554606],
    [1e10, 220258509288.81058],
    [1e15, 33538776394910668],
    [1e300, 6.897755278982137e302],
  ])('of %d is that of R', (x, expected) => expectSame(logGamma(x), expected, 14))

  // Next to its roots R has ten digits only; these are from 60-digit arithmetic (mpmath).
  it.each([
    [0.999999, 5.772164873855652e-7],
    [1.000001, -5.772148423874147e-7],
    [1.9999999, -4.2278430309861296e-8],
    [2.0000001, 4.227843666532498e-8],
  ])('of %d keeps its digits next to a root', (x, expected) => expectSame(logGamma(x), expected, 14))

  it('is exactly 0 at its roots, infinite at 0 and undefined below', () => {
    expect(logGamma(1)).toBeCloseTo(0, 300)
    expect(logGamma(2)).toBe(0)
    expect(logGamma(0)).toBe(Infinity)
    expect(logGamma(Infinity)).toBe(Infinity)
    expect(logGamma(-0.5)).toBeNaN()
    expect(logGamma(Number.NaN)).toBeNaN()
  })

  it('is the logarithm of factorials', () => {
    let factorial = 1
    for (let n = 1; n <= 20; n++) {
      factorial *= n
      if (n > 1) expectSame(logGamma(n + 1), Math.log(factorial), 14)
    }
  })
})

describe('logBeta and logChoose', () => {
  it.each([
    [0.01, 0.02, 5.010313350697985],
    [0.5, 0.5, 1.1447298858494004],
    [2, 3, -2.4849066497880004],
    [5, 300, -25.37402643334759],
    [1e-5, 1e5, 11.512804563691176],
    [15, 20, -24.049722172259504],
    [1000, 2000, -1911.8746142144516],
    [1e6, 0.001, 6.893363375325389],
    [1e7, 1e7, -13862950.404734597],
  ])('log B(%d, %d) is that of R, either way round', (a, b, expected) => {
    expectSame(logBeta(a, b), expected, 13)
    expectSame(logBeta(b, a), expected, 13)
  })

  it.each([
    [6, 3, 2.995732273553991],
    [49, 6, 16.45341121889615],
    [1000, 500, 689.4672615678511],
    [1e6, 3, 39.654769204662266],
    [1e9, 12345, 151865.68708500025],
    [1e9, 5e8, 693147169.9725208],
  ])('log of %d choose %d is that of R', (n, k, expected) => expectSame(logChoose(n, k), expected, 13))

  it('knows the trivial and the impossible choices', () => {
    expect(logChoose(7, 0)).toBe(0)
    expect(logChoose(7, 7)).toBe(0)
    expect(logChoose(0, 0)).toBe(0)
    expect(logChoose(7, 8)).toBe(-Infinity)
    expect(logChoose(7, -1)).toBe(-Infinity)
  })
})

describe('logFallingFactorial', () => {
  it('is the logarithm of n (n - 1) ... (n - k + 1)', () => {
    expect(logFallingFactorial(5, 0)).toBe(0)
    expectSame(logFallingFactorial(5, 2), Math.log(20))
    expectSame(logFallingFactorial(1e9, 3), Math.log(1e9) + Math.log(1e9 - 1) + Math.log(1e9 - 2), 14)
    expect(logFallingFactorial(5, 6)).toBe(-Infinity)
  })

  it.each([
    [40, 35],
    [50, 40],
    [1000, 31],
    [1000, 995],
    [123456, 654],
  ])('keeps its digits for %d, %d', (n, k) => {
    let sum = 0
    for (let i = 0; i < k; i++) sum += Math.log(n - i)
    expectSame(logFallingFactorial(n, k), sum)
  })
})

describe('incompleteBeta', () => {
  it.each([
    [0.5, 0.5, 0.5, 0.49999999999999956],
    [0.1, 2, 3, 0.05230000000000003],
    [0.9, 2, 3, 0.9963],
    [1e-10, 0.01, 5, 0.8109929104464573],
    [0.3, 100, 200, 0.10884306564490982],
    [0.2, 100, 200, 3.5460073665672315e-8],
    [0.001, 50, 50, 4.8078477162855197e-122],
    [0.5, 10000, 10000, 0.5],
    [0.495, 1e5, 1e5, 3.870184835468758e-6],
    [0.5, 1e6, 1.001e6, 0.7601950824663918],
    [1e-5, 3, 1e5, 0.08030415619556053],
    [0.999, 1000, 0.5, 0.15724727426672377],
    [0.25, 0.001, 0.001, 0.49945150751929385],
    [0.0001, 1, 10000, 0.6321389535670703],
  ])('I_%d(%d, %d) is that of R', (x, a, b, expected) => expectSame(incompleteBeta(x, a, b), expected))

  it('is 0 and 1 at the ends and undefined without positive parameters', () => {
    expect(incompleteBeta(0, 2, 3)).toBe(0)
    expect(incompleteBeta(1, 2, 3)).toBe(1)
    expect(incompleteBeta(0.5, 0, 3)).toBeNaN()
    expect(incompleteBeta(Number.NaN, 1, 3)).toBeNaN()
  })

  it('takes 1 - x when that is known better', () => {
    expectSame(incompleteBeta(1, 5, 0.5, 1e-20), 1 - incompleteBeta(1e-20, 0.5, 5))
    expectSame(incompleteBeta(1e-20, 0.5, 5, 1), 2.4609375e-10)
  })
})

describe('incomplete gamma', () => {
  it.each([
    [0.5, 0.1, 0.34527915398142295, 0.6547208460185769],
    [0.5, 10, 0.999992255783569, 7.744216431044086e-6],
    [1, 1, 0.6321205588285577, 0.36787944117144233],
    [3, 0.001, 1.6654171665278078e-10, 0.9999999998334582],
    [10, 5, 0.03182805730620481, 0.9681719426937951],
    [10, 30, 0.9999928782491372, 7.121750862815578e-6],
    [100, 100, 0.5132987982791488, 0.48670120172085113],
    [100, 50, 3.200065324585126e-10, 0.9999999996799934],
    [1000, 1200, 0.9999999987118393, 1.2881606086281442e-9],
    [1e5, 1e5, 0.5004205221103651, 0.4995794778896348],
    [1e5, 1.02e5, 0.9999999998349394, 1.6506061359362811e-10],
    [0.001, 1e-5, 0.9891230446957827, 0.010876955304217333],
    [50, 200, 1, 1.6927979958857087e-37],
  ])('with a = %d at %d is that of R', (a, x, lower, upper) => {
    expectSame(lowerGamma(a, x), lower)
    expectSame(upperGamma(a, x), upper)
  })

  it('is 0 and 1 at 0 and undefined without a positive parameter', () => {
    expect(lowerGamma(2, 0)).toBe(0)
    expect(upperGamma(2, 0)).toBe(1)
    expect(lowerGamma(0, 1)).toBeNaN()
    expect(upperGamma(-1, 1)).toBeNaN()
  })
})

describe('binomialTerm and poissonTerm', () => {
  it('are the probabilities for whole numbers', () => {
    expectSame(binomialTerm(2, 3, 0.25, 0.75), 10 * 0.25 ** 2 * 0.75 ** 3)
    expectSame(binomialTerm(0, 5, 0.25, 0.75), 0.75 ** 5)
    expectSame(binomialTerm(5, 0, 0.25, 0.75), 0.25 ** 5)
    expectSame(poissonTerm(0, 2.5), Math.exp(-2.5))
    expectSame(poissonTerm(3, 2.5), (2.5 ** 3 * Math.exp(-2.5)) / 6)
  })
})

it('lists subsets of a size in the order of the items', () => {
  expect(subsets(['a', 'b', 'c'], 2)).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
  ])
  expect(subsets(['a'], 0)).toEqual([[]])
  expect(subsets(['a'], 2)).toEqual([])
})
