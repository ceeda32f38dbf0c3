import { expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { tableOf } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
import { type Block, blocksOf } from '../costs/blocks.js'
import type { Costs } from '../costs/costs.js'
import { type ForestLinkage, proximityCosts } from './proximity.js'

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
  const run = async () => score(files, (await proximityCosts(files, 60, 'query', null, context)).costs)
  const first = await run()
  expect(await run()).toEqual(first)
  for (const distance of first.distance) expect(Math.abs(60 * distance - Math.round(60 * distance))).toBeLessThan(1e-9)
  expect(meanOf(first.risk)).toBeGreaterThan(0)
})

it('grows one forest per block, and one of all records for blocks of a single one', async () => {
  const draws = stream(3, 'people')
  const age = Array.from({ length: 51 }, () => 20 + draws.below(60))
  const sexes = age.map((_, row) => (row < 25 ? 'f' : row < 50 ? 'm' : 'd'))
  const made = (name: string, shift: number, rows = 51) =>
    tableOf(name, { sex: sexes.slice(0, rows), age: age.slice(0, rows).map((years) => years + shift) })
  const files = together(made('x', 0), made('a', 0.4))
  const grow = (of: typeof files, blocks: readonly Block[] | null) => proximityCosts(of, 30, 'query', blocks, context)
  const blocks = blocksOf(files, [['sex']])
  const [split, whole] = [await grow(files, blocks), await grow(files, null)]
  const leaves = (of: ForestLinkage, row: number) => {
    const at = files.query.ids[row]
    return Array.from(of.costs.leaves?.query.slice(30 * at, 30 * at + 30) ?? [])
  }
  expect(leaves(split, 50)).toEqual(leaves(whole, 50))
  expect(leaves(split, 0)).not.toEqual(leaves(whole, 0))
  // Within a block the sex tells nothing.
  expect(split.importance.find(({ name }) => name === 'sex')?.value).toBe(0)
  expect(whole.importance.find(({ name }) => name === 'age')?.value).toBeGreaterThan(0)
  expect((await score(files, split.costs, { blocks: [['sex']] })).risk[50]).toBe(1)
  // What is learnt within a block is learnt from the block alone.
  const women = together(made('x', 0, 25), made('a', 0.4, 25))
  expect(leaves(await grow(women, blocksOf(women, [['sex']])), 0)).toEqual(leaves(split, 0))
})
