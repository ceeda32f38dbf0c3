import { expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { tableOf } from '../../../table/table.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
import { blocksOf } from '../costs/blocks.js'
import { embeddingCosts } from './embedding.js'

const random = (purpose: string, index?: number) => stream(1, purpose, index)
const options = { latent: 3, epochs: 50, original: 'query' as const }

it('links the ten people, missing values and all, the same for the same seed', async () => {
  const files = together(TEN, TEN_RELEASED)
  const run = () => score(files, embeddingCosts(files, options, null, random).costs)
  const first = await run()
  expect(await run()).toEqual(first)
  expect(first.distance.every((distance) => distance >= 0 && distance <= 1)).toBe(true)
  expect(meanOf(first.risk)).toBeGreaterThan(0.3)
})

it('finds everybody in the original itself', async () => {
  const files = together(TEN, TEN)
  const { risk, distance } = await score(files, embeddingCosts(files, options, null, random).costs)
  expect(meanOf(risk)).toBe(1)
  expect(Math.max(...distance)).toBe(0)
})

it('trains one network per block that is large enough, and one for the others', async () => {
  const draws = stream(2, 'people')
  const people = Array.from({ length: 90 }, (_, row) => ({
    block: row < 40 ? 'a' : row < 80 ? 'b' : 'c',
    x: draws.uniform(),
    y: draws.uniform(),
  }))
  const of = (name: string, shift: number) =>
    tableOf(name, {
      block: people.map(({ block }) => block),
      x: people.map(({ x }) => x + shift),
      y: people.map(({ y }) => y + shift),
    })
  const files = together(of('x', 0), of('a', 0.001))
  const blocks = blocksOf(files, [['block']])
  const split = embeddingCosts(files, { ...options, latent: 2 }, blocks, random)
  const whole = embeddingCosts(files, { ...options, latent: 2 }, null, random)
  expect([split.networks, whole.networks]).toEqual([3, 1])
  const own = (row: number) => split.costs.round?.query.slice(2 * row, 2 * row + 2)
  const shared = (row: number) => whole.costs.round?.query.slice(2 * row, 2 * row + 2)
  expect(own(0)).not.toEqual(shared(0))
  expect(own(85)).toEqual(shared(85))
  const { risk } = await score(files, split.costs, { blocks: [['block']] })
  expect(meanOf(risk)).toBeGreaterThan(0.7)
})
