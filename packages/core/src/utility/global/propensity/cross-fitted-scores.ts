import { boosting } from '../../../learners/boosting.js'
import { forest } from '../../../learners/forest.js'
import { type FitContext, fitContext, type Model, type Response } from '../../../learners/learner.js'
import type { Context } from '../../../measure.js'
import { stratifiedFolds } from '../../../random/sampling.js'
import { mean } from '../../../stats/sums.js'
import { selectRows, type Table } from '../../../table/table.js'
import type { Pair } from '../../pair.js'
import type { Options } from '../c2st.js'
import { asShares } from './column-shares.js'
import { stackTables } from './propensity.js'
import { scoreStatistics } from './propensity-statistics.js'

/** Scores of records by classifiers that have not seen them. */
export const EVEN = 0.5

const FEWEST_PER_FOLD = 2

function learn(name: Options['learner'], features: Table, response: Response, context: FitContext): Promise<Model> {
  return name === 'boosting'
    ? boosting.fit(features, response, boosting.options.parse({ rounds: 60, eta: 0.1, maxDepth: 4 }), context)
    : forest.fit(features, response, forest.options.parse({ trees: 200 }), context)
}

export async function crossFitted(pair: Pair, { learner: name, folds }: Options, context: Context) {
  const { original, released, variables } = pair
  const count = Math.min(folds, Math.floor(Math.min(original.rows, released.rows) / FEWEST_PER_FOLD))
  if (count < 2) return null
  const pooled = stackTables(original, released, variables)
  const labels = Int32Array.from({ length: pooled.rows }, (_, row) => (row < original.rows ? 0 : 1))
  const fold = stratifiedFolds(context.random('folds'), labels, count)
  const scores = new Float64Array(pooled.rows)
  const perFold: number[] = []
  const gains = new Map<string, number>(variables.map((variable) => [variable, 0]))
  for (let k = 0; k < count; k++) {
    const rowsWhere = (is: (row: number) => boolean) => Int32Array.from(labels.keys()).filter(is)
    const test = rowsWhere((row) => fold[row] === k)
    const training = rowsWhere((row) => fold[row] !== k)
    const model = await learn(
      name,
      selectRows(pooled, training),
      { kind: 'classes', codes: training.map((row) => labels[row]), levels: ['original', 'released'] },
      fitContext({ ...context, progress: undefined }, `c2st/fold ${k}`),
    )
    const probabilities = await model.predictProbabilities(selectRows(pooled, test))
    for (const [place, row] of test.entries()) scores[row] = probabilities[2 * place + 1]
    for (const { name: of, value } of model.importance) gains.set(of, (gains.get(of) ?? 0) + value)
    const unseen = test.filter((row) => labels[row] === 0).length
    perFold.push(
      scoreStatistics(
        Float64Array.from(test, (row) => scores[row]),
        unseen,
      ).auc,
    )
    context.progress(k + 1, count)
  }
  const columns = asShares([...gains].map(([column, value]) => ({ name: column, value })))
  return { auc: mean(perFold) ?? EVEN, perFold, scores, columns }
}
