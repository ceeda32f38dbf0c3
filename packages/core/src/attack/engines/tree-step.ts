import { math } from '@scrim/kernels'
import { type GrownNode, type GrownTree, leavesBelow, sideOf } from '../generator/grown-tree.js'
import { type ReleasedEntries, selectReleased } from '../generator/records.js'
import { addLog, type Entries, emptyTotals, entriesOf, type Totals } from './set-totals.js'

/**
 * One step of making a record: the tree that gives one code (a value, or whether it is missing), and the released records
 * in its leaves. With a_v of A donors in a leaf and r_v released records there, a leaf gives Σ r_v log a_v - Σ r_v log A.
 */
export interface TreeStep extends StepSource {
  /** By distinct beginning: log of the share of donors that have this code. */
  readonly log: Float64Array
  readonly leaves: ReadonlyMap<GrownNode, ReleasedInLeaf>
  /** Released records on whose way a coin decides. */
  readonly byCoins: readonly number[]
  readonly totals: Totals
  /** Released records on their way, the logs they get, and logs by code in a leaf: minus infinity between uses. */
  readonly sent: Int32Array
  readonly spare: Int32Array
  readonly sentLog: Float64Array
  readonly logOfCode: Float64Array
  readonly donorsOfCode: Int32Array
}

export type Part = 'indicator' | 'value'

export interface StepSource {
  readonly tree: GrownTree
  readonly j: number
  readonly part: Part
  /** The released records up to the variable that the step makes, each distinct beginning once. */
  readonly released: ReleasedEntries
  /** By column of the tree, by distinct beginning: the rank or level. */
  readonly before: readonly Int32Array[]
  /** By distinct beginning: the code that the step makes of it, NOT_MADE if none. */
  readonly made: Int32Array
  /** The same by record of the base. */
  readonly donorCode: Int32Array
  /** All codes are below. */
  readonly codes: number
}

export interface ReleasedInLeaf {
  /** Its released records are `from` to `to` - 1: they are numbered from the left leaf to the right one. */
  readonly from: number
  readonly to: number
  readonly donors: ReadonlyMap<number, number>
  /** Released records of the leaf by set, and by code and set. */
  readonly all: Entries
  readonly byCode: ReadonlyMap<number, Entries>
}

/** The tree of the base with the record of a row changed, which gives the code `is` there instead of `was`. */
export interface DonorChange {
  readonly row: number
  readonly was: number
  readonly is: number
}

export const NOT_MADE = -2
const NOBODY: DonorChange = { row: -1, was: NOT_MADE, is: NOT_MADE }

export function treeStep(step: StepSource): TreeStep {
  const { source, order, inLeaf, coins } = fromLeftToRight(step)
  const { tree, released, made, donorCode, codes } = source
  const log = new Float64Array(made.length)
  const leaves = new Map<GrownNode, ReleasedInLeaf>()
  for (const { leaf, from, to } of inLeaf) {
    const donors = countDonors(donorCode, NOBODY, leaf)
    const records = Array.from({ length: to - from }, (_, k) => from + k)
    for (const u of records) log[u] = math.log((donors.get(made[u]) ?? 0) / Math.max(1, leaf.rows.length))
    const byCode = Array.from(
      together(records, (u) => made[u]),
      ([code, own]) => [code, entriesOf(released, own)] as const,
    )
    leaves.set(leaf, { from, to, donors, all: entriesOf(released, records), byCode: new Map(byCode) })
  }
  const byCoins = Array.from({ length: order.length - coins }, (_, k) => coins + k)
  for (const u of byCoins) log[u] = math.log(shareByCoins(source, NOBODY, tree.root, u))
  return {
    ...source,
    log,
    leaves,
    byCoins,
    totals: totalsOf(step, order, log),
    sent: new Int32Array(made.length),
    spare: new Int32Array(made.length),
    sentLog: new Float64Array(made.length),
    logOfCode: new Float64Array(codes).fill(Number.NEGATIVE_INFINITY),
    donorsOfCode: new Int32Array(codes),
  }
}

/** Numbers the released records so that those of a branch lie side by side, where they are gone through again and again. */
function fromLeftToRight(source: StepSource) {
  const { tree, made, before, released } = source
  const makes = Array.from(made.keys()).filter((u) => made[u] !== NOT_MADE)
  const order = new Int32Array(makes.length)
  const byLeaf = together(makes, (u) => releasedLeaf(source, tree.root, u))
  let at = 0
  const inLeaf = leavesBelow(tree.root).map((leaf) => {
    const records = byLeaf.get(leaf) ?? []
    order.set(records, at)
    at += records.length
    return { leaf, from: at - records.length, to: at }
  })
  order.set(byLeaf.get(null) ?? [], at)
  const pick = (codes: Int32Array) => Int32Array.from(order, (u) => codes[u])
  return {
    source: { ...source, released: selectReleased(released, order), made: pick(made), before: before.map(pick) },
    /** The released records that the step makes: those of the leaves from left to right, then those that coins decide on. */
    order,
    inLeaf,
    /** The place of the first that coins decide on. */
    coins: at,
  }
}

/** Summed in the order in which the records were released, whatever the leaves. */
function totalsOf({ released, made }: StepSource, order: Int32Array, log: Float64Array): Totals {
  const totals = emptyTotals(released.sets)
  const logs = new Float64Array(made.length)
  for (let k = 0; k < order.length; k++) logs[order[k]] = log[k]
  for (let u = 0; u < made.length; u++) if (made[u] !== NOT_MADE) addLog(released, totals, u, logs[u], 1)
  return totals
}

function together<Key>(records: Iterable<number>, keyOf: (u: number) => Key): Map<Key, number[]> {
  const byKey = new Map<Key, number[]>()
  for (const u of records) {
    const key = keyOf(u)
    const members = byKey.get(key)
    if (members === undefined) byKey.set(key, [u])
    else members.push(u)
  }
  return byKey
}

/** The leaf of a released record, null where a coin decides on the way. */
function releasedLeaf({ before }: StepSource, top: GrownNode, u: number): GrownNode | null {
  let node = top
  while (!node.isLeaf && node.split !== null && node.left !== null && node.right !== null) {
    const side = sideOf(node.split, before[node.split.column][u])
    if (side === 0) return null
    node = side < 0 ? node.left : node.right
  }
  return node
}

export function shareByCoins(source: StepSource, change: DonorChange, node: GrownNode, u: number): number {
  const { made, before, donorCode } = source
  if (node.isLeaf || node.split === null || node.left === null || node.right === null) {
    let donors = 0
    for (const row of node.rows) if (codeOf(donorCode, change, row) === made[u]) donors++
    return donors / node.rows.length
  }
  const side = sideOf(node.split, before[node.split.column][u])
  if (side !== 0) return shareByCoins(source, change, side < 0 ? node.left : node.right, u)
  return (shareByCoins(source, change, node.left, u) + shareByCoins(source, change, node.right, u)) / 2
}

export function countDonors(donorCode: Int32Array, change: DonorChange, leaf: GrownNode): Map<number, number> {
  const counts = new Map<number, number>()
  for (const row of leaf.rows) {
    const code = codeOf(donorCode, change, row)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  return counts
}

export function codeOf(donorCode: Int32Array, { row, is }: DonorChange, donor: number): number {
  return donor === row ? is : donorCode[donor]
}
