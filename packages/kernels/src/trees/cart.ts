import type { RankedColumn } from '../order.js'
import {
  type Bins,
  binsOf,
  countChildren,
  countRoot,
  enterRightBins,
  relabelled,
  searchBins,
  sumBins,
} from './cart-bins.js'
import { growCompiled, PART_ROWS } from './cart-growth.js'
import {
  addLevels,
  addNode,
  type CartNodes,
  finishedNodes,
  type GrowingNodes,
  growingNodes,
  makeLeaf,
  readableNodes,
  thresholdBetween,
} from './cart-nodes.js'
import {
  ABSENT,
  addCodesToSides,
  addToSides,
  LEFT,
  numberRows,
  partition,
  pickCodes,
  pickNumbers,
  RIGHT,
  settleSides,
  sidesByLevel,
  sidesByRank,
  sumNumbers,
  sumSquares,
} from './cart-rows.js'
import {
  type CartColumn,
  codesOf,
  createSearch,
  isCounted,
  type Sample,
  type Search,
  searchCounted,
  searchSortedClasses,
  searchSortedNumbers,
  startSearch,
  totalClasses,
} from './cart-split.js'

/**
 * Classification and regression trees (Breiman, Friedman, Olshen and Stone 1984) with the stopping and collapsing rules
 * of rpart (Therneau and Atkinson, "An introduction to recursive partitioning using the rpart routines").
 *
 * A node is split where squared error or Gini impurity falls most, with `minbucket` rows or more on both sides. It is not
 * split below `minsplit` rows, at `maxDepth`, or when no split could lessen the risk by alpha = cp x risk of the root;
 * and a finished branch that did not is undone. A branch is finished before the one to its right begins, since what it
 * achieved bounds what the other may achieve: therefore it matters which child is the left one, and that is the one with
 * the smaller mean (of the response, or of the class codes).
 */
export interface CartInput {
  readonly columns: readonly CartColumn[]
  readonly response: CartResponse
  /** Case weights; null for equal ones. */
  readonly weights: Float64Array | null
  /** The rows to grow on, ascending; all when not given. Columns and response are by row all the same. */
  readonly rows?: Int32Array
  /** The columns to split on, by number; all when not given. */
  readonly among?: readonly number[]
  /** What one call leaves to the next, for many small trees; the nodes are then to be read before the next call. */
  readonly workspace?: CartWorkspace
}

export type CartResponse =
  | { readonly kind: 'numbers'; readonly values: Float64Array }
  | { readonly kind: 'classes'; readonly codes: Int32Array; readonly classes: number }

export interface CartControl {
  readonly minsplit: number
  readonly minbucket: number
  readonly cp: number
  readonly maxDepth: number
  /** What the cost of a branch of a classification tree is held against: errors (as rpart does) or Gini impurity. */
  readonly collapse: 'risk' | 'gain'
}

/** Empty at first; for calls with as many rows, and with columns and classes that have the same codes. */
export interface CartWorkspace {
  buffers?: Buffers
  /** For the columns that it was made of. */
  bins?: { readonly columns: readonly CartColumn[]; readonly made: Bins | null }
}

/** @param compiled grows trees on all rows and columns, each of weight 1, if it can */
export function growCartNodes(input: CartInput, control: CartControl, compiled = growCompiled): CartNodes {
  const { weights, workspace, rows, among } = input
  const isWhole = weights === null && rows === undefined && among === undefined
  const nodes = isWhole && workspace === undefined ? compiled(input, control) : null
  const grown = nodes ?? growPlain(input, control, isWhole)
  scaleComplexity(grown, control.cp)
  return workspace === undefined ? finishedNodes(grown) : readableNodes(grown)
}

