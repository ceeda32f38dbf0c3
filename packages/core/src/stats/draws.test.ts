import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { betaCdf, binomialPmf, chiSquaredUpper, hypergeometricPmf, normalCdf, normalQuantile } from './distributions.js'
import {
  aliasTable,
  drawBinomial,
  drawCategory,
  drawDirichlet,
  drawExponential,
  drawGamma,
  drawHypergeometric,
  drawMultinomial,
  drawNormal,
  drawPoisson,
  drawTruncatedNormal,
  drawWithoutReplacement,
} from './draws.js'
import { lowerGamma, poissonTerm } from './special.js'
import { mean, total, variance } from './sums.js'

const DRAWS = 20_000
/** True draws fall below this once in a million runs; the seeds are fixed, so they never will. */
const SUSPICIOUS = 1e-6
/** Kolmogorov's √n D passes this with probability 2 exp(-2 · 2.7²), about 1e-6. */
const KOLMOGOROV = 2.7

function draws(draw: () => number, n = DRAWS): Float64Array {
  return Float64Array.from({ length: n }, draw)
}

/** √n times the largest distance between the empirical distribution and `cdf`. */
function kolmogorov(values: Float64Array, cdf: (x: number) => number): number {
  let largest = 0
  values.toSorted().forEach((x, i) => {
    const p = cdf(x)
    largest = Math.max(largest, p - i / values.length, (i + 1) / values.length - p)
  })
  return Math.sqrt(values.length) * largest
}

/** p-value of the chi-squared test against `pmf`, neighbouring counts pooled until 20 are expected. */
function countsFit(values: Float64Array, pmf: (k: number) => number): number {
  const top = values.reduce((a, b) => Math.max(a, b), 0)
  const seen = new Int32Array(top + 1)
  for (const k of values) seen[k]++
  let statistic = 0
  let cells = 0
  let pooledSeen = 0
  let pooledExpected = 0
  let expectedLeft = values.length
  for (let k = 0; k <= top; k++) {
    const expected = values.length * pmf(k)
    pooledSeen += seen[k]
    pooledExpected += expected
    expectedLeft -= expected
    if (pooledExpected < 20 || expectedLeft < 20) continue
    statistic += (pooledSeen - pooledExpected) ** 2 / pooledExpected
    cells++
    pooledSeen = 0
    pooledExpected = 0
  }
  pooledExpected += Math.max(0, expectedLeft)
  if (pooledExpected > 0) statistic += (pooledSeen - pooledExpected) ** 2 / pooledExpected
  return cells === 0 ? 1 : chiSquaredUpper(statistic, cells)
}

/** A change of any of these is a change of every stochastic result for every user. */
const FROZEN = [
  -0.715972403345088, 2.2361968277835316, 0.12603820045931605, 2.2850898178578833, 0.009066586137810145,
  0.6807163875030449, 0.23402026547721144, 0.350963425198227, 0.4150163093245616, 2, 266, 12, 5, 70078, 18, 33, 49, 1,
]

describe('draws', () => {
  it('have the same bits for ever', () => {
    const source = stream(1, 'frozen')
    expect([
      drawNormal(source),
      drawTruncatedNormal(source, 0, 1, 2, 3),
      drawExponential(source, 2),
      drawGamma(source, 2.5),
      drawGamma(source, 0.3),
      drawDirichlet(source, [2, 3])[0],
      ...drawDirichlet(source, [1, 2, 0.5]),
      drawPoisson(source, 3),
      drawPoisson(source, 300),
      drawPoisson(source, drawGamma(source, 4, 7 / 3)),
      drawBinomial(source, 20, 0.2),
      drawBinomial(source, 100_000, 0.7),
      ...drawMultinomial(source, 100, [1, 2, 3]),
      drawCategory(source, aliasTable([1, 2, 3])),
    ]).toEqual(FROZEN)
  })
})

