import { CLEAR, type GrownNode, type GrowthStep, sideOf } from './grown-tree.js'
import { type NodeSearch, searchSplit, type World } from './node-search.js'

/**
 * Whether the split of a node stays the best where nothing but one record's response, a number, is another: y + d instead
 * of y. With S the sum of y - mean on the left, a cut gains S² n / (n_L n_R), and S becomes S + d ([left] - n_L / n): every
 * cut of numbers follows at once. Levels may be cut in many ways, but the root of what the best of them gains (with no
 * least size) grows by |d| √((n - b) / (n b)) at most, b = minbucket. False where it is not clear; then one must search.
 */
export function staysBestWith(search: NodeSearch, world: World, base: GrownNode): boolean {
  const { step } = search
  const { split, left, right, rows, risk } = base
  if (step.classes > 0 || world.columns.length > 0 || split === null || left === null || right === null) return false
  const cuts = base.known.cuts ?? cutsOf(search, base)
  base.known.cuts = cuts
  const n = rows.length
  const d = world.response - world.base.response
  const gain = (sum: number, onLeft: number) => (sum * sum * n) / (onLeft * (n - onLeft))
  const isLeft = sideOf(split, world.codes[split.column]) < 0
  const sum = cuts.ownSum + d * ((isLeft ? 1 : 0) - left.rows.length / n)
  const most = gain(sum, left.rows.length) * (1 - CLEAR)
  if (!(sum < 0) || !(most > LEAST_SHARE * (risk + d * d))) return false
  const { minbucket } = step.settings
  if (cuts.bestOfLevels !== null) {
    const root = Math.sqrt(cuts.bestOfLevels) + Math.abs(d) * Math.sqrt((n - minbucket) / (n * minbucket))
    if (!(root * root < most)) return false
  }
  for (let k = 0; k < cuts.sum.length; k++) {
    const inside = world.codes[cuts.column[k]] <= cuts.code[k] ? 1 : 0
    if (!(gain(cuts.sum[k] + d * (inside - cuts.onLeft[k] / n), cuts.onLeft[k]) < most)) return false
  }
  return true
}

/** Gains below this share of the risk are left to the search, which takes the least of them for rounding. */
const LEAST_SHARE = 1e-6

/** The cuts of a node of the base that could beat its split. */
export interface NodeCuts {
  /** The sum of y - mean left of the split. */
  readonly ownSum: number
  /** By cut of a column of numbers: the last rank on the one side, its rows and their sum of y - mean. */
  readonly column: Int32Array
  readonly code: Int32Array
  readonly onLeft: Float64Array
  readonly sum: Float64Array
  /** The most that any two parts of the levels of one column gain; null without such columns. */
  readonly bestOfLevels: number | null
}

function cutsOf(search: NodeSearch, { rows, split, left }: GrownNode): NodeCuts {
  const { step } = search
  const { columns, response } = step
  let sum = 0
  for (const row of rows) sum += response[row]
  const mean = sum / rows.length
  let ownSum = 0
  for (const row of left?.rows ?? []) ownSum += response[row] - mean
  const numbers = Array.from(columns.keys()).filter((c) => columns[c].distinct !== null)
  const levels = Array.from(columns.keys()).filter((c) => columns[c].distinct === null)
  const cuts = numbers
    .flatMap((c) => cutsOfColumn(step, c, rows, mean))
    .filter(({ column, code, next }) => !(column === split?.column && code < split.cut && split.cut <= next))
  return {
    ownSum,
    column: Int32Array.from(cuts, ({ column }) => column),
    code: Int32Array.from(cuts, ({ code }) => code),
    onLeft: Float64Array.from(cuts, ({ onLeft }) => onLeft),
    sum: Float64Array.from(cuts, (cut) => cut.sum),
    bestOfLevels: levels.length === 0 ? null : (searchSplit(search, null, rows, 1, null, levels)?.split.gain ?? 0),
  }
}

interface Cut {
  readonly column: number
  readonly code: number
  /** The first rank on the other side. */
  readonly next: number
  readonly onLeft: number
  readonly sum: number
}

function cutsOfColumn({ columns, response, settings }: GrowthStep, c: number, rows: Int32Array, mean: number): Cut[] {
  const { codes } = columns[c]
  const ascending = rows.slice().sort((a, b) => codes[a] - codes[b])
  const cuts: Cut[] = []
  let sum = 0
  for (let k = 0; k + 1 < ascending.length; k++) {
    sum += response[ascending[k]] - mean
    const [code, next] = [codes[ascending[k]], codes[ascending[k + 1]]]
    const onLeft = k + 1
    if (code < next && Math.min(onLeft, rows.length - onLeft) >= settings.minbucket)
      cuts.push({ column: c, code, next, onLeft, sum })
  }
  return cuts
}
