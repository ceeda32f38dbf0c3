import type { ForestRule, ForestTree, Grow, GrownTree, Random } from './forest.js'
import {
  allEqual,
  bestCut,
  type Criterion,
  type Cut,
  countClasses,
  criterionFor,
  type ForestResponse,
  noteDraws,
  sumOf,
} from './forest-cuts.js'
import {
  type BinnedColumns,
  LEAF,
  lastCodeLeft,
  MISSING_LEFT,
  splitCode,
  thresholdBetween,
  UNSEEN_LEFT,
} from './tree.js'

/** Growing the trees of a forest in plain TypeScript: what `assembly/forest-growth.ts` computes, and runs where that cannot. */

interface Growing {
  readonly data: BinnedColumns
  readonly rule: ForestRule
  readonly criterion: Criterion
  /** All columns; those drawn for a node are moved to the front. */
  readonly order: Int32Array
}

/** A node that waits for its turn, with the rows that it has, drawn and not drawn. */
interface Waiting {
  readonly node: number
  readonly depth: number
  readonly rows: Int32Array
  readonly others: Int32Array
  /** Draws, and the sum of their responses; of class 1 for two classes. */
  readonly weight: number
  readonly sum: number
}

interface GrowingTree {
  readonly split: number[]
  readonly child: number[]
  readonly value: number[]
  /** Of leaves for more than two classes. */
  readonly start: number[]
  readonly classes: number[]
  readonly shares: number[]
  readonly decrease: Float64Array
  leaves: number
}

export function plainForestGrower(data: BinnedColumns, response: ForestResponse, rule: ForestRule): Grow {
  const growing = { data, rule, criterion: criterionFor(data, response), order: new Int32Array(data.columns) }
  return (draws, random) => growTree(growing, draws, random)
}

function growTree({ data, rule, criterion, order }: Growing, draws: Int32Array, random: Random): GrownTree {
  for (let j = 0; j < order.length; j++) order[j] = j
  noteDraws(criterion, draws)
  const rows = rowsWhere(draws, (times) => times > 0)
  const others = rule.outOfBag ? rowsWhere(draws, (times) => times === 0) : new Int32Array(0)
  const weight = draws.reduce((total, times) => total + times, 0)
  const tree = emptyTree(data.columns)
  const outOfBag: number[] = []
  const outOfBagLeaf: number[] = []
  const stack: Waiting[] = [{ node: 0, depth: 0, rows, others, weight, sum: sumOf(criterion, rows) }]
  for (let waiting = stack.pop(); waiting !== undefined; waiting = stack.pop()) {
    const { node } = waiting
    const isLeaf = mustBeLeaf(rule, criterion, waiting) || allEqual(criterion, waiting.rows)
    const cut = isLeaf ? null : bestCut(criterion, data, waiting, drawColumns(order, rule.mtry, random))
    if (cut === null) {
      addLeaf(tree, criterion, waiting)
      for (const row of waiting.others) outOfBag.push(row)
      for (let i = 0; i < waiting.others.length; i++) outOfBagLeaf.push(node)
      continue
    }
    const [left, right] = divide(tree, data, waiting, cut)
    if (criterion.kind === 'two' && mustBeLeaf(rule, criterion, left) && mustBeLeaf(rule, criterion, right)) {
      // Rows that were not drawn keep their order where both are leaves at once.
      addLeaf(tree, criterion, left)
      addLeaf(tree, criterion, right)
      const goesLeft = new Set(left.others)
      for (const row of waiting.others) outOfBag.push(row)
      for (const row of waiting.others) outOfBagLeaf.push(goesLeft.has(row) ? left.node : right.node)
    } else stack.push(right, left)
  }
  // Gini falls twice as much as the variance of 0 and 1.
  const decrease = criterion.kind === 'two' ? tree.decrease.map((fall) => 2 * fall) : tree.decrease
  if (criterion.kind === 'many') tree.start.push(tree.shares.length)
  return {
    tree: finished(tree),
    outOfBag: Int32Array.from(outOfBag),
    outOfBagLeaf: Int32Array.from(outOfBagLeaf),
    decrease,
  }
}

