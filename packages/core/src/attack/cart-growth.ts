import { type CartColumn, type CartNodes, type CartResponse, growCartNodes } from '@scrim/kernels'
import type { CartSettings } from './cart-generator.js'

/**
 * Trees of worlds that differ from a base in one record, without growing them anew. A node that the record is not in, in
 * either world, has the same rows and so the same branch below; only nodes on the way of the record are searched again,
 * and of these only where the changed columns could beat the split of the base (`staysBest`). What is shared is the same
 * object, so whoever compares two trees sees at once where they differ. The rules of growing are those of the kernel
 * `growCartNodes`, which finds the split of each node; the simple version grows the tree of each world with it.
 */
export interface GrowthColumn {
  readonly variable: number
  readonly isIndicator: boolean
  /** By row of the base: the rank of a number among `distinct`, or a level. */
  readonly codes: Int32Array
  /** Numbers: all that may occur, ascending; null for levels. */
  readonly distinct: Float64Array | null
  readonly levels: number
  /** Numbers: rows by ascending rank. */
  readonly order: Int32Array
}

export interface GrowthStep {
  readonly columns: readonly GrowthColumn[]
  /** 0 where the response is a number. */
  readonly classes: number
  /** By row of the base: a number, or a class. */
  readonly response: Float64Array
  /** No node has a risk between 0 and this. */
  readonly leastRisk: number
  readonly settings: CartSettings
}

/** What the changed record is in another world; codes are by column. */
export interface ChangedRecord {
  readonly row: number
  readonly codes: Int32Array
  readonly response: number
}

export interface GrownSplit {
  readonly column: number
  readonly gain: number
  /** Numbers: ranks below `cut` go to one side; levels: -1 left, 1 right, 0 unseen. */
  readonly cut: number
  readonly lessGoesLeft: boolean
  readonly sides: Int8Array | null
  /** Where unseen levels go: the side with more rows, 0 for either. */
  readonly heavier: number
}

export interface GrownNode {
  readonly rows: Int32Array
  readonly risk: number
  /** Whether a split was looked for. */
  readonly searched: boolean
  /** Null where none was found. A branch that was not worth its splits is a leaf, and still has them. */
  readonly split: GrownSplit | null
  readonly left: GrownNode | null
  readonly right: GrownNode | null
  readonly isLeaf: boolean
  readonly branch: Branch
  readonly bound: number
  readonly limits: Limits
  readonly known: KnownSearches
}

interface Branch {
  readonly risk: number
  readonly splits: number
  readonly complexity: number
}

/** How far alpha may move before a decision in the branch changes. */
interface Limits {
  readonly leastRisk: number
  readonly mostStopped: number
  readonly leastComplexity: number
  readonly mostCollapsed: number
}

/** Searches of the base at a node, by the columns that a world changes. */
interface KnownSearches {
  readonly loose: Map<string, number>
  readonly others: Map<string, FoundSplit | null>
}

interface FoundSplit {
  readonly split: GrownSplit
  readonly left: Int32Array
  readonly right: Int32Array
}

export interface GrownTree {
  readonly step: GrowthStep
  readonly root: GrownNode
  readonly alpha: number
  /** A branch is kept if its complexity is above: alpha and what rounding may add. */
  readonly kept: number
}

const NEVER_A_BASE: KnownSearches = { loose: new Map(), others: new Map() }
const SPLIT_PER_BUCKET = 3
const MOST_DEPTH = 30
const NO_GAIN_OF_ALL = 1e-12
/** Gains that are nearer than this may be ties, which only a search of all columns settles as the kernel does. */
const CLEAR = 1e-8
/** Below so many rows it is faster to grow all of a branch than to look for what can be shared. */
const MOST_AT_ONCE = 80
/**
 * The bound of rpart's growing falls below the risk of a node by at most alpha per level, so it decides nothing where the
 * risk is more than so many alphas.
 */
const BOUND_LEVELS = MOST_DEPTH + 2

export function growTree(step: GrowthStep, rows: Int32Array): GrownTree {
  const risk = riskOf(step, rows, null)
  const growth = growthOf(step, risk, null)
  const root = growNode(growth, freshPlace(rows, 0, Number.POSITIVE_INFINITY))
  return { step, root, alpha: growth.alpha, kept: growth.kept }
}

