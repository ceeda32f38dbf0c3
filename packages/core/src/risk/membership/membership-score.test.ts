import { describe, expect, it } from 'vitest'
import { membershipScore, membershipVerdict, percentilesAmongOthers } from './membership-score.js'

const numbers = (n: number, from = 0) => Array.from({ length: n }, (_, k) => from + k)

describe('membershipScore', () => {
  it('gives separated groups an interval that knows how few they are', () => {
    const few = membershipScore('few', Float64Array.of(3, 4, 1, 2), 2)
    expect(few).toMatchObject({ auc: 1, interval: { method: 'wilson', upper: 1 } })
    // Wilson for 2 of 2: z² / (2 + z²) of the failures remain.
    expect(few.interval?.lower).toBeCloseTo(2 / (2 + 1.959964 ** 2), 6)
    expect(membershipVerdict(few).verdict.level).toBe('INCONCLUSIVE')
    const many = membershipScore('many', Float64Array.of(...numbers(60, 100), ...numbers(60)), 60)
    expect(membershipVerdict(many).verdict.level).toBe('HIGH')
    const reversed = membershipScore('reversed', Float64Array.of(1, 2, 3, 4), 2)
    expect(membershipVerdict(reversed).verdict.level).toBe('INCONCLUSIVE')
  })

  it('does not clear a release by a score that is the same for all', () => {
    const flat = membershipScore('flat', new Float64Array(100).fill(7), 50)
    expect(flat).toMatchObject({ auc: 0.5, nullSd: 0, p: 1, interval: null })
    expect(membershipVerdict(flat)).toMatchObject({ status: 'attack-too-weak', verdict: { level: 'NOT ASSESSED' } })
  })

  it('draws a curve whose area is the AUC, ties as slopes', () => {
    const { roc, auc } = membershipScore('score', Float64Array.of(5, 4, 4, 1, 4, 3, 2, 1), 4)
    expect(roc[0]).toEqual({ falsePositiveRate: 0, truePositiveRate: 0 })
    expect(roc.at(-1)).toEqual({ falsePositiveRate: 1, truePositiveRate: 1 })
    const area = roc
      .slice(1)
      .reduce(
        (sum, point, k) =>
          sum +
          ((point.falsePositiveRate - roc[k].falsePositiveRate) * (point.truePositiveRate + roc[k].truePositiveRate)) /
            2,
        0,
      )
    // Pairs won: 5 beats 4, each 4 beats 3 and ties half, 1 ties half: (4 + 3.5 + 3.5 + 0.5) / 16.
    expect(auc).toBe(11.5 / 16)
    expect(area).toBeCloseTo(auc, 12)
  })

  it('counts every record in its distribution, whatever its score', () => {
    const { distribution } = membershipScore('score', Float64Array.of(...numbers(500), 1e9, ...numbers(300)), 501)
    const total = (of: 'training' | 'others') => distribution.reduce((sum, bin) => sum + bin[of], 0)
    expect(total('training')).toBeCloseTo(1, 12)
    expect(total('others')).toBeCloseTo(1, 12)
  })
})

describe('percentilesAmongOthers', () => {
  it('is the share of others below, ties half', () => {
    expect([...percentilesAmongOthers(Float64Array.of(0, 2, 9, 1, 2, 2, 3), 3)]).toEqual([0, 0.5, 1])
  })
})
