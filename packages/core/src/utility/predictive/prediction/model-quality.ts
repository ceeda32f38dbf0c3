import { mostProbable } from '../../../learners/learner.js'
import type { Predictions } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { mean } from '../../../stats/sums.js'
import type { Pair } from '../../pair.js'
import type { Options } from '../mqs.js'
import { crossFit, crossFitOnce, knownRows, questionOf } from './prediction.js'

type Metric = 'RMSE' | 'accuracy'

type Quality = {
  readonly learner: Options['learners'][number]
  readonly original: number
  readonly released: number
  readonly ratio: number
}

/** How well models of the original and of the release predict, record by record. */
export interface Qualities {
  readonly metric: Metric
  readonly learners: readonly Quality[]
  /** Per learner: what each record of the original, and of the release, adds to the quality. */
  readonly losses: readonly (readonly [Float64Array, Float64Array])[]
}

/** Null where a ratio has no value: an error or an accuracy of 0. */
export async function qualities(pair: Pair, { learners }: Options, context: Context): Promise<Qualities | null> {
  const found: Quality[] = []
  const losses: (readonly [Float64Array, Float64Array])[] = []
  let metric: Metric = 'accuracy'
  for (const learner of learners) {
    const question = questionOf(pair, { learner })
    const x = (await crossFitOnce(question, pair.original, context)).predictions
    const y = (await crossFit(question, pair.released, context, foldsOfCopies(pair))).predictions
    metric = x.kind === 'numbers' ? 'RMSE' : 'accuracy'
    const [own, other] = [lossesOf(x), lossesOf(y)]
    const [original, released] = [qualityOf(metric, own), qualityOf(metric, other)]
    losses.push([own, other])
    if (!(original > 0 && released > 0)) return null
    found.push({ learner, original, released, ratio: metric === 'RMSE' ? released / original : original / released })
  }
  return { metric, learners: found, losses }
}

const FOLDS = 5

/** Copies of a record stand in one fold: no model is tested on a record that it saw. */
function foldsOfCopies({ drawn, released, target }: Pair): Int32Array | null {
  return drawn === null ? null : knownRows(released, target).map((row) => drawn[row] % FOLDS)
}

/** Squared errors of numbers, 1 for a class that was guessed. */
function lossesOf(predictions: Predictions): Float64Array {
  if (predictions.kind === 'numbers') {
    const { truth, predicted } = predictions
    return truth.map((value, i) => (value - predicted[i]) ** 2)
  }
  const { truth, probabilities, levels } = predictions
  const guesses = mostProbable(probabilities, levels.length)
  return Float64Array.from(truth, (code, i) => (guesses[i] === code ? 1 : 0))
}

export function qualityOf(metric: Metric, losses: Float64Array): number {
  const average = mean(losses) ?? 0
  return metric === 'RMSE' ? Math.sqrt(average) : average
}
