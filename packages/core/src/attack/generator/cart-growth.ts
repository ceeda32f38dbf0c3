import { BOUND_LEVELS, joinBranches, joinLimits, limitsOfLeaf, MOST_DEPTH } from './branch-cost.js'
import { staysBestWith } from './changed-response.js'
import {
  type FoundSplit,
  type GrownNode,
  type GrownSplit,
  type GrownTree,
  type GrowthStep,
  type KnownSearches,
  placeOf,
  SPLIT_PER_BUCKET,
  sideOf,
  splitOfBase,
} from './grown-tree.js'
import {
  type ChangedRecord,
  growRows,
  type NodeSearch,
  nodeSearch,
  rowsOfNode,
  searchSplit,
  splitOf,
  type World,
  worldOf,
} from './node-search.js'
import { sharedSplit } from './shared-split.js'

/**
 * Trees of worlds that differ from a base in one record, without growing them anew. A node that the record is not in, in
 * either world, has the same rows and so the same branch below; only nodes on the way of the record are searched again,
 * and of these only where the changed columns could beat the split of the base (`shared-split.ts`). What is shared is the
 * same object, so whoever compares two trees sees at once where they differ. The rules of growing are those of the kernel
 * `growCartNodes`, which finds the split of each node; the simple version grows the tree of each world with it.
 */
export function growTree(step: GrowthStep, rows: Int32Array): GrownTree {
  const search = nodeSearch(step)
  const growth = growthOf(search, riskOf(step, rows, null), null, null)
  const root = growNode(growth, freshPlace(rows, 0, Number.POSITIVE_INFINITY))
  return { search, root, alpha: growth.alpha, kept: growth.kept }
}

/** The tree with one record changed, which may be among the rows of the step in the base, in the world, or in both. */
export function growChanged(base: GrownTree, changed: ChangedRecord, wasIn: boolean, isIn: boolean): GrownNode {
  const { search, root, alpha, kept } = base
  const inBase: Growth = { search, world: null, alpha, kept, inBase: null }
  const world = worldOf(search, changed)
  const same = wasIn && isIn && !world.responseChanged
  const rows = changedRows(root.rows, changed.row, wasIn, isIn)
  const growth = same ? { ...inBase, world, inBase } : growthOf(search, riskOf(search.step, rows, world), world, inBase)
  return growNode(growth, { base: root, wasIn, isIn, rows, depth: 0, bound: Number.POSITIVE_INFINITY })
}

interface Growth {
  readonly search: NodeSearch
  readonly world: World | null
  readonly alpha: number
  readonly kept: number
  /** The growth of the base; null for itself. */
  readonly inBase: Growth | null
}

const NO_GAIN_OF_ALL = 1e-12

function growthOf(search: NodeSearch, rootRisk: number, world: World | null, inBase: Growth | null): Growth {
  const alpha = search.step.settings.cp * rootRisk
  return { search, world, alpha, kept: alpha + NO_GAIN_OF_ALL * rootRisk, inBase }
}

/** A node to grow: its rows, and the node of the base that it stands for, if any. */
interface Place {
  readonly base: GrownNode | null
  /** Whether the changed record is in the node of the base, and in this one. */
  readonly wasIn: boolean
  readonly isIn: boolean
  readonly rows: Int32Array
  readonly depth: number
  readonly bound: number
}

function freshPlace(rows: Int32Array, depth: number, bound: number): Place {
  return { base: null, wasIn: false, isIn: false, rows, depth, bound }
}

/** Splits of worlds that a node of the base keeps in mind. */
const MOST_ALTERNATIVES = 256
/** Below so many rows it is faster to grow all of a branch than to look for what can be shared. */
const MOST_AT_ONCE = 80

function growNode(growth: Growth, place: Place): GrownNode {
  const { search, world, alpha } = growth
  const { base, rows, depth, bound } = place
  if (base !== null && !place.wasIn && !place.isIn)
    return growsTheSame(base, growth, bound) ? base : growNode(growth, freshPlace(rows, depth, bound))
  const { step } = search
  const untouched = base !== null && place.wasIn && place.isIn && world?.responseChanged === false
  const small = base === null || (!untouched && rows.length <= MOST_AT_ONCE)
  if (world !== null && small && depth > 0 && step.leastRisk > BOUND_LEVELS * alpha)
    return growAtOnce(growth, rows, depth, bound)
  const risk = untouched ? base.risk : riskOf(step, rows, world)
  const { minbucket } = step.settings
  const decides = rows.length >= SPLIT_PER_BUCKET * minbucket && depth < MOST_DEPTH
  const searched = decides && Math.min(risk, bound) > alpha
  const split = searched ? findSplit(growth, place, untouched) : null
  if (split !== null) return growBelow(growth, place, risk, split, untouched)
  return untouched && base.isLeaf && base.split === null ? base : leafOf(growth, place, risk, decides, searched)
}

