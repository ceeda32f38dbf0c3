import { describe, expect, it } from 'vitest'
import { effectOf, extrapolated, marginalRisk, normalisedRisk, verdictOf } from './marginal.js'

describe('marginal risk', () => {
  it("O5: the paper's differences; its standard deviations divide by 2", () => {
    const halves = marginalRisk([-0.005878, 0.023028])
    expect(halves.value).toBeCloseTo(0.008575, 6)
    expect((halves.sd ?? 0) / Math.SQRT2).toBeCloseTo(0.014453, 6)
    const quarters = marginalRisk([-0.030879, 0.005609])
    expect(quarters.value).toBeCloseTo(-0.012635, 6)
    expect((quarters.sd ?? 0) / Math.SQRT2).toBeCloseTo(0.018244, 6)
    // Two folds rule nothing out.
    expect(verdictOf(halves, LIMITS, true)).toBe('inconclusive')
  })

  const LIMITS = { margin: 0.02, high: 0.05 }

  it('t interval over splits, and a wider one for new people', () => {
    const found = marginalRisk([0.01, 0.02, 0.03, 0.04])
    // sd 0.0129099, t(3) 3.182446
    expect(found.interval?.lower).toBeCloseTo(0.025 - (3.182446 * 0.01290994) / 2, 6)
    expect(found.population?.upper).toBeCloseTo(0.025 + 3.182446 * 0.01290994 * Math.sqrt(1.25), 6)
    expect(effectOf(found)?.p).toBeCloseTo(0.015233, 6)
  })

  it.each([
    [[0.001, -0.001, 0.002, 0], true, 'no marginal risk detected'],
    [[0.001, -0.001, 0.002, 0], false, 'inconclusive'],
    [[0.08, 0.09, 0.085, 0.081], true, 'high'],
    // A lower bound that is high is high.
    [[0.08, 0.09, 0.085, 0.081], false, 'high'],
    [[0.03, 0.04, 0.035, 0.031], true, 'elevated'],
    [[0.05, -0.05, 0.02, 0.01], true, 'inconclusive'],
    [[0.03], true, 'not assessed'],
  ] as const)('%j is %s %s', (differences, isEmbedded, verdict) => {
    expect(verdictOf(marginalRisk(differences), LIMITS, isEmbedded)).toBe(verdict)
  })

  it('a difference that falls with 1 / n is extrapolated', () => {
    const at = (n: number) => [0.01 + 20 / n - 0.001, 0.01 + 20 / n + 0.001]
    const found = extrapolated(
      [
        { n: 500, differences: at(500) },
        { n: 250, differences: at(250) },
      ],
      1000,
    )
    expect(found?.value).toBeCloseTo(0.03, 9)
    expect(found?.slope).toBeCloseTo(20, 6)
    expect(extrapolated([{ n: 500, differences: at(500) }], 1000)).toBeNull()
  })

  it('as a part of what outsiders are safe from', () => {
    expect(normalisedRisk(0.1, 0.5)).toBeCloseTo(0.2, 12)
    expect([normalisedRisk(-0.1, 0.5), normalisedRisk(0.6, 0.5), normalisedRisk(0.1, 1)]).toEqual([0, 1, 0])
  })
})
