import { describe, expect, it } from 'vitest'
import { assessCase } from '../../assess/run.js'
import type { Cell } from '../../table/table.js'
import { namedPeople, tableOfPeople } from '../../testing/scenes/named-people.js'
import { openCase } from '../open-case.js'
import { OpenQuestions } from '../questions.js'

const COLUMNS = ['sex', 'region', 'age', 'income']
const people = namedPeople(300, 1)
const others = namedPeople(300, 2)
const original = tableOfPeople('original', people, COLUMNS)
const roles = { keys: ['sex', 'age'], target: 'income' }

type Record_ = Readonly<Record<string, Cell>>

function opened(released: readonly Record_[], columns: readonly string[], said: object = {}) {
  return openCase({ ...roles, ...said }, { original, released: tableOfPeople('released', released, columns) })
}

function asked(open: () => unknown): readonly string[] {
  try {
    open()
  } catch (error) {
    if (error instanceof OpenQuestions) return error.problems.slice(0, -1)
    throw error
  }
  return []
}

const renamed = people.map(({ sex, age, region, income }) => ({ sex, age, v1: region, v2: income }))

describe('a column under another name', () => {
  it('is asked about', () => {
    expect(asked(() => opened(renamed, ['sex', 'age', 'v1', 'v2']))).toEqual([
      '"v1" of released seems to be "region" of original under another name: it has its values',
      '"v2" of released seems to be "income" of original under another name: it has its values',
    ])
  })

  it('is taken under its name where that was said, so that the copy is seen', async () => {
    const copy = opened(renamed, ['sex', 'age', 'v1', 'v2'], { matchLevels: true, profile: 'quick' })
    expect(copy.release.variables).toEqual(COLUMNS)
    const { assessment } = await assessCase(copy, { measures: ['attribution'] })
    expect(assessment.releases[0].verdict.level).toBe('HIGH')
  })

  it('takes the place of a column of that name: fine values of people beside made-up ones', () => {
    const fine = people.map((person, row) => ({ ...person, score: row * 1.37 + 0.01 * (row % 7) }))
    const made = others.map((other, row) => ({ ...other, score: 500 * Math.sin(row), v: fine[299 - row].score }))
    const tables = {
      original: tableOfPeople('original', fine, [...COLUMNS, 'score']),
      released: tableOfPeople('released', made, [...COLUMNS, 'score', 'v']),
    }
    expect(asked(() => openCase(roles, tables))).toHaveLength(1)
    const { release } = openCase({ ...roles, answers: { 'released:v': 'same' } }, tables)
    const [{ columns }] = release.released
    expect(columns.find(({ name }) => name === 'score')).toMatchObject({ values: { 0: fine[299].score } })
  })
})

it('weights, flags and noise that only the release has are not asked about, and the first line names them', async () => {
  const more = others.map((other, row) => ({
    ...other,
    w: 1 + Math.sin(row) ** 2,
    flag: row % 2,
    batch: `b${row % 3}`,
  }))
  const { assessment } = await assessCase(opened(more, [...COLUMNS, 'w', 'flag', 'batch'], { measures: 'attribution' }))
  const [{ verdict, notCovered }] = assessment.releases
  expect(verdict.level).toBe('LOW')
  expect(verdict.sentence).toMatch(/Not covered: w, flag, batch \(only in the release\)\.$/)
  expect(notCovered).toEqual([{ code: 'only-released', columns: ['w', 'flag', 'batch'] }])
})

it('a column that the release lacks is named', async () => {
  const { assessment } = await assessCase(opened(others, ['sex', 'age', 'income'], { measures: 'attribution' }))
  expect(assessment.releases[0].verdict.sentence).toMatch(/Not covered: region \(not in the release\)\.$/)
})
