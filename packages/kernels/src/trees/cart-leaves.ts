import { CART_LEAVES_WASM } from '../wasm/cart-leaves.js'
import { keptKernel, type Room } from '../wasm/webassembly.js'
import type { CartNodes } from './cart-nodes.js'

/** By column of the tree: numbers, or codes where it has levels. */
export type ColumnValues = readonly (Float64Array | Int32Array)[]

/** The leaf of each row, or the node at which it cannot go on, as `leafFrom` has it, and how many rows cannot. */
export interface ReachedNodes {
  readonly nodes: Int32Array
  readonly undecided: number
}

interface Exports {
  setup(...layout: readonly number[]): void
  descend(rows: number, nodes: number): number
}

const kernel = keptKernel(CART_LEAVES_WASM, (exports: Exports) => exports)

/** So many rows are copied at a time; for fewer than a hundred, copying costs more than it saves. */
const ROWS_AT_ONCE = 8192
const FEW_ROWS = 100

export function reachedNodes(tree: CartNodes, columns: ColumnValues, rows: number, make = kernel): ReachedNodes {
  if (rows < FEW_ROWS) return plainNodes(tree, columns, rows)
  const used = new Set(tree.variable.subarray(0, tree.nodes))
  const places = Math.min(rows, ROWS_AT_ONCE)
  const compiled = make(bytesFor(tree, used.size, columns.length, places))
  if (compiled === null) return plainNodes(tree, columns, rows)
  const { room, kernel: module } = compiled
  const copies = columns.map((values, c) => (used.has(c) ? emptyLike(values, places, room) : null))
  const found = room.int32(places)
  module.setup(...[addressesOf(copies, room), ...copyTree(tree, room)].map(({ byteOffset }) => byteOffset))
  const nodes = new Int32Array(rows)
  let undecided = 0
  for (let from = 0; from < rows; from += places) {
    const count = Math.min(places, rows - from)
    for (const [c, copy] of copies.entries()) copy?.set(columns[c].subarray(from, from + count))
    undecided += module.descend(count, found.byteOffset)
    nodes.set(found.subarray(0, count), from)
  }
  return { nodes, undecided }
}

function bytesFor({ nodes, levelsUsed }: CartNodes, used: number, columns: number, places: number): number {
  return (8 * used + 4) * places + 33 * nodes + levelsUsed + 4 * columns + 8 * (used + 12)
}

function emptyLike(values: Float64Array | Int32Array, places: number, room: Room): Float64Array | Int32Array {
  return values instanceof Float64Array ? room.float64(places) : room.int32(places)
}

function addressesOf(copies: readonly (Float64Array | Int32Array | null)[], room: Room): Int32Array {
  return room.copied(Int32Array.from(copies, (copy) => copy?.byteOffset ?? 0))
}

/** In the order in which the module takes their addresses. */
function copyTree(tree: CartNodes, { copied, sharedNumbers, uint8 }: Room): ArrayBufferView[] {
  const { nodes, variable, threshold, lessGoesLeft, levelStart, levelSide, levelsUsed, left, right, weight } = tree
  const bytes = (values: Uint8Array | Int8Array, length: number) => {
    const copy = uint8(length)
    copy.set(values.subarray(0, length))
    return copy
  }
  const ints = (values: Int32Array) => copied(values.subarray(0, nodes))
  const doubles = (values: Float64Array) => sharedNumbers(values.subarray(0, nodes))
  return [
    ints(variable),
    doubles(threshold),
    bytes(lessGoesLeft, nodes),
    ints(levelStart),
    bytes(levelSide, levelsUsed),
    ints(left),
    ints(right),
    doubles(weight),
  ]
}

function plainNodes(tree: CartNodes, columns: ColumnValues, rows: number): ReachedNodes {
  const nodes = new Int32Array(rows)
  let undecided = 0
  for (let row = 0; row < rows; row++) {
    nodes[row] = leafFrom(tree, columns, row, 0)
    if (tree.variable[nodes[row]] >= 0) undecided++
  }
  return { nodes, undecided }
}

/**
 * The leaf below a node into which a row falls. A value that is missing, or a level that did not occur where the node was split, goes to the
 * child of larger weight; between two of equal weight the row cannot go on, and the node itself is given.
 */
export function leafFrom(tree: CartNodes, columns: ColumnValues, row: number, node: number): number {
  const { variable, threshold, lessGoesLeft, levelStart, levelSide, left, right, weight } = tree
  while (variable[node] >= 0) {
    const value = columns[variable[node]][row]
    const from = levelStart[node]
    let side = 0
    if (from >= 0) side = value < 0 ? 0 : levelSide[from + value]
    else if (!Number.isNaN(value)) side = value < threshold[node] === (lessGoesLeft[node] === 1) ? -1 : 1
    if (side === 0) side = weight[right[node]] - weight[left[node]]
    if (side === 0) return node
    node = side > 0 ? right[node] : left[node]
  }
  return node
}