describe('continuous draws', () => {
  it('normal', () => {
    const source = stream(1, 'normal')
    expect(
      kolmogorov(
        draws(() => drawNormal(source)),
        normalCdf,
      ),
    ).toBeLessThan(KOLMOGOROV)
    const shifted = draws(() => drawNormal(source, 10, 3))
    expect(kolmogorov(shifted, (x) => normalCdf((x - 10) / 3))).toBeLessThan(KOLMOGOROV)
  })

  it.each([
    [-1, 2],
    [-Infinity, -1],
    [0.5, Infinity],
    [4, 4.5],
    [-20, -19],
    [20, Infinity],
  ])('normal truncated to [%d, %d]', (lower, upper) => {
    const source = stream(1, 'truncated normal', lower === -Infinity ? -99 : lower * 2)
    const values = draws(() => drawTruncatedNormal(source, 0, 1, lower, upper))
    expect(values.every((x) => x >= lower && x <= upper)).toBe(true)
    const tail = (x: number) => (lower > 0 ? -normalCdf(-x) : normalCdf(x))
    const share = (x: number) => (tail(x) - tail(lower)) / (tail(upper) - tail(lower))
    expect(kolmogorov(values, share)).toBeLessThan(KOLMOGOROV)
  })

  it('normal truncated far out is nearly exponential', () => {
    const source = stream(1, 'far tail')
    for (const [lower, upper] of [
      [40, Infinity],
      [40, 40.05],
      [1000, 1001],
    ]) {
      const beyond = Math.exp(-lower * (upper - lower) - (upper - lower) ** 2 / 2)
      const cdf = (x: number) => -Math.expm1(-lower * (x - lower) - (x - lower) ** 2 / 2) / (1 - beyond)
      expect(
        kolmogorov(
          draws(() => drawTruncatedNormal(source, 0, 1, lower, upper)),
          cdf,
        ),
      ).toBeLessThan(KOLMOGOROV)
      expect(
        kolmogorov(
          draws(() => -drawTruncatedNormal(source, 0, 1, -upper, -lower)),
          cdf,
        ),
      ).toBeLessThan(KOLMOGOROV)
    }
  })

  it('normal truncated keeps scale, bounds and degenerate cases', () => {
    const source = stream(1, 'truncated scale')
    const values = draws(() => drawTruncatedNormal(source, 100, 10, 90, 120))
    const share = (x: number) => (normalCdf((x - 100) / 10) - normalCdf(-1)) / (normalCdf(2) - normalCdf(-1))
    expect(kolmogorov(values, share)).toBeLessThan(KOLMOGOROV)
    expect(drawTruncatedNormal(source, 0, 0, 1, 2)).toBe(1)
    expect(drawTruncatedNormal(source, 0, 1, 7, 7)).toBe(7)
    expect(() => drawTruncatedNormal(source, 0, 1, 2, 1)).toThrow('cannot draw between 2 and 1')
  })

  it('exponential', () => {
    const source = stream(1, 'exponential')
    expect(
      kolmogorov(
        draws(() => drawExponential(source, 2)),
        (x) => -Math.expm1(-2 * x),
      ),
    ).toBeLessThan(KOLMOGOROV)
  })

  it.each([0.05, 0.3, 1, 1.5, 20, 1e4])('gamma with shape %d', (shape) => {
    const source = stream(1, 'gamma', shape * 100)
    const values = draws(() => drawGamma(source, shape, 3))
    expect(kolmogorov(values, (x) => lowerGamma(shape, x / 3))).toBeLessThan(KOLMOGOROV)
  })

  it('gamma refuses a shape that is not positive', () => {
    expect(() => drawGamma(stream(1, 'gamma'), 0)).toThrow('a gamma shape must be positive, but it is 0')
  })

  it.each([
    [0.01, 0.02],
    [0.5, 0.5],
    [2, 3],
    [500, 2],
  ])('dirichlet(%d, %d), whose shares are beta', (a, b) => {
    const source = stream(1, 'beta', a * 100)
    // Draws round to exactly 0 and 1 when the parameters are tiny; the cdf jumps there with them.
    const values = draws(() => drawDirichlet(source, [a, b])[0]).filter((x) => x > 0 && x < 1 - 2 ** -30)
    const top = betaCdf(1 - 2 ** -30, a, b)
    expect(kolmogorov(values, (x) => betaCdf(x, a, b) / top)).toBeLessThan(KOLMOGOROV)
  })

  it('dirichlet shares sum to 1 and have beta margins', () => {
    const source = stream(1, 'dirichlet')
    const shares = Array.from({ length: DRAWS }, () => drawDirichlet(source, [1, 2, 0.5]))
    expect(shares.every((share) => Math.abs(share[0] + share[1] + share[2] - 1) < 1e-12)).toBe(true)
    const second = Float64Array.from(shares, (share) => share[1])
    expect(kolmogorov(second, (x) => betaCdf(x, 2, 1.5))).toBeLessThan(KOLMOGOROV)
  })

  it('dirichlet bears tiny concentrations', () => {
    const source = stream(1, 'tiny dirichlet')
    for (let i = 0; i < 100; i++) {
      const share = drawDirichlet(source, [1e-6, 1e-6])
      expect(share[0] + share[1]).toBe(1)
    }
  })
})

