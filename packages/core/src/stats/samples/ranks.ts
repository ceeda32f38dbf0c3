import { ascendingOrder } from '@scrim/kernels'

/** Ranks from 1, equal values sharing their mean rank; NaN for NaN. */
export const meanRanks = (values: Float64Array): Float64Array => midRanks(values).ranks

/** The same with Σ (t³ - t) over the sizes t of ties. */
export function midRanks(values: Float64Array): { readonly ranks: Float64Array; readonly tieTerm: number } {
  const order = ascendingOrder(values)
  const ranks = new Float64Array(values.length).fill(Number.NaN)
  let tieTerm = 0
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++
    const ties = to - from
    tieTerm += ties * (ties - 1) * (ties + 1)
    for (let k = from; k < to; k++) ranks[order[k]] = (from + 1 + to) / 2
  }
  return { ranks, tieTerm }
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

/**
 * Kendall's (1945) τ_b = (concordant - discordant pairs) / √(pairs untied in x · pairs untied in y), by Knight's (1966) merge
 * count in O(n log n); null with fewer than two values or where all of one side are equal. No NaN.
 */
export function kendallTau(x: Float64Array, y: Float64Array): number | null {
  const n = x.length
  const order = Int32Array.from(x.keys()).sort((i, j) => x[i] - x[j] || y[i] - y[j])
  const pairs = (runs: readonly number[]) => runs.reduce((sum, run) => sum + (run * (run - 1)) / 2, 0)
  const all = (n * (n - 1)) / 2
  const tiedX = pairs(runsOf(order, (i, j) => x[i] === x[j]))
  const tiedBoth = pairs(runsOf(order, (i, j) => x[i] === x[j] && y[i] === y[j]))
  const byY = Float64Array.from(order, (i) => y[i])
  const swaps = sortCounting(byY)
  const tiedY = pairs(runsOf(Int32Array.from(byY.keys()), (i, j) => byY[i] === byY[j]))
  const untied = Math.sqrt(all - tiedX) * Math.sqrt(all - tiedY)
  return untied > 0 ? (all - tiedX - tiedY + tiedBoth - 2 * swaps) / untied : null
}

/** Lengths of runs of equal neighbours. */
function runsOf(order: Int32Array, equal: (i: number, j: number) => boolean): number[] {
  const runs: number[] = []
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && equal(order[from], order[to])) to++
    runs.push(to - from)
  }
  return runs
}

/** Sorts ascending in place and counts the pairs that stood the wrong way round. */
function sortCounting(values: Float64Array): number {
  const n = values.length
  let from: Float64Array = values
  let to: Float64Array = new Float64Array(n)
  let swaps = 0
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const [middle, end] = [Math.min(n, start + width), Math.min(n, start + 2 * width)]
      let [left, right] = [start, middle]
      for (let k = start; k < end; k++) {
        if (left < middle && (right >= end || from[left] <= from[right])) to[k] = from[left++]
        else {
          to[k] = from[right++]
          swaps += middle - left
        }
      }
    }
    ;[from, to] = [to, from]
  }
  if (from !== values) values.set(from)
  return swaps
}
