import { describe, expect, it } from 'vitest'
import { assessCase } from '../assess/run.js'
import { stream } from '../random/stream.js'
import { type Table, table, tableOf } from '../table/table.js'
import { openCase, withReleaseType } from './open-case.js'
import { OpenQuestions } from './questions.js'

function people(name: string, seed: number, rows = 80): Table {
  const random = stream(seed, 'people')
  const draw = <Value>(values: readonly Value[]) =>
    Array.from({ length: rows }, () => values[random.below(values.length)])
  return tableOf(name, {
    sex: draw(['f', 'm']),
    region: draw(['north', 'south', 'east']),
    age: draw(Array.from({ length: 50 }, (_, k) => 20 + k)),
    income: draw(['low', 'mid', 'high']),
    hours: draw(Array.from({ length: 61 }, (_, k) => k)),
  })
}

const original = people('original', 1)
const roles = { keys: ['sex', 'region', 'age'], target: 'income' }

const upperCased = table(
  'released',
  original.columns.map((column) =>
    column.kind === 'categorical' ? { ...column, levels: column.levels.map((level) => level.toUpperCase()) } : column,
  ),
)

function questionsOf(open: () => unknown) {
  try {
    open()
  } catch (error) {
    if (error instanceof OpenQuestions) return error.questions
    throw error
  }
  return []
}

describe('a copy with upper-cased levels', () => {
  it('is asked about as values', () => {
    const questions = questionsOf(() => openCase(roles, { original, released: upperCased }))
    expect(questions.map(({ id, kind, answer }) => [id, kind, answer])).toEqual([
      ['released:sex', 'same-levels', null],
      ['released:region', 'same-levels', null],
      ['released:income', 'same-levels', null],
    ])
    expect(questions[0]).toMatchObject({
      file: 'released',
      column: 'sex',
      levels: expect.arrayContaining([{ level: 'F', original: 'f' }]),
      share: 1,
      answers: ['same', 'different'],
    })
  })

  it('says in its message how to answer', () => {
    expect(() => openCase(roles, { original, released: upperCased })).toThrow('answers: { "released:sex": "same" }')
  })

  it('is HIGH once the answer is that they are the same, one by one or all at once', async () => {
    const ids = ['released:sex', 'released:region', 'released:income']
    const answers = Object.fromEntries(ids.map((id) => [id, 'same' as const]))
    for (const said of [{ answers }, { matchLevels: true }]) {
      const opened = openCase({ ...roles, ...said, measures: 'attribution' }, { original, released: upperCased })
      const { assessment } = await assessCase(opened)
      expect(assessment.releases[0].verdict.level).toBe('HIGH')
      expect(assessment.releases[0].likeness).toBe('released is original itself: every record of it is there')
    }
  })

  it('an answer to one question leaves the others open, and beats the answer to all', () => {
    const open = (said: object) => () => openCase({ ...roles, ...said }, { original, released: upperCased })
    const left = questionsOf(open({ answers: { 'released:sex': 'same' } })).filter(({ answer }) => answer === null)
    expect(left.map(({ column }) => column)).toEqual(['region', 'income'])
    const { release } = open({ matchLevels: true, answers: 'released:sex=different' })()
    expect(release.notes.filter(({ internal }) => internal.endsWith('kept apart'))).toHaveLength(1)
    expect(release.notes.filter(({ internal }) => internal.endsWith('taken for the same'))).toHaveLength(2)
  })
})

describe('the type of the release', () => {
  const unlike = people('released', 2)

  it('is the one that was said', () => {
    const { release } = openCase({ type: 'synthetic' }, { original, released: { ...original, name: 'released' } })
    expect([release.type, release.notes]).toEqual(['synthetic', []])
  })

  it('is perturbed where rows correspond, with a note; who says unknown is told only', () => {
    const files = { original, released: { ...original, name: 'released' } }
    const { release, questions } = openCase({}, files)
    expect([release.type, questions]).toEqual(['perturbed', []])
    expect(release.notes.map(({ internal }) => internal).join()).toContain('taken for perturbed')
    const unknown = openCase({ type: 'unknown' }, files).release
    expect(unknown.type).toBe('unknown')
    expect(unknown.notes.map(({ internal }) => internal).join()).toContain(
      'if they derive from it, the type of the release is perturbed',
    )
  })

  it('is unknown otherwise, which may be asked about', () => {
    const opened = openCase({}, { original, released: unlike })
    expect(opened.release.type).toBe('unknown')
    expect(opened.questions).toMatchObject([{ kind: 'release-type', id: 'type', answer: null }])
    const said = withReleaseType(opened, 'synthetic')
    expect([said.case.type, said.release.type, said.questions[0].answer]).toEqual([
      'synthetic',
      'synthetic',
      'synthetic',
    ])
  })
})

it('tells what is wrong with a Case before it looks at the files', () => {
  // @ts-expect-error: no such field
  expect(() => openCase({ kys: ['sex'] }, { original, released: original })).toThrow(
    'unknown field "kys"; did you mean "keys"?',
  )
  expect(() => openCase({ group: 'age=equall:5' }, { original, released: original })).toThrow('unknown style "equall"')
})

it('marks roles that were guessed', () => {
  const { release } = openCase(
    { ...roles, guesses: { sex: 'by its name' } },
    { original, released: people('released', 2) },
  )
  expect(release.notes.map(({ internal }) => internal).join()).toContain('the roles of sex were guessed')
})

it('tells of text that a spreadsheet would run', () => {
  const withRemarks = (remarks: readonly string[]) =>
    tableOf('released', { sex: ['f', 'm', 'f'], remark: remarks, age: [20, 30, 40] })
  const notesOf = (remarks: readonly string[]) =>
    openCase({}, { original: withRemarks(['a', 'b', 'c']), released: [withRemarks(remarks)] }).release.notes.filter(
      ({ internal }) => internal.includes('spreadsheet'),
    )
  expect(notesOf(['a', '=HYPERLINK("http://example.org")', 'c'])).toHaveLength(1)
  expect(notesOf(['a', "+cmd|' /C calc'!A0", 'c'])).toHaveLength(1)
  expect(notesOf(['-5', '+1 or more', '-'])).toEqual([])
})
