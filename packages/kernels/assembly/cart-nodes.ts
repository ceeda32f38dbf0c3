import { bytes, doubles, ints, reserve, setByte, setDouble, setInt } from './memory'

/**
 * The nodes of a tree that grows, as `src/trees/cart-nodes.ts` has them; the host reads these fields in this order. Instead of the threshold, the
 * ranks on both sides of it.
 */
@unmanaged
class Nodes {
  nodes: i32
  levelsUsed: i32
  number: usize
  variable: usize
  below: usize
  above: usize
  lessGoesLeft: usize
  levelStart: usize
  left: usize
  right: usize
  start: usize
  n: usize
  rows: usize
  weight: usize
  value: usize
  counts: usize
  risk: usize
  complexity: usize
  improve: usize
  /** Behind all else, as it grows. */
  levelSide: usize
  levelRoom: i32
}

export let nodes: Nodes = changetype<Nodes>(0)

/** Nothing else is to be reserved until the tree has grown. @param most as many nodes as there may be at a time */
export function startNodes(most: i32, classes: i32, rows: usize): void {
  nodes = changetype<Nodes>(reserve(offsetof<Nodes>()))
  nodes.nodes = 0
  nodes.levelsUsed = 0
  nodes.number = doubles(most)
  nodes.variable = ints(most)
  nodes.below = ints(most)
  nodes.above = ints(most)
  nodes.lessGoesLeft = bytes(most)
  nodes.levelStart = ints(most)
  nodes.left = ints(most)
  nodes.right = ints(most)
  nodes.start = ints(most)
  nodes.n = ints(most)
  nodes.rows = rows
  nodes.weight = doubles(most)
  nodes.value = doubles(most)
  nodes.counts = doubles(most * classes)
  nodes.risk = doubles(most)
  nodes.complexity = doubles(most)
  nodes.improve = doubles(most)
  nodes.levelSide = reserve(0)
  nodes.levelRoom = 0
}

export function addNode(number: f64, start: i32, n: i32): i32 {
  const node = nodes.nodes++
  setDouble(nodes.number, node, number)
  setInt(nodes.start, node, start)
  setInt(nodes.n, node, n)
  makeLeaf(node)
  return node
}

const LEVELS_AT_ONCE = 1024

export function addLevels(levels: i32): i32 {
  const from = nodes.levelsUsed
  nodes.levelsUsed += levels
  while (nodes.levelsUsed > nodes.levelRoom) {
    reserve(LEVELS_AT_ONCE)
    nodes.levelRoom += LEVELS_AT_ONCE
  }
  memory.fill(nodes.levelSide + (from as usize), 0, levels as usize)
  return from
}

export function makeLeaf(node: i32): void {
  setInt(nodes.variable, node, -1)
  setByte(nodes.lessGoesLeft, node, 0)
  setInt(nodes.levelStart, node, -1)
  setInt(nodes.left, node, -1)
  setInt(nodes.right, node, -1)
  setDouble(nodes.improve, node, 0)
}