function growPlain(input: CartInput, control: CartControl, isWhole: boolean): GrowingNodes {
  const { columns, response, weights, workspace, rows: only, among } = input
  const classes = response.kind === 'classes' ? response.classes : 0
  const total = response.kind === 'classes' ? response.codes.length : response.values.length
  const rows = only?.length ?? total
  const buffers = workspace?.buffers ?? emptyBuffers(columns, classes, total)
  if (workspace !== undefined) workspace.buffers = buffers
  if (only === undefined) countUp(buffers.rows)
  else buffers.rows.set(only)
  const codes = columns.map((column) => (column.kind === 'ranked' ? column.rank : column.codes))
  const bins = isWhole && classes === 2 && response.kind === 'classes' ? binsFor(input, codes, response.codes) : null
  const sample: WritableSample = {
    codes,
    sorted: columns.map((column, c) =>
      isCounted(column, classes, bins !== null) || column.kind === 'leveled' || among?.includes(c) === false
        ? null
        : only === undefined
          ? column.order.slice()
          : orderAmong(column, buffers, only),
    ),
    numbers: response.kind === 'numbers' ? response.values : NO_NUMBERS,
    classCodes: response.kind === 'classes' ? response.codes : NO_CODES,
    weights,
    bins,
    rows: buffers.rows,
    side: buffers.side,
    spare: buffers.spare,
    base: 0,
    parts: bins === null ? PART_ROWS.filter((size) => size >= rows).length : PART_ROWS.length,
    spans: buffers.spans,
    part: null,
  }
  const growth: Growth = {
    columns,
    control,
    search: buffers.search,
    levelSide: buffers.levelSide,
    codeSide: buffers.codeSide,
    sideWeight: buffers.sideWeight,
    sideSum: buffers.sideSum,
    nodes: buffers.nodes,
    alpha: Number.NaN,
    branchRisk: Number.NaN,
    branchSplits: 0,
  }
  growth.search.minbucket = control.minbucket
  growth.nodes.nodes = 0
  growth.nodes.levelsUsed = 0
  const root = spansAt(sample, 0)
  for (let c = 0; c < columns.length; c++) {
    root.from[c] = 0
    root.count[c] = among?.includes(c) === false ? 0 : (sample.sorted[c]?.length ?? rows)
  }
  if (bins !== null) countRoot(bins, buffers.rows, rows)
  growBranch(growth, sample, { start: 0, n: rows, depth: 0, number: 1, bound: Number.POSITIVE_INFINITY })
  return growth.nodes
}

function binsFor({ columns, workspace }: CartInput, codes: readonly Int32Array[], classCodes: Int32Array): Bins | null {
  const known = workspace?.bins?.columns === columns ? workspace.bins.made : undefined
  const bins = known === undefined ? binsOf(columns, codes, classCodes) : known && relabelled(known, classCodes)
  if (workspace !== undefined) workspace.bins = { columns, made: bins }
  return bins
}

/** Hot, hence apart: where more follows a loop, V8 gives up what it compiled of it when it ends. */
function countUp(rows: Int32Array): void {
  for (let k = 0; k < rows.length; k++) rows[k] = k
}

const NO_NUMBERS = new Float64Array(0)
const NO_CODES = new Int32Array(0)

/** Memory for any tree on some of the rows and columns. */
interface Buffers {
  readonly search: Search
  readonly levelSide: Uint8Array
  readonly codeSide: Uint8Array
  readonly sideWeight: Float64Array
  readonly sideSum: Float64Array
  readonly rows: Int32Array
  readonly side: Uint8Array
  readonly spare: Int32Array
  readonly spans: Spans[]
  readonly nodes: GrowingNodes
}

function emptyBuffers(columns: readonly CartColumn[], classes: number, rows: number): Buffers {
  const places = new Int32Array(rows)
  return {
    search: createSearch(columns, classes),
    levelSide: new Uint8Array(Math.max(1, ...columns.map((column) => (column.kind === 'leveled' ? column.levels : 0)))),
    codeSide: new Uint8Array(Math.max(...columns.map((column) => codesOf(column) + 1), 1)),
    sideWeight: new Float64Array(3),
    sideSum: new Float64Array(3),
    rows: places,
    side: new Uint8Array(rows),
    spare: new Int32Array(rows),
    spans: [],
    nodes: growingNodes(classes, places),
  }
}

