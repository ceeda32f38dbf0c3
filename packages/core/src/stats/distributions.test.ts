import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  betaCdf,
  betaQuantile,
  binomialCdf,
  binomialPmf,
  chiMean,
  chiSquaredCdf,
  chiSquaredUpper,
  fUpper,
  hypergeometricPmf,
  normalBetween,
  normalCdf,
  normalDensity,
  normalQuantile,
  normalUpper,
  studentTCdf,
  studentTQuantile,
} from './distributions.js'

/** Twelve digits and more; the expected numbers are R 4.2's. */
function expectSame(actual: number, expected: number, digits = 12): void {
  if (expected === 0) expect(actual).toBe(0)
  else expect(actual / expected).toBeCloseTo(1, digits)
}

describe('normal', () => {
  it.each([
    [-37, 5.725571222524577e-300],
    [-30, 4.906713927148187e-198],
    [-20, 2.7536241186062337e-89],
    [-10, 7.619853024160527e-24],
    [-5.7, 5.990371401063528e-9],
    [-5.6, 1.071759025831093e-8],
    [-3, 0.0013498980316300946],
    [-1.96, 0.024997895148220428],
    [-0.68, 0.24825223045357053],
    [-0.67, 0.25142889509531013],
    [-1e-8, 0.4999999960105772],
    [0, 0.5],
    [0.3, 0.6179114221889527],
    [0.67, 0.7485711049046899],
    [0.68, 0.7517477695464294],
    [1, 0.8413447460685429],
    [1.959963984540054, 0.975],
    [3, 0.9986501019683699],
    [8, 0.9999999999999993],
  ])('cdf at %d is that of R', (x, expected) => expectSame(normalCdf(x), expected, 14))

  it.each([
    [-3, 0.9986501019683699],
    [0, 0.5],
    [0.5, 0.30853753872598694],
    [1.96, 0.024997895148220428],
    [5, 2.8665157187919391e-7],
    [8, 6.2209605742717849e-16],
    [9.55, 6.4848144530772606e-22],
    [12, 1.776482112077679e-33],
    [20, 2.7536241186062337e-89],
    [37, 5.7255712225245771e-300],
  ])('upper tail at %d is that of R', (x, expected) => expectSame(normalUpper(x), expected, 14))

  it.each([
    [-1, 2, 0.81859461412036372],
    [0.1, 0.2, 0.03943187216207409],
    [8, 9, 6.2198319858658117e-16],
    [9.5, 9.6, 6.4972938696363511e-22],
    [20, 21, 2.7536241153269426e-89],
    [20, Infinity, 2.7536241186062337e-89],
    [-Infinity, 3, 0.9986501019683699],
  ])('between %d and %d is that of R, and the same mirrored', (a, b, expected) => {
    expectSame(normalBetween(a, b), expected)
    expectSame(normalBetween(-b, -a), expected)
  })

  it.each([
    [1e-300, -37.0470962993612],
    [1e-100, -21.27345356096532],
    [1e-20, -9.262340089798405],
    [1e-10, -6.361340902404056],
    [1e-5, -4.2648907939228256],
    [0.001, -3.090232306167813],
    [0.025, -1.9599639845400538],
    [0.07, -1.4757910281791702],
    [0.075, -1.4395314709384557],
    [0.1, -1.2815515655446008],
    [0.3, -0.5244005127080407],
    [0.499999, -2.5066282745665597e-6],
    [0.6, 0.2533471031357998],
    [0.92, 1.4050715603096327],
    [0.926, 1.4466320671589785],
    [0.975, 1.9599639845400536],
    [0.999, 3.090232306167813],
    [0.9999999999, 6.361340889697421],
  ])('quantile at %d is that of R', (p, expected) => expectSame(normalQuantile(p), expected, 14))

  it.each([
    [0, 0.3989422804014327],
    [-1.5, 0.12951759566589174],
    [9.55, 6.2594881692601053e-21],
  ])('density at %d is that of R', (x, expected) => expectSame(normalDensity(x), expected, 13))

  it('knows the ends', () => {
    expect(normalCdf(-Infinity)).toBe(0)
    expect(normalCdf(Infinity)).toBe(1)
    expect(normalCdf(-50)).toBe(0)
    expect(normalCdf(Number.NaN)).toBeNaN()
    expect(normalQuantile(0)).toBe(-Infinity)
    expect(normalQuantile(0.5)).toBe(0)
    expect(normalQuantile(1)).toBe(Infinity)
    expect(normalQuantile(1.1)).toBeNaN()
    expect(normalQuantile(-0.1)).toBeNaN()
    expect(normalQuantile(Number.NaN)).toBeNaN()
  })

  it('quantile inverts the cdf in the whole lower half', () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 0, noNaN: true }), (x) => {
        expect(normalQuantile(normalCdf(x))).toBeCloseTo(x, 11)
      }),
    )
  })
})

