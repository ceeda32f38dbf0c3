import { expect, it } from 'vitest'
import { tableOf } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/linkage.js'
import type { Costs } from '../costs.js'
import { proximityCosts } from './proximity.js'

const context = { seed: 1, tasks: inline, progress: () => {}, signal: undefined }

it('is the share of trees with the same leaf', async () => {
  const files = together(tableOf('x', { k: [1, 2, 3] }), tableOf('a', { k: [1, 2, 3] }))
  const costs: Costs = {
    keys: [],
    divideBy: null,
    round: null,
    leaves: {
      trees: 3,
      query: Int32Array.from([1, 2, 1, 9, 9, 9, 8, 8, 8]),
      search: Int32Array.from([1, 2, 3, 1, 1, 1, 2, 2, 1]),
    },
    searches: 3,
  }
  const { risk, guessed, distance } = await score(files, costs)
  expect(risk[0]).toBeCloseTo(1 / 3, 12)
  expect(guessed[0]).toBe(3)
  expect(distance[0]).toBeCloseTo(1 / 3, 12)
})

it('links the ten people, the same for the same seed', async () => {
  const files = together(TEN, TEN_RELEASED)
  const run = async () => score(files, (await proximityCosts(files, 60, 'query', context)).costs)
  const first = await run()
  expect(await run()).toEqual(first)
  for (const distance of first.distance) expect(Math.abs(60 * distance - Math.round(60 * distance))).toBeLessThan(1e-9)
  expect(meanOf(first.risk)).toBeGreaterThan(0)
})
