import { CART_GROWTH_WASM } from '../wasm/cart-growth.js'
import { keptKernel, type Room } from '../wasm/webassembly.js'
import type { CartControl, CartInput } from './cart.js'
import { type GrowingNodes, thresholdBetween } from './cart-nodes.js'
import { type CartColumn, codesOf, countedCodes, isCounted } from './cart-split.js'

/**
 * Whole trees in WebAssembly, which is as fast in the first tree of a process as in the hundredth: plain code is slow until it was compiled, and
 * a file is often synthesised once. Both give the same bits. Rows with weights, and trees that share a workspace, are left to plain code.
 */
interface Exports {
  readonly memory: WebAssembly.Memory
  grow(...layout: readonly number[]): number
}

const kernel = keptKernel(CART_GROWTH_WASM, (exports: Exports) => exports)

/** The nodes of a tree on all rows and columns; null where the platform cannot. The module traps where it finds no more memory. */
export function growCompiled({ columns, response }: CartInput, control: CartControl): GrowingNodes | null {
  const classes = response.kind === 'classes' ? response.classes : 0
  const rows = response.kind === 'classes' ? response.codes.length : response.values.length
  const mostNodes = Math.max(1, 2 * Math.floor(rows / control.minbucket) - 1)
  const compiled = kernel(bytesFor(columns, classes, rows, mostNodes, control.maxDepth))
  if (compiled === null) return null
  const { room, kernel: module } = compiled
  const wanted = response.kind === 'classes' ? room.sharedCodes(response.codes) : room.sharedNumbers(response.values)
  const table = columnTable(columns, classes, rows, room)
  try {
    const at = module.grow(
      table.byteOffset,
      columns.length,
      wanted.byteOffset,
      classes,
      rows,
      control.minsplit,
      control.minbucket,
      control.cp,
      control.maxDepth,
      control.collapse === 'gain' ? 1 : 0,
      countedCodes(columns, classes),
      Math.max(1, ...columns.map((column) => (column.kind === 'leveled' ? column.levels : 0))),
      mostNodes,
      table.byteOffset + table.byteLength,
    )
    return nodesAt(module.memory.buffer, at, columns, classes, rows)
  } catch {
    return null
  }
}

/** As `Column` of the module. */
function columnTable(columns: readonly CartColumn[], classes: number, rows: number, room: Room): Int32Array {
  const described = columns.flatMap((column) => {
    const codes = room.sharedCodes(column.kind === 'ranked' ? column.rank : column.codes).byteOffset
    if (column.kind === 'leveled') return [0, column.levels, codes, 0, rows]
    if (isCounted(column, classes, false)) return [1, column.distinct.length, codes, 0, rows]
    return [1, column.distinct.length, codes, room.copied(column.order).byteOffset, column.order.length]
  })
  return room.copied(Int32Array.from(described))
}

const NODE_FIELDS = 20

/** What the module has left, as `Nodes` there. */
function nodesAt(
  buffer: ArrayBuffer,
  at: number,
  columns: readonly CartColumn[],
  classes: number,
  rows: number,
): GrowingNodes {
  const [nodes, levelsUsed, ...fields] = new Uint32Array(buffer, at, NODE_FIELDS)
  const [number, variable, below, above, lessGoesLeft, levelStart, left, right, start, n, ...others] = fields
  const [rowsAt, weight, value, counts, risk, complexity, improve, levelSide] = others
  const ints = (from: number, length = nodes) => new Int32Array(buffer, from, length).slice()
  const doubles = (from: number, length = nodes) => new Float64Array(buffer, from, length).slice()
  return {
    nodes,
    number: doubles(number),
    variable: ints(variable),
    threshold: thresholdsOf(columns, ints(variable), ints(below), ints(above)),
    lessGoesLeft: new Uint8Array(buffer, lessGoesLeft, nodes).slice(),
    levelStart: ints(levelStart),
    levelSide: new Int8Array(buffer, levelSide, levelsUsed).slice(),
    levelsUsed,
    left: ints(left),
    right: ints(right),
    start: ints(start),
    n: ints(n),
    rows: ints(rowsAt, rows),
    weight: doubles(weight),
    value: doubles(value),
    counts: doubles(counts, nodes * classes),
    classes,
    risk: doubles(risk),
    complexity: doubles(complexity),
    improve: doubles(improve),
  }
}

function thresholdsOf(columns: readonly CartColumn[], variable: Int32Array, below: Int32Array, above: Int32Array) {
  const thresholds = new Float64Array(variable.length).fill(Number.NaN)
  for (let node = 0; node < variable.length; node++) {
    const column = columns[variable[node]]
    if (column?.kind === 'ranked') thresholds[node] = thresholdBetween(column.distinct, below[node], above[node])
  }
  return thresholds
}

/** Branches of at most so many rows are copied out of larger samples, then again out of those copies. */
export const PART_ROWS = [65_536, 4096]

/** At least as many bytes as a tree takes, but for the levels of its splits: by row, by code, by node and depth, and what is lost between arrays. */
function bytesFor(
  columns: readonly CartColumn[],
  classes: number,
  rows: number,
  mostNodes: number,
  maxDepth: number,
): number {
  const inParts = PART_ROWS.reduce((sum, size) => sum + Math.min(size, rows), 0)
  const byRow = (8 * columns.length + 8 + 4 * 4 + 1) * (rows + inParts)
  const byCode = (8 * classes + 36) * countedCodes(columns, classes) + Math.max(0, ...columns.map(codesOf))
  const byNode = (8 * classes + 81) * mostNodes
  const byDepth = 36 * (Math.min(maxDepth, rows) + 2) * columns.length
  const arrays = 8 * (9 * columns.length + 80)
  return byRow + byCode + byNode + byDepth + arrays + 28 * classes
}
