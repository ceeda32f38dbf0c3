import { describe, expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { bySex, check } from '../../testing/scenes/checked-people.js'
import { withRisk } from './check.js'

describe('the check of a request', () => {
  it('releases tables of large cells and a model with many degrees of freedom', () => {
    const found = check([
      bySex,
      {
        id: 'model',
        kind: 'regression',
        family: 'logistic',
        response: 'work',
        event: 'yes',
        terms: [{ var: 'age' }, { var: 'sex' }],
      },
      { id: 'mean', kind: 'summary', var: 'income', by: ['sex'], statistics: ['n', 'mean', 'sd', 'median'] },
      { id: 'r', kind: 'correlation', vars: ['age', 'income'] },
    ])
    expect(found.outputs.map(({ findings }) => findings)).toEqual([[], [], [], []])
    expect(found.verdict).toBe('release')
  })

  it('refuses a table with one person in a cell, by the rule, the cell and the number', () => {
    const data = tableOf('few.csv', {
      sex: [...Array(50).fill('f'), ...Array(50).fill('m')],
      ill: [...Array(99).fill('no'), 'yes'],
    })
    const found = check([{ id: 't', kind: 'table', by: ['sex', 'ill'] }], {}, data)
    expect(found.verdict).toBe('refuse')
    expect(found.outputs[0].findings).toContainEqual(
      expect.objectContaining({ rule: 'threshold', status: 'refuse', element: 'sex=m, ill=yes', found: 1, limit: 10 }),
    )
  })

  it('changes verdicts but not findings, and what each output is alone', () => {
    const before = check([bySex])
    const after = withRisk(before, { level: 'elevated', sentence: 'More is told about members.' })
    expect([before.verdict, after.verdict]).toEqual(['release', 'review'])
    expect(after.outputs[0]).toMatchObject({ alone: 'release', findings: [] })
    expect(after.sentence).toContain('More is told about members.')
  })
})
