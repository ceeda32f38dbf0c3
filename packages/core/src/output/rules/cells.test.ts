import { expect, it } from 'vitest'
import { PRESETS } from './appetite.js'
import { concentratedGroups, emptyCells, lowCounts } from './cells.js'

const { acro } = PRESETS
const rulesOf = (findings: readonly { readonly rule: string; readonly status: string }[]) =>
  findings.map(({ rule, status }) => `${rule} ${status}`)

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
