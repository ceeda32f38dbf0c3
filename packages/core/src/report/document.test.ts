import { expect, it } from 'vitest'
import { discretionFor, INTERNAL } from '../discretion.js'
import { filesFor, filesTable, runRows, subjectParts, withTarget } from './document.js'

const file = { role: 'release', name: 'data\\2026/a.csv', rows: 12_345, columns: 4, sha256: 'ab' }
const provenance = { version: '1.2', date: 'today', command: null, files: [file], seconds: null }

it('where files lie is nobody’s business outside', () => {
  expect(filesFor('publishable', provenance)).toEqual([{ ...file, name: 'a.csv' }])
  expect(filesFor('internal', provenance)).toEqual([file])
  const { columns, rows } = filesTable(filesFor('publishable', provenance))
  expect(rows).toEqual([['a.csv', 'release', '12,345', '4', 'ab']])
  expect(columns.at(-1)).toEqual({ title: 'SHA-256', as: 'code' })
})

it('says what is needed to repeat the run, and no more than is known', () => {
  expect(runRows(provenance, 7)).toEqual([
    ['scrim', '1.2'],
    ['run on', 'today'],
    ['seed of the assessment', '7'],
  ])
  const all = runRows({ ...provenance, command: 'scrim assess', seconds: 2.25 }, 7).map(([name]) => name)
  expect(all).toEqual(['scrim', 'run on', 'command', 'seed of the assessment', 'run time'])
})

it('says who and what it is about', () => {
  const people = { original: { name: 'o.csv', records: 1500 }, holdout: null, keys: [], numericKeys: [], targets: [] }
  expect(subjectParts(people, INTERNAL)).toEqual(['1,500 people in o.csv', 'no holdout', 'no keys', 'no target'])
  const more = {
    holdout: { name: 'h.csv', records: 20 },
    keys: ['sex'],
    numericKeys: ['age'],
    targets: ['ill', 'income'],
  }
  expect(subjectParts({ ...people, ...more }, INTERNAL).slice(1)).toEqual([
    '20 people outside (holdout)',
    'keys: sex, age',
    'target: ill, income',
  ])
  const few = { ...people, original: { name: 'o.csv', records: 8 } }
  expect(subjectParts(few, discretionFor('publishable'))[0]).toBe('fewer than 15 people in o.csv')
  expect([withTarget('membership', null), withTarget('attribute', 'ill')]).toEqual(['membership', 'attribute (ill)'])
})
