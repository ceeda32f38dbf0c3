import { countBelow } from '../../stats/sorted.js'
import type { Branch, Limits } from './branch-cost.js'
import type { CartSettings } from './cart-generator.js'
import type { NodeCuts } from './changed-response.js'
import type { NodeSearch } from './node-search.js'

/** A tree of the base or of a world. What two trees share is the same object. */
export interface GrownTree {
  readonly search: NodeSearch
  readonly root: GrownNode
  readonly alpha: number
  /** A branch is kept if its complexity is above: alpha and what rounding may add. */
  readonly kept: number
}

export interface GrownNode {
  /** Ascending, except above the leaves of a branch that was grown at once. */
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

/** A split with the rows of both sides. */
export interface FoundSplit {
  readonly split: GrownSplit
  readonly left: Int32Array
  readonly right: Int32Array
}

/** What worlds have asked at a node of the base: searches by the columns that a world changes, and other splits. */
export interface KnownSearches {
  readonly loose: Map<string, number>
  readonly others: Map<string, FoundSplit | null>
  /** The node with another split instead; null where that was asked for only once. */
  readonly alternatives: Map<string, GrownNode | null>
  cuts?: NodeCuts
}

/** What the trees of one step grow on. */
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

/** Gains that are nearer than this may be ties, which only a search of all columns settles as the kernel does. */
export const CLEAR = 1e-8
/** A node is split from so many times `minbucket` rows on. */
export const SPLIT_PER_BUCKET = 3

export function splitOfBase({ split, left, right }: GrownNode): FoundSplit | null {
  return split === null || left === null || right === null ? null : { split, left: left.rows, right: right.rows }
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

/** From left to right. */
export function leavesBelow(node: GrownNode): GrownNode[] {
  if (node.isLeaf || node.left === null || node.right === null) return [node]
  return [...leavesBelow(node.left), ...leavesBelow(node.right)]
}

/** The place of a row among ascending rows, -1 if it is not there. */
export function placeOf(rows: Int32Array, row: number): number {
  const place = countBelow(rows, row)
  return rows[place] === row ? place : -1
}

/**
 * Whether one record more or less may change what becomes of a node: its size is within one of the least that is split, or
 * of the least that a side must have; or its branch gains about what it must. One record moves errors by 1, and the root of
 * a gain in squared error by |y - mean| sqrt(1/n_L + 1/n_R) at most; a replaced one counts twice.
 */
export function isFragile({ search, kept }: GrownTree, { rows, split, branch, left, right }: GrownNode): boolean {
  const { step } = search
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
