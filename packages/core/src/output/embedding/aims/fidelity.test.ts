import { expect, it } from 'vitest'
import { tableOf } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { requestSchema } from '../../description/description.js'
import { requestTable } from '../../description/variables.js'
import { recomputed } from '../../numbers/recompute.js'
import { type Codes, codedTable } from '../records/coded-records.js'
import { fidelityOf } from './fidelity.js'

const request = requestSchema.parse({
  outputs: [
    { id: 'counts', kind: 'table', by: ['sex'] },
    { id: 'ages', kind: 'summary', var: 'age', by: ['sex'], statistics: ['mean'], decimals: 0 },
  ],
})
/** Two women of 20 and 30, two men of 40 and 50. */
const people = requestTable(request, tableOf('people', { sex: ['f', 'f', 'm', 'm'], age: [20, 30, 40, 50] }))
const published = request.outputs.map((output) => recomputed(output, people))
const { variables, codes } = codedTable(people)

const fidelity = (...embedded: readonly Codes[]) => fidelityOf(variables, request.outputs, published, embedded, inline)

/** The records with some codes changed: those of sex and age by turns. */
function changed(changes: Readonly<Record<number, number>>): Codes {
  return codes.map((code, at) => changes[at] ?? code)
}

it('the records themselves reproduce everything', async () => {
  for (const { fidelity: share, mae, largest } of await fidelity(codes, codes))
    expect([share, mae, largest]).toEqual([1, 0, 0])
})

it('is the share of printed numbers that come out, over all embedded sets', async () => {
  // A man of 40 as a woman of 40: 3 and 1 people of 30 and 50 years, where 2 and 2 of 25 and 45 were printed.
  const [counts, ages] = await fidelity(codes, changed({ 4: codes[0] }))
  expect([counts.fidelity, counts.mae, counts.mse, counts.largest]).toEqual([0.5, 0.5, 0.5, 1])
  expect([ages.fidelity, ages.mae, ages.mse, ages.largest]).toEqual([0.5, 2.5, 12.5, 5])
  expect(ages.elements.map(({ published: printed, mean, least, most }) => [printed, mean, least, most])).toEqual([
    [25, 27.5, 25, 30],
    [45, 47.5, 45, 50],
  ])
})

it('a number that embedded records do not define is not reproduced', async () => {
  // Nobody is a man: there is no mean of men.
  const [, ages] = await fidelity(changed({ 4: codes[0], 6: codes[0] }))
  expect(ages.fidelity).toBe(0)
  expect(ages.elements.map(({ mean }) => mean)).toEqual([35, null])
})