/** The tree with one record changed, which may be among the rows of the step in the base, in the world, or in both. */
export function growChanged(base: GrownTree, changed: ChangedRecord, wasIn: boolean, isIn: boolean): GrownNode {
  const { step, root } = base
  const world = worldOf(step, changed)
  const same = wasIn && isIn && !world.responseChanged
  const rows = changedRows(root.rows, changed.row, wasIn, isIn)
  const growth = same
    ? { step, world, alpha: base.alpha, baseAlpha: base.alpha, kept: base.kept }
    : { ...growthOf(step, riskOf(step, rows, world), world), baseAlpha: base.alpha }
  return growNode(growth, { base: root, wasIn, isIn, rows, depth: 0, bound: Number.POSITIVE_INFINITY })
}

interface World extends ChangedRecord {
  readonly responseChanged: boolean
  readonly columns: readonly number[]
  readonly isChanged: Uint8Array
  readonly key: string
}

function worldOf(step: GrowthStep, changed: ChangedRecord): World {
  const columns: number[] = []
  const isChanged = new Uint8Array(step.columns.length)
  for (let c = 0; c < step.columns.length; c++) {
    if (step.columns[c].codes[changed.row] === changed.codes[c]) continue
    columns.push(c)
    isChanged[c] = 1
  }
  const responseChanged = step.response[changed.row] !== changed.response
  return { ...changed, responseChanged, columns, isChanged, key: columns.join() }
}

interface Growth {
  readonly step: GrowthStep
  readonly world: World | null
  readonly alpha: number
  readonly baseAlpha: number
  readonly kept: number
}

