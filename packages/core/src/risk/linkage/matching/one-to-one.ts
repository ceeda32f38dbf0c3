import type { Stream } from '../../../random/stream.js'
import { sum } from '../../../stats/sums.js'
import { type CostRow, type Flow, type Plan, transport } from '../../../stats/transport/assignment.js'
import { tieAt } from './guesses.js'

/**
 * One-to-one linkage (global distance-based record linkage, Herranz et al. 2016): of all ways to give every person a record of
 * their own, the cheapest. Equal people and equal records are interchangeable, so classes are what is assigned: with f people
 * of class a (n_a) getting records of class c (n_c), each of them has each record with weight f / (n_a n_c). To break such ties
 * by the order of rows would be to know the truth: a copy with 12 different keys and 200 rows would score 1 instead of 0.06.
 * Where different classes tie as well, several optimal assignments are drawn at random and averaged.
 */
export interface Assignable {
  readonly supply: Int32Array
  readonly capacity: Int32Array
  readonly costs: (row: number) => Float64Array
}

export interface Assigned {
  /** Mean number of people of `row` that get a record of `column`. */
  readonly flows: readonly Flow[]
  readonly total: number
  /** Groups of classes with more than one optimal assignment; null where there were too many ties to look at. */
  readonly tied: number | null
}

const DRAWS = 25
/** Ties of different classes are looked at up to so many pairs. */
const MOST_TIES = 4e6

export function oneToOne({ supply, capacity, costs }: Assignable, random: Stream): Assigned {
  const dense = (row: number): CostRow => ({ at: null, cost: costs(row) })
  const plan = transport({ supply, capacity, costs: dense })
  const ties = tightPairs({ supply, capacity, costs }, plan)
  if (ties === null) return { flows: plan.flows, total: plan.total, tied: null }
  const { groups, groupOfRow } = cyclicGroups(ties)
  if (groups.length === 0) return { flows: plan.flows, total: plan.total, tied: 0 }
  const kept = plan.flows.filter(({ row }) => groupOfRow[row] < 0)
  const drawn = groups.flatMap((group) => averageFlows(group, ties, random))
  return { flows: [...kept, ...drawn].filter(({ row }) => row < supply.length), total: plan.total, tied: groups.length }
}

/** Pairs that an optimal assignment may use, with a row or column for what is left over. */
export interface Ties {
  readonly supply: Int32Array
  readonly capacity: Int32Array
  /** Columns of each row. */
  readonly columns: readonly Int32Array[]
}

export function tightPairs({ supply, capacity, costs }: Assignable, { rows, columns }: Plan): Ties | null {
  const [people, records] = [sum(supply), sum(capacity)]
  const m = capacity.length
  const tight: Int32Array[] = []
  let pairs = 0
  for (let row = 0; row < supply.length; row++) {
    const cost = costs(row)
    const own: number[] = []
    for (let j = 0; j < m; j++) if (cost[j] - rows[row] - columns[j] <= tieAt(0)) own.push(j)
    if (people > records && -rows[row] - columns[m] <= tieAt(0)) own.push(m)
    pairs += own.length
    if (pairs > MOST_TIES) return null
    tight.push(Int32Array.from(own))
  }
  const capacities = people > records ? appended(capacity, people - records) : capacity
  if (people >= records) return { supply, capacity: capacities, columns: tight }
  const free = Int32Array.from(columns.keys()).filter((j) => columns[j] >= -tieAt(0))
  return { supply: appended(supply, records - people), capacity, columns: [...tight, free] }
}

interface Group {
  readonly rows: readonly number[]
  readonly columns: readonly number[]
}

/** Connected groups of rows and columns in which there is a choice: with more pairs than a tree has. */
function cyclicGroups({ supply, capacity, columns }: Ties): { groups: Group[]; groupOfRow: Int32Array } {
  const n = supply.length
  const parent = Int32Array.from({ length: n + capacity.length }, (_, k) => k)
  const root = (k: number) => {
    let at = k
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]]
      at = parent[at]
    }
    return at
  }
  for (const [row, own] of columns.entries()) for (const j of own) parent[root(row)] = root(n + j)
  const members = new Map<number, { rows: number[]; columns: number[]; pairs: number }>()
  const of = (k: number) => {
    const known = members.get(root(k)) ?? { rows: [], columns: [], pairs: 0 }
    members.set(root(k), known)
    return known
  }
  for (const [row, own] of columns.entries()) {
    of(row).rows.push(row)
    of(row).pairs += own.length
  }
  for (let j = 0; j < capacity.length; j++) of(n + j).columns.push(j)
  const groups = [...members.values()].filter((one) => one.pairs >= one.rows.length + one.columns.length)
  const groupOfRow = new Int32Array(n).fill(-1)
  for (const [k, group] of groups.entries()) for (const row of group.rows) groupOfRow[row] = k
  return { groups, groupOfRow }
}

/** Optimal assignments within a group, drawn by random costs of the pairs that tie. */
function averageFlows({ rows, columns }: Group, { supply, capacity, columns: tight }: Ties, random: Stream): Flow[] {
  const place = new Map(columns.map((column, at) => [column, at]))
  const at = rows.map((row) => Int32Array.from(tight[row], (column) => place.get(column) ?? 0))
  const sums = new Map<number, number>()
  for (let draw = 0; draw < DRAWS; draw++) {
    const cost = at.map((own) => Float64Array.from(own, () => random.uniform()))
    const { flows } = transport({
      supply: Int32Array.from(rows, (row) => supply[row]),
      capacity: Int32Array.from(columns, (column) => capacity[column]),
      costs: (row) => ({ at: at[row], cost: cost[row] }),
    })
    for (const { row, column, amount } of flows) {
      const pair = row * columns.length + column
      sums.set(pair, (sums.get(pair) ?? 0) + amount)
    }
  }
  return Array.from(sums, ([pair, amount]) => ({
    row: rows[Math.floor(pair / columns.length)],
    column: columns[pair % columns.length],
    amount: amount / DRAWS,
  }))
}

function appended(values: Int32Array, last: number): Int32Array {
  const longer = new Int32Array(values.length + 1)
  longer.set(values)
  longer[values.length] = last
  return longer
}
