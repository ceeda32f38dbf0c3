import { ascendingOrder } from '@scrim/kernels'

/** Ranks from 1, equal values sharing their mean rank; NaN for NaN. */
export function meanRanks(values: Float64Array): Float64Array {
  const order = ascendingOrder(values)
  const ranks = new Float64Array(values.length).fill(Number.NaN)
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++
    for (let k = from; k < to; k++) ranks[order[k]] = (from + 1 + to) / 2
  }
  return ranks
}

/** Spearman's correlation, ties by mean ranks; null with fewer than three values or where all of one side are equal. */
export function rankCorrelation(x: Float64Array, y: Float64Array): number | null {
  if (x.length < 3) return null
  const [a, b] = [meanRanks(x), meanRanks(y)]
  const centre = (x.length + 1) / 2
  let [ab, aa, bb] = [0, 0, 0]
  for (let j = 0; j < x.length; j++) {
    ab += (a[j] - centre) * (b[j] - centre)
    aa += (a[j] - centre) ** 2
    bb += (b[j] - centre) ** 2
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : null
}
