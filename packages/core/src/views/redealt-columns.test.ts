import { expect, it } from 'vitest'
import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { categorical, numeric, stackColumns, takeRows } from '../table/column.js'
import { release } from '../table/release.js'
import { type Table, table } from '../table/table.js'
import { sharedInformation } from './shared-information/shared-information.js'

const ROWS = 90

function people(name: string): Table {
  const random = stream(4, name)
  const each = <T>(value: () => T) => Array.from({ length: ROWS }, value)
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
    categorical(
      'ill',
      each(() => `i${random.below(6)}`),
    ),
  ])
}

/** The records four times, illnesses dealt out anew in all but the first. */
function dealtOut(of: Table): Table {
  const copies = [1, 2, 3].map((seed) => permutation(stream(seed, 'ill'), ROWS))
  return table(
    'release',
    of.columns.map((column) =>
      stackColumns([column, ...copies.map((order) => (column.name === 'ill' ? takeRows(column, order) : column))]),
    ),
  )
}

const original = people('original')
const looks = async (released: Table) => {
  const [{ looks = [] }] = (await sharedInformation(release({ original, released, type: 'synthetic' }))).releases
  return looks.filter(({ what }) => what.startsWith('without a column that was dealt out anew'))
}

it('is left out where records repeat each other without it: copies are found', async () => {
  const found = await looks(dealtOut(original))
  expect(Math.max(...found.map(({ leakage }) => leakage?.value ?? 0))).toBeGreaterThan(0.9)
  expect(found.every(({ narrow }) => narrow)).toBe(true)
})

it('accuses nobody where the records are those of other people', async () => {
  const found = await looks(dealtOut(people('others')))
  expect(found.length).toBeGreaterThan(0)
  expect(Math.min(...found.map(({ leakage }) => leakage?.p ?? 1)) * found.length).toBeGreaterThan(0.05)
})

it('is none in a sample, and in one that is repeated as it is', async () => {
  const others = people('others')
  expect(await looks(others)).toEqual([])
  const twice = table(
    'release',
    others.columns.map((column) => stackColumns([column, column])),
  )
  expect(await looks(twice)).toEqual([])
})
