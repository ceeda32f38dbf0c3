import { describe, expect, it } from 'vitest'
import { PRESETS } from './appetite.js'
import { frechet } from './bounds.js'
import { concentratedGroups, emptyCells, lowCounts } from './cells.js'
import { contributionRules, pRatio, spreadFreedom, topShare } from './contributions.js'
import { extremeValues } from './extremes.js'

const { acro, essnet } = PRESETS
const rulesOf = (findings: readonly { readonly rule: string; readonly status: string }[]) =>
  findings.map(({ rule, status }) => `${rule} ${status}`)

describe('rules of output checkers', () => {
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
    expect(lowCounts('t', ['x'], [{ cell: { x: 'a' }, count: 10 }], acro)).toEqual([])
    expect(spreadFreedom('t', 'a', 10, acro)).toMatchObject([{ rule: 'df', found: 9, limit: 10 }])
    expect(spreadFreedom('t', 'a', 11, acro)).toEqual([])
  })

  it('has nobody to protect in a cell of zeros, and no dominance below 0', () => {
    expect(pRatio(Float64Array.of(0, 0, 0))).toBeNull()
    expect(topShare(Float64Array.of(0, 0, 0), 2)).toBeNull()
    expect(rulesOf(contributionRules('t', 'a', Float64Array.of(5, -5, 3), acro))).toEqual(['negative review'])
  })

  it('bounds a joint cell by its margins: 3 of 10 and 9 of 10 share 2 or 3', () => {
    const exactly = (value: number) => ({ lower: value, upper: value })
    expect(frechet(exactly(3), exactly(9), 10)).toEqual({ lower: 2, upper: 3 })
  })

  it('tells a person, breaks a rule, or needs a look, by the size of a cell', () => {
    const cells = [0, 1, 2, 3, 9, 10].map((count, k) => ({ cell: { x: String(k) }, count }))
    expect(lowCounts('t', ['x'], cells, acro).map(({ found, status }) => `${found} ${status}`)).toEqual([
      '1 refuse',
      '2 refuse',
      '3 fail',
      '9 fail',
    ])
    expect(rulesOf(emptyCells('t', ['x'], cells))).toEqual(['zeros fail'])
    expect(lowCounts('t', ['x'], cells, acro, 5).every(({ status }) => status === 'review')).toBe(true)
  })

  it('finds groups of which all, or nearly all, have one value', () => {
    const cells = [
      { cell: { sex: 'f', ill: 'yes' }, count: 20 },
      { cell: { sex: 'f', ill: 'no' }, count: 0 },
      { cell: { sex: 'm', ill: 'yes' }, count: 95 },
      { cell: { sex: 'm', ill: 'no' }, count: 5 },
    ]
    const by = ['sex', 'ill']
    expect(concentratedGroups('t', by, cells, 'full', 1).map(({ sentence }) => sentence)).toEqual([
      'everybody of ill=no has sex=m (5 records)',
      'everybody of sex=f has ill=yes (20 records)',
    ])
    expect(concentratedGroups('t', by, cells, 'group', 0.9).map(({ sentence }) => sentence)).toEqual([
      '95 % of sex=m has ill=yes (100 records)',
    ])
  })

  it('takes a maximum for the value of those who have it', () => {
    const ages = Float64Array.from({ length: 200 }, (_, k) => Math.min(80, k))
    expect(extremeValues('s', 'age', 'max', ages, acro)).toEqual([])
    expect(extremeValues('s', 'age', 'min', ages, acro)).toMatchObject([{ rule: 'extreme', status: 'fail', found: 1 }])
    expect(extremeValues('s', 'age', 'p95', ages, acro)).toEqual([])
    expect(extremeValues('s', 'age', 'p99', ages, acro)).toMatchObject([{ status: 'review', found: 2 }])
    expect(extremeValues('s', 'age', 'median', ages, acro)).toEqual([])
  })
})
