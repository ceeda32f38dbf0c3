import { describe, expect, it } from 'vitest'
import { tableOf } from '../table/table.js'
import { bootstrapNoise } from './bootstrap-noise.js'

const logs = (values: readonly number[], noise: number, asked: readonly number[]) => {
  const fitted = bootstrapNoise.fit(tableOf('d', { x: values }), { noise, swap: 0 })
  return Array.from(fitted.logProb?.(tableOf('asked', { x: asked })) ?? [])
}

describe('probabilities of numbers with noise', () => {
  it.each([0.1, 1, 5, 40])('sum to 1 over the range with noise of %d standard deviations', (noise) => {
    const asked = Array.from({ length: 11 }, (_, k) => k)
    const total = logs([0, 3, 3, 4, 10], noise, asked).reduce((sum, log) => sum + Math.exp(log), 0)
    expect(total).toBeCloseTo(1, 12)
  })

  it('are as exact far above an original value as far below it', () => {
    const low = Array.from({ length: 200 }, (_, k) => (k === 0 ? 100 : 0))
    const high = low.map((value) => 100 - value)
    // Noise of 3.5 around 0 or 100: 50 is 14 standard deviations away.
    const [above] = logs(low, 0.5, [50])
    const [below] = logs(high, 0.5, [50])
    expect(above).toBeLessThan(-90)
    expect(above).toBeGreaterThan(-120)
    expect(below).toBeCloseTo(above, 9)
  })
})
