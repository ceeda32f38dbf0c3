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
