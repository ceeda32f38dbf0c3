import { describe, expect, it } from 'vitest'
import {
  aitchisonDistance,
  columnShares,
  compositionalJensenShannon,
  compositionalKl,
  conditionalEntropy,
  conditionalMutualInformation,
  crossEntropy,
  cumulativeEntropy,
  entropy,
  entropyOfCounts,
  type JointShares,
  jensenShannon,
  klDivergence,
  leakageOfColumns,
  mutualInformation,
  normalisedEntropy,
  renyiEntropy,
  rowShares,
  surprisal,
} from './information.js'

const joint = (rows: readonly (readonly number[])[]): JointShares => ({
  shares: Float64Array.from(rows.flat()),
  rows: rows.length,
  columns: rows[0].length,
})

describe('divergences, worked by hand in natural logarithms', () => {
  it('of a fair and an unfair coin', () => {
    const [p, q] = [
      [0.5, 0.5],
      [0.25, 0.75],
    ]
    expect(klDivergence(p, q)).toBeCloseTo(0.143841, 6)
    expect(klDivergence(q, p)).toBeCloseTo(0.130812, 6)
    expect(jensenShannon(p, q)).toBeCloseTo(0.033822, 6)
    expect(crossEntropy(p, q)).toBeCloseTo(0.836988, 6)
    expect(compositionalKl(p, q)).toBeCloseTo(0.287682, 6)
  })

  it('of four values', () => {
    const uniform = [0.25, 0.25, 0.25, 0.25]
    const ramp = [0.1, 0.2, 0.3, 0.4]
    expect(klDivergence(uniform, ramp)).toBeCloseTo(0.121777, 6)
    expect(compositionalKl(uniform, ramp)).toBeCloseTo(0.527931, 6)
  })

  it('of shares that fall and of equal ones', () => {
    const [p, q] = [
      [0.4, 0.3, 0.2, 0.1],
      [0.25, 0.25, 0.25, 0.25],
    ]
    expect(klDivergence(p, q)).toBeCloseTo(0.1064401, 7)
    expect(jensenShannon(p, q)).toBeCloseTo(0.02786561, 8)
    expect(compositionalKl(p, q)).toBeCloseTo(0.5279311, 7)
    expect(compositionalJensenShannon(p, q)).toBeCloseTo(0.1376925, 7)
    expect(crossEntropy(p, q)).toBeCloseTo(1.386294, 6)
    expect(klDivergence([0, 0.5, 0.5], [0.2, 0.3, 0.5])).toBeCloseTo(0.2554128, 7)
    expect(jensenShannon([0, 0.5, 0.5], [0.2, 0.3, 0.5])).toBeCloseTo(0.0819483, 7)
  })

  it('of compositions, whatever they sum to', () => {
    expect(aitchisonDistance([10, 20, 30], [20, 20, 20])).toBeCloseTo(0.785664, 6)
    expect(aitchisonDistance([1, 2, 3], [5, 5, 5])).toBeCloseTo(0.785664, 6)
    expect(aitchisonDistance([0, 2], [1, 1])).toBeNull()
  })

  it('is infinite only where a value is impossible under the other', () => {
    expect(klDivergence([0.5, 0.5], [1, 0])).toBe(Number.POSITIVE_INFINITY)
    expect(klDivergence([1, 0], [0.5, 0.5])).toBeCloseTo(Math.LN2, 12)
    expect(jensenShannon([1, 0], [0, 1])).toBeCloseTo(Math.LN2, 12)
    expect(compositionalKl([0.5, 0.5, 0], [0.5, 0.5, 0])).toBe(0)
  })

  it('refuses what is no distribution', () => {
    expect(() => entropy([0.5, 0.6])).toThrow(/sum to 1/)
    expect(() => entropy([1.5, -0.5])).toThrow(/not negative/)
    expect(() => klDivergence([1], [0.5, 0.5])).toThrow(/1 and on 2 values/)
  })
})

