/**
 * For each query the smallest factor c <= `most` such that some reference lies in the box of half-widths c · unit around
 * it: min over references of max over columns |x_v - s_v| / unit_v, a Chebyshev distance. Infinite when there is none.
 * In a column of unit 0 the two must be equal. So one pass answers for every width at once.
 *
 * References are cut in two again and again in the middle of the column in which they are most units apart. Of the two parts
 * the one with the nearer box is searched first, and a part whose box is farther than the best factor found is passed over.
 */
export function closestBoxes(
  queries: readonly Float64Array[],
  references: readonly Float64Array[],
  unit: readonly number[],
  most: number,
): Float64Array {
  const parts = cutApart(references, unit)
  const point = new Float64Array(unit.length)
  const factors = new Float64Array(queries[0].length)
  for (let query = 0; query < factors.length; query++) {
    for (let v = 0; v < point.length; v++) point[v] = queries[v][query]
    factors[query] = leastFactor(parts, point, most)
  }
  return factors
}

/** A binary tree of parts, the whole first. */
interface Parts {
  readonly units: Float64Array
  /** References side by side in the order of the smallest parts. */
  readonly rows: Float64Array
  /** First reference of each part, and the end. */
  readonly from: number[]
  readonly to: number[]
  /** The first of the two parts that a part was cut into, the second is the next one; 0 where it was not cut. */
  readonly cutInto: number[]
  /** Part by part: least and largest number of each column. */
  readonly low: number[]
  readonly high: number[]
}

/** Not worth cutting. */
const FEW = 8

function cutApart(references: readonly Float64Array[], unit: readonly number[]): Parts {
  const width = unit.length
  const order = Int32Array.from(references[0].keys())
  const parts = { from: [0], to: [order.length], cutInto: [0], low: [] as number[], high: [] as number[] }
  const { from, to, cutInto, low, high } = parts
  for (let part = 0; part < from.length; part++) {
    let widest = 0
    let apart = 0
    for (let v = 0; v < width; v++) {
      const [least, largest] = rangeOf(references[v], order, from[part], to[part])
      low.push(least)
      high.push(largest)
      const between = factorOf(least, largest, unit[v])
      if (between > apart) [widest, apart] = [v, between]
    }
    if (apart === 0 || to[part] - from[part] <= FEW) continue
    const [least, largest] = [low[part * width + widest], high[part * width + widest]]
    const middle = least / 2 + largest / 2
    const cut = moveBelow(references[widest], order, from[part], to[part], middle > least ? middle : largest)
    cutInto[part] = from.length
    from.push(from[part], cut)
    to.push(cut, to[part])
    cutInto.push(0, 0)
  }
  const rows = new Float64Array(order.length * width)
  for (let at = 0; at < order.length; at++)
    for (let v = 0; v < width; v++) rows[at * width + v] = references[v][order[at]]
  return { units: Float64Array.from(unit), rows, ...parts }
}

function rangeOf(values: Float64Array, order: Int32Array, from: number, to: number): [number, number] {
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let at = from; at < to; at++) {
    const value = values[order[at]]
    if (value < least) least = value
    if (value > largest) largest = value
  }
  return [least, largest]
}

/** Moves the rows below a number to the front and returns where the others begin. */
function moveBelow(values: Float64Array, order: Int32Array, from: number, to: number, number: number): number {
  let middle = from
  for (let at = from; at < to; at++) {
    const row = order[at]
    if (values[row] >= number) continue
    order[at] = order[middle]
    order[middle++] = row
  }
  return middle
}

/** Hot: the least factor of at most `most`, or infinity. */
function leastFactor(parts: Parts, point: Float64Array, most: number): number {
  const { units, rows, from, to, cutInto } = parts
  const width = point.length
  let least = Number.POSITIVE_INFINITY
  let best = most
  const search = (part: number): void => {
    const first = cutInto[part]
    if (first > 0) {
      const [one, other] = [factorToBox(parts, first, point), factorToBox(parts, first + 1, point)]
      const [near, far] = one <= other ? [first, first + 1] : [first + 1, first]
      if (Math.min(one, other) <= best) search(near)
      if (Math.max(one, other) <= best) search(far)
      return
    }
    for (let row = from[part] * width; row < to[part] * width; row += width) {
      let factor = 0
      for (let v = 0; v < width && factor <= best; v++)
        factor = Math.max(factor, factorOf(point[v], rows[row + v], units[v]))
      if (factor <= best) {
        best = factor
        least = factor
      }
    }
  }
  search(0)
  return least
}

/** No reference of the part has a smaller factor: subtracting and dividing keep the order of numbers when rounded, too. */
function factorToBox({ units, low, high }: Parts, part: number, point: Float64Array): number {
  const width = point.length
  let factor = 0
  for (let v = 0; v < width; v++) {
    const at = part * width + v
    if (point[v] < low[at]) factor = Math.max(factor, factorOf(point[v], low[at], units[v]))
    else if (point[v] > high[at]) factor = Math.max(factor, factorOf(point[v], high[at], units[v]))
  }
  return factor
}

function factorOf(x: number, s: number, unit: number): number {
  return x === s ? 0 : Math.abs(x - s) / unit
}
