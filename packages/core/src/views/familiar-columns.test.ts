import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { type Column, categorical, numeric } from '../table/column.js'
import { release } from '../table/release.js'
import { type Table, table } from '../table/table.js'
import { memorisation } from './distance/memorisation.js'
import { memorisationTail } from './distance/memorisation-tail.js'
import { sharedInformation } from './shared-information/shared-information.js'

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
const WHAT = 'without columns that have other values'

describe('columns that have other values', () => {
  it.each([
    ['in other units', inThousands],
    ['under other names', renamed],
  ])('are left out: %s, a copy is one', async (_, disguise) => {
    for (const measure of [memorisation, memorisationTail, sharedInformation]) {
      const [{ looks = [] }] = (await measure(release({ original, released: disguise(original) }))).releases
      const without = looks.find(({ what }) => what === WHAT)
      expect(without?.leakage?.value).toBeGreaterThan(0.9)
      expect(without?.narrow).toBe(true)
    }
  })

  it('are not alarming when the release is of other people', async () => {
    const [{ looks = [] }] = (await memorisation(release({ original, released: inThousands(people('others')) })))
      .releases
    expect(looks.find(({ what }) => what === WHAT)?.leakage?.p).toBeGreaterThan(0.05)
  })

  it('are none where values are those of the original, or were asked for', async () => {
    const looks = async (released: Table, variables: string[] | null) =>
      (await memorisation(release({ original, released }), { variables })).releases[0].looks?.map(({ what }) => what)
    expect(await looks(people('others'), null)).not.toContain(WHAT)
    expect(await looks(inThousands(original), ['age', 'income', 'hours'])).not.toContain(WHAT)
  })
})