/** So many times fewer rows than all are sorted; else they are picked from the order of all. */
const SORT_BELOW = 16
const CODES_AND_ROWS = 2 ** 26

/** Hot. The rows that have a value, ascending by it, equal ones by row; ranks are below 2^27. */
function orderAmong({ rank, order }: RankedColumn, { side }: Buffers, rows: Int32Array): Int32Array {
  const known = rows.filter((row) => rank[row] >= 0)
  if (known.length * SORT_BELOW < order.length && rank.length < CODES_AND_ROWS) {
    const keys = Float64Array.from(known, (row) => rank[row] * CODES_AND_ROWS + row).sort()
    for (let k = 0; k < keys.length; k++) known[k] = keys[k] % CODES_AND_ROWS
    return known
  }
  side.fill(0)
  for (let k = 0; k < known.length; k++) side[known[k]] = 1
  let at = 0
  for (let k = 0; k < order.length; k++) if (side[order[k]] === 1) known[at++] = order[k]
  return known
}

interface Growth {
  readonly columns: readonly CartColumn[]
  readonly control: CartControl
  readonly search: Search
  /** By level of the column that splits: its side, ABSENT when it does not occur. */
  readonly levelSide: Uint8Array
  /** The same for the codes of any column, and after them for missing. */
  readonly codeSide: Uint8Array
  /** Of the node being split, by side: weight, and weighted sum of the response (of the codes of classes). */
  readonly sideWeight: Float64Array
  readonly sideSum: Float64Array
  readonly nodes: GrowingNodes
  /** Not a number at first, so that V8 knows it for a double. */
  alpha: number
  /** Of the branch finished last: the risk of its leaves together, and its number of splits. */
  branchRisk: number
  branchSplits: number
}

interface WritableSample extends Sample {
  /** Where columns are counted together; then no part is copied. */
  readonly bins: Bins | null
  /** By row of the node being split: LEFT, RIGHT or ABSENT. */
  readonly side: Uint8Array
  readonly spare: Int32Array
  /** Where row place 0 lies among all rows of the tree. */
  base: number
  /** How many sizes of PART_ROWS are too large to be copied into. */
  readonly parts: number
  /** By depth: where the columns' rows of the node lie in `sorted`. */
  readonly spans: Spans[]
  /** A smaller sample into which small nodes are copied. */
  part: Part | null
}

interface Part {
  readonly sample: WritableSample
  /** By row of the part: the row of the larger sample. */
  readonly origin: Int32Array
  /** By row of the larger sample: the row of the part. */
  readonly local: Int32Array
}

/** By column. A count of 0 means that the column cannot split the node or anything below. */
interface Spans {
  readonly from: Int32Array
  readonly count: Int32Array
  readonly leftCount: Int32Array
}

interface Branch {
  readonly start: number
  readonly n: number
  readonly depth: number
  readonly number: number
  /** No split below can lessen the risk by more, per split. */
  readonly bound: number
}

/** A gain below this share of the node's impurity is rounding. */
const NO_GAIN = 1e-10
/** So is a lower risk by less than this share of the root's risk: it keeps no branch, even where cp is 0. */
const NO_GAIN_OF_ALL = 1e-12

