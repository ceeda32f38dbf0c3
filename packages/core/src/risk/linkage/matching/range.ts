import { transport } from '../../../stats/transport/assignment.js'
import type { Block } from '../costs/blocks.js'
import { type Costs, within } from '../costs/costs.js'
import type { LinkedFiles } from '../costs/linked-files.js'
import { multiplicity, type Truth } from '../truth/truth.js'
import { finiteRows } from './matching.js'
import { type Ties, tightPairs } from './one-to-one.js'

/**
 * Many assignments may cost the same: one-to-one linkage is then not one number. The share of people who get their own record
 * in the worst and in the best of the cheapest assignments; whatever a program breaks ties by, its share is in between.
 *
 * People of class a whose record is of class c, T of them, are interchangeable, and so are these records. What flows from the one
 * group to the other may all be right; it may all be wrong where T > 1, by dealing the records round. So both ends are
 * transportation problems again, over the pairs that the cheapest assignments may use.
 */
export type Range = {
  readonly least: number
  readonly most: number
}

interface Linkage {
  readonly files: LinkedFiles
  readonly costs: Costs
  readonly truth: Truth
  readonly blocks: readonly Block[]
}

/** Different keys in a block, and pairs of groups, up to which it is looked for. */
const MOST_CLASSES = 2000
const MOST_PAIRS = 1e6

/** Null where there is too much to look at, or a record is several people's. */
export function rangeOfFinds(linkage: Linkage): Range | null {
  if (multiplicity(linkage.truth) > 1) return null
  const people = linkage.files.query.ids.length
  let [least, most] = [0, 0]
  for (const block of linkage.blocks) {
    const found = findsInBlock(linkage, block)
    if (found === null) return null
    least += found.least
    most += found.most
  }
  return { least: least / people, most: most / people }
}

/** People with the same key whose records have the same key, or such records; `other` is the class of these. */
interface Group {
  readonly own: number
  readonly other: number
  readonly size: number
}

const NOBODY = -1

function findsInBlock({ files, costs: all, truth }: Linkage, { queries, searches }: Block): Range | null {
  const { costs, counts } = within(all, files.search.counts, searches)
  if (costs.searches === 0) return { least: 0, most: 0 }
  if (queries.length > MOST_CLASSES || costs.searches > MOST_CLASSES) return null
  const supply = Int32Array.from(queries, (a) => files.query.counts[a])
  const rows = finiteRows(costs, queries)
  const assignable = { supply, capacity: counts, costs: rows.cost }
  const plan = transport({ supply, capacity: counts, costs: (row) => ({ at: null, cost: rows.cost(row) }) })
  const ties = tightPairs(assignable, plan)
  if (ties === null) return null

  const rowOf = new Map(Array.from(queries, (a, row) => [a, row]))
  const columnOf = searches === null ? null : new Map(Array.from(searches, (c, column) => [c, column]))
  const pairs = new Map<number, Group>()
  for (let person = 0; person + 1 < truth.start.length; person++)
    for (let k = truth.start[person]; k < truth.start[person + 1]; k++) {
      const c = files.search.ids[truth.rows[k]]
      const [own, other] = [rowOf.get(files.query.ids[person]), columnOf === null ? c : columnOf.get(c)]
      if (own === undefined || other === undefined || rows.isImpossible(own, other)) continue
      const pair = own * costs.searches + other
      pairs.set(pair, { own, other, size: (pairs.get(pair)?.size ?? 0) + 1 })
    }
  return bothEnds(ties, [...pairs.values()])
}

function bothEnds(ties: Ties, pairs: readonly Group[]): Range | null {
  const people = groupsOf(ties.supply, pairs)
  const records = groupsOf(
    ties.capacity,
    pairs.map(({ own, other, size }) => ({ own: other, other: own, size })),
  )
  const placesOf: number[][] = Array.from(ties.capacity, () => [])
  for (const [place, { own }] of records.entries()) placesOf[own].push(place)
  const at = people.map(({ own }) =>
    Int32Array.from(Array.from(ties.columns[own]).flatMap((column) => placesOf[column])),
  )
  if (at.reduce((sum, places) => sum + places.length, 0) > MOST_PAIRS) return null
  const isOwn = (row: number, place: number) =>
    people[row].other !== NOBODY && people[row].other === records[place].own && people[row].own === records[place].other
  const [supply, capacity] = [people, records].map((groups) => Int32Array.from(groups, ({ size }) => size))
  const cheapest = (price: (row: number, place: number) => number) =>
    transport({
      supply,
      capacity,
      costs: (row) => ({ at: at[row], cost: Float64Array.from(at[row], (place) => price(row, place)) }),
    })
  const best = cheapest((row, place) => (isOwn(row, place) ? 0 : 1))
  const worst = cheapest((row, place) => (isOwn(row, place) && people[row].size === 1 ? 1 : 0))
  const most = best.flows.reduce((sum, { row, column, amount }) => sum + (isOwn(row, column) ? amount : 0), 0)
  return { least: Math.round(worst.total), most }
}

/** The groups of each class, in the order of the classes: those of pairs, and what is left. */
function groupsOf(sizes: Int32Array, pairs: readonly Group[]): Group[] {
  const ofClass: Group[][] = Array.from(sizes, () => [])
  for (const pair of pairs) ofClass[pair.own].push(pair)
  return ofClass.flatMap((groups, at) => {
    const size = groups.reduce((left, group) => left - group.size, sizes[at])
    return size === 0 ? groups : [...groups, { own: at, other: NOBODY, size }]
  })
}
