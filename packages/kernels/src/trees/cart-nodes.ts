/**
 * A binary tree as arrays over its nodes, in the order root, left branch, right branch: a branch is a run of nodes, and
 * a left child follows its parent. Plain values and typed arrays only, so it can be stored and sent between threads.
 */
export interface CartNodes {
  readonly nodes: number
  /** 1 for the root; the children of node k are 2k and 2k + 1. */
  readonly number: Float64Array
  /** The column that splits the node, -1 in a leaf. */
  readonly variable: Int32Array
  /** Where the column is a number: values below the threshold go to one side, the others to the other; else NaN. */
  readonly threshold: Float64Array
  /** 1 where values below the threshold go left, 0 where they go right. */
  readonly lessGoesLeft: Uint8Array
  /** Where the column has levels: the place of the first level in `levelSide`; else -1. */
  readonly levelStart: Int32Array
  /** By level: -1 goes left, 1 goes right, 0 did not occur in the node. */
  readonly levelSide: Int8Array
  /** How many places of `levelSide` are used. */
  readonly levelsUsed: number
  /** The children, -1 in a leaf. */
  readonly left: Int32Array
  readonly right: Int32Array
  /** The rows of a node are `rows[start]` to `rows[start + n - 1]`, ascending in a leaf. */
  readonly start: Int32Array
  readonly n: Int32Array
  readonly rows: Int32Array
  /** Sum of the case weights. */
  readonly weight: Float64Array
  /** Numbers: the mean. Classes: the code with the largest weight, the first of equals. */
  readonly value: Float64Array
  /** Classes: weight by class, node after node; empty for numbers. */
  readonly counts: Float64Array
  /** Number of classes, 0 for numbers. */
  readonly classes: number
  /** What splitting must lessen: squared error, weight outside of the largest class, or Gini impurity. */
  readonly risk: Float64Array
  /** The cost per leaf, as a share of the root's risk, at which the branch below is no longer worth keeping. */
  readonly complexity: Float64Array
  /** By how much the split lessened squared error or Gini impurity, of those rows that have a value; 0 in a leaf. */
  readonly improve: Float64Array
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Nodes of a tree that is still growing: arrays have room to spare. */
export type GrowingNodes = Writable<CartNodes>

const FIRST_ROOM = 64

export function growingNodes(classes: number, rows: Int32Array): GrowingNodes {
  return {
    nodes: 0,
    number: new Float64Array(FIRST_ROOM),
    variable: new Int32Array(FIRST_ROOM),
    threshold: new Float64Array(FIRST_ROOM),
    lessGoesLeft: new Uint8Array(FIRST_ROOM),
    levelStart: new Int32Array(FIRST_ROOM),
    levelSide: new Int8Array(FIRST_ROOM),
    left: new Int32Array(FIRST_ROOM),
    right: new Int32Array(FIRST_ROOM),
    start: new Int32Array(FIRST_ROOM),
    n: new Int32Array(FIRST_ROOM),
    rows,
    weight: new Float64Array(FIRST_ROOM),
    value: new Float64Array(FIRST_ROOM),
    counts: new Float64Array(FIRST_ROOM * classes),
    classes,
    risk: new Float64Array(FIRST_ROOM),
    complexity: new Float64Array(FIRST_ROOM),
    improve: new Float64Array(FIRST_ROOM),
    levelsUsed: 0,
  }
}

/** A new last node, a leaf so far. */
export function addNode(tree: GrowingNodes, number: number, start: number, n: number): number {
  if (tree.nodes === tree.variable.length) resize(tree, 2 * tree.nodes)
  const node = tree.nodes++
  tree.number[node] = number
  tree.start[node] = start
  tree.n[node] = n
  makeLeaf(tree, node)
  return node
}

/** Room for the sides of `levels` levels, none of which occurs so far; returns the place of the first. */
export function addLevels(tree: GrowingNodes, levels: number): number {
  const from = tree.levelsUsed
  tree.levelsUsed += levels
  if (tree.levelsUsed > tree.levelSide.length) tree.levelSide = resized(tree.levelSide, 2 * tree.levelsUsed)
  tree.levelSide.fill(0, from, tree.levelsUsed)
  return from
}

/** The threshold of a cut between two ranks: a number above the lower one and not above the upper one, the middle wherever doubles have it. */
export function thresholdBetween(distinct: Float64Array, below: number, above: number): number {
  const low = distinct[below]
  const high = distinct[above]
  const middle = low / 2 + high / 2
  return middle > low && middle <= high ? middle : high
}

export function makeLeaf(tree: GrowingNodes, node: number): void {
  tree.variable[node] = -1
  tree.threshold[node] = Number.NaN
  tree.lessGoesLeft[node] = 0
  tree.levelStart[node] = -1
  tree.left[node] = -1
  tree.right[node] = -1
  tree.improve[node] = 0
}

/** The tree with arrays as long as they are used, and each leaf's rows ascending. */
export function finishedNodes(tree: GrowingNodes): CartNodes {
  resize(tree, tree.nodes)
  return { ...readableNodes(tree), levelSide: tree.levelSide.slice(0, tree.levelsUsed) }
}

/** The tree in the arrays that it grew in, each leaf's rows ascending. */
export function readableNodes(tree: GrowingNodes): GrowingNodes {
  for (let node = 0; node < tree.nodes; node++) {
    const [from, to] = [tree.start[node], tree.start[node] + tree.n[node]]
    if (tree.variable[node] < 0 && !isAscending(tree.rows, from, to)) tree.rows.subarray(from, to).sort()
  }
  return tree
}

/** Only leaves that were branches for a while are not. */
function isAscending(rows: Int32Array, from: number, to: number): boolean {
  for (let k = from + 1; k < to; k++) if (rows[k] < rows[k - 1]) return false
  return true
}

/** The tree without what lies below the nodes that `isLeaf`. */
export function cutBranches(tree: CartNodes, isLeaf: (node: number) => boolean): CartNodes {
  const kept = growingNodes(tree.classes, tree.rows.slice())
  copyBranch(tree, 0, kept, isLeaf)
  return finishedNodes(kept)
}

function copyBranch(from: CartNodes, node: number, to: GrowingNodes, isLeaf: (node: number) => boolean): number {
  const copy = addNode(to, from.number[node], from.start[node], from.n[node])
  to.weight[copy] = from.weight[node]
  to.value[copy] = from.value[node]
  to.risk[copy] = from.risk[node]
  to.complexity[copy] = from.complexity[node]
  for (let k = 0; k < from.classes; k++) {
    to.counts[copy * from.classes + k] = from.counts[node * from.classes + k]
  }
  if (from.variable[node] < 0 || isLeaf(node)) return copy
  to.variable[copy] = from.variable[node]
  to.threshold[copy] = from.threshold[node]
  to.lessGoesLeft[copy] = from.lessGoesLeft[node]
  to.improve[copy] = from.improve[node]
  if (from.levelStart[node] >= 0) {
    const sides = levelSides(from, node)
    to.levelStart[copy] = addLevels(to, sides.length)
    to.levelSide.set(sides, to.levelStart[copy])
  }
  to.left[copy] = copyBranch(from, from.left[node], to, isLeaf)
  to.right[copy] = copyBranch(from, from.right[node], to, isLeaf)
  return copy
}

/** The sides of the levels of a node that splits on levels: they end where those of the next such node begin. */
function levelSides(tree: CartNodes, node: number): Int8Array {
  let next = node + 1
  while (next < tree.nodes && tree.levelStart[next] < 0) next++
  return tree.levelSide.subarray(tree.levelStart[node], next < tree.nodes ? tree.levelStart[next] : undefined)
}

function resize(tree: GrowingNodes, room: number): void {
  tree.number = resized(tree.number, room)
  tree.variable = resized(tree.variable, room)
  tree.threshold = resized(tree.threshold, room)
  tree.lessGoesLeft = resized(tree.lessGoesLeft, room)
  tree.levelStart = resized(tree.levelStart, room)
  tree.left = resized(tree.left, room)
  tree.right = resized(tree.right, room)
  tree.start = resized(tree.start, room)
  tree.n = resized(tree.n, room)
  tree.weight = resized(tree.weight, room)
  tree.value = resized(tree.value, room)
  tree.counts = resized(tree.counts, room * tree.classes)
  tree.risk = resized(tree.risk, room)
  tree.complexity = resized(tree.complexity, room)
  tree.improve = resized(tree.improve, room)
}

type Resizable = Float64Array | Int32Array | Int8Array | Uint8Array

function resized<T extends Resizable>(array: T, length: number): T {
  if (length <= array.length) return array.slice(0, length) as T
  const longer = new (array.constructor as new (length: number) => T)(length)
  longer.set(array)
  return longer
}
