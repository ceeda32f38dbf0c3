import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CaseInput } from '../../case/case.js'
import { openCase } from '../../case/open-case.js'
import { type Table, tableOf } from '../../table/table.js'
import { sampledCase } from '../../testing/sampled-case.js'
import { namedPeople, tableOfPeople } from '../../testing/scenes/named-people.js'
import { sharedIdentifiers } from './shared-identifiers.js'

const SAID: CaseInput = { type: 'perturbed', keys: ['sex', 'region', 'age'], target: 'income' }
const people = namedPeople(600, 1)
const original = tableOfPeople('original', people, ['name', 'ssn', 'sex', 'region', 'age', 'income'])
const anonymous = tableOfPeople('released', people, ['sex', 'region', 'age', 'income'])

async function sampled(released: Table, most = 1e6, ours = original) {
  return (await sampledCase(SAID, { original: ours, released: [released] }, ['shared-identifiers'], { most })).release
}

describe('identifiers of tables that were sampled', () => {
  it.each([
    ['no column for them', anonymous],
    ['names of others', tableOfPeople('released', namedPeople(600, 2), ['ssn', 'sex', 'region', 'age', 'income'])],
  ])('are nobody’s in all records, as in memory, where the release has %s', async (_, released) => {
    const [found] = (await sharedIdentifiers(await sampled(released))).releases
    expect(found).not.toHaveProperty('sample')
    expect(found).toEqual((await sharedIdentifiers(openCase(SAID, { original, released }).release)).releases[0])
  })

  it.each([
    [
      'somebody is named',
      'ssn',
      'ssn',
      (ssn: string, row: number) => (row === 7 ? ssn : 'none'),
      1e6,
      '"ssn" of somebody',
    ],
    [
      'texts are digests',
      'ssn',
      'code',
      (ssn: string) => createHash('md5').update(ssn).digest('hex'),
      1e6,
      'has digests',
    ],
    ['there are many values', 'name', 'name', () => 'none', 100, 'more than 100 values'],
  ] as const)('are of the sample where %s, and a note says so', async (_, from, name, written, most, why) => {
    const texts = tableOf('released', { [name]: people.map((person, row) => written(person[from], row)) })
    const release = await sampled({ ...anonymous, columns: [...anonymous.columns, ...texts.columns] }, most)
    expect(release.notes[0].internal).toContain(why)
    expect((await sharedIdentifiers(release)).releases[0]).toMatchObject({ sample: { records: 150, of: 600 } })
  })

  it('are not asked for where nobody has any', async () => {
    const release = await sampled(anonymous, 1e6, anonymous)
    expect(release.notes.filter(({ internal }) => internal.startsWith('shared-identifiers'))).toEqual([])
  })
})
