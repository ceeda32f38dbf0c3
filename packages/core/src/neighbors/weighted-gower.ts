/**
 * Exact nearest records under the weighted Gower distance (Gower 1971): d(x, y) = Σ ω_v δ_v, with δ_v = |x - y|/range
 * for a numeric variable and 0 or 1 for a categorical one.
 *
 * The records are sorted into a tree of boxes. A box knows, for each variable, the smallest and largest value in it, so a
 * lower bound of the distance from a query to everything inside is a sum over the variables; a box whose bound exceeds the
 * nearest distance so far is never opened. Because variables of large weight are split first, records of equal category
 * end up in one block. In a leaf, a candidate is abandoned as soon as its partial sum exceeds the nearest distance.
 *
 * Every distance is added up in the same order, heaviest variable first, and so is every bound: rounding can neither make
 * a bound exceed a distance nor break a tie. Memory is linear in the records; no matrix of distances exists.
 */
export interface GowerVariable {
  readonly kind: 'numeric' | 'categorical'
  readonly weight: number
  /** Of a numeric variable; 1 by default. */
  readonly range?: number
  /** One number per record: the value, or the code of the category. Never missing. */
  readonly values: ArrayLike<number>
}

/** Records laid out row by row. Values are kept as they are, so that equally distant whole numbers tie exactly. */
export interface GowerRecords {
  readonly rows: number
  readonly width: number
  readonly values: Float64Array
  /** Per variable: weight over range, or 0 for a categorical one; and the weight, or 0 for a numeric one. */
  readonly scale: Float64Array
  readonly categoryWeight: Float64Array
}

export interface GowerIndex {
  readonly records: GowerRecords
  /** Records in the order of the leaves. */
  readonly order: Int32Array
  /** Values of the records in that order. */
  readonly values: Float64Array
  /** Per node: first and last place in `order`, left child (right is the next one; 0 for a leaf), and its box. */
  readonly from: Int32Array
  readonly to: Int32Array
  readonly left: Int32Array
  readonly low: Float64Array
  readonly high: Float64Array
}

export interface Nearest {
  /** Infinity when there is no other record. */
  readonly distance: number
  /** Records at exactly that distance. */
  readonly records: readonly number[]
}

const LEAF_SIZE = 24
const MEDIAN_SAMPLE = 31

/** Variables without weight are left out: they cannot change a distance. */
export function gowerRecords(variables: readonly GowerVariable[], rows: number): GowerRecords {
  const heaviest = variables.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  const width = heaviest.length
  const values = new Float64Array(rows * width)
  for (const [v, { values: column }] of heaviest.entries()) {
    for (let row = 0; row < rows; row++) values[row * width + v] = column[row]
  }
  const scale = Float64Array.from(heaviest, ({ kind, weight, range = 1 }) => (kind === 'numeric' ? weight / range : 0))
  const categoryWeight = Float64Array.from(heaviest, ({ kind, weight }) => (kind === 'numeric' ? 0 : weight))
  return { rows, width, values, scale, categoryWeight }
}

export function gowerDistance({ values, width, scale, categoryWeight }: GowerRecords, a: number, b: number): number {
  let sum = 0
  for (let v = 0; v < width; v++)
    sum += termOf(values[a * width + v], values[b * width + v], scale[v], categoryWeight[v])
  return sum
}

function termOf(x: number, y: number, scale: number, categoryWeight: number): number {
  if (categoryWeight === 0) return Math.abs(x - y) * scale
  return x === y ? 0 : categoryWeight
}

