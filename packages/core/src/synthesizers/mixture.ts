/** The log of the mean of probabilities that are given by their logs: of a mixture with equal weights. */
export function logMeanExp(logs: Float64Array): number {
  const top = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (top === Number.NEGATIVE_INFINITY) return top
  return top + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - top), 0) / logs.length)
}