describe('entropies', () => {
  it('of four values', () => {
    const p = [0.4, 0.3, 0.2, 0.1]
    expect(renyiEntropy(p, 2)).toBeCloseTo(1.203973, 6)
    expect(renyiEntropy(p, 0)).toBeCloseTo(1.386294, 6)
    expect(renyiEntropy(p, Number.POSITIVE_INFINITY)).toBeCloseTo(0.916291, 6)
    expect(renyiEntropy(p, 1)).toBe(entropy(p))
    expect(normalisedEntropy(p)).toBeCloseTo(0.92322, 6)
    expect(normalisedEntropy([1, 0])).toBe(0)
  })

  it('given another column, empty rows skipped', () => {
    const table = joint([
      [0.1, 0.3],
      [0, 0],
      [0.2, 0.4],
    ])
    expect(conditionalEntropy(table)).toBeCloseTo(0.606843, 6)
  })

  it('of counts, with the correction for few records', () => {
    const { plugIn, millerMadow } = entropyOfCounts([5, 5, 0])
    expect(plugIn).toBeCloseTo(Math.LN2, 12)
    expect(millerMadow - plugIn).toBeCloseTo(1 / 20, 12)
    expect(entropyOfCounts([])).toEqual({ plugIn: 0, millerMadow: 0 })
  })

  it('of numbers in their own unit, unlike the rank version that is the same for any data', () => {
    // F is 1/2 between 0 and 2, so the integral is 2 · ½ ln 2.
    expect(cumulativeEntropy(Float64Array.of(2, 0))).toBeCloseTo(Math.LN2, 12)
    expect(cumulativeEntropy(Float64Array.of(20, 0))).toBeCloseTo(10 * Math.LN2, 12)
    expect(cumulativeEntropy(Float64Array.of(3, 3))).toBe(0)
    expect(cumulativeEntropy(new Float64Array())).toBeNull()
  })

  it('surprise', () => {
    expect(surprisal(0.0001)).toBeCloseTo(13.287712, 6)
    expect(() => surprisal(0)).toThrow(/above 0/)
  })
})

describe('information', () => {
  it('takes margins from the joint distribution', () => {
    const table = joint([
      [0.1, 0.05, 0.05],
      [0.2, 0.1, 0.1],
      [0.1, 0.15, 0.15],
    ])
    expect([...rowShares(table)].map((x) => x.toFixed(2))).toEqual(['0.20', '0.40', '0.40'])
    expect([...columnShares(table)].map((x) => x.toFixed(2))).toEqual(['0.40', '0.30', '0.30'])
    const byHand = entropy(rowShares(table)) + entropy(columnShares(table)) - entropy(table.shares)
    expect(mutualInformation(table)).toBeCloseTo(byHand, 12)
    expect(
      mutualInformation(
        joint([
          [0.5, 0],
          [0, 0.5],
        ]),
      ),
    ).toBeCloseTo(Math.LN2, 12)
    expect(
      mutualInformation(
        joint([
          [0.12, 0.28],
          [0.18, 0.42],
        ]),
      ),
    ).toBeCloseTo(0, 12)
  })

  it('given a third column is not negative', () => {
    const codes = (text: string) => Int32Array.from(text, Number)
    const bits = conditionalMutualInformation(codes('00110011'), codes('00110101'), codes('00001111')) / Math.LN2
    expect(bits).toBeCloseTo(0.5, 12)
  })

  it('of the worst column by divergence, not by difference of entropies', () => {
    const found = leakageOfColumns(
      joint([
        [0.1, 0.05, 0.05],
        [0.2, 0.1, 0.1],
        [0.1, 0.15, 0.15],
      ]),
    )
    expect(found.worst).toBeCloseTo(0.071928, 6)
    expect(found.column).toBe(0)
    expect(found.entropyDrop).toBeCloseTo(0.06278, 6)
    // Best guesses: .2, .15, .15 with the columns known, .4 without.
    expect(found.minEntropy).toBeCloseTo(Math.log2(0.5 / 0.4), 12)
  })

  it('of a category about income', () => {
    // low low med med high high against 1 2 2 2 3 1.
    const table = joint([
      [1 / 6, 1 / 6, 0],
      [0, 2 / 6, 0],
      [1 / 6, 0, 1 / 6],
    ])
    expect(leakageOfColumns(table).entropyDrop).toBeCloseTo(1.584963, 6)
  })
})
