import { expect, it } from 'vitest'
import { numeric } from '../../../table/column.js'
import { table, tableOf } from '../../../table/table.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
import { placesOf, rankCosts } from './ranks.js'

const ones = (files: ReturnType<typeof together>) => files.keys.map(() => 1)

it('links the ten people by the places of their numbers', async () => {
  const files = together(TEN, TEN_RELEASED)
  const { distance, risk, least, rank, guessed } = await score(files, rankCosts(files, ones(files), 'ignore'))
  const expected = [0.0125, 0, 0.2625, 0.1, 0.025, 0.0125, 0, 0, 0.0125, 0.1]
  for (const [k, value] of expected.entries()) expect(distance[k]).toBeCloseTo(value, 10)
  expect(least[2]).toBeCloseTo(0.225, 10)
  expect([guessed[2], rank[2]]).toEqual([2, 4])
  expect(meanOf(risk)).toBeCloseTo(0.9, 12)
})

it('has places that do not depend on the size of the file', () => {
  const places = (values: number[]) => {
    const { query, keys } = together(tableOf('x', { v: values }), tableOf('a', { v: values }))
    const byClass = placesOf(
      query,
      Float64Array.from(keys[0].query, (code) => keys[0].numbers[code]),
    )
    return values.map((_, row) => byClass[query.ids[row]])
  }
  expect(places([1, 2])).toEqual([0.25, 0.75])
  expect(places([1, 1, 2, 2])).toEqual([0.25, 0.25, 0.75, 0.75])
})

it('sees through a strictly monotone change of a key', async () => {
  const changed = table(
    'changed',
    TEN.columns.map((column) =>
      column.kind === 'numeric'
        ? numeric(
            column.name,
            column.values.map((value) => value ** 3 - 1000),
          )
        : column,
    ),
  )
  const files = together(TEN, changed)
  expect(meanOf((await score(files, rankCosts(files, ones(files), 'expected'))).risk)).toBe(1)
})
