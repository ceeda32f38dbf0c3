import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { categorical, numeric } from '../table/column.js'
import { type ReleaseInput, release } from '../table/release.js'
import { type Table, table } from '../table/table.js'
import { attribution } from './attribution/attribution.js'

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
const found = async (released: Table, more: Partial<ReleaseInput> = {}) =>
  (await attribution(release({ original, released, keys: ['age', 'income'], target: 'ill', ...more }))).releases[0]
const ROUNDED = 'with numbers rounded to the step of the original'

describe('numbers off the step of the original', () => {
  it('are rounded back, and then match as they did', async () => {
    const copy = await found(original)
    const off = await found(moved(original, (row) => (row % 2 === 0 ? 1 : -2)))
    expect(copy.leakage?.value).toBeGreaterThan(0.9)
    expect(off.leakage?.value).toBeLessThan(0.05)
    const look = off.looks?.find(({ what }) => what === ROUNDED)
    expect(look?.effect.value).toBeCloseTo(copy.effect?.value ?? Number.NaN, 12)
    expect(look?.narrow).toBe(true)
  })

  it('are looked at beside outsiders too', async () => {
    const off = await found(
      moved(original, () => 1),
      { holdout: people('outsiders') },
    )
    expect(off.looks?.filter(({ what }) => what.startsWith(ROUNDED))).toHaveLength(2)
  })

  it('are no alarm where other people have them', async () => {
    const off = await found(moved(people('others'), () => 1))
    expect(off.looks?.find(({ what }) => what === ROUNDED)?.effect.p).toBeGreaterThan(0.05)
  })

  it('that lie on it are taken as they are', async () => {
    expect((await found(original)).looks ?? []).toEqual([])
    expect((await found(people('others'))).looks ?? []).toEqual([])
  })
})