function findSplit(
  { search, world }: Growth,
  { base, wasIn, isIn, rows }: Place,
  untouched: boolean,
): FoundSplit | null {
  if (base?.searched && world !== null && wasIn && isIn) {
    if (untouched) return sharedSplit(search, world, base)
    if (staysBestWith(search, world, base)) return splitOfBase(base)
  }
  return searchSplit(search, world, rows, search.step.settings.minbucket, base)
}

/** The node with both branches below its split, or the node of the base if they are those of the base. */
function growBelow(growth: Growth, place: Place, risk: number, best: FoundSplit, untouched: boolean): GrownNode {
  const { world, alpha, kept } = growth
  const { base, rows, bound } = place
  const like = nodeLike(growth, place, best)
  const grow = (side: 'left' | 'right', childBound: number) =>
    growNode(growth, childPlace(growth, place, best[side], like?.[side] ?? null, childBound))
  const left = grow('left', Math.min(risk, bound) - alpha)
  const achieved = Math.max((risk - left.branch.risk) / (left.branch.splits + 1), risk - left.risk)
  const right = grow('right', Math.min(bound, achieved) - alpha)
  const branch = joinBranches(risk, left, right)
  const collapsed = branch.complexity <= kept
  const isBase = untouched && base?.left === left && base.right === right && base.split === best.split
  if (isBase && base.isLeaf === collapsed) return base
  return {
    rows,
    risk,
    searched: true,
    split: best.split,
    left,
    right,
    isLeaf: collapsed,
    branch: collapsed ? { risk, splits: 0, complexity: branch.complexity } : branch,
    bound,
    limits: joinLimits(risk, branch.complexity, collapsed, left.limits, right.limits),
    known: searchesOf(world),
  }
}

/** The node of the base, or what it would be with the split of the world: one whose children differ by the record only. */
function nodeLike(growth: Growth, { base, depth }: Place, split: FoundSplit): GrownNode | null {
  const { world, inBase } = growth
  if (base === null || world === null || inBase === null) return null
  if (leavesOthers(base, split, world.row)) return base
  const { alternatives } = base.known
  const { column, cut, lessGoesLeft, sides } = split.split
  const key = `${column} ${cut} ${lessGoesLeft} ${sides ?? ''}`
  const known = alternatives.get(key)
  if (known === undefined && alternatives.size < MOST_ALTERNATIVES) alternatives.set(key, null)
  if (known !== null) return known ?? null
  const sidesInBase = splitRows(growth.search.step, base.rows, split.split)
  const grown = growBelow(inBase, freshPlace(base.rows, depth, base.bound), base.risk, sidesInBase, false)
  alternatives.set(key, grown)
  return grown
}

/** The rows of the base on both sides of a split. */
function splitRows({ columns }: GrowthStep, rows: Int32Array, split: GrownSplit): FoundSplit {
  const { codes } = columns[split.column]
  const goesLeft = (row: number) => sideOf(split, codes[row]) < 0
  return { split, left: rows.filter(goesLeft), right: rows.filter((row) => !goesLeft(row)) }
}

function childPlace(
  { world }: Growth,
  { wasIn, isIn, depth }: Place,
  rows: Int32Array,
  base: GrownNode | null,
  bound: number,
): Place {
  if (base === null || world === null) return freshPlace(rows, depth + 1, bound)
  return {
    base,
    wasIn: wasIn && placeOf(base.rows, world.row) >= 0,
    isIn: isIn && placeOf(rows, world.row) >= 0,
    rows,
    depth: depth + 1,
    bound,
  }
}

function leafOf(
  { alpha, world }: Growth,
  { rows, bound }: Place,
  risk: number,
  decides: boolean,
  searched: boolean,
): GrownNode {
  return {
    rows,
    risk,
    searched,
    split: null,
    left: null,
    right: null,
    isLeaf: true,
    branch: { risk, splits: 0, complexity: alpha },
    bound,
    limits: limitsOfLeaf(risk, alpha, decides),
    known: searchesOf(world),
  }
}

