import { total } from '../sums.js'
/**
 * Transportation problem: move the supplies of rows to the capacities of columns at the least total cost,
 *   min Σ c_ij f_ij,  Σ_j f_ij = supply_i,  Σ_i f_ij <= capacity_j,  f_ij >= 0 whole;
 * with ones everywhere the assignment problem. Solved exactly by successive shortest augmenting paths with prices
 * (Jonker and Volgenant 1987; for unequal numbers of rows and columns Crouse 2016). Supplies beyond the capacities stay
 * where they are: a column of cost 0 takes them. No pair of rows and columns is stored but those with a flow.
 */
export interface Transportation {
  readonly supply: Int32Array
  readonly capacity: Int32Array
  /** Costs of one row, for all columns or for those `at` (ascending); the arrays may be used again by the next call. */
  readonly costs: (row: number) => CostRow
}

export interface CostRow {
  readonly at: Int32Array | null
  readonly cost: Float64Array
}

export interface Plan {
  /** What flows, by row; the column `capacity.length` stands for staying where it is. */
  readonly flows: readonly Flow[]
  readonly total: number
  /** Prices: c_ij - rows_i - columns_j >= 0, and 0 where something flows. */
  readonly rows: Float64Array
  readonly columns: Float64Array
}

export interface Flow {
  readonly row: number
  readonly column: number
  readonly amount: number
}

export function transport({ supply, capacity, costs }: Transportation): Plan {
  const [n, m] = [supply.length, capacity.length]
  const surplus = Math.max(0, total(supply) - total(capacity))
  const width = surplus > 0 ? m + 1 : m
  const spare = new Int32Array(width)
  spare.set(capacity)
  if (surplus > 0) spare[m] = surplus
  const u = new Float64Array(n)
  const v = new Float64Array(width)
  /** Per column: who flows into it. */
  const holders: Map<number, number>[] = Array.from({ length: width }, () => new Map())

  const distance = new Float64Array(width)
  const from = new Int32Array(width)
  const settled = new Uint8Array(width)
  const open = new Int32Array(width)
  const reachedBy = new Int32Array(n)
  const reachedAt = new Float64Array(n)
  const inTree = new Uint8Array(n)

  for (let row = 0; row < n; row++) for (let left = supply[row]; left > 0; ) left -= augment(row, left)
  return { flows: flowsOf(holders), total: totalCost(), rows: u, columns: v }

  /** Sends up to `left` units of a row along the cheapest path to a column with spare capacity. */
  function augment(start: number, left: number): number {
    distance.fill(Number.POSITIVE_INFINITY)
    settled.fill(0)
    for (let j = 0; j < width; j++) open[j] = j
    let openCount = width
    const tree: number[] = [start]
    inTree[start] = 1
    reachedBy[start] = -1
    reachedAt[start] = 0
    let next = 0
    let least = 0
    let sink = -1
    while (sink < 0) {
      for (; next < tree.length; next++) relax(tree[next], least)
      let at = -1
      least = Number.POSITIVE_INFINITY
      for (let k = 0; k < openCount; k++) {
        const reach = distance[open[k]]
        if (reach < least || (reach === least && at >= 0 && spare[open[k]] > 0 && spare[open[at]] === 0)) {
          least = reach
          at = k
        }
      }
      if (at < 0) throw new Error('the supplies cannot be moved: some pairs have no finite cost')
      const column = open[at]
      open[at] = open[--openCount]
      settled[column] = 1
      if (spare[column] > 0) sink = column
      else
        for (const holder of holders[column].keys()) {
          if (inTree[holder] === 1) continue
          inTree[holder] = 1
          reachedBy[holder] = column
          reachedAt[holder] = least
          tree.push(holder)
        }
    }
    for (const row of tree) {
      u[row] += least - reachedAt[row]
      inTree[row] = 0
    }
    for (let j = 0; j < width; j++) if (settled[j] === 1) v[j] -= least - distance[j]
    return push(sink, left)
  }

  function relax(row: number, least: number): void {
    const { at, cost } = costs(row)
    const base = least - u[row]
    if (at === null) {
      for (let j = 0; j < m; j++) {
        const reach = base + cost[j] - v[j]
        if (reach < distance[j] && settled[j] === 0) {
          distance[j] = reach
          from[j] = row
        }
      }
    } else {
      for (let k = 0; k < at.length; k++) {
        const j = at[k]
        const reach = base + cost[k] - v[j]
        if (reach < distance[j] && settled[j] === 0) {
          distance[j] = reach
          from[j] = row
        }
      }
    }
    if (surplus > 0 && settled[m] === 0 && base - v[m] < distance[m]) {
      distance[m] = base - v[m]
      from[m] = row
    }
  }

  /** Along the path that ends in `sink`, as much as every step of it allows. */
  function push(sink: number, left: number): number {
    let amount = Math.min(left, spare[sink])
    for (let j = sink; ; ) {
      const back = reachedBy[from[j]]
      if (back < 0) break
      amount = Math.min(amount, holders[back].get(from[j]) ?? 0)
      j = back
    }
    for (let j = sink; ; ) {
      const row = from[j]
      holders[j].set(row, (holders[j].get(row) ?? 0) + amount)
      const back = reachedBy[row]
      if (back < 0) break
      const rest = (holders[back].get(row) ?? 0) - amount
      if (rest > 0) holders[back].set(row, rest)
      else holders[back].delete(row)
      j = back
    }
    spare[sink] -= amount
    return amount
  }

  function totalCost(): number {
    let sum = 0
    for (let row = 0; row < n; row++) sum += supply[row] * u[row]
    for (let j = 0; j < m; j++) sum += capacity[j] * v[j]
    return sum + surplus * (v[m] ?? 0)
  }
}

function flowsOf(holders: readonly ReadonlyMap<number, number>[]): Flow[] {
  const flows = holders.flatMap((rows, column) => Array.from(rows, ([row, amount]) => ({ row, column, amount })))
  return flows.sort((a, b) => a.row - b.row || a.column - b.column)
}
