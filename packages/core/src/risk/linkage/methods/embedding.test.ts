import { expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { meanOf, score, TEN, TEN_RELEASED, together } from '../../../testing/linkage.js'
import { embeddingCosts } from './embedding.js'

const random = (purpose: string) => stream(1, purpose)
const options = { latent: 3, epochs: 50, original: 'query' as const }

it('links the ten people, missing values and all, the same for the same seed', async () => {
  const files = together(TEN, TEN_RELEASED)
  const run = () => score(files, embeddingCosts(files, options, random).costs)
  const first = await run()
  expect(await run()).toEqual(first)
  expect(first.distance.every((distance) => distance >= 0 && distance <= 1)).toBe(true)
  expect(meanOf(first.risk)).toBeGreaterThan(0.3)
})

it('finds everybody in the original itself', async () => {
  const files = together(TEN, TEN)
  const { risk, distance } = await score(files, embeddingCosts(files, options, random).costs)
  expect(meanOf(risk)).toBe(1)
  expect(Math.max(...distance)).toBe(0)
})