function growthOf(step: GrowthStep, rootRisk: number, world: World | null): Growth {
  const alpha = step.settings.cp * rootRisk
  return { step, world, alpha, baseAlpha: alpha, kept: alpha + NO_GAIN_OF_ALL * rootRisk }
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

function growNode(growth: Growth, place: Place): GrownNode {
  const { step, world, alpha, kept } = growth
  const { base, rows, depth, bound } = place
  if (base !== null && !place.wasIn && !place.isIn) {
    return growsTheSame(base, growth, bound) ? base : growNode(growth, freshPlace(rows, depth, bound))
  }
  const untouched = base !== null && place.wasIn && place.isIn && world?.responseChanged === false
  const small = base === null || (!untouched && rows.length <= MOST_AT_ONCE)
  if (world !== null && small && depth > 0 && step.leastRisk > BOUND_LEVELS * alpha)
    return growAtOnce(growth, rows, depth, bound)
  const risk = untouched ? base.risk : riskOf(step, rows, world)
  const { minbucket } = step.settings
  const decides = rows.length >= SPLIT_PER_BUCKET * minbucket && depth < MOST_DEPTH
  const most = Math.min(risk, bound)
  const searched = decides && most > alpha
  const found = searched ? findSplit(growth, place, untouched) : null
  if (found === null)
    return untouched && base.isLeaf && base.split === null ? base : leafOf(growth, place, risk, decides)

  const alike = base !== null && world !== null && leavesOthers(base, found, world.row)
  const child = (side: 'left' | 'right', childBound: number): GrownNode => {
    const from = alike ? base[side] : null
    if (from === null || world === null) return growNode(growth, freshPlace(found[side], depth + 1, childBound))
    const wasIn = place.wasIn && placeOf(from.rows, world.row) >= 0
    const isIn = place.isIn && placeOf(found[side], world.row) >= 0
    return growNode(growth, { base: from, wasIn, isIn, rows: found[side], depth: depth + 1, bound: childBound })
  }
  const left = child('left', most - alpha)
  const achieved = Math.max((risk - left.branch.risk) / (left.branch.splits + 1), risk - left.risk)
  const right = child('right', Math.min(bound, achieved) - alpha)
  const branch = joinBranches(risk, left, right)
  const collapsed = branch.complexity <= kept
  if (
    untouched &&
    left === base.left &&
    right === base.right &&
    found.split === base.split &&
    collapsed === base.isLeaf
  )
    return base
  return {
    rows,
    risk,
    searched,
    split: found.split,
    left,
    right,
    isLeaf: collapsed,
    branch: collapsed ? { risk, splits: 0, complexity: branch.complexity } : branch,
    bound,
    limits: joinLimits(risk, branch.complexity, collapsed, left.limits, right.limits),
    known: world === null ? { loose: new Map(), others: new Map() } : NEVER_A_BASE,
  }
}

function leafOf({ alpha, world }: Growth, { rows, bound }: Place, risk: number, decides: boolean): GrownNode {
  return {
    rows,
    risk,
    searched: decides && Math.min(risk, bound) > alpha,
    split: null,
    left: null,
    right: null,
    isLeaf: true,
    branch: { risk, splits: 0, complexity: alpha },
    bound,
    limits: {
      leastRisk: decides && risk > alpha ? risk : Number.POSITIVE_INFINITY,
      mostStopped: decides && risk <= alpha ? risk : Number.NEGATIVE_INFINITY,
      leastComplexity: Number.POSITIVE_INFINITY,
      mostCollapsed: Number.NEGATIVE_INFINITY,
    },
    known: world === null ? { loose: new Map(), others: new Map() } : NEVER_A_BASE,
  }
}

function joinLimits(risk: number, complexity: number, collapsed: boolean, left: Limits, right: Limits): Limits {
  return {
    leastRisk: Math.min(risk, left.leastRisk, right.leastRisk),
    mostStopped: Math.max(left.mostStopped, right.mostStopped),
    leastComplexity: Math.min(
      collapsed ? Number.POSITIVE_INFINITY : complexity,
      left.leastComplexity,
      right.leastComplexity,
    ),
    mostCollapsed: Math.max(collapsed ? complexity : Number.NEGATIVE_INFINITY, left.mostCollapsed, right.mostCollapsed),
  }
}

/** rpart's cost of a branch per split: a child's branch that costs less than the whole is counted as a leaf. */
function joinBranches(risk: number, left: GrownNode, right: GrownNode): Branch {
  let [l, r] = [left.branch, right.branch]
  const cost = () => (risk - l.risk - r.risk) / (l.splits + r.splits + 1)
  const leaveLeft = () => {
    if (cost() > left.branch.complexity) l = { ...l, risk: left.risk, splits: 0 }
  }
  const leaveRight = () => {
    if (cost() > right.branch.complexity) r = { ...r, risk: right.risk, splits: 0 }
  }
  if (left.branch.complexity < right.branch.complexity) {
    leaveLeft()
    leaveRight()
  } else {
    leaveRight()
    leaveLeft()
  }
  return { risk: l.risk + r.risk, splits: l.splits + r.splits + 1, complexity: cost() }
}

/** Whether a branch without the changed record is what it was although alpha or its bound are not. */
function growsTheSame({ limits, bound: was }: GrownNode, growth: Growth, bound: number): boolean {
  const { alpha, baseAlpha, kept } = growth
  return (
    (limits.leastRisk > BOUND_LEVELS * Math.max(alpha, baseAlpha) || (bound === was && alpha === baseAlpha)) &&
    limits.mostStopped <= alpha &&
    limits.leastComplexity > kept &&
    limits.mostCollapsed <= kept
  )
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

/** The best split of the node, with the rows of both sides. */
function findSplit(growth: Growth, place: Place, untouched: boolean): FoundSplit | null {
  const { step, world } = growth
  const { base, rows } = place
  const all = () => search(step, world, rows, null, step.settings.minbucket)
  if (!untouched || base === null || world === null || !base.searched) return all()
  const { split, left, right } = base
  if (world.columns.length === 0 || (split !== null && staysBest(step, world, base, split)))
    return split === null || left === null || right === null ? null : { split, left: left.rows, right: right.rows }
  const own = search(step, world, rows, world.columns, step.settings.minbucket)
  const others = bestOfOthers(step, world, base)
  if (own === null || others === null) return own ?? others
  const [low, high] = [own, others].sort((a, b) => a.split.gain - b.split.gain)
  return low.split.gain < high.split.gain * (1 - CLEAR) ? high : all()
}

/** The best split of the base on the columns that the world does not change. */
function bestOfOthers(step: GrowthStep, world: World, base: GrownNode): FoundSplit | null {
  const { split, left, right } = base
  if (split === null || left === null || right === null) return null
  if (world.isChanged[split.column] === 0) return { split, left: left.rows, right: right.rows }
  const known = base.known.others.get(world.key)
  if (known !== undefined) return known
  const columns = step.columns.map((_, c) => c).filter((c) => world.isChanged[c] === 0)
  const found = columns.length === 0 ? null : search(step, null, base.rows, columns, step.settings.minbucket)
  base.known.others.set(world.key, found)
  return found
}

/**
 * Whether no cut of the changed columns can beat the split of the base. A cut in the world puts the other records where
 * some cut of the base with one row less on a side put them, and moving one record between the sides raises
 *
 *   Σ_k n_k² / n by 1 at most on either side (classes), and
 *   (S_L + y)² (1/n_L + 1/n_R)  to at most  (√(g (b+1)/b) + |y| √(1/b + 1/(n-b)))²  (numbers; b = minbucket).
 */
function staysBest(step: GrowthStep, world: World, base: GrownNode, split: GrownSplit): boolean {
  if (world.isChanged[split.column] === 1) return false
  const loose = base.known.loose.get(world.key) ?? looseGain(step, world, base.rows)
  base.known.loose.set(world.key, loose)
  if (step.classes > 0) return loose + 2 < split.gain * (1 - CLEAR)
  const { minbucket } = step.settings
  const n = base.rows.length
  let sum = 0
  for (let k = 0; k < n; k++) sum += step.response[base.rows[k]]
  const y = Math.abs(world.response - sum / n)
  const root = Math.sqrt((loose * (minbucket + 1)) / minbucket) + y * Math.sqrt(1 / minbucket + 1 / (n - minbucket))
  return root * root < split.gain * (1 - CLEAR)
}

/** Levels are cut in the order of their means, which the record may change; with no least size that order is the best. */
const MOST_LEVELS_TRIED_ALL = 12

function looseGain(step: GrowthStep, world: World, rows: Int32Array): number {
  const levels = world.columns.map((c) => step.columns[c]).filter(({ distinct }) => distinct === null)
  if (step.classes > 2 && levels.some((column) => column.levels > MOST_LEVELS_TRIED_ALL))
    return Number.POSITIVE_INFINITY
  const least = levels.length > 0 && step.classes <= 2 ? 1 : Math.max(1, step.settings.minbucket - 1)
  return search(step, null, rows, world.columns, least)?.split.gain ?? 0
}

/**
 * A branch that has nothing to share, by the kernel. It grows it as a tree of its own, with no bound from the branches to
 * its left; where risks are well above alpha there is none.
 */
function growAtOnce({ step, world, alpha, kept }: Growth, rows: Int32Array, depth: number, bound: number): GrownNode {
  const changed = world === null ? -1 : placeOf(rows, world.row)
  const risk = riskOf(step, rows, world)
  const { minbucket, collapse } = step.settings
  const leaf = leafOf({ step, world, alpha, baseAlpha: alpha, kept }, freshPlace(rows, depth, bound), risk, false)
  if (rows.length < SPLIT_PER_BUCKET * minbucket || risk <= alpha || depth >= MOST_DEPTH) return leaf
  const nodes = growCartNodes(
    {
      columns: step.columns.map((column, c) => nodeColumn(column, step.classes, rows, changed, world?.codes[c] ?? -1)),
      response: nodeResponse(step, rows, changed, world?.response ?? 0),
      weights: null,
    },
    {
      minsplit: SPLIT_PER_BUCKET * minbucket,
      minbucket,
      cp: Math.max(0, kept / risk - NO_GAIN_OF_ALL),
      maxDepth: MOST_DEPTH - depth,
      collapse,
    },
  )
  const build = (node: number): GrownNode => {
    const own = node === 0 ? rows : rowsOfNode(nodes, node, rows)
    if (nodes.variable[node] < 0)
      return { ...leaf, rows: own, risk: nodes.risk[node], branch: { ...leaf.branch, risk: nodes.risk[node] } }
    const [left, right] = [build(nodes.left[node]), build(nodes.right[node])]
    const split = splitOf(step, nodes, node, nodes.variable[node], right.rows.length - left.rows.length)
    const branch = joinBranches(nodes.risk[node], left, right)
    return { ...leaf, rows: own, risk: nodes.risk[node], split, left, right, isLeaf: false, branch }
  }
  return build(0)
}

function splitOf(
  { columns }: GrowthStep,
  { threshold, lessGoesLeft, levelStart, levelSide, improve }: CartNodes,
  node: number,
  column: number,
  moreRight: number,
): GrownSplit {
  const { distinct, levels } = columns[column]
  const from = levelStart[node]
  return {
    column,
    gain: improve[node],
    cut: distinct === null ? 0 : countBelow(distinct, threshold[node]),
    lessGoesLeft: lessGoesLeft[node] === 1,
    sides: distinct === null ? levelSide.subarray(from, from + levels) : null,
    heavier: Math.sign(moreRight),
  }
}

/** One split by the kernel: a tree of depth 1 on the rows of the node. */
function search(
  step: GrowthStep,
  world: World | null,
  rows: Int32Array,
  only: readonly number[] | null,
  minbucket: number,
): FoundSplit | null {
  const n = rows.length
  const changed = world === null ? -1 : placeOf(rows, world.row)
  const wanted = only ?? step.columns.map((_, c) => c)
  if (wanted.length === 0) return null
  const columns = wanted.map((c) => nodeColumn(step.columns[c], step.classes, rows, changed, world?.codes[c] ?? -1))
  const nodes = growCartNodes(
    { columns, response: nodeResponse(step, rows, changed, world?.response ?? 0), weights: null },
    { minsplit: 2, minbucket, cp: 0, maxDepth: 1, collapse: 'gain' },
  )
  if (nodes.variable[0] < 0 || n < 2) return null
  const column = wanted[nodes.variable[0]]
  const left = rowsOfNode(nodes, nodes.left[0], rows)
  const right = rowsOfNode(nodes, nodes.right[0], rows)
  const split = splitOf(step, nodes, 0, column, right.length - left.length)
  return { split, left, right }
}

function rowsOfNode({ rows: places, start, n }: CartNodes, node: number, rows: Int32Array): Int32Array {
  const own = new Int32Array(n[node])
  for (let k = 0; k < own.length; k++) own[k] = rows[places[start[node] + k]]
  return own
}

/** The place of a row among ascending rows, -1 if it is not there. */
function placeOf(rows: Int32Array, row: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle] < row) low = middle + 1
    else high = middle
  }
  return rows[low] === row ? low : -1
}

