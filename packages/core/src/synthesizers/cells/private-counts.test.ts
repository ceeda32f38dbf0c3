import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { stream } from '../../random/stream.js'
import { mean, variance } from '../../stats/sums.js'
import {
  discreteGaussianSigma,
  drawDiscreteGaussian,
  drawLaplace,
  PRIVACY_OPTIONS,
  privateCounts,
} from './private-counts.js'

const DRAWS = 40_000
const draws = (draw: (random: ReturnType<typeof stream>) => number) => {
  const random = stream(1, 'noise')
  return Array.from({ length: DRAWS }, () => draw(random))
}

it('Laplace noise has mean 0 and variance 2 scale²', () => {
  const drawn = draws((random) => drawLaplace(random, 3))
  expect(Math.abs(mean(drawn) ?? 1)).toBeLessThan(0.1)
  expect(Math.abs((variance(drawn) ?? 0) / 18 - 1)).toBeLessThan(0.06)
})

describe.each([0.4, 1, 3.7])('discrete Gaussian noise with sigma %d', (sigma) => {
  it('is drawn with P(x) ∝ exp(-x² / 2σ²)', () => {
    const drawn = draws((random) => drawDiscreteGaussian(random, sigma))
    const weight = (x: number) => Math.exp((-x * x) / (2 * sigma * sigma))
    const total = Array.from({ length: 201 }, (_, k) => weight(k - 100)).reduce((sum, w) => sum + w, 0)
    for (let x = -8; x <= 8; x++) {
      const p = weight(x) / total
      const share = drawn.filter((value) => value === x).length / DRAWS
      expect(Math.abs(share - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / DRAWS) + 1 / DRAWS)
    }
  })
})

it('sigma follows from epsilon and delta: rho + 2 √(rho log 1/delta) is epsilon again', () => {
  const sigma = discreteGaussianSigma(2, 0.7, 1e-5)
  const rho = 2 / (2 * sigma ** 2)
  expect(rho + 2 * Math.sqrt(rho * Math.log(1e5))).toBeCloseTo(0.7, 12)
})

it('tables share the budget, and hopeless ones are refused', () => {
  const options = z.object(PRIVACY_OPTIONS).parse({ noise: 'laplace', epsilon: 2, neighbours: 'replace' })
  const tables = [Float64Array.of(5, 6), Float64Array.of(7, 4), Float64Array.of(11)]
  expect(privateCounts(tables, ['a'], options, stream(1, 'x')).details).toMatchObject({ sensitivity: 6, scale: 3 })
  const none = { ...options, noise: 'none' as const }
  expect(privateCounts(tables, ['a'], none, stream(1, 'x')).counts).toEqual(tables)
  const refused = () => {
    for (let k = 0; k < 50; k++) privateCounts(tables, ['a'], { ...options, epsilon: 1e-6 }, stream(k, 'x'))
  }
  expect(refused).toThrow('epsilon is so small')
})