/** The tree over `members`, some or all of the records. */
export function gowerIndex(records: GowerRecords, members: ArrayLike<number>): GowerIndex {
  const { width, values, scale, categoryWeight } = records
  const order = Int32Array.from(members)
  const sorted = new Float64Array(order.length * width)
  for (let at = 0; at < order.length; at++) {
    for (let v = 0; v < width; v++) sorted[at * width + v] = values[order[at] * width + v]
  }
  const mostNodes = Math.max(1, 2 * order.length)
  const from = new Int32Array(mostNodes)
  const to = new Int32Array(mostNodes)
  const left = new Int32Array(mostNodes)
  let low = new Float64Array(64 * width)
  let high = new Float64Array(64 * width)
  to[0] = order.length
  let nodes = 1
  for (let node = 0; node < nodes; node++) {
    if ((node + 1) * width > low.length) {
      low = doubled(low)
      high = doubled(high)
    }
    fitBox(node)
    const v = widest(node)
    if (to[node] - from[node] <= LEAF_SIZE || v < 0) continue
    const middle = split(node, v)
    left[node] = nodes
    from[nodes] = from[node]
    to[nodes] = middle
    from[nodes + 1] = middle
    to[nodes + 1] = to[node]
    nodes += 2
  }
  return {
    records,
    order,
    values: sorted,
    from: from.slice(0, nodes),
    to: to.slice(0, nodes),
    left: left.slice(0, nodes),
    low,
    high,
  }

  function fitBox(node: number): void {
    const box = node * width
    low.fill(Number.POSITIVE_INFINITY, box, box + width)
    high.fill(Number.NEGATIVE_INFINITY, box, box + width)
    for (let at = from[node]; at < to[node]; at++) {
      const row = at * width
      for (let v = 0; v < width; v++) {
        const value = sorted[row + v]
        if (value < low[box + v]) low[box + v] = value
        if (value > high[box + v]) high[box + v] = value
      }
    }
  }

  /** The variable along which the records of a box lie farthest apart; -1 when they are all alike. */
  function widest(node: number): number {
    let best = -1
    let most = 0
    for (let v = 0; v < width; v++) {
      const spread = termOf(high[node * width + v], low[node * width + v], scale[v], categoryWeight[v])
      if (spread > most) {
        most = spread
        best = v
      }
    }
    return best
  }

  /** Sorts the records of a box into those up to about the median of `v` and those above; neither side is empty. */
  function split(node: number, v: number): number {
    const size = to[node] - from[node]
    const sample = Float64Array.from({ length: MEDIAN_SAMPLE }, (_, k) => {
      const at = from[node] + Math.floor(((k + 0.5) * size) / MEDIAN_SAMPLE)
      return sorted[at * width + v]
    }).sort()
    const median = sample[MEDIAN_SAMPLE >> 1]
    const includesMedian = median < high[node * width + v]
    let middle = from[node]
    let end = to[node]
    while (middle < end) {
      const value = sorted[middle * width + v]
      if (value < median || (includesMedian && value === median)) middle++
      else swap(middle, --end)
    }
    return middle
  }

  /** Rows move with their number: every box is then read from one stretch of memory. */
  function swap(a: number, b: number): void {
    const record = order[a]
    order[a] = order[b]
    order[b] = record
    for (let v = 0; v < width; v++) {
      const value = sorted[a * width + v]
      sorted[a * width + v] = sorted[b * width + v]
      sorted[b * width + v] = value
    }
  }
}

function doubled(array: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length)
  larger.set(array)
  return larger
}

/** A search over one index, with room of its own: the query is any of the records and is never its own neighbour. */
export function nearestIn(index: GowerIndex): (query: number) => Nearest {
  const { records, order, values, from, to, left, low, high } = index
  const { width, scale, categoryWeight } = records
  const point = new Float64Array(width)
  const stack = new Int32Array(2 * 64 + left.length)
  const bounds = new Float64Array(stack.length)

  return (query) => {
    point.set(records.values.subarray(query * width, (query + 1) * width))
    let distance = Number.POSITIVE_INFINITY
    let found: number[] = []
    let top = 0
    if (order.length > 0) {
      stack[0] = 0
      bounds[0] = 0
      top = 1
    }
    while (top > 0) {
      const node = stack[--top]
      if (bounds[top] > distance) continue
      if (left[node] === 0) scan(node)
      else {
        const near = boundOf(left[node], distance)
        const far = boundOf(left[node] + 1, distance)
        const first = near <= far ? left[node] : left[node] + 1
        push(near <= far ? left[node] + 1 : left[node], Math.max(near, far))
        push(first, Math.min(near, far))
      }
    }
    return { distance, records: found }

    function push(node: number, bound: number): void {
      if (bound > distance) return
      stack[top] = node
      bounds[top++] = bound
    }

    // Hot: the simple version is `for every member: d = gowerDistance(query, member); keep the smallest`.
    function scan(node: number): void {
      for (let at = from[node]; at < to[node]; at++) {
        if (order[at] === query) continue
        const row = at * width
        let sum = 0
        for (let v = 0; v < width; v++) {
          const x = point[v]
          const y = values[row + v]
          if (categoryWeight[v] === 0) sum += (x > y ? x - y : y - x) * scale[v]
          else if (x !== y) sum += categoryWeight[v]
          if (sum > distance) break
        }
        if (sum > distance) continue
        if (sum < distance) found = []
        distance = sum
        found.push(order[at])
      }
    }
  }

  function boundOf(node: number, distance: number): number {
    const box = node * width
    let sum = 0
    for (let v = 0; v < width; v++) {
      const x = point[v]
      const below = low[box + v]
      const above = high[box + v]
      if (x < below) sum += categoryWeight[v] === 0 ? (below - x) * scale[v] : categoryWeight[v]
      else if (x > above) sum += categoryWeight[v] === 0 ? (x - above) * scale[v] : categoryWeight[v]
      if (sum > distance) return sum
    }
    return sum
  }
}
