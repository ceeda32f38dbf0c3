import { expect, it } from 'vitest'
import type { Result } from '../../measure.js'
import { figureRows } from './figures.js'
import { byTarget, releasedFindings, withoutRecords } from './findings.js'
import { meansByTarget } from './means.js'

const finding = (name: string, target: string | null, value: number | null) => ({
  name,
  target,
  value,
  status: 'ok',
  interval: null,
  exposure: null,
  leakage: null,
  details: { rows: 3, list: [1, 2], inner: { deep: 'x' } },
  records: { score: Float64Array.of(1) },
})
const several = ['a', 'b', 'c'].map((name, k) => ({
  ...finding(name, null, null),
  targets: [finding(name, 'income', 0.1 * (k + 1)), finding(name, 'ill', k === 1 ? null : 0.5)],
}))
const result = {
  measure: 'm',
  orientation: 'risk',
  status: 'ok',
  original: null,
  releases: several,
  pooled: null,
} as unknown as Result

it('means are of one target each, with an interval from three values on', () => {
  const [ill, income] = meansByTarget(result)
  expect(income).toMatchObject({ target: 'income', mean: expect.closeTo(0.2, 12), min: 0.1, worst: 'c' })
  // sd 0.1, t(2) 4.302653: 0.2 ± 0.2484.
  expect(income.interval?.upper).toBeCloseTo(0.2 + (4.302653 * 0.1) / Math.sqrt(3), 6)
  expect(ill).toMatchObject({ mean: 0.5, interval: null, max: 0.5 })
  expect(meansByTarget({ ...result, releases: result.releases.slice(0, 1) })).toEqual([])
})

it('figures are one to a row, with the scalars of the details under their paths', () => {
  const rows = figureRows(result).filter(
    ([, part, release, target]) => part === 'release' && release === 'a' && target === 'ill',
  )
  const named = new Map(rows.map((row) => [row[4], row[5]]))
  expect([named.get('value'), named.get('rows'), named.get('inner.deep'), named.has('list')]).toEqual([
    0.5,
    3,
    'x',
    false,
  ])
  expect(figureRows(result).filter(([, part]) => part === 'mean')).toHaveLength(12)
})

it('what is published has no number per person', () => {
  expect(JSON.stringify(withoutRecords(result))).not.toContain('score')
  expect(releasedFindings(result).flatMap(byTarget)).toHaveLength(6)
})
