import { z } from 'zod'
import { sum, weightedMean } from '../stats/sums.js'
import type { Table } from '../table/table.js'
import { trainingRows } from './coding/training-rows.js'
import {
  type Classes,
  type FitContext,
  type Learner,
  type Model,
  mostProbable,
  numberModel,
  type Response,
} from './learner.js'

const options = z.object({})

/**
 * Looks at no column: the shares of the classes in training, or the mean of the numbers, for everybody. The floor that
 * any attacker must beat.
 */
export const prior = {
  id: 'prior',
  title: 'Marginal of the response',
  responses: ['classes', 'numbers'],
  options,
  async fit(training: Table, wanted: Response, _: z.output<typeof options>, context: FitContext): Promise<Model> {
    const { features, response, weights } = trainingRows(training, wanted, context.weights)
    const importance = features.columns.map(({ name }) => ({ name, value: 0 }))
    if (response.kind === 'classes')
      return { ...constantClasses(classShares(response, weights)), importance, notes: [] }
    const { values } = response
    const mean = weights === null ? sum(values) / values.length : (weightedMean(values, weights) ?? Number.NaN)
    return {
      ...numberModel('a prior', async (table) => new Float64Array(table.rows).fill(mean)),
      importance,
      notes: [`mean ${mean}`],
    }
  },
} satisfies Learner<typeof options>

/** Σ w of each class / Σ w. */
function classShares({ codes, levels }: Classes, weights: Float64Array | null): Float64Array {
  const shares = new Float64Array(levels.length)
  for (let row = 0; row < codes.length; row++) shares[codes[row]] += weights === null ? 1 : weights[row]
  const total = sum(shares)
  return shares.map((share) => share / total)
}

/** The same probabilities for every row. */
export function constantClasses(shares: Float64Array): Pick<Model, 'predict' | 'predictProbabilities'> {
  const [best] = mostProbable(shares, shares.length)
  return {
    predict: async (table) => new Float64Array(table.rows).fill(best),
    predictProbabilities: async (table) => {
      const probabilities = new Float64Array(table.rows * shares.length)
      for (let row = 0; row < table.rows; row++) probabilities.set(shares, row * shares.length)
      return probabilities
    },
  }
}
