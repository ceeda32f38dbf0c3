import { type CartColumn, math, pickRows } from '@scrim/kernels'
import {
  type CartOptions,
  type CartTree,
  growTree,
  leafOf,
  leavesOf,
  MOST_DEPTH,
  presort,
} from '../../learners/cart.js'
import type { Response } from '../../learners/learner.js'
import { type Column, columnLength, takeRows } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import { inline, type Task } from '../../tasks/task.js'
import { type DonorPools, donorPools, donorsWith, scripted } from './donors.js'
import {
  type FittedVariable,
  type Job,
  type MethodOptions,
  predictorTable,
  trainingValues,
  type VariableMethod,
} from './method.js'
import type { Kernel } from './smoothing.js'

const SPLIT_PER_BUCKET = 3
/** With fewer cells than this, threads cost more than they save. */
const CELLS_FOR_THREADS = 300_000

/** A tree on the predictors; the donors of a synthetic record are the original records of its leaf (Reiter 2005). */
export const cartMethod: VariableMethod = {
  id: 'cart',
  title: 'tree',
  problem: () => undefined,
  drawsOriginals: true,
  proper: 'bootstrap',
  async fit(jobs, { options, how }) {
    const { columns, items } = sharedColumns(jobs)
    const cells = columns.reduce((sum, column) => sum + columnLength(column), 0)
    const tasks = cells < CELLS_FOR_THREADS ? inline : (how.tasks ?? inline)
    const order = items
      .map((_, k) => k)
      .sort((a, b) => items[b].predictors.length - items[a].predictors.length || a - b)
    const trees = await tasks.map(
      growDonorTree,
      { columns, options: treeOptions(options) },
      order.map((k) => items[k]),
      { progress: how.progress, signal: how.signal },
    )
    const treeOf = new Map(order.map((k, place) => [k, trees[place]]))
    return jobs.map((job, k) => treeDonors(job, treeOf.get(k) ?? trees[0]))
  },
}

function treeOptions({ minbucket, cp, collapse }: MethodOptions): CartOptions {
  return { minbucket, minsplit: SPLIT_PER_BUCKET * minbucket, cp, maxDepth: MOST_DEPTH, collapse, pruneTo: null }
}

interface Growth {
  readonly columns: readonly Column[]
  readonly options: CartOptions
}

interface GrowthItem {
  /** Places in `columns`. */
  readonly response: number
  readonly predictors: readonly number[]
  readonly rows: Int32Array | null
}

/** Each column once, however many trees use it. */
function sharedColumns(jobs: readonly Job[]): { columns: Column[]; items: GrowthItem[] } {
  const place = new Map<Column, number>()
  const placeOf = (column: Column) => {
    const known = place.get(column)
    if (known !== undefined) return known
    place.set(column, place.size)
    return place.size - 1
  }
  const items = jobs.map(({ response, predictors, rows }) => ({
    response: placeOf(response),
    predictors: predictors.map(placeOf),
    rows,
  }))
  return { columns: [...place.keys()], items }
}

/** Sorted columns, kept as long as the data of the task are. */
const sortedColumns = new WeakMap<Growth, (CartColumn | undefined)[]>()

export const growDonorTree: Task<Growth, GrowthItem, CartTree> = {
  name: 'synthesizers/grow-donor-tree',
  run(shared, { response, predictors, rows }) {
    const features = predictors.map((at) => shared.columns[at])
    const wanted = shared.columns[response]
    if (rows !== null) {
      const taken = features.map((column) => takeRows(column, rows))
      return growTree(predictorTable(taken, rows.length), responseOf(takeRows(wanted, rows)), shared.options)
    }
    const sorted = sortedColumns.get(shared) ?? []
    sortedColumns.set(shared, sorted)
    const presorted = predictors.map((at, k) => {
      sorted[at] ??= presort(predictorTable([features[k]], columnLength(wanted)))[0]
      return sorted[at]
    })
    return growTree(predictorTable(features, columnLength(wanted)), responseOf(wanted), shared.options, { presorted })
  },
}

export function responseOf(column: Column): Response {
  return column.kind === 'categorical'
    ? { kind: 'classes', codes: column.codes, levels: column.levels }
    : { kind: 'numbers', values: column.values }
}

function treeDonors(job: Job, tree: CartTree): FittedVariable {
  const values = trainingValues(job)
  let pools: DonorPools | undefined
  const chanceIn = (leaf: number, value: number, kernel: Kernel | null) => {
    pools ??= donorPools(values, tree.rows, tree.start, leafSizes(tree))
    return donorsWith(pools, leaf, value, kernel) / tree.n[leaf]
  }
  return {
    draw(predicting, random) {
      const leaves = leafOf(tree, predicting, random)
      const places = pickRows(tree.n, leaves)
      random.belowEach(places)
      return donorValues(values, tree, leaves, places)
    },
    logProb(predicting, wanted, kernel) {
      const leaves = leafOf(tree, predicting, alwaysLeft)
      const others = leafOf(tree, predicting, alwaysRight)
      return wanted.map((value, row) => {
        if (leaves[row] === others[row]) return math.log(chanceIn(leaves[row], value, kernel))
        const ways = leafChances(tree, rowOf(predicting, row))
        return math.log(ways.reduce((sum, { leaf, chance }) => sum + chance * chanceIn(leaf, value, kernel), 0))
      })
    },
    describe: () => {
      const sizes = Array.from(leavesOf(tree), (leaf) => tree.n[leaf])
      return {
        method: job.response.kind === 'categorical' ? 'classification tree' : 'regression tree',
        donors: values.length,
        leaves: sizes.length,
        smallestLeaf: sizes.reduce((a, b) => Math.min(a, b)),
        largestLeaf: sizes.reduce((a, b) => Math.max(a, b)),
      }
    },
  }
}

/** Hot. Of each record the value of the donor at this place in its leaf. */
function donorValues(values: Float64Array, { rows, start }: CartTree, leaves: Int32Array, places: Int32Array) {
  const drawn = new Float64Array(leaves.length)
  for (let row = 0; row < leaves.length; row++) drawn[row] = values[rows[start[leaves[row]] + places[row]]]
  return drawn
}

/** Rows per node, none for inner nodes, whose rows are those of their leaves. */
function leafSizes(tree: CartTree): Int32Array {
  return tree.n.map((n, node) => (tree.variable[node] < 0 ? n : 0))
}

const alwaysLeft = scripted(() => 0)
const alwaysRight = scripted((n) => n - 1)

function rowOf(file: Table, row: number): Table {
  return predictorTable(
    file.columns.map((column) => takeRows(column, [row])),
    1,
  )
}

/**
 * The leaves that a record may reach, where it meets nodes that have not seen its level and have two children of equal
 * size: a coin decides there. Each way through the tosses is walked once.
 */
function leafChances(
  tree: CartTree,
  record: Table,
  tosses: readonly number[] = [],
): { leaf: number; chance: number }[] {
  let met = 0
  const [leaf] = leafOf(
    tree,
    record,
    scripted(() => tosses[met++] ?? 0),
  )
  if (met <= tosses.length) return [{ leaf, chance: math.pow(0.5, met) }]
  return [...leafChances(tree, record, [...tosses, 0]), ...leafChances(tree, record, [...tosses, 1])]
}