function countBelow(distinct: Float64Array, threshold: number): number {
  let low = 0
  let high = distinct.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (distinct[middle] < threshold) low = middle + 1
    else high = middle
  }
  return low
}

function nodeResponse(
  { classes, response }: GrowthStep,
  rows: Int32Array,
  changed: number,
  value: number,
): CartResponse {
  const own = classes === 0 ? new Float64Array(rows.length) : new Int32Array(rows.length)
  for (let k = 0; k < rows.length; k++) own[k] = response[rows[k]]
  if (changed >= 0) own[changed] = value
  return own instanceof Float64Array ? { kind: 'numbers', values: own } : { kind: 'classes', codes: own, classes }
}

/** Columns with at most so many codes times classes need no order: the kernel counts them. */
const COUNTED_CELLS = 512
const NO_ORDER = new Int32Array(0)

function isCounted(values: number, classes: number): boolean {
  return values * Math.max(1, classes) <= COUNTED_CELLS
}

function nodeColumn(
  { codes, distinct, levels, order }: GrowthColumn,
  classes: number,
  rows: Int32Array,
  changed: number,
  code: number,
): CartColumn {
  const own = new Int32Array(rows.length)
  for (let k = 0; k < rows.length; k++) own[k] = codes[rows[k]]
  if (changed >= 0) own[changed] = code
  if (distinct === null) return { kind: 'leveled', codes: own, levels }
  if (isCounted(distinct.length, classes)) return { kind: 'ranked', rank: own, distinct, order: NO_ORDER }
  return { kind: 'ranked', rank: own, distinct, order: orderOf(own, rows, changed, order) }
}