/** Grows the branch and returns its top node; leaves its risk and number of splits in `growth`. */
function growBranch(growth: Growth, sample: WritableSample, branch: Branch): number {
  const { nodes, control, search } = growth
  const partRows = PART_ROWS[sample.parts] ?? 0
  if (branch.n <= partRows && branch.n >= control.minsplit) {
    return growInPart(growth, sample, branch)
  }
  const { start, n, depth, number } = branch
  const node = addNode(nodes, number, sample.base + start, n)
  const impurity = describe(growth, sample, node, start, n)
  const risk = nodes.risk[node]
  if (number === 1) growth.alpha = control.cp * risk
  const { alpha } = growth
  const most = Math.min(risk, branch.bound)
  nodes.complexity[node] = alpha
  growth.branchRisk = risk
  growth.branchSplits = 0
  if (n < control.minsplit || most <= alpha || depth === control.maxDepth) return node
  findSplit(growth, sample, branch, node, impurity)
  if (search.best.column < 0) return node

  const levelsBefore = nodes.levelsUsed
  const leftRows = splitNode(growth, sample, branch, node)
  const left = growBranch(growth, sample, {
    start,
    n: leftRows,
    depth: depth + 1,
    number: 2 * number,
    bound: most - alpha,
  })
  let leftRisk = growth.branchRisk
  let leftSplits = growth.branchSplits
  enterRight(sample, depth)
  const achieved = Math.max((risk - leftRisk) / (leftSplits + 1), risk - nodes.risk[left])
  const right = growBranch(growth, sample, {
    start: start + leftRows,
    n: n - leftRows,
    depth: depth + 1,
    number: 2 * number + 1,
    bound: Math.min(branch.bound, achieved) - alpha,
  })
  let rightRisk = growth.branchRisk
  let rightSplits = growth.branchSplits
  nodes.left[node] = left
  nodes.right[node] = right

  const cost = () => (risk - leftRisk - rightRisk) / (leftSplits + rightSplits + 1)
  const leaveLeft = () => {
    if (cost() <= nodes.complexity[left]) return
    leftRisk = nodes.risk[left]
    leftSplits = 0
  }
  const leaveRight = () => {
    if (cost() <= nodes.complexity[right]) return
    rightRisk = nodes.risk[right]
    rightSplits = 0
  }
  if (nodes.complexity[left] < nodes.complexity[right]) {
    leaveLeft()
    leaveRight()
  } else {
    leaveRight()
    leaveLeft()
  }
  nodes.complexity[node] = cost()
  if (nodes.complexity[node] <= alpha + NO_GAIN_OF_ALL * nodes.risk[0]) {
    nodes.nodes = node + 1
    nodes.levelsUsed = levelsBefore
    makeLeaf(nodes, node)
    growth.branchRisk = risk
    growth.branchSplits = 0
  } else {
    growth.branchRisk = leftRisk + rightRisk
    growth.branchSplits = leftSplits + rightSplits + 1
  }
  return node
}

/** Weight, value, class weights and risk of a node; returns its impurity: squared error or Gini. */
function describe(growth: Growth, sample: WritableSample, node: number, start: number, n: number): number {
  return growth.nodes.classes === 0
    ? describeNumbers(growth, sample, node, start, n)
    : describeClasses(growth, sample, node, start, n)
}

function describeNumbers(growth: Growth, sample: WritableSample, node: number, start: number, n: number): number {
  const { rows, numbers: y, weights } = sample
  const { nodes } = growth
  let weight = n
  let mean: number
  let squares = 0
  if (weights === null) {
    mean = sumNumbers(y, rows, start, n) / n
    squares = sumSquares(y, rows, start, n, mean)
  } else {
    weight = 0
    let sum = 0
    for (let k = start; k < start + n; k++) {
      weight += weights[rows[k]]
      sum += weights[rows[k]] * y[rows[k]]
    }
    mean = weight > 0 ? sum / weight : sumNumbers(y, rows, start, n) / n
    for (let k = start; k < start + n; k++) {
      const difference = y[rows[k]] - mean
      squares += weights[rows[k]] * difference * difference
    }
  }
  nodes.weight[node] = weight
  nodes.value[node] = mean
  nodes.risk[node] = squares
  return squares
}

