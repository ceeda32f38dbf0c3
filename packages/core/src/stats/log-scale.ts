import { math } from '@scrim/kernels'
/**
 * Sums of positive numbers that are known by their logarithms. The largest is taken out first, so that nothing overflows
 * and what underflows does not matter: log Σ exp(l) = L + log Σ exp(l - L), L = max l.
 */
import { sum } from './sums.js'

/** log Σ exp(l); minus infinity where all of them are. */
export function logSumExp(logs: ArrayLike<number>): number {
  const most = largest(logs)
  return most === -Infinity
    ? most
    : most + math.log(sum(Float64Array.from({ length: logs.length }, (_, k) => math.exp(logs[k] - most))))
}

/** The logarithm of the mean of exp(l), of a mixture; the weights must sum to 1 and are equal if not given. */
export function logMeanExp(logs: ArrayLike<number>, weights?: ArrayLike<number>): number {
  if (weights === undefined) return logSumExp(logs) - math.log(logs.length)
  return logSumExp(
    Float64Array.from({ length: logs.length }, (_, k) => (weights[k] > 0 ? logs[k] + math.log(weights[k]) : -Infinity)),
  )
}

/** exp(l) / Σ exp(l) in place: probabilities from log odds (softmax), shares from the logarithms of amounts. */
export function sharesOfLogs(logs: Float64Array): void {
  const most = largest(logs)
  let total = 0
  for (let k = 0; k < logs.length; k++) {
    logs[k] = math.exp(logs[k] - most)
    total += logs[k]
  }
  for (let k = 0; k < logs.length; k++) logs[k] /= total
}

function largest(logs: ArrayLike<number>): number {
  let most = -Infinity
  for (let k = 0; k < logs.length; k++) most = Math.max(most, logs[k])
  return most
}
