import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import {
  pitman,
  pitmanLogLikelihood,
  pitmanUniqueness,
  poissonGamma,
  type Sample,
  type Spectrum,
  slideNegativeBinomial,
  spectrumFrom,
  zayatz,
} from './population-models.js'

const published = spectrumFrom([1, 2, 3, 5, 10], [30, 8, 4, 2, 1])
const small = spectrumFrom([1, 2, 3], [8, 3, 2])

function sampled(spectrum: Spectrum, fraction: number): Sample {
  return { spectrum, fraction, populationSize: Math.round(spectrum.records / fraction) }
}

describe('pitman', () => {
  it('has its maximum likelihood where it was published', () => {
    const { parameters, logLikelihood, converged } = pitman.fit(sampled(published, 0.1))
    expect([published.records, published.classCount]).toEqual([78, 45])
    expect(parameters['theta']).toBeCloseTo(23.9377, 3)
    expect(parameters['alpha']).toBeCloseTo(0.33621, 5)
    expect(logLikelihood).toBeCloseTo(-148.4714, 4)
    expect(converged).toBe(true)
  })

  it.each([
    [0.1, 0.25269, 76.011],
    [0.01, 0.055766, 167.79],
  ])('fraction %d', (fraction, pUnique, uniques) => {
    const fit = pitman.fit(sampled(published, fraction))
    expect(fit.pUnique).toBeCloseTo(pUnique, 5)
    expect((fit.populationUniques ?? 0) / uniques).toBeCloseTo(1, 4)
  })

  it('is 0.68416 at a fraction of one half', () => {
    expect(pitman.fit(sampled(published, 0.5)).pUnique).toBeCloseTo(0.68416, 5)
  })

  it('may end at the boundary alpha = 0', () => {
    const { parameters, pUnique } = pitman.fit(sampled(small, 0.1))
    expect(parameters['alpha']).toBeLessThan(1e-4)
    // There the model is Ewens', and θ solves Σ θ/(θ + i) = 13 over i = 0 .. 19.
    expect(parameters['theta']).toBeCloseTo(15.00107, 4)
    expect(pUnique).toBeCloseTo(0.15888, 5)
  })

  it('has the likelihood of its definition, sum by sum', () => {
    const slowly = ({ sizes, classes, records, classCount }: Spectrum, alpha: number, theta: number) => {
      let sum = 0
      for (let i = 1; i < classCount; i++) sum += Math.log(theta + i * alpha)
      for (let i = 1; i < records; i++) sum -= Math.log(theta + i)
      for (const [k, size] of sizes.entries()) for (let i = 1; i < size; i++) sum += classes[k] * Math.log(i - alpha)
      return sum
    }
    fc.assert(
      fc.property(
        fc
          .array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 12 })
          .filter((classes) => classes.some((c) => c > 0)),
        fc.double({ min: 1e-6, max: 0.999, noNaN: true }),
        fc.double({ min: 0.001, max: 1e6, noNaN: true }),
        (classes, alpha, theta) => {
          const spectrum = spectrumFrom(
            classes.map((_, k) => k + 1),
            classes,
          )
          const expected = slowly(spectrum, alpha, theta)
          expect(Math.abs(pitmanLogLikelihood(spectrum, alpha, theta) - expected)).toBeLessThan(
            1e-9 * (1 + Math.abs(expected)),
          )
        },
      ),
    )
  })

  it('has a conditional that holds in simulation', () => {
    const [alpha, theta, n, N] = [0.5, 10, 400, 4000]
    const fit = {
      pUnique: 0,
      populationUniques: 0,
      parameters: { alpha, theta },
      logLikelihood: null,
      converged: true,
      optimum: [],
    }
    const runs = 1500
    let uniques = 0
    let expected = 0
    for (let run = 0; run < runs; run++) {
      const random = stream(7, 'test/restaurant', run)
      const whole = pitman.draw({ spectrum: { ...small, records: N }, fraction: 1, populationSize: N }, fit, random)
      uniques += whole.uniques / runs
      const part = pitman.draw({ spectrum: { ...small, records: n }, fraction: 1, populationSize: N }, fit, random)
      expected +=
        pitmanUniqueness({ spectrum: part, populationSize: N, fraction: n / N }, alpha, theta).populationUniques / runs
    }
    expect(
      pitmanUniqueness({ spectrum: { ...small, records: n }, populationSize: N, fraction: n / N }, alpha, theta)
        .pUnique,
    ).toBeCloseTo(0.3195, 4)
    expect(expected / uniques).toBeCloseTo(1, 1)
    expect(uniques / 202.28).toBeCloseTo(1, 1)
  })

  it('uses the asymptotic ratio where the gamma functions would cancel, without a jump', () => {
    const at = (n: number) =>
      pitmanUniqueness({ spectrum: { ...small, records: n }, populationSize: 20 * n, fraction: 0.05 }, 0.4, 12).pUnique
    expect(at(99_980) / at(100_000)).toBeCloseTo(1, 7)
  })
})