const NEVER_A_BASE = noSearches()

function searchesOf(world: World | null): KnownSearches {
  return world === null ? noSearches() : NEVER_A_BASE
}

function noSearches(): KnownSearches {
  return { loose: new Map(), others: new Map(), alternatives: new Map() }
}

/** Whether a branch without the changed record is what it was although alpha or its bound are not. */
function growsTheSame({ limits, bound: was }: GrownNode, growth: Growth, bound: number): boolean {
  const { alpha, kept, inBase } = growth
  const baseAlpha = inBase?.alpha ?? alpha
  return (
    (limits.leastRisk > BOUND_LEVELS * Math.max(alpha, baseAlpha) || (bound === was && alpha === baseAlpha)) &&
    limits.mostStopped <= alpha &&
    limits.leastComplexity > kept &&
    limits.mostCollapsed <= kept
  )
}

/**
 * A branch that has nothing to share, by the kernel. It grows it as a tree of its own, with no bound from the branches to
 * its left; where risks are well above alpha there is none.
 */
function growAtOnce(growth: Growth, rows: Int32Array, depth: number, bound: number): GrownNode {
  const { search, world, alpha, kept } = growth
  const { step } = search
  const { minbucket, collapse } = step.settings
  const risk = riskOf(step, rows, world)
  const leaf = leafOf(growth, freshPlace(rows, depth, bound), risk, false, false)
  const minsplit = SPLIT_PER_BUCKET * minbucket
  if (rows.length < minsplit || risk <= alpha || depth >= MOST_DEPTH) return leaf
  const cp = Math.max(0, kept / risk - NO_GAIN_OF_ALL)
  const nodes = growRows(search, world, rows, { minsplit, minbucket, cp, maxDepth: MOST_DEPTH - depth, collapse })
  const build = (node: number): GrownNode => {
    const grownNode = { ...leaf, rows: node === 0 ? rows : rowsOfNode(nodes, node), risk: nodes.risk[node] }
    if (nodes.variable[node] < 0) return { ...grownNode, branch: { ...leaf.branch, risk: grownNode.risk } }
    const [left, right] = [build(nodes.left[node]), build(nodes.right[node])]
    const branch = joinBranches(grownNode.risk, left, right)
    return { ...grownNode, split: splitOf(step, nodes, node), left, right, isLeaf: false, branch }
  }
  return build(0)
}

/** Hot. */
function riskOf({ classes, response, settings }: GrowthStep, rows: Int32Array, world: World | null): number {
  const n = rows.length
  const changed = world?.row ?? -1
  const instead = world?.response ?? 0
  if (classes === 0) {
    let sum = 0
    for (let k = 0; k < n; k++) sum += rows[k] === changed ? instead : response[rows[k]]
    const mean = n > 0 ? sum / n : 0
    let squares = 0
    for (let k = 0; k < n; k++) {
      const difference = (rows[k] === changed ? instead : response[rows[k]]) - mean
      squares += difference * difference
    }
    return squares
  }
  const counts = new Float64Array(classes)
  for (let k = 0; k < n; k++) counts[rows[k] === changed ? instead : response[rows[k]]]++
  let squares = 0
  let most = 0
  for (let c = 0; c < classes; c++) {
    squares += counts[c] * counts[c]
    most = Math.max(most, counts[c])
  }
  return settings.collapse === 'gain' ? (n > 0 ? n - squares / n : 0) : n - most
}

/** Whether all records but the changed one are on the same side as in the base. */
function leavesOthers({ left, right }: GrownNode, split: FoundSplit, row: number): boolean {
  if (left === null || right === null) return false
  return left.rows === split.left || sameBut(left.rows, split.left, row)
}

/** Hot. Whether ascending rows are the same apart from one. */
function sameBut(a: Int32Array, b: Int32Array, row: number): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let k = 0
  let l = 0
  while (k < a.length || l < b.length) {
    if (k < a.length && a[k] === row) k++
    else if (l < b.length && b[l] === row) l++
    else if (k < a.length && l < b.length && a[k] === b[l]) {
      k++
      l++
    } else return false
  }
  return true
}

function changedRows(rows: Int32Array, row: number, wasIn: boolean, isIn: boolean): Int32Array {
  if (wasIn === isIn) return rows
  if (wasIn) return rows.filter((other) => other !== row)
  const longer = new Int32Array(rows.length + 1)
  longer.set(rows)
  longer[rows.length] = row
  return longer.sort()
}
