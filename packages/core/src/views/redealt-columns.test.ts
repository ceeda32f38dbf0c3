import { expect, it } from 'vitest'
import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { sharedInformation } from '../risk/shared-information/shared-information.js'
import { categorical, numeric, stackColumns, takeRows } from '../table/column.js'
import { release } from '../table/release.js'
import { type Table, table } from '../table/table.js'
import { seenThrough, throughView } from '../testing/through-view.js'
import { redealtColumn } from './redealt-columns.js'

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
const given = (released: Table) => release({ original, released, type: 'synthetic' })

it('is left out where records repeat each other without it: copies are found', async () => {
  const seen = await seenThrough(redealtColumn, given(dealtOut(original)))
  expect(seen?.variables).toEqual(['age', 'income', 'region'])
  expect(seen?.released[0].rows).toBe(ROWS)
  const found = await throughView(redealtColumn, sharedInformation, given(dealtOut(original)))
  expect(found?.leakage?.value).toBeGreaterThan(0.9)
})

it('accuses nobody where the records are those of other people', async () => {
  const found = await throughView(redealtColumn, sharedInformation, given(dealtOut(people('others'))))
  expect(found?.leakage?.p).toBeGreaterThan(0.05)
})

it('is none in a sample, and in one that is repeated as it is', async () => {
  const others = people('others')
  const twice = table(
    'release',
    others.columns.map((column) => stackColumns([column, column])),
  )
  for (const released of [others, twice]) expect(await seenThrough(redealtColumn, given(released))).toBeUndefined()
})
