import { math } from '@scrim/kernels'
import { chiSquaredUpper } from '../../stats/distributions.js'
import { logGamma } from '../../stats/special.js'
import type { Column } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import { throwIfAborted } from '../../tasks/task.js'
import { donorPools, donorsWith, draws } from './donors.js'
import { type FittedVariable, type Job, jobRows, numbersOf, trainingValues, type VariableMethod } from './method.js'

/**
 * A conditional inference tree (Hothorn, Hornik and Zeileis 2006, `ctree` of the R package party) whose leaves hold the
 * donors. In each node every predictor is tested for independence of the response, given the values that both have there,
 * by the quadratic statistic c = (T - E T)' Cov(T)⁺ (T - E T) ~ χ², T = Σ g(x) h(y), with scores for numbers and ordered
 * levels and indicators for other levels. That is (n - 1) r² for two numbers, (n - 1) times the share of the sum of squares
 * that lies between levels for a number and levels, (n - 1) / n times Pearson's statistic for levels and levels.
 *
 * The predictor with the smallest p splits the node if (1 - p)^predictors > mincriterion, where the standardised
 * difference of the two sides, for levels that of the class in which it is largest, is at its maximum. Blind, like any
 * tree that takes one step at a time, to effects that show only in combination.
 */
export const ctreeMethod: VariableMethod = {
  id: 'ctree',
  title: 'conditional inference tree',
  problem: () => undefined,
  drawsOriginals: true,
  proper: 'bootstrap',
  fit: async (jobs, { options, how }) =>
    jobs.map((job, k) => {
      throwIfAborted(how.signal)
      const fitted = conditionalDonors(job, options)
      how.progress?.(k + 1, jobs.length)
      return fitted
    }),
}

/** Nodes with fewer records are not split (party's default). */
const MINSPLIT = 20
/** Each side has more than this share of the node, and one record more (as party has it). */
const LEAST_SHARE = 0.01
/** Split statistics that agree to this are equal; the first one is taken. */
const EQUAL = 1e-9

interface TreeControl {
  readonly minbucket: number
  readonly mincriterion: number
}

function conditionalDonors(job: Job, control: TreeControl): FittedVariable {
  const values = trainingValues(job)
  const tree = growConditionalTree(variateOf(job.response, job.rows), variatesOf(job), control)
  const { rows, start, size } = tree
  const pools = donorPools(values, rows, start, size)
  return {
    draw(predicting, random) {
      const leaves = leavesOf(tree, predicting)
      return draws(predicting.rows, (row) => values[rows[start[leaves[row]] + random.below(size[leaves[row]])]])
    },
    logProb(predicting, wanted, kernel) {
      const leaves = leavesOf(tree, predicting)
      return wanted.map((value, row) => math.log(donorsWith(pools, leaves[row], value, kernel) / size[leaves[row]]))
    },
    describe: () => ({
      method: ctreeMethod.title,
      donors: jobRows(job),
      leaves: size.length,
      smallestLeaf: size.reduce((a, b) => Math.min(a, b)),
      largestLeaf: size.reduce((a, b) => Math.max(a, b)),
    }),
  }
}

/** A variable as the tests see it: a score for each record, or one of so many levels. */
export interface Variate {
  readonly values: Float64Array
  /** Number of levels; null for scores. */
  readonly levels: number | null
}

function variatesOf({ predictors, rows }: Job): Variate[] {
  return predictors.map((column) => variateOf(column, rows))
}

function variateOf(column: Column, rows: Int32Array | null): Variate {
  const all = numbersOf(column)
  return {
    values: rows === null ? all : Float64Array.from(rows, (row) => all[row]),
    levels: column.kind === 'categorical' && !column.ordered ? column.levels.length : null,
  }
}

export type ConditionalNode = Leaf | Branch

interface Leaf {
  readonly leaf: number
}

interface Branch {
  readonly predictor: number
  readonly statistic: number
  /** 1 - the p value corrected for the number of predictors. */
  readonly criterion: number
  readonly goesLeft: (value: number) => boolean
  readonly left: ConditionalNode
  readonly right: ConditionalNode
}

export interface ConditionalTree {
  readonly root: ConditionalNode
  /** Records by leaf: those of leaf k are `rows[start[k]]` and so many after it. */
  readonly rows: Int32Array
  readonly start: Int32Array
  readonly size: Int32Array
}

export function growConditionalTree(
  response: Variate,
  predictors: readonly Variate[],
  control: TreeControl,
): ConditionalTree {
  const rows = Int32Array.from(response.values.keys())
  const start: number[] = []
  const size: number[] = []
  const grow = (from: number, to: number): ConditionalNode => {
    const members = rows.subarray(from, to)
    const split = bestSplit(response, predictors, members, control)
    if (split === null) {
      members.sort()
      size.push(members.length)
      return { leaf: start.push(from) - 1 }
    }
    const { values } = predictors[split.predictor]
    const middle = from + partition(members, (row) => split.goesLeft(values[row]))
    return { ...split, left: grow(from, middle), right: grow(middle, to) }
  }
  const root = grow(0, rows.length)
  return { root, rows, start: Int32Array.from(start), size: Int32Array.from(size) }
}

