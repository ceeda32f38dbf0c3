import { expect, it } from 'vitest'
import { PRESETS } from './appetite.js'
import { contributionRules, pRatio, spreadFreedom, topShare } from './contributions.js'

const { acro, essnet } = PRESETS
const rulesOf = (findings: readonly { readonly rule: string; readonly status: string }[]) =>
  findings.map(({ rule, status }) => `${rule} ${status}`)

it('sees that two contributors make 95 % of a total of 1000', () => {
  const contributions = Float64Array.of(900, 50, 30, 20)
  expect(topShare(contributions, 2)).toBe(0.95)
  expect(pRatio(contributions)).toBeCloseTo(0.0556, 4)
  expect(rulesOf(contributionRules('t', 'a', contributions, acro))).toEqual(['dominance fail', 'p-ratio fail'])
  expect(rulesOf(contributionRules('t', 'a', contributions, essnet))).toEqual(['largest fail'])
})

it('passes ten contributions that are alike, but not their spread', () => {
  const alike = Float64Array.of(10, 10, 10, 10, 10, 10, 10, 10, 10, 10)
  expect(topShare(alike, 2)).toBe(0.2)
  expect(pRatio(alike)).toBe(8)
  expect(rulesOf(contributionRules('t', 'a', alike, acro))).toEqual(['all-same fail'])
  expect(
    rulesOf(
      contributionRules(
        't',
        'a',
        alike.map((value, k) => value + k),
        acro,
      ),
    ),
  ).toEqual([])
  expect(spreadFreedom('t', 'a', 10, acro)).toMatchObject([{ rule: 'df', found: 9, limit: 10 }])
  expect(spreadFreedom('t', 'a', 11, acro)).toEqual([])
})

it('has nobody to protect in a cell of zeros, and no dominance below 0', () => {
  expect(pRatio(Float64Array.of(0, 0, 0))).toBeNull()
  expect(topShare(Float64Array.of(0, 0, 0), 2)).toBeNull()
  expect(rulesOf(contributionRules('t', 'a', Float64Array.of(5, -5, 3), acro))).toEqual(['negative review'])
})
