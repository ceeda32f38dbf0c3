import { type CartColumn, type CartControl, type CartInput, type CartNodes, growCartNodes } from '@scrim/kernels'
import { countBelow } from '../../stats/sorted.js'
import {
  type FoundSplit,
  type GrownNode,
  type GrownSplit,
  type GrowthColumn,
  type GrowthStep,
  placeOf,
} from './grown-tree.js'

/**
 * The kernel `growCartNodes` on some rows of a step, in the base or in a world that differs from it in one record. Worlds
 * are not copied: the record's values are put in place for the time of the search, and put back.
 */
export interface NodeSearch {
  readonly step: GrowthStep
  readonly input: CartInput
}

/** What the changed record is in another world; codes are by column. */
export interface ChangedRecord {
  readonly row: number
  readonly codes: Int32Array
  readonly response: number
}

export interface World extends ChangedRecord {
  /** What the record is in the base. */
  readonly base: ChangedRecord
  readonly responseChanged: boolean
  /** The columns that the record changes, and the same by column, and as one word. */
  readonly columns: readonly number[]
  readonly isChanged: Uint8Array
  readonly key: string
  readonly input: CartInput
}

export function nodeSearch(step: GrowthStep): NodeSearch {
  const { columns, classes, response } = step
  return {
    step,
    input: {
      columns: columns.map(kernelColumn),
      response:
        classes === 0
          ? { kind: 'numbers', values: response.slice() }
          : { kind: 'classes', codes: Int32Array.from(response), classes },
      weights: null,
      workspace: {},
    },
  }
}

function kernelColumn({ codes, distinct, levels, order }: GrowthColumn): CartColumn {
  return distinct === null ? { kind: 'leveled', codes, levels } : { kind: 'ranked', rank: codes, distinct, order }
}

export function worldOf({ step, input }: NodeSearch, changed: ChangedRecord): World {
  const { row, codes } = changed
  const before = Int32Array.from(step.columns, (column) => column.codes[row])
  const isChanged = Uint8Array.from(before, (code, c) => (code === codes[c] ? 0 : 1))
  const columns = Array.from(isChanged.keys()).filter((c) => isChanged[c] === 1)
  const isReordered = (c: number) => isChanged[c] === 1 && step.columns[c].distinct !== null
  return {
    ...changed,
    base: { row, codes: before, response: step.response[row] },
    responseChanged: step.response[row] !== changed.response,
    columns,
    isChanged,
    key: columns.join(),
    input: columns.some(isReordered)
      ? {
          ...input,
          columns: step.columns.map((column, c) =>
            isReordered(c) ? kernelColumn({ ...column, order: movedIn(column, row, codes[c]) }) : input.columns[c],
          ),
        }
      : input,
  }
}

/** The order of a column in which one row has another rank. */
function movedIn({ codes, order }: GrowthColumn, row: number, code: number): Int32Array {
  const moved = new Int32Array(order.length)
  let at = 0
  let waiting = true
  for (const other of order) {
    if (other === row) continue
    if (waiting && (codes[other] > code || (codes[other] === code && other > row))) {
      moved[at++] = row
      waiting = false
    }
    moved[at++] = other
  }
  if (waiting) moved[at] = row
  return moved
}

/** The nodes of a tree on some rows, to be read before the next call. */
export function growRows(
  { step, input }: NodeSearch,
  world: World | null,
  rows: Int32Array,
  control: CartControl,
  among?: readonly number[],
): CartNodes {
  const some = among === undefined ? { rows } : { rows, among }
  if (world === null || placeOf(rows, world.row) < 0) return growCartNodes({ ...input, ...some }, control)
  putInPlace(step, input, world)
  const nodes = growCartNodes({ ...world.input, ...some }, control)
  putInPlace(step, input, world.base)
  return nodes
}

function putInPlace({ columns }: GrowthStep, { response }: CartInput, { row, codes, response: value }: ChangedRecord) {
  for (let c = 0; c < columns.length; c++) columns[c].codes[row] = codes[c]
  if (response.kind === 'numbers') response.values[row] = value
  else response.codes[row] = value
}

/**
 * The best split of some rows, of all columns or among some: a tree of depth 1. Sides that have the rows of a node of the
 * base below `base` share its array.
 */
export function searchSplit(
  search: NodeSearch,
  world: World | null,
  rows: Int32Array,
  minbucket: number,
  base: GrownNode | null,
  among?: readonly number[],
): FoundSplit | null {
  if (rows.length < 2 || search.step.columns.length === 0 || among?.length === 0) return null
  const nodes = growRows(search, world, rows, { minsplit: 2, minbucket, cp: 0, maxDepth: 1, collapse: 'gain' }, among)
  if (nodes.variable[0] < 0) return null
  const left = rowsOfNode(nodes, nodes.left[0], base?.left?.rows)
  const right = rowsOfNode(nodes, nodes.right[0], base?.right?.rows)
  return { split: splitOf(search.step, nodes, 0), left, right }
}

/** The rows of a node; `like` itself if they are the same. */
export function rowsOfNode({ rows, start, n }: CartNodes, node: number, like?: Int32Array): Int32Array {
  const from = start[node]
  let same = like?.length === n[node]
  for (let k = 0; same && k < n[node]; k++) same = like?.[k] === rows[from + k]
  return same && like !== undefined ? like : rows.slice(from, from + n[node])
}

export function splitOf({ columns }: GrowthStep, nodes: CartNodes, node: number): GrownSplit {
  const { variable, threshold, lessGoesLeft, levelStart, levelSide, improve, left, right, n } = nodes
  const column = variable[node]
  const { distinct, levels } = columns[column]
  const from = levelStart[node]
  return {
    column,
    gain: improve[node],
    cut: distinct === null ? 0 : countBelow(distinct, threshold[node]),
    lessGoesLeft: lessGoesLeft[node] === 1,
    sides: distinct === null ? levelSide.slice(from, from + levels) : null,
    heavier: Math.sign(n[right[node]] - n[left[node]]),
  }
}