function describeClasses(growth: Growth, sample: WritableSample, node: number, start: number, n: number): number {
  const { counts, classes } = growth.nodes
  const { rows, classCodes, weights } = sample
  const from = node * classes
  if (weights === null) {
    totalClasses(growth.search, classCodes, rows, start, n)
    for (let k = 0; k < classes; k++) counts[from + k] = growth.search.classTotal[k]
  } else {
    counts.fill(0, from, from + classes)
    for (let k = start; k < start + n; k++) counts[from + classCodes[rows[k]]] += weights[rows[k]]
  }
  let weight = 0
  let squares = 0
  let largest = 0
  for (let k = 0; k < classes; k++) {
    weight += counts[from + k]
    squares += counts[from + k] ** 2
    if (counts[from + k] > counts[from + largest]) largest = k
  }
  const impurity = weight > 0 ? weight - squares / weight : 0
  growth.nodes.weight[node] = weight
  growth.nodes.value[node] = largest
  growth.nodes.risk[node] = growth.control.collapse === 'gain' ? impurity : weight - counts[from + largest]
  return impurity
}

/** Leaves the best split in `growth.search.best`. */
function findSplit(growth: Growth, sample: WritableSample, branch: Branch, at: number, impurity: number): void {
  const { columns, search, nodes } = growth
  const { from, count } = spansAt(sample, branch.depth)
  const node = {
    start: branch.start,
    n: branch.n,
    mean: nodes.value[at],
    counts: nodes.counts,
    countsFrom: at * nodes.classes,
  }
  const { bins } = sample
  startSearch(search, impurity * NO_GAIN)
  for (let c = 0; c < columns.length; c++) {
    if (count[c] === 0) continue
    const varies =
      sample.sorted[c] === null
        ? bins === null
          ? searchCounted(search, sample, c, columns[c], node)
          : searchBins(search, bins, branch.depth, c, columns[c], branch.n, nodes.counts[2 * at + 1])
        : nodes.classes === 0
          ? searchSortedNumbers(search, sample, c, from[c], count[c], node)
          : searchSortedClasses(search, sample, c, from[c], count[c], node)
    if (!varies) count[c] = 0
  }
}

/** Splits the node's rows by the best split, notes the split, and returns how many rows are in the left child. */
function splitNode(growth: Growth, sample: WritableSample, branch: Branch, node: number): number {
  const { columns, nodes, search, levelSide, control } = growth
  const { best } = search
  const { start, n } = branch
  const column = columns[best.column]
  const byBins = sample.bins !== null && sample.sorted[best.column] === null
  if (byBins) sumSidesByBins(growth, sample.bins, branch.depth)
  else {
    if (column.kind === 'ranked') sidesByRank(sample.codes[best.column], sample.rows, start, n, best.below, sample.side)
    else {
      for (let k = 0; k < best.levelCount; k++) levelSide[best.levels[k]] = k < best.firstSide ? LEFT : RIGHT
      sidesByLevel(sample.codes[best.column], sample.rows, start, n, levelSide, sample.side)
    }
    sumSides(growth, sample, branch)
  }
  const { sideWeight, sideSum } = growth
  const swapped = !(sideSum[LEFT] / sideWeight[LEFT] < sideSum[RIGHT] / sideWeight[RIGHT])
  const leftRows = byBins
    ? partitionByCode(growth, sample, start, n, swapped)
    : settleSides(
        sample.rows,
        start,
        n,
        sample.side,
        heavierSide(swapped, sideWeight[LEFT], sideWeight[RIGHT]),
        swapped ? RIGHT : LEFT,
      )
  nodes.variable[node] = best.column
  nodes.improve[node] = best.gain
  if (column.kind === 'ranked') {
    nodes.threshold[node] = thresholdBetween(column.distinct, best.below, best.above)
    nodes.lessGoesLeft[node] = swapped ? 0 : 1
  } else {
    const from = addLevels(nodes, column.levels)
    nodes.levelStart[node] = from
    for (let k = 0; k < best.levelCount; k++) {
      const level = best.levels[k]
      nodes.levelSide[from + level] = (levelSide[level] === LEFT) === swapped ? 1 : -1
    }
  }
  if (!byBins) partition(sample.rows, start, n, sample.side, sample.spare)
  const childrenSearched = Math.max(leftRows, n - leftRows) >= control.minsplit && branch.depth + 1 < control.maxDepth
  enterLeft(sample, branch.depth, childrenSearched)
  if (sample.bins !== null && childrenSearched)
    countChildren(sample.bins, sample.rows, start, n, leftRows, branch.depth)
  return leftRows
}