describe('counts', () => {
  it.each([0, 0.1, 3, 9.99, 10, 35, 1000])('poisson with mean %d', (rate) => {
    const source = stream(1, 'poisson', Math.round(rate * 100))
    const values = draws(() => drawPoisson(source, rate))
    expect(countsFit(values, (k) => (rate === 0 ? Number(k === 0) : poissonTerm(k, rate)))).toBeGreaterThan(SUSPICIOUS)
  })

  it('poisson refuses a negative mean', () => {
    expect(() => drawPoisson(stream(1, 'poisson'), -1)).toThrow('a Poisson mean cannot be -1')
  })

  it.each([
    [1, 0.3],
    [20, 0.2],
    [20, 0.5],
    [40, 0.9],
    [1000, 0.01],
    [1000, 0.3],
    [1_000_000, 1e-6],
    [1_000_000, 0.4],
    [1_000_000, 0.99999],
  ])('binomial of %d with %d', (n, p) => {
    const source = stream(1, 'binomial', n)
    const values = draws(() => drawBinomial(source, n, p))
    expect(countsFit(values, (k) => binomialPmf(k, n, p))).toBeGreaterThan(SUSPICIOUS)
  })

  it('binomial without chance', () => {
    const source = stream(1, 'binomial')
    expect(drawBinomial(source, 0, 0.3)).toBe(0)
    expect(drawBinomial(source, 50, 0)).toBe(0)
    expect(drawBinomial(source, 50, 1)).toBe(50)
    expect(() => drawBinomial(source, 5, 1.1)).toThrow('cannot draw a binomial with n = 5 and probability 1.1')
  })

  it('multinomial has binomial margins and the right total', () => {
    const source = stream(1, 'multinomial')
    const all = Array.from({ length: DRAWS }, () => drawMultinomial(source, 30, [1, 0, 2, 3, 0]))
    const isComplete = (n: Int32Array) => n[1] === 0 && n[4] === 0 && n[0] + n[2] + n[3] === 30
    expect(all.every(isComplete)).toBe(true)
    const third = Float64Array.from(all, (counts) => counts[2])
    expect(countsFit(third, (k) => binomialPmf(k, 30, 1 / 3))).toBeGreaterThan(SUSPICIOUS)
  })

  it('binomial given its sum with another is hypergeometric', () => {
    const source = stream(1, 'conditional')
    const marked = draws(() => {
      for (;;) {
        const x = drawBinomial(source, 12, 0.5)
        if (x + drawBinomial(source, 8, 0.5) === 10) return x
      }
    })
    expect(countsFit(marked, (k) => hypergeometricPmf(k, 20, 12, 10))).toBeGreaterThan(SUSPICIOUS)
  })

  it.each([
    [20, 12, 10],
    [20, 3, 19],
    [1000, 400, 30],
    [2e8, 1e4, 1e8],
    [2e8, 1e8, 500],
  ])('hypergeometric from %d with %d marked, %d drawn', (population, marked, taken) => {
    const source = stream(1, 'hypergeometric', population)
    const values = draws(() => drawHypergeometric(source, population, marked, taken))
    expect(countsFit(values, (k) => hypergeometricPmf(k, population, marked, taken))).toBeGreaterThan(SUSPICIOUS)
  })

  it('hypergeometric without chance', () => {
    const source = stream(1, 'hypergeometric')
    expect(drawHypergeometric(source, 10, 0, 5)).toBe(0)
    expect(drawHypergeometric(source, 10, 10, 5)).toBe(5)
    expect(drawHypergeometric(source, 10, 4, 10)).toBe(4)
  })

  it('multinomial refuses weights without a sum', () => {
    const source = stream(1, 'multinomial')
    expect(() => drawMultinomial(source, 3, [0, 0])).toThrow('weights must have a positive sum')
    expect(() => drawMultinomial(source, 3, [2, -1])).toThrow('weight 1 is -1')
    expect([...drawMultinomial(source, 0, [0, 0])]).toEqual([0, 0])
  })

  it.each([
    { weights: [5] },
    { weights: [1, 2, 3, 4] },
    { weights: [0, 1, 0, 1, 0] },
    { weights: [1e-3, 1e3, 7, 0.1, 1e3] },
    { weights: Array.from({ length: 100 }, (_, i) => i) },
  ])('categories come in proportion to $weights', ({ weights }) => {
    const source = stream(1, 'alias', weights.length)
    const table = aliasTable(weights)
    const total = weights.reduce((a, b) => a + b, 0)
    const values = draws(() => drawCategory(source, table))
    expect(countsFit(values, (k) => weights[k] / total)).toBeGreaterThan(SUSPICIOUS)
    expect(values.every((k) => weights[k] > 0)).toBe(true)
  })

  it('categories need weight', () => {
    expect(() => aliasTable([])).toThrow('weights must have a positive, finite sum')
    expect(() => aliasTable([0, 0])).toThrow('positive')
    expect(() => aliasTable([1, Number.NaN])).toThrow('weight 1 is NaN')
  })
})

