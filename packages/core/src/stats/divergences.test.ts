import { describe, expect, it } from 'vitest'
import {
  aitchison,
  compositionalDivergence,
  compositionalJensenShannon,
  crossEntropy,
  hellinger,
  jensenShannon,
  kullbackLeibler,
  sharesOf,
  totalVariation,
} from './divergences.js'

describe('divergences', () => {
  const p = [0.4, 0.3, 0.2, 0.1]
  const q = [0.25, 0.25, 0.25, 0.25]
  it.each([
    { name: 'Kullback-Leibler', found: kullbackLeibler(p, q), expected: 0.1064401 },
    { name: 'Jensen-Shannon', found: jensenShannon(p, q), expected: 0.02786561 },
    { name: 'compositional', found: compositionalDivergence(p, q), expected: 0.5279311 },
    { name: 'compositional Jensen-Shannon', found: compositionalJensenShannon(p, q), expected: 0.1376925 },
    { name: 'cross entropy', found: crossEntropy(p, q), expected: 1.386294 },
    { name: 'Hellinger', found: hellinger(p, q), expected: 0.1678996 },
    { name: 'total variation', found: totalVariation(p, q), expected: 0.2 },
    { name: 'Aitchison', found: aitchison([10, 20, 30], [20, 20, 20]), expected: 0.785664 },
  ])('$name of the worked example is $expected', ({ found, expected }) => {
    expect(found).toBeCloseTo(expected, 6)
  })

  it('takes categories that one side lacks', () => {
    expect(kullbackLeibler([0, 0.5, 0.5], [0.2, 0.3, 0.5])).toBeCloseTo(0.2554128, 7)
    expect(jensenShannon([0, 0.5, 0.5], [0.2, 0.3, 0.5])).toBeCloseTo(0.0819483, 7)
    expect(kullbackLeibler([1, 0], [0, 1])).toBe(Number.POSITIVE_INFINITY)
    expect(jensenShannon([1, 0], [0, 1])).toBeCloseTo(Math.LN2, 12)
    expect(hellinger([1, 0], [0, 1])).toBe(1)
  })

  it('makes shares of counts', () => {
    expect(Array.from(sharesOf([1, 3]))).toEqual([0.25, 0.75])
    expect(Array.from(sharesOf([0, 0]))).toEqual([0, 0])
  })
})
