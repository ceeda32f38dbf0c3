import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusterRobustVariance, holm, permutationPValue } from './tests.js'

describe('permutationPValue', () => {
  it('counts the observed arrangement and ties', () => {
    expect(permutationPValue(3, [1, 2, 3, 4])).toBe(3 / 5)
    expect(permutationPValue(9, new Float64Array(999))).toBe(1 / 1000)
    expect(permutationPValue(0, new Float64Array(999))).toBe(1)
  })

  it('without permutations is 1', () => {
    expect(permutationPValue(3, [])).toBe(1)
  })
})

describe('holm', () => {
  it('is that of R', () => {
    const adjusted = holm([0.01, 0.04, 0.03, 0.005, 0.5, 0.04])
    const expected = [0.05, 0.12, 0.12, 0.03, 0.5, 0.12]
    expected.forEach((p, i) => {
      expect(adjusted[i]).toBeCloseTo(p, 14)
    })
  })

  it('leaves one p-value alone and none empty', () => {
    expect(holm([0.2])).toEqual([0.2])
    expect(holm([])).toEqual([])
  })

  it('never lowers a p-value, never passes 1 and keeps the order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (p) => {
        const adjusted = holm(p)
        for (let i = 0; i < p.length; i++) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p[i])
          expect(adjusted[i]).toBeLessThanOrEqual(1)
          for (let j = 0; j < p.length; j++) if (p[i] < p[j]) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j])
        }
      }),
    )
  })
})

describe('clusterRobustVariance', () => {
  // Mean 3; deviations -2, -1 | 0 | 1, 2 sum to -3, 0, 3 in the classes: (3/2) (9 + 0 + 9) / 25.
  const values = Float64Array.of(1, 2, 3, 4, 5)

  it('is the formula by hand', () => {
    expect(clusterRobustVariance(values, Int32Array.of(0, 0, 1, 2, 2), 3)).toBeCloseTo(27 / 25, 14)
  })

  it('counts only classes that have members', () => {
    expect(clusterRobustVariance(values, Int32Array.of(0, 0, 3, 5, 5), 7)).toBeCloseTo(27 / 25, 14)
  })

  it('with classes of one is the usual variance of a mean', () => {
    expect(clusterRobustVariance(values, Int32Array.of(4, 3, 2, 1, 0), 5)).toBeCloseTo(2.5 / 5, 14)
  })

  it('of one class or of nothing is null', () => {
    expect(clusterRobustVariance(values, new Int32Array(5), 1)).toBeNull()
    expect(clusterRobustVariance(new Float64Array(0), new Int32Array(0), 0)).toBeNull()
  })
})
