import { expect, it } from 'vitest'
import { alphaOf, cronbachAlpha } from './agreement.js'
import { frontLabel, frontsOf } from './dominance.js'

const axes = (risk: readonly number[], utility: readonly number[]) => [
  Float64Array.from(risk, (one) => -one),
  Float64Array.from(utility),
]

it('counts the draws in which one is no worse in both and better in one', () => {
  const a = axes([0.1, 0.1, 0.5, 0.1], [0.9, 0.9, 0.9, 0.5])
  const b = axes([0.3, 0.105, 0.3, 0.3], [0.8, 0.895, 0.8, 0.8])
  const { dominance, front } = frontsOf([a, b], 4)
  // First draw: a wins both. Second: within a hundredth. Third and fourth: each wins one.
  expect(dominance).toEqual([
    [0, 0.25],
    [0, 0],
  ])
  expect(front).toEqual([1, 0.75])
})

it('labels by probability', () => {
  expect([1, 0.95, 0.5, 0.05, 0.04, 0].map(frontLabel)).toEqual([
    'on the front',
    'on the front',
    'undecided',
    'undecided',
    'dominated',
    'dominated',
  ])
})

it("Cronbach's alpha by hand", () => {
  // Columns (1, 2, 3) and (2, 4, 6): variances 1 and 4, of the sums (3, 6, 9) 9: 2 (1 - 5/9).
  const rows = [
    [1, 2],
    [2, 4],
    [3, 6],
  ]
  expect(alphaOf(rows)).toBeCloseTo(8 / 9, 12)
  expect(cronbachAlpha(rows)).toMatchObject({ value: expect.closeTo(8 / 9, 12), lower: expect.closeTo(8 / 9, 12) })
  expect(alphaOf([[1, 2]])).toBeNull()
})
