import { expect, it } from 'vitest'
import { inline } from '../../../tasks/task.js'
import { TEN, TEN_RELEASED, together } from '../../../testing/scenes/linkage.js'
import { blocksOf } from '../costs/blocks.js'
import { NEAREST } from '../matching/guesses.js'
import { link } from '../matching/link.js'
import { gowerCosts } from '../methods/gower.js'
import { chanceOfFinds, chanceOfFindsInBlocks, varianceByChance } from './finds-by-chance.js'
import { askedOf, sameRows } from './truth.js'

async function varianceOn(names: readonly string[]): Promise<number | null> {
  const files = together(TEN, TEN_RELEASED, names)
  const weights = names.map(() => 1)
  const costs = gowerCosts(files, { weights, missing: 'ignore', span: 'pooled', original: 'query' })
  const blocks = blocksOf(files, [])
  const context = { tasks: inline, progress: () => {}, signal: undefined }
  const linked = await link(files, costs, NEAREST, askedOf(files, sameRows(10)), blocks, context)
  return varianceByChance({ files, linked, blocks })
}

it('knows how finds vary by chance', async () => {
  const all = (await varianceOn(['age', 'inc', 'sex', 'edu'])) ?? 0
  expect(all).toBeCloseTo(0.97777778, 8)
  expect((9 - 1) / Math.sqrt(all)).toBeCloseTo(8.0903983, 6)
  const coarse = (await varianceOn(['sex', 'edu'])) ?? 0
  expect(coarse).toBeCloseTo(0.49833333, 8)
  expect((4.15 - 1) / Math.sqrt(coarse)).toBeCloseTo(4.462216, 5)
})

it('bounds the chance of finds', () => {
  expect(chanceOfFinds(5, 100, 100)).toBeCloseTo(1 / 120, 12)
  expect(chanceOfFinds(1, 100, 100)).toBe(1)
  expect(chanceOfFinds(3, 10, 1000)).toBeCloseTo((10 * 9 * 8) / (1000 * 999 * 998) / 6, 15)
})

it('bounds it over blocks, never below the tail of the Poisson distribution', () => {
  const tail = [0.63212056, 0.26424112, 0.0803014, 0.01898816, 0.00365985]
  for (const [k, p] of tail.entries()) expect(chanceOfFindsInBlocks(k + 1, 1)).toBeGreaterThanOrEqual(p - 1e-9)
  expect(chanceOfFindsInBlocks(20, 1)).toBeLessThan(1e-10)
})
