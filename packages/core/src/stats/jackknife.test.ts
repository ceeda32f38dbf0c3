import { describe, expect, it } from 'vitest'
import { deletions } from './jackknife.js'
import { mean, variance } from './sums.js'

describe('leaving out one record at a time', () => {
  it('gives s² / n for a mean', () => {
    const values = [1, 2, 4, 9]
    const all = deletions(values.length)
    for (const [left] of values.entries())
      all.leave((mean(values.filter((_, i) => i !== left)) ?? 0) - (mean(values) ?? 0))
    expect(all.variance()).toBeCloseTo((variance(values) ?? 0) / values.length, 12)
  })

  it('counts records that change nothing', () => {
    const all = deletions(10)
    all.leave(0.5, 2)
    // Σ δ² = 0.5, mean δ = 0.1: 0.9 (0.5 - 10 · 0.01).
    expect(all.variance()).toBeCloseTo(0.36, 12)
    expect(deletions(0).variance()).toBe(0)
  })
})
