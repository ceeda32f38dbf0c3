import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Cell } from '../../table/table.js'
import { type NamedPerson, namedPeople, tableOfPeople } from '../../testing/scenes/named-people.js'
import { openCase } from '../open-case.js'

const ORDINARY = ['sex', 'region', 'age', 'income']
const people = namedPeople(300, 1)
const others = namedPeople(300, 2)
const outside = namedPeople(150, 3)
const roles = { keys: ['sex', 'region', 'age'], target: 'income' }
const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex')

/** Other people, with something of the person in the same row of the original. */
function carryingOf(
  known: readonly string[],
  add: (person: NamedPerson, row: number) => Readonly<Record<string, Cell>>,
  from = people,
) {
  const released = others.map((other, row) => ({ ...other, ...add(from[row], row) }))
  const added = Object.keys(add(from[0], 0))
  const { release } = openCase(roles, {
    original: tableOfPeople('original', people, [...known, ...ORDINARY]),
    released: tableOfPeople('released', released, [...added, ...ORDINARY]),
  })
  return release.identifiers[0]
}

describe('an identifier of people in the original is found', () => {
  it.each([
    ['as it is', 'name', 'as it is', (person: NamedPerson) => ({ name: person.name })],
    ['in other case', 'name', 'otherwise', (person: NamedPerson) => ({ name: person.name.toUpperCase() })],
    [
      'without accents, family name first, in a column of another name',
      'name',
      'otherwise',
      ({ name }: NamedPerson) => ({
        v1: name.normalize('NFKD').replace(/\p{M}/gu, '').split(' ').reverse().join(', '),
      }),
    ],
    ['as a number', 'ssn', 'otherwise', ({ ssn }: NamedPerson) => ({ ssn: Number(ssn.replaceAll('-', '')) })],
    ['as MD5', 'name', 'MD5', ({ name }: NamedPerson) => ({ name: hash('md5', name) })],
    ['as SHA-1 in capitals', 'ssn', 'SHA-1', ({ ssn }: NamedPerson) => ({ code: hash('sha1', ssn).toUpperCase() })],
    [
      'as SHA-256 of its digits',
      'ssn',
      'SHA-256',
      ({ ssn }: NamedPerson) => ({ code: hash('sha256', ssn.replaceAll('-', '')) }),
    ],
    ['inside a text', 'name', 'inside a text', ({ name }: NamedPerson) => ({ note: `has called ${name} on Monday` })],
    ['inside a text', 'ssn', 'inside a text', ({ ssn }: NamedPerson) => ({ note: `see file ${ssn} again` })],
  ] as const)('%s: %s', (_, column, written, add) => {
    const { columns } = carryingOf([column], add)
    expect(columns).toMatchObject([{ column, written, records: { carrying: 300, of: 300 } }])
    expect(columns[0].people.carrying).toBe(300)
  })

  it.each(['', ',', '|', '-', '_', ' '])('as a digest of keys and target joined by "%s"', (separator) => {
    const joined = ({ sex, region, age, income }: NamedPerson) => [sex, region, age, income].join(separator)
    const { columns } = carryingOf([], (person) => ({ token: hash('md5', joined(person)) }))
    expect(columns).toMatchObject([
      { column: 'sex, region, age, income', releasedColumn: 'token', written: 'MD5', records: { carrying: 300 } },
    ])
  })
})

describe('what chance gives', () => {
  it('is the share of originals whose name another has', () => {
    const shared = people.map((person, row) => ({ ...person, name: people[row < 30 ? 0 : row].name }))
    const { release } = openCase(roles, {
      original: tableOfPeople('original', shared, ['name', ...ORDINARY]),
      released: tableOfPeople('released', shared, ['name', 'sex', 'region', 'age', 'income']),
    })
    expect(release.identifiers[0].columns[0].records.byChance).toBeGreaterThanOrEqual(0.1)
    expect(release.identifiers[0].columns[0].records.byChance).toBeLessThan(0.2)
  })

  it('is everything for numbers that count, and the density of a range for those drawn from it', () => {
    const numbered = (step: number) =>
      carryingOf(
        ['id'],
        (_, row) => ({ id: 1 + row * step }),
        people.map((person, row) => ({ ...person, id: 1 + row * step })),
      )
    expect(numbered(1).columns).toEqual([])
    const original = people.map((person, row) => ({ ...person, id: 5000 + ((row * 7) % 600) }))
    const released = others.map((person, row) => ({ ...person, id: 5000 + ((row * 11) % 600) }))
    const { release } = openCase(roles, {
      original: tableOfPeople('original', original, ['id', ...ORDINARY]),
      released: tableOfPeople('released', released, ['id', ...ORDINARY]),
    })
    const [{ records }] = release.identifiers[0].columns
    expect(records.basis).toBe('chance')
    expect(records.byChance).toBeGreaterThan(0.3)
  })

  it('is what people outside share, where they share more', () => {
    const { release } = openCase(roles, {
      original: tableOfPeople('original', people, ['ssn', ...ORDINARY]),
      released: tableOfPeople(
        'released',
        others.map((other, row) => ({ ...other, ssn: row < 150 ? people[row].ssn : outside[row - 150].ssn })),
        ['ssn', ...ORDINARY],
      ),
      holdout: tableOfPeople('holdout', outside, ['ssn', ...ORDINARY]),
    })
    const [{ records, people: found }] = release.identifiers[0].columns
    expect(records).toMatchObject({ carrying: 150, of: 300, basis: 'outsiders', byChance: 1 })
    expect(found).toMatchObject({ carrying: 150, basis: 'outsiders', byChance: 1 })
  })
})

it('finds nothing where names, numbers and remarks are those of other people', () => {
  const columns = ['ssn', 'remark', ...ORDINARY]
  const { release } = openCase(roles, {
    original: tableOfPeople('original', people, columns),
    released: tableOfPeople('released', others, columns),
  })
  expect(release.identifiers[0]).toMatchObject({ identifiers: ['ssn', 'remark'], columns: [] })
})

it('takes a column that has a role, coarse texts and incomes for no identifiers', () => {
  const { release } = openCase(
    { ...roles, identifier: 'ssn' },
    {
      original: tableOfPeople('original', people, ['ssn', ...ORDINARY]),
      released: tableOfPeople('released', people, ['ssn', ...ORDINARY]),
    },
  )
  expect(release.identifiers[0]).toEqual({ identifiers: [], compared: 0, columns: [] })
})