/** The same from the counts of the node, without looking at its rows. */
function sumSidesByBins(growth: Growth, bins: Bins, depth: number): void {
  const { search, columns, levelSide, codeSide, sideWeight, sideSum } = growth
  const { column, below, levels, levelCount, firstSide } = search.best
  const codes = codesOf(columns[column])
  if (columns[column].kind === 'ranked') {
    codeSide.fill(LEFT, 0, below + 1)
    codeSide.fill(RIGHT, below + 1, codes)
  } else {
    for (let k = 0; k < levelCount; k++) {
      levelSide[levels[k]] = k < firstSide ? LEFT : RIGHT
      codeSide[levels[k]] = levelSide[levels[k]]
    }
  }
  codeSide[codes] = ABSENT
  sideWeight.fill(0)
  sideSum.fill(0)
  sumBins(bins, depth, column, codeSide, codes, sideWeight, sideSum)
}

/** Hot. One pass instead of those of `settleSides` and `partition`. */
function partitionByCode(growth: Growth, sample: WritableSample, start: number, n: number, swapped: boolean): number {
  const { search, columns, codeSide, sideWeight } = growth
  const { rows, side, spare } = sample
  const codes = sample.codes[search.best.column]
  const missing = codesOf(columns[search.best.column])
  const heavier = heavierSide(swapped, sideWeight[LEFT], sideWeight[RIGHT])
  const flip = swapped ? 1 : 0
  for (let code = 0; code < missing; code++) codeSide[code] ^= flip
  codeSide[missing] = heavier
  let left = start
  let right = 0
  for (let k = start; k < start + n; k++) {
    const row = rows[k]
    const goesRight = codeSide[codes[row] < 0 ? missing : codes[row]]
    side[row] = goesRight
    rows[left] = row
    spare[right] = row
    left += 1 - goesRight
    right += goesRight
  }
  for (let k = 0; k < right; k++) rows[left + k] = spare[k]
  return left - start
}

/** Where missing values go, the left one of equals. */
function heavierSide(swapped: boolean, leftWeight: number, rightWeight: number): number {
  return swapped ? (rightWeight >= leftWeight ? LEFT : RIGHT) : leftWeight >= rightWeight ? LEFT : RIGHT
}

/** Weight and weighted sum of the response by side. */
function sumSides(growth: Growth, sample: WritableSample, { start, n }: Branch): void {
  const { sideWeight, sideSum } = growth
  const { rows, side, numbers, classCodes, weights } = sample
  sideWeight.fill(0)
  sideSum.fill(0)
  if (growth.nodes.classes === 0) addToSides(rows, start, n, side, numbers, weights, sideWeight, sideSum)
  else addCodesToSides(rows, start, n, side, classCodes, weights, sideWeight, sideSum)
}

function enterLeft(sample: WritableSample, depth: number, searched: boolean): void {
  const above = spansAt(sample, depth)
  const { from, count } = spansAt(sample, depth + 1)
  for (let c = 0; c < sample.codes.length; c++) {
    const order = sample.sorted[c]
    if (!searched) above.count[c] = 0
    above.leftCount[c] =
      order === null || above.count[c] === 0
        ? above.count[c]
        : partition(order, above.from[c], above.count[c], sample.side, sample.spare)
    from[c] = above.from[c]
    count[c] = above.leftCount[c]
  }
}

