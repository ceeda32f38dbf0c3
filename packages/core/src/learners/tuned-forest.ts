import { z } from 'zod'
import { forest } from './forest.js'
import type { Learner } from './learner.js'

/**
 * A random forest that chooses how many columns each node tries by the out-of-bag error, among 1, the square root, half and
 * all of the columns. The usual square root is 1 for up to three columns, which makes a weak attacker; for a measure of
 * risk a weak attacker errs on the unsafe side. Small forests choose, one of the full size is kept.
 */
const options = z.object({
  trees: z.number().int().min(1).default(500).describe('how many trees'),
  tuningTrees: z.number().int().min(1).default(100).describe('how many trees each candidate has while choosing'),
})

export const tunedForest: Learner<typeof options> = {
  id: 'rf-tuned',
  title: 'Random forest with tuned mtry',
  responses: ['classes', 'numbers'],
  options,
  async fit(features, response, { trees, tuningTrees }, context) {
    const candidates = candidatesFor(features.columns.length)
    const fit = (mtry: number, count: number) =>
      forest.fit(features, response, forest.options.parse({ mtry, trees: count }), { ...context, outOfBag: true })
    const errors: number[] = []
    for (const mtry of candidates) errors.push(await errorOf(fit(mtry, tuningTrees)))
    const best = candidates[errors.indexOf(Math.min(...errors))]
    const model = await fit(best, trees)
    return { ...model, notes: [`each node tries ${best} of ${features.columns.length} columns`, ...model.notes] }
  },
}

function candidatesFor(columns: number): number[] {
  const all = [1, Math.floor(Math.sqrt(columns)), Math.ceil(columns / 2), columns]
  return [...new Set(all.map((mtry) => Math.max(1, mtry)))]
}

async function errorOf(model: ReturnType<typeof forest.fit>): Promise<number> {
  const { logLoss, meanSquaredError } = (await model).outOfBag
  return logLoss ?? meanSquaredError ?? Number.POSITIVE_INFINITY
}
