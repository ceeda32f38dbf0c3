import { describe, expect, it } from 'vitest'
import { finding } from '../rules/finding.js'
import { decide, type RiskLevel, rulesLevel, worst } from './verdict.js'

describe('rules and measured risk together', () => {
  const levels: readonly RiskLevel[] = ['none', 'inconclusive', 'elevated', 'high', 'not assessed']
  it.each([
    ['pass', ['release', 'review', 'review', 'review', 'release']],
    ['look', ['review', 'review', 'review', 'review', 'review']],
    ['broken', ['review', 'refuse', 'refuse', 'refuse', 'refuse']],
    ['identified', ['refuse', 'refuse', 'refuse', 'refuse', 'refuse']],
  ] as const)('%s', (rules, verdicts) => {
    expect(levels.map((risk) => decide(rules, risk).verdict)).toEqual(verdicts)
  })
})

it('the worst finding is the level of the rules', () => {
  const [told, broken, look] = (['refuse', 'fail', 'review'] as const).map((status) =>
    finding('threshold', status, 't', 'cell', ''),
  )
  expect(rulesLevel([])).toBe('pass')
  expect([[look], [look, broken], [look, broken, told]].map(rulesLevel)).toEqual(['look', 'broken', 'identified'])
})

it('the worst verdict is that of all', () => {
  expect(worst([])).toBe('release')
  expect(worst(['release', 'refuse', 'review'])).toBe('refuse')
})