function enterRight(sample: WritableSample, depth: number): void {
  const above = spansAt(sample, depth)
  const { from, count } = spansAt(sample, depth + 1)
  for (let c = 0; c < sample.codes.length; c++) {
    const counted = sample.sorted[c] === null
    from[c] = counted ? 0 : above.from[c] + above.leftCount[c]
    count[c] = counted ? above.count[c] : above.count[c] - above.leftCount[c]
  }
  if (sample.bins !== null) enterRightBins(sample.bins, depth)
}

function spansAt(sample: WritableSample, depth: number): Spans {
  while (sample.spans.length <= depth) {
    const columns = sample.codes.length
    sample.spans.push({
      from: new Int32Array(columns),
      count: new Int32Array(columns),
      leftCount: new Int32Array(columns),
    })
  }
  return sample.spans[depth]
}

/**
 * The same branch, grown on a copy of its rows that lie side by side. A large table's rows are spread over more memory
 * than the processor keeps at hand, and below this node they would be gone through again and again.
 */
function growInPart(growth: Growth, sample: WritableSample, branch: Branch): number {
  const { start, n, depth } = branch
  sample.part ??= emptyPart(growth, sample)
  const { sample: part, origin, local } = sample.part
  numberRows(sample.rows, start, n, origin, local, part.rows)
  if (growth.nodes.classes === 0) pickNumbers(sample.numbers, origin, n, part.numbers)
  else pickCodes(sample.classCodes, origin, 0, n, part.classCodes)
  if (sample.weights !== null && part.weights !== null) pickNumbers(sample.weights, origin, n, part.weights)
  const spans = spansAt(sample, depth)
  const partSpans = spansAt(part, depth)
  for (let c = 0; c < sample.codes.length; c++) {
    partSpans.from[c] = 0
    partSpans.count[c] = spans.count[c]
    if (spans.count[c] === 0) continue
    pickCodes(sample.codes[c], origin, 0, n, part.codes[c])
    const order = sample.sorted[c]
    const partOrder = part.sorted[c]
    if (order !== null && partOrder !== null) pickCodes(local, order, spans.from[c], spans.count[c], partOrder)
  }
  part.base = sample.base + start
  const node = growBranch(growth, part, { ...branch, start: 0 })
  pickCodes(origin, part.rows, 0, n, sample.rows.subarray(start, start + n))
  return node
}

function emptyPart({ nodes }: Growth, sample: WritableSample): Part {
  const size = PART_ROWS[sample.parts]
  const numbers = nodes.classes === 0
  return {
    sample: {
      codes: sample.codes.map(() => new Int32Array(size)),
      sorted: sample.sorted.map((order) => (order === null ? null : new Int32Array(size))),
      numbers: new Float64Array(numbers ? size : 0),
      classCodes: new Int32Array(numbers ? 0 : size),
      weights: sample.weights === null ? null : new Float64Array(size),
      bins: null,
      rows: new Int32Array(size),
      side: new Uint8Array(size),
      spare: new Int32Array(size),
      base: 0,
      parts: sample.parts + 1,
      spans: [],
      part: null,
    },
    origin: new Int32Array(size),
    local: new Int32Array(sample.side.length),
  }
}

/** Complexities as shares of the root's risk, and none larger than that of the node above. */
function scaleComplexity(nodes: GrowingNodes, cp: number): void {
  const risk = nodes.risk[0]
  for (let node = 0; node < nodes.nodes; node++) {
    nodes.complexity[node] = risk > 0 ? nodes.complexity[node] / risk : cp
  }
  for (let node = 0; node < nodes.nodes; node++) {
    if (nodes.variable[node] < 0) continue
    for (const child of [nodes.left[node], nodes.right[node]]) {
      nodes.complexity[child] = Math.min(nodes.complexity[child], nodes.complexity[node])
    }
  }
}
