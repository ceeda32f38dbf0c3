import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { attribution } from '../risk/attribution/attribution.js'
import { categorical, numeric } from '../table/column.js'
import { type ReleaseInput, release } from '../table/release.js'
import { type Table, table } from '../table/table.js'
import { seenThrough, throughView } from '../testing/through-view.js'
import { roundedBack } from './rounded-back.js'

const ROWS = 300

/** Ages in steps of five, incomes in hundreds. */
function people(name: string): Table {
  const random = stream(6, name)
  const each = <T>(value: () => T) => Array.from({ length: ROWS }, value)
  return table(name, [
    numeric(
      'age',
      each(() => 20 + 5 * random.below(12)),
    ),
    numeric(
      'income',
      each(() => 100 * random.below(40)),
    ),
    categorical(
      'ill',
      each(() => 'abc'[random.below(3)]),
      { levels: ['a', 'b', 'c'] },
    ),
  ])
}
const original = people('original')
const moved = (of: Table, by: (row: number) => number): Table =>
  table(
    'moved',
    of.columns.map((column) =>
      column.kind === 'numeric' ? { ...column, values: column.values.map((value, row) => value + by(row)) } : column,
    ),
  )
const given = (released: Table, more: Partial<ReleaseInput> = {}) =>
  release({ original, released, keys: ['age', 'income'], target: 'ill', ...more })
const asItIs = async (released: Table) => (await attribution(given(released))).releases[0]
const rounded = (released: Table, more: Partial<ReleaseInput> = {}) =>
  throughView(roundedBack, attribution, given(released, more))

describe('numbers off the step of the original', () => {
  it('are rounded back, and then match as they did', async () => {
    const copy = await asItIs(original)
    const off = moved(original, (row) => (row % 2 === 0 ? 1 : -2))
    expect(copy.leakage?.value).toBeGreaterThan(0.9)
    expect((await asItIs(off)).leakage?.value).toBeLessThan(0.05)
    expect((await rounded(off))?.effect?.value).toBeCloseTo(copy.effect?.value ?? Number.NaN, 12)
  })

  it('are looked at beside outsiders too', async () => {
    const off = await rounded(
      moved(original, () => 1),
      { holdout: people('outsiders') },
    )
    expect(off?.looks).toHaveLength(1)
  })

  it('are no alarm where other people have them', async () => {
    expect((await rounded(moved(people('others'), () => 1)))?.effect?.p).toBeGreaterThan(0.05)
  })

  it('that lie on it are taken as they are', async () => {
    for (const released of [original, people('others')])
      expect(await seenThrough(roundedBack, given(released))).toBeUndefined()
  })
})
