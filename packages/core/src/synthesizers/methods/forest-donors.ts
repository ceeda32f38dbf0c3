import { math } from '@scrim/kernels'
import { type ForestModel, forest } from '../../learners/forest.js'
import { stream } from '../../random/stream.js'
import { columnLength, takeRows } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { type DonorPools, donorPools, donorsWith, draws } from './donors.js'
import {
  type FittedVariable,
  type Job,
  type MethodContext,
  predictorTable,
  trainingValues,
  type VariableMethod,
} from './method.js'
import { responseOf } from './tree-donors.js'

/**
 * A forest on the predictors: the donors of a synthetic record are the original records of its leaves, in all trees
 * together, a record as often as it shares a leaf. `bag` tries all predictors at each node, `rf` as many as a random forest.
 */
export const rf = forestMethod('rf', 'random forest', 'sqrt')
export const bag = forestMethod('bag', 'bagged trees', 'all')

function forestMethod(id: string, title: string, tried: 'sqrt' | 'all'): VariableMethod {
  return {
    id,
    title,
    problem: () => undefined,
    drawsOriginals: true,
    proper: 'bootstrap',
    async fit(jobs, context) {
      const fitted: FittedVariable[] = []
      for (const job of jobs) {
        const features = trainingFeatures(job)
        const model = await grow(job, features, tried === 'all' ? job.predictors.length : 'sqrt', context)
        fitted.push(forestDonors(job, features, model, title))
      }
      return fitted
    },
  }
}

function trainingFeatures({ predictors, rows, response }: Job): Table {
  if (rows === null) return predictorTable(predictors, columnLength(response))
  return predictorTable(
    predictors.map((column) => takeRows(column, rows)),
    rows.length,
  )
}

function grow(
  { response, rows, purpose }: Job,
  features: Table,
  mtry: number | 'sqrt',
  { options, random, how }: MethodContext,
): Promise<ForestModel> {
  const seed = random(`${purpose}/forest`).uint32()
  const wanted = responseOf(rows === null ? response : takeRows(response, rows))
  const chosen = forest.options.parse({ trees: options.trees, mtry, minNode: options.minbucket })
  return forest.fit(features, wanted, chosen, {
    random: (part, index = 0) => stream(seed, part, index),
    seed,
    purpose: 'forest',
    tasks: how.tasks ?? inline,
    weights: null,
    signal: how.signal,
  })
}

function forestDonors(job: Job, features: Table, model: ForestModel, title: string): FittedVariable {
  const values = trainingValues(job)
  const trees = model.trees.length
  const { rows, start, size, first } = leafRows(model.leaves(features), trees, values.length)
  let pools: DonorPools | undefined
  /** The pool that a record falls into in a tree. */
  const poolsOf = (predicting: Table) => model.leaves(predicting).map((leaf, at) => first[at % trees] + leaf)
  return {
    draw(predicting, random) {
      const poolOf = poolsOf(predicting)
      return draws(predicting.rows, (row) => {
        let donors = 0
        for (let t = 0; t < trees; t++) donors += size[poolOf[row * trees + t]]
        let place = random.below(donors)
        let t = 0
        while (place >= size[poolOf[row * trees + t]]) place -= size[poolOf[row * trees + t++]]
        return values[rows[start[poolOf[row * trees + t]] + place]]
      })
    },
    logProb(predicting, wanted, kernel) {
      pools ??= donorPools(values, rows, start, size)
      const known = pools
      const poolOf = poolsOf(predicting)
      return wanted.map((value, row) => {
        let [having, donors] = [0, 0]
        for (let t = 0; t < trees; t++) {
          const pool = poolOf[row * trees + t]
          having += donorsWith(known, pool, value, kernel)
          donors += size[pool]
        }
        return math.log(having / donors)
      })
    },
    describe: () => ({
      method: title,
      donors: values.length,
      trees,
      leaves: size.reduce((n, s) => n + (s > 0 ? 1 : 0), 0),
    }),
  }
}

/** Records by tree and leaf: those of pool `first[tree] + leaf` are `rows[start]` and so many after it. */
function leafRows(leaves: Int32Array, trees: number, records: number) {
  const first = new Int32Array(trees + 1)
  for (let t = 0; t < trees; t++) {
    let last = -1
    for (let row = 0; row < records; row++) last = Math.max(last, leaves[row * trees + t])
    first[t + 1] = first[t] + last + 1
  }
  const size = new Int32Array(first[trees])
  for (let at = 0; at < leaves.length; at++) size[first[at % trees] + leaves[at]]++
  const start = new Int32Array(size.length)
  for (let pool = 1; pool < size.length; pool++) start[pool] = start[pool - 1] + size[pool - 1]
  const next = start.slice()
  const rows = new Int32Array(leaves.length)
  for (let at = 0; at < leaves.length; at++) rows[next[first[at % trees] + leaves[at]]++] = Math.floor(at / trees)
  return { rows, start, size, first }
}
