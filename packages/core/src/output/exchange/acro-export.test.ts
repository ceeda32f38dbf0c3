import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { check } from '../../testing/scenes/exchanged-people.js'
import { checkRequest } from '../verdict/check.js'
import { acroFiles } from './acro-export.js'
import { parseRequest } from './request.js'
import { parseGrid } from './text-grid.js'

const files = new Map(acroFiles(check, '2026-01-01T00:00:00').map(({ name, text }) => [name, text]))
const results = JSON.parse(files.get('results.json') ?? '')

it('has what the viewer asks for: version, results, files with their cells', () => {
  expect(results.version).toMatch(/^\d+\.\d+/)
  expect(Object.keys(results.results)).toEqual(['table', 'means', 'model'])
  for (const one of Object.values<Record<string, unknown>>(results.results)) {
    expect(['pass', 'review', 'fail']).toContain(one.status)
    for (const key of [
      'uid',
      'type',
      'properties',
      'files',
      'outcome',
      'command',
      'summary',
      'timestamp',
      'comments',
      'exception',
    ])
      expect(one).toHaveProperty(key)
  }
  const [header, ...rows] = parseGrid(files.get('table_0.csv') ?? '')
  expect(header).toEqual(['sex', '57', '58', '59', 'All'])
  expect(rows.map(([label]) => label)).toEqual(['f', 'm', 'All'])
  expect(rows[2][4]).toBe('300')
})

it('marks the cells that rules found where they are in the file', () => {
  const few = tableOf('few.csv', {
    a: [...Array(30).fill('x'), ...Array(31).fill('y')],
    b: [...Array(15).fill('u'), ...Array(15).fill('v'), ...Array(28).fill('u'), 'v', 'v', 'v'],
  })
  const asked = parseRequest('request.json', { outputs: [{ id: 't', kind: 'table', by: ['a', 'b'] }] })
  const [json] = acroFiles(checkRequest(asked, few).check, '')
  const { t } = JSON.parse(json.text).results
  expect(t.status).toBe('fail')
  expect(t.files[0].sdc.cells.threshold).toEqual([[1, 1]])
  expect(t.files[0].sdc.summary.threshold).toBe(1)
  expect(t.outcome).toEqual({ u: { x: 'ok', y: 'ok' }, v: { x: 'ok', y: 'threshold; ' } })
})

it('has a file even for an output of which no number is left: the viewer takes no folder without', () => {
  const empty = { ...check, outputs: check.outputs.map((one) => ({ ...one, values: [] })) }
  const [json] = acroFiles(empty, '')
  const found = Object.values<{ files: unknown[] }>(JSON.parse(json.text).results)
  expect(found.map(({ files: own }) => own.length)).toEqual([1, 1, 1])
})