describe("Student's t", () => {
  it.each([
    [-1e5, 1, 3.1830988617318035e-6],
    [-2, 1, 0.1475836176504332],
    [-0.1, 2, 0.46473271920707004],
    [0, 3, 0.5],
    [1, 3.5, 0.8093313732182772],
    [2.228, 10, 0.9749941140914443],
    [-12, 30, 2.7900927075996303e-13],
    [-40, 100, 1.2310538010700368e-63],
    [-3, 1e6, 0.0013499312707108962],
    [1e-8, 5, 0.5000000037960669],
    [-1.96, 1e10, 0.02499789516208483],
  ])('cdf at %d with %d degrees of freedom is that of R', (x, df, expected) => expectSame(studentTCdf(x, df), expected))

  it.each([
    [0.975, 1, 12.706204736174694],
    [0.975, 2, 4.302652729749462],
    [0.975, 3, 3.1824463052837078],
    [0.025, 10, -2.2281388519862744],
    [0.995, 29.5, 2.7531332702563245],
    [1e-10, 4, -416.17514032960423],
    [1e-6, 1, -318309.8861827435],
    [0.3, 100, -0.5260762706003459],
    [0.975, 1e6, 1.9599663568141066],
    [0.95, 0.5, 41.13600009287987],
  ])('quantile at %d with %d degrees of freedom is that of R', (p, df, expected) =>
    expectSame(studentTQuantile(p, df), expected, 11),
  )

  it('keeps its digits next to the median', () => {
    // 40-digit arithmetic (mpmath); R has nine digits here.
    expectSame(studentTQuantile(0.5000001, 7), 2.597460274278495e-7, 14)
  })

  it('is Cauchy with 1 degree of freedom and normal with infinitely many', () => {
    expectSame(studentTQuantile(0.9, 1), Math.tan(0.4 * Math.PI))
    expect(studentTQuantile(0.9, Infinity)).toBe(normalQuantile(0.9))
    expect(studentTCdf(-1, Infinity)).toBe(normalCdf(-1))
  })

  it('knows the ends', () => {
    expect(studentTQuantile(0.5, 3)).toBe(0)
    expect(studentTQuantile(0, 3)).toBe(-Infinity)
    expect(studentTQuantile(1, 3)).toBe(Infinity)
    expect(studentTQuantile(2, 3)).toBeNaN()
    expect(studentTCdf(-Infinity, 3)).toBe(0)
    expect(studentTCdf(Infinity, 3)).toBe(1)
  })
})

describe('beta', () => {
  it.each([
    [0.025, 0.5, 0.5, 0.0015413331334360124],
    [0.5, 2, 3, 0.3857275681323895],
    [0.975, 2, 3, 0.8058795503167566],
    [0.025, 8, 493, 0.0069323212024836],
    [1e-10, 5, 5, 0.003810929130412518],
    [0.3, 0.01, 0.02, 2.0289416312650376e-35],
    [0.99, 1000, 2000, 0.3535112152712441],
    [0.025, 1, 20, 0.001265089497949804],
    [0.0001, 0.1, 50, 1.2256198459871273e-42],
    [0.999, 50, 0.1, 1],
    [0.5, 1e5, 1e5, 0.5],
  ])('quantile at %d of Beta(%d, %d) is that of R', (p, a, b, expected) =>
    expectSame(betaQuantile(p, a, b), expected, 11),
  )

  it('has closed forms', () => {
    expectSame(betaCdf(0.3, 1, 4), 1 - 0.7 ** 4)
    expectSame(betaQuantile(0.3, 1, 1), 0.3, 14)
    expectSame(betaQuantile(0.025, 1, 20), 1 - 0.975 ** (1 / 20), 13)
    expectSame(betaQuantile(0.3, 7, 1), 0.3 ** (1 / 7), 13)
  })

  it('knows the ends', () => {
    expect(betaQuantile(0, 2, 3)).toBe(0)
    expect(betaQuantile(1, 2, 3)).toBe(1)
    expect(betaQuantile(-1, 2, 3)).toBeNaN()
    expect(betaQuantile(0.5, 0, 3)).toBeNaN()
  })

  it('quantile inverts the cdf', () => {
    const parameter = fc.double({ min: 0.5, max: 1e4, noNaN: true })
    const probability = fc.double({ min: 1e-12, max: 0.9999, noNaN: true })
    fc.assert(
      fc.property(probability, parameter, parameter, (p, a, b) => {
        const x = betaQuantile(p, a, b)
        // Next to 1 neighbouring doubles are far apart in probability.
        if (x < 0.999) expect(betaCdf(x, a, b) / p).toBeCloseTo(1, 9)
      }),
    )
  })
})