describe('moments', () => {
  it('of a million normals are 0 and 1', () => {
    const source = stream(1, 'moments')
    const values = draws(() => drawNormal(source), 1_000_000)
    expect(Math.abs(mean(values) ?? Number.NaN)).toBeLessThan(6e-3)
    expect(Math.abs((variance(values) ?? Number.NaN) - 1)).toBeLessThan(6 * Math.SQRT2 * 1e-3)
    expect(kolmogorov(values, normalCdf)).toBeLessThan(KOLMOGOROV)
    expect(normalQuantile(2 ** -53)).toBeLessThan(-8)
  })
})

it('deals out all records, as many of each cell as chance gives', () => {
  const records = Float64Array.of(10_000, 0, 30_000, 60_000)
  const dealt = Array.from({ length: 400 }, (_, draw) =>
    drawWithoutReplacement(stream(1, 'dealt', draw), records, 25_000),
  )
  for (const each of dealt) expect(total(each)).toBe(25_000)
  for (const [cell, here] of records.entries()) {
    const share = here / 100_000
    const mean = dealt.reduce((sum, each) => sum + each[cell], 0) / dealt.length
    // Of one dealing, hypergeometric.
    const sd = Math.sqrt(25_000 * share * (1 - share) * 0.75)
    expect(Math.abs(mean - 25_000 * share)).toBeLessThanOrEqual((4 * sd) / Math.sqrt(dealt.length))
  }
})
