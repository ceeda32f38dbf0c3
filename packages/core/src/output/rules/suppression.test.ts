import { expect, it } from 'vitest'
import { bySex, check, rulesOf } from '../../testing/scenes/checked-people.js'

it('calculates a suppressed cell from the totals, and from another table', () => {
  const suppressed = [{ sex: 'f', region: 'west' }]
  expect(rulesOf(check([{ ...bySex, suppressed }]))).toEqual([])
  expect(rulesOf(check([{ ...bySex, suppressed, totals: true }]))).toEqual(['suppression'])
  const two = check([
    { ...bySex, suppressed },
    { id: 'region', kind: 'table', by: ['region'] },
  ])
  expect(two.outputs[0].findings).toMatchObject([
    { rule: 'suppression', others: ['region'], element: 'sex=f, region=west' },
  ])
  expect(rulesOf(check([{ ...bySex, suppressed, statistic: 'percentage' }]))).toEqual(['suppression'])
  expect(rulesOf(check([{ ...bySex, suppressed, totals: true, statistic: 'sum', var: 'income' }]))).toEqual([
    'suppression',
  ])
  expect(rulesOf(check([{ ...bySex, suppressed, totals: true, statistic: 'median', var: 'income' }]))).toEqual([])
  const secondary = [
    ...suppressed,
    { sex: 'm', region: 'west' },
    { sex: 'f', region: 'south' },
    { sex: 'm', region: 'south' },
  ]
  expect(rulesOf(check([{ ...bySex, suppressed: secondary, totals: true }]))).toEqual([])
})
