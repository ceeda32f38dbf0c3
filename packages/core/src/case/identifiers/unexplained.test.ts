import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { assessCase } from '../../assess/run.js'
import type { Cell } from '../../table/table.js'
import { type NamedPerson, namedPeople, tableOfPeople } from '../../testing/scenes/named-people.js'
import { openCase } from '../open-case.js'

const COLUMNS = ['sex', 'region', 'age', 'income']
const people = namedPeople(300, 1)
const others = namedPeople(300, 2)
const said = { keys: ['sex', 'age'], target: 'income', measures: 'attribution,shared-identifiers' }
const salted = (row: number) => createHash('sha256').update(`salt ${row}`).digest('hex')

async function answer(
  original: readonly string[],
  add: (other: NamedPerson, row: number) => Readonly<Record<string, Cell>>,
  answers: Readonly<Record<string, 'different'>> = {},
) {
  const released = others.map((other, row) => ({ ...add(other, row), ...other }))
  const names = [...Object.keys(add(others[0], 0)), ...COLUMNS]
  const opened = openCase(
    { ...said, answers },
    {
      original: tableOfPeople('original', people, [...original, ...COLUMNS]),
      released: tableOfPeople('released', released, names),
    },
  )
  const { assessment } = await assessCase(opened)
  return assessment.releases[0]
}

describe('texts that could hide people prevent LOW', () => {
  it.each([
    ['free text in both files', ['remark'], ({ remark }: NamedPerson) => ({ remark })],
    ['free text in the release only', [], ({ remark }: NamedPerson) => ({ remark })],
    ['digests of something', [], (_: NamedPerson, row: number) => ({ token: salted(row) })],
    ['digests of which some are repeated often', [], (_: NamedPerson, row: number) => ({ token: salted(row % 3) })],
  ] as const)('%s', async (_, original, add) => {
    const { verdict, threats } = await answer(original, add)
    const [column] = Object.keys(add(others[0], 0))
    expect(verdict).toMatchObject({ level: 'INCONCLUSIVE', threat: 'identity' })
    expect(verdict.sentence).toContain(`No leakage is shown, but what ${column} may hold cannot be tested.`)
    expect(threats[0]).toMatchObject({
      reason: { code: 'unexplained-columns', file: 'released', columns: [column] },
      settles: { code: 'explain-columns', columns: [column] },
    })
  })

  it('until somebody says that they are made up', async () => {
    const { verdict } = await answer([], ({ remark }) => ({ remark }), { 'released:remark': 'different' })
    expect(verdict.level).toBe('LOW')
  })
})

it.each([
  ['names of other people', ['name'], ({ name }: NamedPerson) => ({ name })],
  ['numbers of other people', ['ssn'], ({ ssn }: NamedPerson) => ({ ssn })],
  ['labels that count', [], (_: NamedPerson, row: number) => ({ label: `R-${String(row + 1).padStart(4, '0')}` })],
] as const)('%s are no reason', async (_, original, add) => {
  const { verdict } = await answer(original, add)
  expect(verdict.level).toBe('LOW')
})
