import { expect, it } from 'vitest'
import type { LoadedFile } from '../session.js'
import { whyClosed, whyNotRoles, whyNotRun } from './ready.js'

const file = (name: string, more: Partial<LoadedFile> = {}): LoadedFile => ({
  source: { id: name, name, content: new Blob() },
  info: { rows: 2, columns: [], preview: [] },
  parts: [],
  problems: [],
  reading: null,
  ...more,
})
const EMPTY = { original: null, releases: [], holdout: null, population: null, attacker: null }
const GIVEN = { ...EMPTY, original: file('o.csv'), releases: [file('r.csv')] }
const CHECKED = { problems: [], warnings: [], questions: [], type: 'synthetic', measures: [] } as const

it('says which file is missing, being read, or of no use', () => {
  expect(whyNotRoles(EMPTY)).toBe('Choose the original first.')
  expect(whyNotRoles({ ...GIVEN, releases: [] })).toBe('Choose a release as well.')
  expect(whyNotRoles({ ...GIVEN, holdout: file('h.csv', { info: null, reading: 0.5 }) })).toBe(
    'h.csv is still being read.',
  )
  expect(whyNotRoles({ ...GIVEN, releases: [file('bad.csv', { info: null, problems: ['ragged'] })] })).toBe(
    'bad.csv cannot be read: remove or replace it.',
  )
  const parts = ['a', 'b'].map((name) => ({ kind: 'object', name }) as const)
  expect(whyNotRoles({ ...GIVEN, original: file('two.rda', { info: null, parts }) })).toBe(
    'two.rda holds 2 tables: choose one.',
  )
  expect(whyNotRoles(GIVEN)).toBeNull()
})

it('says why nothing can be run, and why a step is empty', () => {
  expect(whyNotRun({ ...GIVEN, checked: null, isChecking: true })).toBe('Looking at the files …')
  expect(whyNotRun({ ...GIVEN, checked: { ...CHECKED, problems: ['units'] }, isChecking: false })).toBe(
    'Solve the problem above first.',
  )
  expect(whyNotRun({ ...GIVEN, checked: CHECKED, isChecking: false })).toBeNull()
  expect(whyClosed('data', { ...EMPTY, runs: [] })).toBeNull()
  expect(whyClosed('run', { ...EMPTY, runs: [] })).toBe('Choose the original first.')
  expect(whyClosed('read', { ...GIVEN, runs: [] })).toBe('Nothing has been run yet.')
})
