import { byte, double, int, setInt } from './memory'

/** Where rows end in a tree. What is computed is told by its twin, `leafFrom` in `src/trees/cart-leaves.ts`. */
let columns: usize
let variable: usize
let threshold: usize
let lessGoesLeft: usize
let levelStart: usize
let levelSide: usize
let left: usize
let right: usize
let weight: usize

/** @param columnsAt by column: the address of numbers, or of codes where it has levels */
export function setup(
  columnsAt: usize,
  variableAt: usize,
  thresholdAt: usize,
  lessGoesLeftAt: usize,
  levelStartAt: usize,
  levelSideAt: usize,
  leftAt: usize,
  rightAt: usize,
  weightAt: usize,
): void {
  columns = columnsAt
  variable = variableAt
  threshold = thresholdAt
  lessGoesLeft = lessGoesLeftAt
  levelStart = levelStartAt
  levelSide = levelSideAt
  left = leftAt
  right = rightAt
  weight = weightAt
}

/** Into `nodes`; returns how many rows did not reach a leaf. */
export function descend(rows: i32, nodes: usize): i32 {
  let undecided = 0
  for (let row = 0; row < rows; row++) {
    const node = leafFrom(row)
    setInt(nodes, row, node)
    if (int(variable, node) >= 0) undecided++
  }
  return undecided
}

function leafFrom(row: i32): i32 {
  let node = 0
  let column = int(variable, 0)
  while (column >= 0) {
    let side = sideOf(node, int(columns, column) as usize, row)
    if (side === 0) {
      const difference = double(weight, int(right, node)) - double(weight, int(left, node))
      if (difference === 0) break
      side = difference > 0 ? 1 : -1
    }
    node = int(side > 0 ? right : left, node)
    column = int(variable, node)
  }
  return node
}

function sideOf(node: i32, values: usize, row: i32): i32 {
  const from = int(levelStart, node)
  if (from >= 0) {
    const code = int(values, row)
    return code < 0 ? 0 : load<i8>(levelSide + ((from + code) as usize))
  }
  const value = double(values, row)
  const limit = double(threshold, node)
  if (value < limit) return byte(lessGoesLeft, node) === 1 ? -1 : 1
  if (value >= limit) return byte(lessGoesLeft, node) === 1 ? 1 : -1
  return 0
}