/** So many times fewer rows than all are sorted; else they are picked from the order of all. */
const SORT_BELOW = 16
const PLACES = 2 ** 21

/** Hot. The places of the rows by ascending code. */
function orderOf(own: Int32Array, rows: Int32Array, changed: number, order: Int32Array): Int32Array {
  const sorted = new Int32Array(own.length)
  if (own.length * SORT_BELOW < order.length) {
    const keys = Float64Array.from(own, (code, k) => code * PLACES + k).sort()
    for (let k = 0; k < keys.length; k++) sorted[k] = keys[k] % PLACES
    return sorted
  }
  const place = new Int32Array(order.length).fill(-1)
  for (let k = 0; k < rows.length; k++) if (k !== changed) place[rows[k]] = k
  let at = 0
  let waiting = changed >= 0
  for (let k = 0; k < order.length; k++) {
    const here = place[order[k]]
    if (here < 0) continue
    if (waiting && own[here] > own[changed]) {
      sorted[at++] = changed
      waiting = false
    }
    sorted[at++] = here
  }
  if (waiting) sorted[at] = changed
  return sorted
}

/** Which way a code goes: -1 left, 1 right, 0 either with one half. */
export function sideOf({ sides, cut, lessGoesLeft, heavier }: GrownSplit, code: number): number {
  if (sides === null) return code < cut === lessGoesLeft ? -1 : 1
  const side = code < sides.length ? sides[code] : 0
  return side === 0 ? heavier : side
}

