import { countBelow } from '../../../stats/sorted.js'
/**
 * For each query the smallest factor c <= `most` such that some reference lies in the box of half-widths c · unit around
 * it: min over references of max over columns |x_v - s_v| / unit_v, a Chebyshev distance. Infinite when there is none.
 * In a column of unit 0 the two must be equal. So one pass answers for every width at once.
 *
 * References are sorted by their most selective column and walked outwards from the query while that column alone stays
 * within the best factor found: O(n log n) and a few steps per query, unless all columns have few values.
 */
export function closestBoxes(
  queries: readonly Float64Array[],
  references: readonly Float64Array[],
  unit: readonly number[],
  most: number,
): Float64Array {
  const columns = bySelectivity(references, unit)
  const width = columns.length
  const main = references[columns[0]]
  const order = Int32Array.from(main.keys()).sort((a, b) => main[a] - main[b])
  const sorted = Float64Array.from(order, (row) => main[row])
  const rows = new Float64Array(order.length * width)
  for (let at = 0; at < order.length; at++)
    for (let k = 0; k < width; k++) rows[at * width + k] = references[columns[k]][order[at]]
  const units = Float64Array.from(columns, (v) => unit[v])
  const point = new Float64Array(width)
  return Float64Array.from(queries[0], (_, query) => {
    for (let k = 0; k < width; k++) point[k] = queries[columns[k]][query]
    const from = countBelow(sorted, point[0])
    const above = walk(point, rows, units, from, 1, most)
    const below = walk(point, rows, units, from - 1, -1, Math.min(above, most))
    return Math.min(above, below)
  })
}

/** Hot: the least factor of at most `bound` among the rows from `from` on, or infinity; rows are sorted by column 0. */
function walk(
  point: Float64Array,
  rows: Float64Array,
  units: Float64Array,
  from: number,
  step: number,
  bound: number,
): number {
  const width = point.length
  let least = Number.POSITIVE_INFINITY
  let best = bound
  for (let row = from * width; row >= 0 && row < rows.length; row += step * width) {
    let factor = factorOf(point[0], rows[row], units[0])
    if (factor > best) break
    for (let k = 1; k < width && factor <= best; k++)
      factor = Math.max(factor, factorOf(point[k], rows[row + k], units[k]))
    if (factor <= best) {
      best = factor
      least = factor
    }
  }
  return least
}

function factorOf(x: number, s: number, unit: number): number {
  return x === s ? 0 : Math.abs(x - s) / unit
}

/** Columns by how few references a box of one unit holds, counted around every so many of them; fewest first. */
function bySelectivity(references: readonly Float64Array[], unit: readonly number[]): number[] {
  const inside = references.map((values, v) => {
    const sorted = values.slice().sort()
    const step = Math.max(1, Math.floor(sorted.length / PROBES))
    let count = 0
    for (let at = 0; at < sorted.length; at += step)
      count += 1 + countBelow(sorted, sorted[at] + unit[v]) - countBelow(sorted, sorted[at] - unit[v])
    return count
  })
  return [...references.keys()].sort((a, b) => inside[a] - inside[b])
}

const PROBES = 64
