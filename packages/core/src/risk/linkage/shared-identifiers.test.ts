import { describe, expect, it } from 'vitest'
import { assessCase } from '../../assess/run.js'
import { openCase } from '../../case/open-case.js'
import { namedPeople, tableOfPeople } from '../../testing/scenes/named-people.js'
import { sharedIdentifiers } from './shared-identifiers.js'

const COLUMNS = ['name', 'ssn', 'sex', 'region', 'age', 'income']
const people = namedPeople(400, 1)
const roles = { keys: ['sex', 'region', 'age'], target: 'income' }

function opened(column: 'name' | 'ssn', known: number, rows: number, seed = 2) {
  const released = namedPeople(rows, seed).map((other, row) =>
    row < known ? { ...other, [column]: people[row][column] } : other,
  )
  return openCase(roles, {
    original: tableOfPeople('original', people, COLUMNS),
    released: tableOfPeople('released', released, COLUMNS),
  })
}

async function found(...asked: Parameters<typeof opened>) {
  return (await sharedIdentifiers(opened(...asked).release)).releases[0]
}

describe('real names', () => {
  it('of everybody leak everything', async () => {
    const { value, leakage, people: whom, sentence } = await found('name', 400, 400)
    expect(value).toBe(1)
    expect(leakage?.value).toBe(1)
    expect(leakage?.lower).toBeGreaterThan(0.95)
    expect(whom).toBe(400)
    expect(sentence).toBe('400 of 400 released records carry the name of somebody in the original')
  })

  it('in five records, and no others, are five of five', async () => {
    const { leakage, sentence } = await found('ssn', 5, 5)
    expect(sentence).toBe('5 of 5 released records carry the ssn of somebody in the original')
    expect(leakage?.lower).toBeGreaterThan(0.5)
    expect(leakage?.p).toBeLessThan(1e-6)
  })

  it('of everybody among many other records are seen from the side of people', async () => {
    const { value, leakage, details } = await found('ssn', 400, 1600)
    expect(details?.carried[0]).toMatchObject({ records: 400, recordsOf: 1600, people: 400, peopleOf: 400 })
    expect(value).toBe(1)
    expect(leakage?.lower).toBeGreaterThan(0.9)
  })
})

it('a few real numbers, which chance may explain, are told and do not decide; more of them are HIGH', async () => {
  const identity = async (known: number) => {
    const files = opened('ssn', known, 400)
    const { assessment } = await assessCase(files)
    const { level } = assessment.releases[0].threats.find(({ threat }) => threat === 'identity') ?? {}
    return { level, told: files.release.notes.some(({ internal }) => internal.includes(`stands in ${known} of 400`)) }
  }
  expect(await identity(3)).toEqual({ level: 'NOT ASSESSED', told: true })
  expect(await identity(14)).toEqual({ level: 'HIGH', told: true })
})

it('names of other people, some of them shared by chance, show nothing', async () => {
  const p = await Promise.all([2, 3, 4, 5, 6].map(async (seed) => (await found('name', 0, 400, seed)).leakage?.p ?? 1))
  expect(Math.min(...p)).toBeGreaterThan(0.01)
})

it('is not applicable where the original has no identifier', async () => {
  const { release } = openCase(roles, {
    original: tableOfPeople('original', people, ['sex', 'region', 'age', 'income']),
    released: tableOfPeople('released', namedPeople(50, 2), ['sex', 'region', 'age', 'income']),
  })
  const { status, reason } = await sharedIdentifiers(release)
  expect([status, reason]).toEqual([
    'not applicable',
    { code: 'data', text: 'the original has no column that says who somebody is' },
  ])
})