/** Whether every record goes to the same side, whatever its values. */
export function routesAlike(a: GrownSplit, b: GrownSplit): boolean {
  if (a === b) return true
  if (a.column !== b.column || a.cut !== b.cut || a.lessGoesLeft !== b.lessGoesLeft) return false
  if (a.sides === null || b.sides === null) return true
  for (let level = 0; level < a.sides.length; level++) if (a.sides[level] !== b.sides[level]) return false
  return a.heavier === b.heavier
}

/** Whether all records but the changed one are on the same side as in the base. */
function leavesOthers({ left, right }: GrownNode, found: FoundSplit, row: number): boolean {
  if (left === null || right === null) return false
  return left.rows === found.left || sameBut(left.rows, found.left, row)
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

/**
 * Whether one record more or less may change what becomes of a node: its size is within one of the least that is split, or
 * of the least that a side must have; or its branch gains about what it must. One record moves errors by 1, and the root of
 * a gain in squared error by |y - mean| sqrt(1/n_L + 1/n_R) at most; a replaced one counts twice.
 */
export function isFragile({ step, kept }: GrownTree, { rows, split, branch, left, right }: GrownNode): boolean {
  const { minbucket } = step.settings
  const near = (n: number, least: number) => n === least || n === least - 1
  if (near(rows.length, SPLIT_PER_BUCKET * minbucket) || near(rows.length, minbucket)) return true
  if (split === null || left === null || right === null) return false
  const [onLeft, onRight] = [left.rows.length, right.rows.length]
  if (near(onLeft, minbucket) || near(onRight, minbucket)) return true
  if (step.classes > 0) return Math.abs(branch.complexity - kept) * (branch.splits + 1) <= 2
  const distance = Math.abs(Math.sqrt(Math.max(0, branch.complexity)) - Math.sqrt(kept))
  return distance <= 2 * farthestFromMean(step, rows) * Math.sqrt(1 / onLeft + 1 / onRight)
}

function farthestFromMean({ response }: GrowthStep, rows: Int32Array): number {
  let sum = 0
  for (const row of rows) sum += response[row]
  let most = 0
  for (const row of rows) most = Math.max(most, Math.abs(response[row] - sum / rows.length))
  return most
}

function changedRows(rows: Int32Array, row: number, wasIn: boolean, isIn: boolean): Int32Array {
  if (wasIn === isIn) return rows
  if (wasIn) return rows.filter((other) => other !== row)
  const longer = new Int32Array(rows.length + 1)
  longer.set(rows)
  longer[rows.length] = row
  return longer.sort()
}
