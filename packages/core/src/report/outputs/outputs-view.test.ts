import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { bySex, check } from '../../testing/scenes/checked-people.js'
import { outputsMarkdown } from './outputs-markdown.js'
import { outputsView } from './outputs-view.js'

const provenance = { version: '1', date: 'today', command: null, files: [], seconds: null }
const few = tableOf('few.csv', { sex: ['f', 'f', 'm'], ill: ['no', 'yes', 'no'] })

it('says what may be released by the rules alone, and what stands behind its smallest number', () => {
  const view = outputsView(check([bySex]), provenance, 1)
  expect([view.verdict, view.basis]).toEqual(['RELEASE', 'by the rules alone'])
  expect([view.recommendation, view.todo]).toEqual(['They may be released.', null])
  expect(view.subject).toBe('600 records in people.csv · 1 output · rules: acro · nothing released before')
  expect(Number(view.outputs[0].least)).toBeGreaterThan(50)
  expect(view.outputs[0].values.rows).toHaveLength(6)
  expect(view.decisions.columns.at(-1)).toEqual({ title: 'verdict', as: 'verdict' })
})

it('has the worst findings first, and each rule in words', () => {
  const view = outputsView(check([{ id: 't', kind: 'table', by: ['sex', 'ill'] }], {}, few), provenance, 1)
  const [{ findings, least, picture }] = view.outputs
  expect([view.recommendation, view.people, view.todo]).toEqual([
    'Do not release them as they are.',
    'as few as 1 behind a number or a difference; the minimum is 10',
    'Change or withdraw t, then check again',
  ])
  expect(findings.map(({ status }) => status)).toEqual(
    [...findings.map(({ status }) => status)].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
  )
  expect(findings[0]).toMatchObject({ rule: 'threshold', means: 'fewer records than the least number' })
  expect([least, picture?.name]).toEqual(['0', 'cells-t'])
  expect(outputsMarkdown(view)).toContain(
    '| threshold | somebody can be identified | sex=f, ill=no has 1 record; minimum 10 |',
  )
})

const ORDER = ['somebody can be identified', 'broken', 'needs a look']