function rowsWhere(draws: Int32Array, isWanted: (times: number) => boolean): Int32Array {
  return Int32Array.from(draws.keys()).filter((row) => isWanted(draws[row]))
}

function emptyTree(columns: number): GrowingTree {
  const decrease = new Float64Array(columns)
  return { split: [LEAF], child: [0], value: [0], start: [], classes: [], shares: [], decrease, leaves: 0 }
}

function finished({ split, child, value, start, classes, shares }: GrowingTree): ForestTree {
  return {
    split: Int32Array.from(split),
    child: Int32Array.from(child),
    value: Float64Array.from(value),
    sets: new Int32Array(0),
    start: Int32Array.from(start),
    classes: Uint16Array.from(classes),
    shares: Float64Array.from(shares),
  }
}

/** Moves columns drawn without replacement to the front. */
function drawColumns(order: Int32Array, mtry: number, random: Random): Int32Array {
  const drawn = order.subarray(0, Math.min(mtry, order.length))
  for (let j = 0; j < drawn.length; j++) {
    const other = j + random.below(order.length - j)
    const column = order[other]
    order[other] = order[j]
    order[j] = column
  }
  return drawn
}

function mustBeLeaf(rule: ForestRule, { kind }: Criterion, { weight, sum, depth }: Waiting): boolean {
  if (weight <= rule.minNode || depth >= rule.maxDepth) return true
  return kind === 'two' && (sum === 0 || sum === weight)
}

/** Makes two nodes of one. Rows that go right come in reverse. */
function divide(tree: GrowingTree, data: BinnedColumns, parent: Waiting, cut: Cut): readonly [Waiting, Waiting] {
  const { node, weight, sum } = parent
  const { column, low, high, missingLeft, leftWeight, leftSum } = cut
  const rightWeight = weight - leftWeight
  const leftNode = tree.split.length
  tree.decrease[column] += cut.score / weight
  tree.split[node] = splitCode(column, (leftWeight >= rightWeight ? UNSEEN_LEFT : 0) | (missingLeft ? MISSING_LEFT : 0))
  tree.child[node] = leftNode
  // Nothing is at most NaN: all but missing values go right.
  tree.value[node] = low === 0 ? Number.NaN : thresholdBetween(data, column, low, high)
  for (const nodes of [tree.split, tree.child, tree.value]) nodes.push(0, 0)
  const codes = data.codes.subarray(column * data.rows, (column + 1) * data.rows)
  const goesLeft = (row: number, last: number) => (codes[row] === 0 ? missingLeft : codes[row] <= last)
  const othersLow = lastCodeLeft(data, column, low, high)
  const depth = parent.depth + 1
  return [
    {
      node: leftNode,
      depth,
      rows: parent.rows.filter((row) => goesLeft(row, low)),
      others: parent.others.filter((row) => goesLeft(row, othersLow)),
      weight: leftWeight,
      sum: leftSum,
    },
    {
      node: leftNode + 1,
      depth,
      rows: parent.rows.filter((row) => !goesLeft(row, low)).reverse(),
      others: parent.others.filter((row) => !goesLeft(row, othersLow)).reverse(),
      weight: rightWeight,
      sum: sum - leftSum,
    },
  ]
}

function addLeaf(tree: GrowingTree, criterion: Criterion, { node, rows, weight, sum }: Waiting): void {
  const onGrid = (share: number) => Math.round(share / criterion.response.grid) * criterion.response.grid
  tree.split[node] = LEAF
  tree.child[node] = tree.leaves++
  if (criterion.kind !== 'many') {
    // Numbers are summed anew: the sum that came down the tree was found by subtraction.
    tree.value[node] = onGrid((criterion.kind === 'two' ? sum : sumOf(criterion, rows)) / weight)
    return
  }
  countClasses(criterion, rows)
  tree.start.push(tree.shares.length)
  for (const [k, count] of criterion.total.entries()) {
    if (count === 0) continue
    tree.classes.push(k)
    tree.shares.push(onGrid(count / weight))
  }
}
