import { NotApplicable } from '../../../errors.js'
import type { Predictions } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { split } from '../../../random/sampling.js'
import { auc } from '../../../stats/tests/auc.js'
import { columnOf, completeRows, type Table } from '../../../table/table.js'
import type { Pair } from '../../../utility/pair.js'
import {
  fitQuestion,
  predictRows,
  type Question,
  questionOf,
} from '../../../utility/predictive/prediction/prediction.js'
import { tstr as own } from '../../../utility/predictive/tstr.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'

/**
 * Complete records only; a share of the originals, drawn once, is the test set (a
 * holdout, where there is one) and the others train the first model, all released records the second. Scores are R² about the
 * mean of the test set, not below 0, or the area under the curve, for more than two classes the plain mean over classes, ½ for
 * a class that is not there; the value is their ratio. Chance is not subtracted, so that a release that keeps nothing scores
 * 0.83 where the original reaches an area of 0.6; and one split tells nothing about its own noise.
 */
export const tstr = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'scores of one random split, with chance',
    statistic: async (pair, { learner }, context) =>
      (await oneSplit(pair, questionOf(pair, { learner }), context)).ratio,
    compute: async (pair, { learner }, context) => {
      const scores = await oneSplit(pair, questionOf(pair, { learner }), context)
      return {
        value: scores.ratio,
        ...(scores.ratio === null ? { reason: `the original does not predict "${pair.target}"` } : {}),
        interval: null,
        details: {
          ...scores,
          target: pair.target,
          learner,
          trtrInterval: null,
          tstrInterval: null,
          tstrAll: null,
          testedOn: pair.outside === null ? 'originals' : 'holdout',
        },
      }
    },
  },
})

const TEST_SHARE = 0.3
const FEWEST_TESTED = 2
const FEWEST_COMPLETE = 10
const NOTHING = 1e-10

async function oneSplit(pair: Pair, question: Question, context: Context) {
  const { original, released, outside, variables } = pair
  const own = completeRows(original, variables)
  const made = completeRows(released, variables)
  if (Math.min(own.length, made.length) < FEWEST_COMPLETE)
    throw new NotApplicable(`fewer than ${FEWEST_COMPLETE} records are complete`)
  const size = Math.max(FEWEST_TESTED, halfEven(own.length * TEST_SHARE))
  const { chosen, rest } = split(context.random('test set'), own.length, size / own.length)
  const all = (rows: Int32Array) => rows.map((place) => own[place])
  const [test, training, tested] =
    outside === null ? [original, all(rest), all(chosen)] : [outside, own, completeRows(outside, variables)]
  const score = async (data: Table, rows: Int32Array, purpose: string) =>
    scoreOf(await predictRows(question, await fitQuestion(question, data, rows, purpose, context), test, tested))
  const trtr = await score(original, training, 'training part')
  const tstr = await score(released, made, 'complete release')
  const isNumber = columnOf(original, question.target).kind !== 'categorical'
  return {
    metric: isNumber ? 'R²' : 'AUC',
    trtr,
    tstr,
    /** Null where the original scores 0. */
    ratio: trtr < NOTHING ? null : tstr / trtr,
    tested: tested.length,
    trained: made.length,
  }
}

function halfEven(value: number): number {
  const down = Math.floor(value)
  if (value - down !== 0.5) return Math.round(value)
  return down % 2 === 0 ? down : down + 1
}

export function scoreOf(predictions: Predictions): number {
  if (predictions.kind === 'numbers') {
    const { truth, predicted } = predictions
    const centre = truth.reduce((sum, value) => sum + value, 0) / truth.length
    const around = truth.reduce((sum, value) => sum + (value - centre) ** 2, 0)
    const wrong = truth.reduce((sum, value, i) => sum + (value - predicted[i]) ** 2, 0)
    return around < NOTHING ? 1 : Math.max(0, 1 - wrong / around)
  }
  const { truth, probabilities } = predictions
  const levels = predictions.levels.length
  const areaOf = (level: number) => {
    const score = Float64Array.from(truth, (_, i) => probabilities[i * levels + level])
    const found = auc(
      score.filter((_, i) => truth[i] === level),
      score.filter((_, i) => truth[i] !== level),
    )
    return found?.auc ?? 0.5
  }
  if (levels === 2) return areaOf(1)
  const areas = Array.from({ length: levels }, (_, level) => areaOf(level))
  return areas.reduce((sum, area) => sum + area, 0) / levels
}
