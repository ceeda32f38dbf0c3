import { describe, expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { tableOf } from '../../../table/table.js'
import { membershipEvidence, membershipScore, percentilesAmongOthers } from './membership-score.js'
import { bestArea, realRecords } from './real-records.js'

const numbers = (n: number, from = 0) => Array.from({ length: n }, (_, k) => from + k)

describe('membershipScore', () => {
  it('gives separated groups an interval that knows how few they are', () => {
    const few = membershipScore('few', Float64Array.of(3, 4, 1, 2), 2)
    expect(few).toMatchObject({ auc: 1, interval: { method: 'wilson', upper: 1 } })
    // Wilson for 2 of 2: z² / (2 + z²) of the failures remain.
    expect(few.interval?.lower).toBeCloseTo(2 / (2 + 1.959964 ** 2), 6)
    expect(few.bounds).toEqual({ lower: 0, upper: 1 })
    // Each side alone would give 0.05^(1/60); together less.
    const many = membershipScore('many', Float64Array.of(...numbers(60, 100), ...numbers(60)), 60)
    expect(many.bounds.lower).toBeCloseTo(1 - Math.SQRT2 * (1 - 0.05 ** (1 / 60)), 9)
    expect(membershipScore('reversed', Float64Array.of(1, 2, 3, 4), 2).bounds.lower).toBe(0)
  })

  it('has lower bounds that hold for all attacks at once', () => {
    const scores = Float64Array.of(...numbers(2000, 100), ...numbers(20))
    expect(membershipScore('one', scores, 2000).bounds.lower).toBeCloseTo(0.05 ** (1 / 20), 3)
    const [one, four] = [1, 4].map((attacks) => membershipScore('score', scores, 2000, attacks).bounds)
    expect(four.lower).toBeCloseTo(0.0125 ** (1 / 20), 3)
    expect(four.upper).toBe(one.upper)
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

describe('membershipEvidence', () => {
  const records = realRecords(
    {
      release: release({
        original: tableOf('T', { x: [0, 1, 2, 2, 3] }),
        released: tableOf('S', { x: [0, 5] }),
        holdout: tableOf('H', { x: [2, 7, 8, 3] }),
      }),
      part: 0,
      target: '',
    },
    { variables: null, distance: 'gower', missing: 'match', scale: 'range', weights: {} },
  )

  it('knows how well people can be told apart by how many of their equals are members', () => {
    const { controls, effect } = membershipEvidence(bestArea(records), {
      auc: 0.7,
      bounds: { lower: 0.55, upper: 0.9 },
      p: 0.02,
      nullSd: 0.1,
      standardError: 0.09,
    })
    expect(controls).toMatchObject({
      nothing: { value: 0.5 },
      fair: { value: 0.5, basis: 'outsiders' },
      // The best ranking is 0, 1 (members alone), 2 (two members, one outsider), 3 (one of each), then 7, 8: 17.5 of 20 pairs.
      everything: { value: 0.875 },
    })
    expect(effect).toEqual({
      value: expect.closeTo(0.2, 12),
      se: 0.09,
      lower: expect.closeTo(0.05, 12),
      upper: expect.closeTo(0.4, 12),
      p: 0.02,
    })
  })

  it('says nothing for or against a release by a score that is the same for all', () => {
    const flat = membershipScore('flat', new Float64Array(100).fill(7), 50)
    expect(flat).toMatchObject({ auc: 0.5, nullSd: 0, p: 1, interval: null })
    expect(membershipEvidence(bestArea(records), flat).notAssessed).toBe('the attack gives every record the same score')
  })
})

describe('percentilesAmongOthers', () => {
  it('is the share of others below, ties half', () => {
    expect([...percentilesAmongOthers(Float64Array.of(0, 2, 9, 1, 2, 2, 3), 3)]).toEqual([0, 0.5, 1])
  })
})