function leavesOf({ root }: ConditionalTree, predicting: Table): Int32Array {
  const columns = predicting.columns.map(numbersOf)
  return Int32Array.from({ length: predicting.rows }, (_, row) => {
    let node = root
    while (!('leaf' in node)) node = node.goesLeft(columns[node.predictor][row]) ? node.left : node.right
    return node.leaf
  })
}

/** Moves the rows that go left to the front, each side in its order; returns how many they are. */
function partition(rows: Int32Array, goesLeft: (row: number) => boolean): number {
  const right = new Int32Array(rows.length)
  let [lefts, rights] = [0, 0]
  for (const row of rows) {
    if (goesLeft(row)) rows[lefts++] = row
    else right[rights++] = row
  }
  rows.set(right.subarray(0, rights), lefts)
  return lefts
}

/** The split on the predictor that depends most clearly on the response, if that is clear enough; else on the next one. */
function bestSplit(
  response: Variate,
  predictors: readonly Variate[],
  rows: Int32Array,
  { minbucket, mincriterion }: TreeControl,
): Omit<Branch, 'left' | 'right'> | null {
  const n = rows.length
  if (n < MINSPLIT) return null
  const least = Math.max(minbucket, 1 + LEAST_SHARE * n)
  const tests = predictors.flatMap((predictor, k) => {
    const { statistic, df } = independence(predictor, response, rows)
    if (df === 0) return []
    const criterion = math.pow(1 - chiSquaredUpper(statistic, df), predictors.length)
    return [{ predictor: k, statistic, criterion, log: logUpper(statistic, df) }]
  })
  const clear = tests.filter(({ criterion }) => criterion > mincriterion).sort((a, b) => a.log - b.log)
  for (const { predictor, statistic, criterion } of clear) {
    const goesLeft = cutOf(predictors[predictor], response, rows, least)
    if (goesLeft !== null) return { predictor, statistic, criterion, goesLeft }
  }
  return null
}

/** log P(χ² > statistic), by its leading term where the probability itself is too small for a number. */
function logUpper(statistic: number, df: number): number {
  const upper = chiSquaredUpper(statistic, df)
  if (upper > Number.MIN_VALUE / Number.EPSILON) return math.log(upper)
  return -statistic / 2 + (df / 2 - 1) * math.log(statistic / 2) - logGamma(df / 2)
}

interface Independence {
  readonly statistic: number
  /** 0 where one of the two does not vary. */
  readonly df: number
}

/** The quadratic statistic of two variables among these records. */
export function independence(x: Variate, y: Variate, rows: Int32Array): Independence {
  if (x.levels === null) return y.levels === null ? ofScores(x, y, rows) : ofScoresAndLevels(x, y, y.levels, rows)
  if (y.levels === null) return ofScoresAndLevels(y, x, x.levels, rows)
  return ofLevels(x, x.levels, y, y.levels, rows)
}

const INDEPENDENT: Independence = { statistic: 0, df: 0 }