describe('chi-squared and F', () => {
  it.each([
    [3.841458820694124, 1, 0.9500000000000001, 0.049999999999999975],
    [0.1, 5, 0.00016231661192261506, 0.9998376833880774],
    [100, 3, 1, 1.5541594313896051e-21],
    [1000, 1000, 0.5059471461707604, 0.4940528538292397],
    [1500, 1000, 1, 1.0454640385979652e-22],
    [0.001, 2, 0.0004998750208307295, 0.9995001249791693],
    [40, 0.5, 0.9999999999419685, 5.803147475369237e-11],
  ])('chi-squared at %d with %d degrees of freedom is that of R', (x, df, lower, upper) => {
    expectSame(chiSquaredCdf(x, df), lower)
    expectSame(chiSquaredUpper(x, df), upper)
  })

  it.each([
    [1, 1, 1, 0.5000000000000004],
    [3.5, 2, 20, 0.04973502207609712],
    [0.01, 5, 7, 0.9999545568150168],
    [50, 3, 100, 7.94442467908761e-20],
    [1.2, 500, 1000, 0.00856018944755245],
  ])('F at %d with (%d, %d) degrees of freedom is that of R', (x, df1, df2, upper) =>
    expectSame(fUpper(x, df1, df2), upper),
  )

  it('is certain at 0', () => {
    expect(chiSquaredUpper(0, 3)).toBe(1)
    expect(fUpper(0, 3, 4)).toBe(1)
  })
})

describe('binomial and hypergeometric', () => {
  it.each([
    [0, 10, 0.3, 0.02824752489999998, 0.028247524899999987],
    [3, 10, 0.3, 0.26682793199999993, 0.6496107184000002],
    [10, 10, 0.3, 5.904899999999995e-6, 1],
    [500, 1000, 0.5, 0.025225018178360804, 0.5126125090891804],
    [10, 1e6, 1e-5, 0.12511066127589932, 0.5830397501940274],
    [123456, 1e6, 0.12, 5.295583776221918e-28, 1],
    [0, 1e6, 1e-7, 0.9048374135117722, 0.9048374135117723],
  ])('binomial at %d of %d with %d is that of R', (k, n, p, pmf, cdf) => {
    expectSame(binomialPmf(k, n, p), pmf)
    expectSame(binomialCdf(k, n, p), cdf)
  })

  it.each([
    [1, 10, 4, 3, 0.5000000000000002],
    [0, 10, 4, 3, 0.1666666666666666],
    [3, 10, 4, 3, 0.033333333333333305],
    [50, 1000, 100, 500, 0.08389209209281306],
    [7, 1e6, 70, 1e5, 0.15704744359108957],
    [0, 1e9, 1000, 5, 0.9999950000099901],
    [5, 20, 15, 10, 0.016253869969040272],
  ])('hypergeometric at %d (population %d, marked %d, draws %d) is that of R', (k, population, marked, draws, pmf) =>
    expectSame(hypergeometricPmf(k, population, marked, draws), pmf),
  )

  it('gives impossible counts no probability', () => {
    expect(binomialPmf(-1, 5, 0.5)).toBe(0)
    expect(binomialPmf(6, 5, 0.5)).toBe(0)
    expect(binomialPmf(1.5, 5, 0.5)).toBe(0)
    expect(binomialCdf(-1, 5, 0.5)).toBe(0)
    expect(binomialCdf(5, 5, 0.5)).toBe(1)
    expect(hypergeometricPmf(4, 10, 3, 5)).toBe(0)
    expect(hypergeometricPmf(0, 10, 8, 5)).toBe(0)
  })

  it('is certain when there is nothing to choose', () => {
    expect(binomialPmf(0, 0, 0.3)).toBe(1)
    expect(binomialPmf(0, 5, 0)).toBe(1)
    expect(binomialPmf(5, 5, 1)).toBe(1)
    expect(hypergeometricPmf(0, 10, 3, 0)).toBe(1)
    expect(hypergeometricPmf(3, 10, 3, 10)).toBe(1)
    expectSame(hypergeometricPmf(4, 10, 10, 4), 1)
    expectSame(hypergeometricPmf(0, 10, 0, 4), 1)
  })

  it('sums to 1', () => {
    let total = 0
    for (let k = 0; k <= 30; k++) total += hypergeometricPmf(k, 100, 30, 40)
    expectSame(total, 1)
  })
})

it('the mean of χ is √(2/π) for one degree of freedom and √(π/2) for two', () => {
  expectSame(chiMean(1), Math.sqrt(2 / Math.PI))
  expectSame(chiMean(2), Math.sqrt(Math.PI / 2))
  expect(chiMean(0)).toBe(0)
})
