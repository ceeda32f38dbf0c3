import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { memorisation } from '../risk/distance/memorisation.js'
import { memorisationTail } from '../risk/distance/memorisation-tail.js'
import { sharedInformation } from '../risk/shared-information/shared-information.js'
import { type Column, categorical, numeric } from '../table/column.js'
import { release } from '../table/release.js'
import { type Table, table } from '../table/table.js'
import { seenThrough, throughView } from '../testing/through-view.js'
import { familiarColumns } from './familiar-columns.js'

function people(name: string): Table {
  const random = stream(4, name)
  const each = <T>(value: () => T) => Array.from({ length: 150 }, value)
  return table(name, [
    numeric(
      'age',
      each(() => 20 + random.below(60)),
    ),
    numeric(
      'income',
      each(() => 100 * random.below(90)),
    ),
    categorical(
      'region',
      each(() => `r${random.below(9)}`),
    ),
    numeric(
      'hours',
      each(() => random.below(50)),
    ),
  ])
}

const original = people('original')
const changed = (of: Table, name: string, change: (column: Column) => Column) =>
  table(
    'released',
    of.columns.map((column) => (column.name === name ? change(column) : column)),
  )
const inThousands = (of: Table) =>
  changed(of, 'income', (column) =>
    column.kind === 'numeric' ? { ...column, values: column.values.map((value) => value / 1000) } : column,
  )
const renamed = (of: Table) =>
  changed(of, 'region', (column) =>
    column.kind === 'categorical' ? { ...column, levels: column.levels.map((level) => `~${level}`) } : column,
  )
describe('columns that have other values', () => {
  it.each([
    ['in other units', inThousands],
    ['under other names', renamed],
  ])('are left out: %s, a copy is one', async (_, disguise) => {
    for (const measure of [memorisation, memorisationTail, sharedInformation]) {
      const without = await throughView(familiarColumns, measure, release({ original, released: disguise(original) }))
      expect(without?.leakage?.value).toBeGreaterThan(0.9)
    }
  })

  it('are not alarming when the release is of other people', async () => {
    const honest = release({ original, released: inThousands(people('others')) })
    expect((await throughView(familiarColumns, memorisation, honest))?.leakage?.p).toBeGreaterThan(0.05)
  })

  it('take their roles with them', async () => {
    const roles = { keys: ['region', 'age'], target: 'income' }
    const seen = await seenThrough(familiarColumns, release({ original, released: inThousands(original), ...roles }))
    expect(seen).toMatchObject({ keys: ['region', 'age'], targets: [], variables: ['age', 'region', 'hours'] })
  })

  it('are none where values are those of the original', async () => {
    expect(await seenThrough(familiarColumns, release({ original, released: people('others') }))).toBeUndefined()
  })

  it('are none where each person has a level of their own, in samples of any size', async () => {
    const named = (name: string, rows: number) => {
      const random = stream(5, name)
      const each = <T>(value: () => T) => Array.from({ length: rows }, value)
      return table(name, [
        categorical(
          'street',
          each(() => `street ${random.below(2000)}`),
        ),
        numeric('age', each(random.uniform)),
        numeric('hours', each(random.uniform)),
      ])
    }
    for (const rows of [60, 300, 1800])
      expect(
        await seenThrough(
          familiarColumns,
          release({ original: named('original', 300), released: named('others', rows) }),
        ),
      ).toBeUndefined()
  })
})