function ofScores(x: Variate, y: Variate, rows: Int32Array): Independence {
  const [meanX, meanY] = [meanOf(x.values, rows), meanOf(y.values, rows)]
  let [xx, yy, xy] = [0, 0, 0]
  for (const row of rows) {
    const [dx, dy] = [x.values[row] - meanX, y.values[row] - meanY]
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  return xx > 0 && yy > 0 ? { statistic: ((rows.length - 1) * xy * xy) / (xx * yy), df: 1 } : INDEPENDENT
}

function ofScoresAndLevels(scores: Variate, levels: Variate, count: number, rows: Int32Array): Independence {
  const mean = meanOf(scores.values, rows)
  const sums = new Float64Array(count)
  const sizes = new Float64Array(count)
  let all = 0
  for (const row of rows) {
    const difference = scores.values[row] - mean
    sums[levels.values[row]] += difference
    sizes[levels.values[row]]++
    all += difference * difference
  }
  const present = sizes.reduce((n, size) => n + (size > 0 ? 1 : 0), 0)
  if (!(all > 0) || present < 2) return INDEPENDENT
  const between = sums.reduce((total, sum, k) => (sizes[k] > 0 ? total + (sum * sum) / sizes[k] : total), 0)
  return { statistic: ((rows.length - 1) * between) / all, df: present - 1 }
}

function ofLevels(x: Variate, countX: number, y: Variate, countY: number, rows: Int32Array): Independence {
  const cells = new Float64Array(countX * countY)
  const [sizesX, sizesY] = [new Float64Array(countX), new Float64Array(countY)]
  for (const row of rows) {
    cells[x.values[row] * countY + y.values[row]]++
    sizesX[x.values[row]]++
    sizesY[y.values[row]]++
  }
  const n = rows.length
  let ratio = -1
  for (let i = 0; i < countX; i++)
    for (let j = 0; j < countY; j++)
      if (cells[i * countY + j] > 0) ratio += cells[i * countY + j] ** 2 / (sizesX[i] * sizesY[j])
  const present = (sizes: Float64Array) => sizes.reduce((sum, size) => sum + (size > 0 ? 1 : 0), 0)
  return { statistic: (n - 1) * ratio, df: (present(sizesX) - 1) * (present(sizesY) - 1) }
}

function meanOf(values: Float64Array, rows: Int32Array): number {
  let sum = 0
  for (const row of rows) sum += values[row]
  return sum / rows.length
}

/** Where the two sides differ most; null if one of them would always be too small. */
function cutOf(
  predictor: Variate,
  response: Variate,
  rows: Int32Array,
  least: number,
): ((value: number) => boolean) | null {
  const contrasts = contrastsOf(response, rows)
  if (predictor.levels === null) return cutOfScores(predictor.values, contrasts, rows, least)
  return cutOfLevels(predictor.values, predictor.levels, contrasts, rows, least)
}

/**
 * What is compared between the two sides: the response, or the indicator of each class but those that nobody or everybody
 * is in. `scaled` has mean 0 and variance 1 among the records.
 */
interface Contrast {
  readonly scaled: (row: number) => number
}

function contrastsOf({ values, levels }: Variate, rows: Int32Array): Contrast[] {
  const n = rows.length
  if (levels === null) {
    const mean = meanOf(values, rows)
    let squares = 0
    for (const row of rows) squares += (values[row] - mean) ** 2
    const sd = Math.sqrt(squares / n)
    return [{ scaled: (row) => (values[row] - mean) / sd }]
  }
  const sizes = new Float64Array(levels)
  for (const row of rows) sizes[values[row]]++
  return Array.from(sizes.entries())
    .filter(([, size]) => size > 0 && size < n)
    .map(([level, size]) => {
      const p = size / n
      const sd = Math.sqrt(p * (1 - p))
      return { scaled: (row) => ((values[row] === level ? 1 : 0) - p) / sd }
    })
}

function cutOfScores(
  x: Float64Array,
  contrasts: readonly Contrast[],
  rows: Int32Array,
  least: number,
): ((value: number) => boolean) | null {
  const n = rows.length
  const sorted = rows.slice().sort((a, b) => x[a] - x[b])
  const sums = new Float64Array(contrasts.length)
  let best = 0
  let cut: number | null = null
  for (let left = 1; left < n; left++) {
    const row = sorted[left - 1]
    for (let k = 0; k < sums.length; k++) sums[k] += contrasts[k].scaled(row)
    if (x[row] === x[sorted[left]] || left < least || n - left < least) continue
    for (const sum of sums) {
      const squared = (sum * sum) / (left * (n - left))
      if (squared > best * (1 + EQUAL)) {
        best = squared
        cut = x[row]
      }
    }
  }
  if (cut === null) return null
  const at = cut
  return (value) => value <= at
}

/**
 * For one contrast the best of all partitions is among those along the levels in the order of their means (Fisher 1958), so
 * the best over all contrasts is found without trying every subset. A level that the node does not have goes to the
 * larger side.
 */
function cutOfLevels(
  x: Float64Array,
  levels: number,
  contrasts: readonly Contrast[],
  rows: Int32Array,
  least: number,
): ((value: number) => boolean) | null {
  const n = rows.length
  const sizes = new Float64Array(levels)
  for (const row of rows) sizes[x[row]]++
  const present = Array.from(sizes.keys()).filter((level) => sizes[level] > 0)
  let best = 0
  let sides: { left: Set<number>; size: number } | null = null
  for (const { scaled } of contrasts) {
    const sums = new Float64Array(levels)
    for (const row of rows) sums[x[row]] += scaled(row)
    const order = present.toSorted((a, b) => sums[a] / sizes[a] - sums[b] / sizes[b])
    let [sum, left] = [0, 0]
    for (let k = 0; k < order.length - 1; k++) {
      sum += sums[order[k]]
      left += sizes[order[k]]
      const squared = (sum * sum) / (left * (n - left))
      if (left < least || n - left < least || squared <= best * (1 + EQUAL)) continue
      best = squared
      sides = { left: new Set(order.slice(0, k + 1)), size: left }
    }
  }
  if (sides === null) return null
  const { left, size } = sides
  const unknownLeft = 2 * size >= n
  return (value) => left.has(value) || (unknownLeft && !(sizes[value] > 0))
}
