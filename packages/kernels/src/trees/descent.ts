import { DESCENT_WASM } from '../wasm/descent.js'
import { keptKernel, plainRoom } from '../wasm/webassembly.js'
import { BY_SET, FLAG_BITS, MISSING_LEFT, type Tree, type TreeRows, UNSEEN_LEFT } from './tree.js'

/** The leaf (as a node) of each row. Hot. */
export function descend(tree: Tree, data: TreeRows, nodes: Int32Array): void {
  const { split, child, value } = tree
  const { values, columns } = data
  for (let row = 0; row < data.rows; row++) {
    const at = row * columns
    let node = 0
    let code = split[0]
    while (code >= 0) {
      const x = values[at + (code >>> FLAG_BITS)]
      let right: number
      if ((code & BY_SET) === 0 && !Number.isNaN(x)) right = x <= value[node] ? 0 : 1
      else right = goesRight(tree, node, x, data.unseen !== null && data.unseen[at + (code >>> FLAG_BITS)] === 1)
      node = child[node] + right
      code = split[node]
    }
    nodes[row] = node
  }
}

/**
 * As `descend`, for chosen rows, with the values of one column taken from other rows: `rows[i]` sees in `column` what
 * `donors[i]` has there.
 */
export function descendPermuted(
  tree: Tree,
  data: TreeRows,
  rows: Int32Array,
  donors: Int32Array,
  column: number,
  nodes: Int32Array,
): void {
  const { split, child, value } = tree
  const { values, columns } = data
  for (let i = 0; i < rows.length; i++) {
    let node = 0
    let code = split[0]
    while (code >= 0) {
      const from = code >>> FLAG_BITS
      const at = (from === column ? donors[i] : rows[i]) * columns + from
      const x = values[at]
      let right: number
      if ((code & BY_SET) === 0 && !Number.isNaN(x)) right = x <= value[node] ? 0 : 1
      else right = goesRight(tree, node, x, data.unseen !== null && data.unseen[at] === 1)
      node = child[node] + right
      code = split[node]
    }
    nodes[i] = node
  }
}

/** 1 or 0, for values that have no place in an order. */
function goesRight(tree: Tree, node: number, x: number, unseen: boolean): number {
  const code = tree.split[node]
  if (Number.isNaN(x)) return (code & (unseen ? UNSEEN_LEFT : MISSING_LEFT)) === 0 ? 1 : 0
  const at = tree.value[node]
  const word = x >>> 5
  return word < tree.sets[at] && (tree.sets[at + 1 + word] >>> (x & 31)) & 1 ? 0 : 1
}

interface Exports {
  descend(tree: number, values: number, bytesPerRow: number, rows: number, nodes: number): void
}

const kernel = keptKernel(DESCENT_WASM, ({ descend }: Exports) => descend)
/** Rows that the kernel takes at once, and bytes of a node there. */
const AT_ONCE = 16
const NODE_BYTES = 16

/**
 * Finds the leaf of each row in any of these trees, which have no sets of ranks: many rows at once in WebAssembly, else by
 * `descend`, which gives the same. The nodes are to be read before the next call.
 */
export function descender(trees: readonly Tree[], data: TreeRows): (tree: Tree) => Int32Array {
  const copies = copiesOf(data)
  const width = copies.at(-1) ?? 0
  const places = Math.ceil(data.rows / AT_ONCE) * AT_ONCE
  const most = trees.reduce((nodes, tree) => Math.max(nodes, tree.split.length), 0)
  const isPlain = width === 0 || data.values.includes(Number.NEGATIVE_INFINITY)
  const instance = isPlain ? null : kernel(places * (8 * width + 4) + most * NODE_BYTES)
  const nodes = (instance?.room ?? plainRoom).int32(places)
  const found = nodes.subarray(0, data.rows)
  if (instance === null) {
    return (tree) => {
      descend(tree, data, found)
      return found
    }
  }
  const { room, kernel: descendInKernel } = instance
  const values = room.float64(places * width)
  copyColumns(data, copies, values, width)
  const limits = room.float64(2 * most)
  const links = new Int32Array(limits.buffer, limits.byteOffset, 4 * most)
  return ({ split, child, value }) => {
    for (let node = 0; node < split.length; node++) {
      const isLeaf = split[node] < 0
      links[4 * node] = 8 * copies[isLeaf ? ALL_LEFT : split[node]]
      links[4 * node + 1] = isLeaf ? node : child[node]
      // Only missing values are at most minus infinity, and only where they go left.
      const limit = Number.isNaN(value[node]) ? Number.NEGATIVE_INFINITY : value[node]
      limits[2 * node + 1] = isLeaf ? Number.POSITIVE_INFINITY : limit
    }
    nodes.fill(0)
    descendInKernel(limits.byteOffset, values.byteOffset, 8 * width, places, nodes.byteOffset)
    return found
  }
}

const ALL_LEFT = UNSEEN_LEFT | MISSING_LEFT
const FLAGS = 1 << FLAG_BITS

/**
 * The kernel only compares, so what is missing is minus infinity where it goes left: a column with missing values has four copies, one for
 * each way to send missing values and unseen levels. Gives by `split` of a node the place of its copy in a row, and behind all how many
 * there are.
 */
function copiesOf({ rows, columns, values }: TreeRows): Int32Array {
  const copies = new Int32Array(columns * FLAGS + 1)
  let count = 0
  for (let column = 0; column < columns; column++) {
    let row = 0
    while (row < rows && !Number.isNaN(values[row * columns + column])) row++
    for (let flags = 0; flags <= ALL_LEFT; flags++) copies[column * FLAGS + flags] = row < rows ? count++ : count
    if (row === rows) count++
  }
  copies[columns * FLAGS] = count
  return copies
}

function copyColumns(
  { rows, columns, values, unseen }: TreeRows,
  copies: Int32Array,
  into: Float64Array,
  width: number,
) {
  for (let column = 0; column < columns; column++) {
    for (let flags = 0; flags <= ALL_LEFT; flags++) {
      const copy = copies[column * FLAGS + flags]
      if (flags > 0 && copy === copies[column * FLAGS]) break
      for (let row = 0; row < rows; row++) {
        const at = row * columns + column
        const missing = unseen !== null && unseen[at] === 1 ? UNSEEN_LEFT : MISSING_LEFT
        const goesLeft = Number.isNaN(values[at]) && (flags & missing) !== 0
        into[row * width + copy] = goesLeft ? Number.NEGATIVE_INFINITY : values[at]
      }
    }
  }
}