describe('zayatz', () => {
  it.each([
    [published, 0.1, 0.46403],
    [published, 0.01, 0.39286],
    [published, 0.5, 0.71936],
    [small, 0.1, 0.43636],
  ])('%#', (spectrum, fraction, expected) => {
    expect(zayatz.fit(sampled(spectrum, fraction)).pUnique).toBeCloseTo(expected, 5)
  })

  it('equals the hypergeometric sum', () => {
    const choose = (n: number, k: number): number => (k < 0 || k > n ? 0 : k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)
    const [n, N] = [small.records, 57]
    const h = (s: number) => (s * choose(N - s, n - 1)) / choose(N, n)
    const expected = (8 * h(1)) / (8 * h(1) + 3 * h(2) + 2 * h(3))
    expect(zayatz.fit({ spectrum: small, populationSize: N, fraction: n / N }).pUnique).toBeCloseTo(expected, 12)
  })
})

it('fits the slide negative binomial', () => {
  const { pUnique, parameters, populationUniques } = slideNegativeBinomial.fit(sampled(published, 0.1))
  expect(pUnique).toBeCloseTo(0.38608, 5)
  expect(parameters['alpha']).toBeCloseTo(0.15141, 5)
  expect(parameters['beta']).toBeCloseTo(0.045221, 6)
  expect(parameters['cells']).toBeCloseTo(185.87, 2)
  expect(populationUniques).toBeCloseTo(116.31, 2)
})

it('fits the Poisson-gamma model, down to r = 0', () => {
  const { pUnique, parameters } = poissonGamma.fit(sampled(published, 0.1))
  expect(pUnique).toBeCloseTo(0.14841, 5)
  expect(parameters['b']).toBeCloseTo(0.05684, 4)
  expect(parameters['r']).toBeLessThan(1e-4)
})

it('grows with the sampling fraction at fixed parameters, to 1', () => {
  const { parameters } = pitman.fit(sampled(published, 0.1))
  const { r, b } = poissonGamma.fit(sampled(published, 0.1)).parameters
  let last = { pitman: 0, zayatz: 0, pg: 0 }
  for (const fraction of [0.001, 0.01, 0.1, 0.5, 0.9, 0.999]) {
    const sample = sampled(published, fraction)
    const now = {
      pitman: pitmanUniqueness(sample, parameters['alpha'], parameters['theta']).pUnique,
      zayatz: zayatz.fit(sample).pUnique,
      pg: ((b + fraction) / (b + 1)) ** (r + 1),
    }
    expect(now.pitman).toBeGreaterThan(last.pitman)
    expect(now.zayatz).toBeGreaterThan(last.zayatz)
    expect(now.pg).toBeGreaterThan(last.pg)
    last = now
  }
  expect(Math.min(last.pitman, last.zayatz, last.pg)).toBeGreaterThan(0.99)
})

it('draws spectra that look like the one they were fitted to', () => {
  const sample = sampled(published, 0.1)
  for (const model of [pitman, zayatz, slideNegativeBinomial, poissonGamma]) {
    const fit = model.fit(sample)
    let uniques = 0
    let records = 0
    for (let run = 0; run < 400; run++) {
      const drawn = model.draw(sample, fit, stream(3, 'test/draw', run))
      uniques += drawn.uniques / 400
      records += drawn.records / 400
    }
    expect(uniques).toBeGreaterThan(24)
    expect(uniques).toBeLessThan(36)
    expect(records).toBeGreaterThan(66)
    expect(records).toBeLessThan(90)
  }
})
