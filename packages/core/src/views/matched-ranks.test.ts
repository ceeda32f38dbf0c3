import { describe, expect, it } from 'vitest'
import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { attribution } from '../risk/attribution/attribution.js'
import { memorisation } from '../risk/distance/memorisation.js'
import { membershipAudit } from '../risk/membership/membership-audit.js'
import { sharedInformation } from '../risk/shared-information/shared-information.js'
import { numeric } from '../table/column.js'
import { type ReleaseInput, release } from '../table/release.js'
import { columnOf, selectRows, type Table, table } from '../table/table.js'
import { changeNumbers, people } from '../testing/scenes/people.js'
import { seenThrough, throughView } from '../testing/through-view.js'
import { matchedRanks } from './matched-ranks.js'

const ROWS = 400
const original = people(ROWS, stream(3, 'original'))
const shuffled = selectRows(original, permutation(stream(3, 'shuffle'), ROWS))
const given = (released: Table, more: Partial<ReleaseInput> = {}) =>
  release({ original, released: { ...released, name: 'released' }, type: 'synthetic', ...more })
const numbersOf = (file: Table, name: string) => {
  const column = columnOf(file, name)
  return column.kind === 'categorical' ? new Float64Array() : column.values
}

const CHANGES: Readonly<Record<string, (value: number, largest: number) => number>> = {
  'times 1.08, and a little': (value) => 1.08 * value + 0.1,
  'between 0 and 1': (value, largest) => value / largest,
  shifted: (value, largest) => value + largest / 4,
  'under a root': (value) => Math.cbrt(value),
}
const changed = (file: Table, change: (value: number, largest: number) => number) =>
  changeNumbers(file, (value, { values }) => change(value, Math.max(...values)))

describe('numbers on another scale', () => {
  it.each(Object.entries(CHANGES))('hide no copy: %s', async (_, change) => {
    for (const measure of [memorisation, sharedInformation]) {
      const seen = await throughView(matchedRanks, measure, given(changed(shuffled, change)))
      expect(seen?.leakage?.lower).toBeGreaterThan(0.3)
    }
  })

  it('become those of the same rank in the half that nobody is asked about', async () => {
    const numbers = (name: string, values: readonly (number | null)[]) => table(name, [numeric('number', values)])
    const counted = Array.from({ length: 200 }, (_, k) => k)
    const seen = await seenThrough(
      matchedRanks,
      release({
        original: numbers('original', counted),
        released: numbers('released', [...counted.map((k) => 1000 + k * k), null]),
      }),
    )
    const asked = new Set(seen && numbersOf(seen.original, 'number'))
    const others = counted.filter((number) => !asked.has(number))
    expect(others).toHaveLength(100)
    expect(Array.from(seen ? numbersOf(seen.released[0], 'number') : [])).toEqual([
      ...counted.map((k) => others[k >> 1]),
      Number.NaN,
    ])
  })

  it('leave households whole, so that nobody who is asked shares numbers with those who are not', async () => {
    const waves = (name: string, shift: number) =>
      table(name, [
        numeric(
          'person',
          Array.from({ length: 200 }, (_, row) => (row < 190 ? row >> 2 : null)),
        ),
        numeric(
          'income',
          Array.from({ length: 200 }, (_, row) => shift + 10 * (row >> 2) + (row % 4)),
        ),
      ])
    const seen = await seenThrough(
      matchedRanks,
      release({ original: waves('original', 0), released: waves('released', 900), household: 'person' }),
    )
    const asked = seen ? [...numbersOf(seen.original, 'income')].map((income) => Math.floor(income / 10)) : []
    const released = seen ? [...numbersOf(seen.released[0], 'income')].map((income) => Math.floor(income / 10)) : []
    expect(asked.length).toBeGreaterThan(90)
    expect(asked.filter((person) => person < 47 && released.includes(person))).toEqual([])
  })

  it('accuse no sample, of any size, beside other originals or people outside', async () => {
    const squeezed = (file: Table) => changed(file, (value) => Math.cbrt(value))
    const chances: number[] = []
    for (const size of [0.5, 1, 3])
      for (let seed = 1; seed <= 3; seed++) {
        const sample = (name: string, rows: number) => ({ ...people(rows, stream(seed, `${name} ${size}`)), name })
        const honest = release({
          original: sample('original', 200),
          released: squeezed(sample('released', 200 * size)),
          holdout: sample('outside', 150),
          keys: ['age', 'sex'],
          target: 'region',
          type: 'synthetic',
        })
        for (const measure of [memorisation, sharedInformation, attribution, membershipAudit]) {
          const seen = await throughView(matchedRanks, measure, honest)
          chances.push(seen?.effect?.p ?? 0)
        }
      }
    // Of 36 questions about honest samples six or more have p < 5 % in one of a hundred studies.
    expect(chances.filter((p) => p < 0.05).length).toBeLessThan(6)
    expect(Math.min(...chances)).toBeGreaterThan(0.05 / chances.length)
  }, 60_000)

  it('are taken as they are where sampling explains the difference', async () => {
    for (const rows of [100, 400, 2000])
      expect(await seenThrough(matchedRanks, given(people(rows, stream(8, `others ${rows}`))))).toBeUndefined()
  })
})
