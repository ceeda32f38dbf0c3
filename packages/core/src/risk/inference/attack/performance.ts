import { countIds, math } from '@scrim/kernels'
import { mostProbable } from '../../../learners/learner.js'
import { median } from '../../../stats/quantile.js'
import { mean, sum, variance } from '../../../stats/sums.js'
import { type ClassPredictions, classRates, type Predictions, trueClassProbabilities } from './classes.js'

/** How good the attacker is on real people: beside RAPID this is the utility of the release for the same question. */
export type Performance = Readonly<Record<string, number | null>>

const SMALLEST_PROBABILITY = 1e-15

export function performanceOf(predictions: Predictions): Performance {
  return predictions.kind === 'classes'
    ? classPerformance(predictions)
    : numberPerformance(predictions.truth, predictions.predicted)
}

function classPerformance(predictions: ClassPredictions): Performance {
  const { truth, probabilities, levels } = predictions
  const n = truth.length
  const g = trueClassProbabilities(predictions)
  const guess = mostProbable(probabilities, levels.length)
  const right = truth.map((code, row) => (guess[row] === code ? 1 : 0))
  const recalls = classRates(right, truth, levels.length).filter((rate) => rate !== null)
  let brier = 0
  for (let cell = 0; cell < probabilities.length; cell++) {
    const is = truth[Math.floor(cell / levels.length)] === cell % levels.length ? 1 : 0
    brier += (probabilities[cell] - is) ** 2
  }
  return {
    accuracy: sum(right) / n,
    majority: Math.max(...countIds(truth, levels.length)) / n,
    balancedAccuracy: mean(recalls),
    logLoss: logLoss(g),
    brier: brier / n,
  }
}

/** Mean of -log g, g the probability of the true class and at least 1e-15; null without records. */
export function logLoss(g: Float64Array): number | null {
  return mean(g.map((p) => -math.log(Math.max(p, SMALLEST_PROBABILITY))))
}

function numberPerformance(truth: Float64Array, predicted: Float64Array): Performance {
  const errors = truth.map((y, row) => Math.abs(y - predicted[row]))
  const mae = mean(errors)
  const mse = mean(errors.map((error) => error * error))
  const size = mean(truth.map(Math.abs))
  const spread = variance(truth)
  const ratio = (a: number | null, b: number | null) => (a !== null && b !== null && b > 0 ? a / b : null)
  const rmse = mse === null ? null : Math.sqrt(mse)
  const r2 = ratio(mse === null ? null : mse * truth.length, spread === null ? null : spread * (truth.length - 1))
  return {
    mae,
    rmse,
    relativeMae: ratio(mae, size),
    relativeRmse: ratio(rmse, spread === null ? null : Math.sqrt(spread)),
    r2: r2 === null ? null : 1 - r2,
    medianError: median(errors),
  }
}
