import { expect, it } from 'vitest'
import { bitSpace } from '../../../neighbors/in-bits/bits.js'
import { stream } from '../../../random/stream.js'
import { drawNormal } from '../../../stats/draws.js'
import { auc } from '../../../stats/tests/auc.js'
import { independent } from '../../../synthesizers/independent.js'
import { synthesize } from '../../../synthesizers/synthesizer.js'
import { numeric } from '../../../table/column.js'
import { columnNames, selectRows, type Table, table, tableOfRows } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { personScores } from './person-scores.js'
import { valueLikelihoods } from './value-likelihood.js'

it('counts what a released value says of whoever has it, by hand', () => {
  const real = tableOfRows(
    'real',
    ['age', 'sex'],
    [
      [30, 'f'],
      [41, 'm'],
      [41, 'm'],
    ],
  )
  const released = tableOfRows(
    'released',
    ['age', 'sex'],
    [
      [30, 'm'],
      [41, 'm'],
      [30, 'f'],
      [99, 'f'],
    ],
  )
  const space = bitSpace([real, released, selectRows(real, [])], columnNames(real))
  const found = valueLikelihoods(space, Int32Array.of(0, 1))
  // 30 is released twice and nobody else has it, f twice and nobody else either; 41 once and one other has it, m twice and one other.
  expect(found[0]).toBeCloseTo(4 * Math.log2(1 + 1 / 0.1), 12)
  expect(found[1]).toBeCloseTo(3 * Math.log2(1 + 1 / 1.1), 12)
})

const people = (name: string, seed: number): Table =>
  table(
    name,
    ['a', 'b', 'c', 'd'].map((column) => {
      const random = stream(seed, column)
      return numeric(
        column,
        Array.from({ length: 120 }, () => Math.round(40 * drawNormal(random))),
      )
    }),
  )

/** AUC of both scores between 60 people of whom a release is made and 60 others. */
async function aucs(made: (members: Table) => Promise<Table>) {
  const real = people('real', 7)
  const members = selectRows(
    real,
    Array.from({ length: 60 }, (_, row) => row),
  )
  const all = Int32Array.from({ length: 120 }, (_, row) => row)
  const scores = await personScores(real, await made(members), all, 1, { tasks: inline })
  return (['shared information', 'information and values'] as const).map(
    (attack) => auc(scores[attack].subarray(0, 60), scores[attack].subarray(60))?.auc ?? 0.5,
  )
}

it('tells whose numbers were drawn where columns are drawn one by one, and bits in common hardly do', async () => {
  const [information, withValues] = await aucs((members) => synthesize(independent, members, { seed: 1 }))
  expect(withValues).toBeGreaterThan(information + 0.05)
})

it('tells nobody from others in a release of other people', async () => {
  const found: number[] = []
  for (let seed = 1; seed <= 20; seed++) found.push((await aucs(async () => people('others', 100 + seed)))[1])
  // The standard deviation of one is 0.053, so that of the mean 0.012.
  const mean = found.reduce((sum, area) => sum + area, 0) / found.length
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05)
})
