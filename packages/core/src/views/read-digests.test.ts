import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openCase } from '../case/open-case.js'
import { attribution } from '../risk/attribution/attribution.js'
import { columnOf } from '../table/table.js'
import { type NamedPerson, namedPeople, tableOfPeople } from '../testing/scenes/named-people.js'
import { seenThrough, throughView } from '../testing/through-view.js'
import { readDigests } from './read-digests.js'
import { onePart } from './view.js'

const ORDINARY = ['sex', 'region', 'age', 'income']
/** Coarse, so that most people share their combination of keys and target with somebody. */
const coarse = (seed: number) =>
  namedPeople(300, seed).map((person) => ({
    ...person,
    age: 20 * Math.floor(person.age / 20),
    income: 1000 * Math.floor(person.income / 1000),
  }))
const [people, others] = [coarse(1), coarse(2)]
const digestOf = ({ sex, region, age, income }: NamedPerson) =>
  createHash('md5').update([sex, region, age, income].join('|')).digest('hex')

/** Other people's records, each with the digest of somebody's keys and target. */
function withDigests(whose: (row: number) => NamedPerson) {
  const records = others.map((other, row) => ({ ...other, token: digestOf(whose(row)) }))
  return tableOfPeople('released', records, ['token', ...ORDINARY])
}

const opened = (...released: readonly ReturnType<typeof withDigests>[]) =>
  openCase(
    { keys: ['sex', 'region', 'age'], target: 'income', type: 'synthetic' },
    { original: tableOfPeople('original', people, ORDINARY), released },
  ).release

describe('digests of keys and target', () => {
  it('are read: the release says of people what the original says', async () => {
    const release = opened(withDigests((row) => people[row]))
    const seen = await seenThrough(readDigests, release)
    expect(seen?.variables).toEqual(ORDINARY)
    for (const name of ORDINARY)
      expect(columnOf(seen?.released[0] ?? release.original, name)).toEqual(columnOf(release.original, name))
    const [asItIs] = (await attribution.run(release)).releases
    expect(asItIs.leakage?.value).toBeLessThan(0.05)
    expect((await throughView(readDigests, attribution, release))?.leakage?.value).toBe(1)
  })

  it('of each record itself change nothing, so nothing is asked again', async () => {
    expect(await seenThrough(readDigests, opened(withDigests((row) => others[row])))).toBeUndefined()
  })

  it('are read in the release that has them', async () => {
    const release = opened(
      withDigests((row) => others[row]),
      withDigests((row) => people[row]),
    )
    expect(await seenThrough(readDigests, onePart(release, 0))).toBeUndefined()
    expect(await seenThrough(readDigests, onePart(release, 1))).toBeDefined()
  })

  it('leave records alone whose digest is nobody’s', async () => {
    const release = opened(withDigests((row) => (row < 150 ? people[row] : { ...others[row], income: -1 })))
    const seen = await seenThrough(readDigests, release)
    const incomes = seen && columnOf(seen.released[0], 'income')
    const own = columnOf(release.released[0], 'income')
    if (incomes?.kind !== 'numeric' || own.kind !== 'numeric') throw new Error('income is a number')
    expect([...incomes.values].slice(150)).toEqual([...own.values].slice(150))
  })
})
