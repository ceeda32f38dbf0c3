import { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import { cart } from '../../learners/cart.js'
import { fitContext, type Model, type Response } from '../../learners/learner.js'
import { findLearner } from '../../learners/learners.js'
import type { Context } from '../../measure.js'
import { stratifiedFolds } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { isMissing } from '../../table/column.js'
import { columnOf, findColumn, selectRows, type Table, table } from '../../table/table.js'
import { throwIfAborted } from '../../tasks/task.js'
import type { Pair } from '../pair.js'
import type { Predictions } from './skill.js'

/** What is predicted from what, and how. The same question is put to models of the original and of the release. */
export interface Question {
  readonly target: string
  readonly predictors: readonly string[]
  readonly weight: string | null
  readonly learner: LearnerName
}

export const LEARNERS = ['cart', 'linear', 'forest', 'boosting'] as const
export type LearnerName = (typeof LEARNERS)[number]

export const learnerOption = z
  .enum(LEARNERS)
  .default('cart')
  .describe(
    'what predicts: a tree; linear (logistic, multinomial) regression; a forest of 200 trees; or gradient boosting. All but the first two are slow, for some eighty models are fitted',
  )

/** A tree whose leaves are probabilities, not votes: splits that change no vote are kept. */
const TREE = { cp: 0.003, minbucket: 10, collapse: 'gain' } as const

/** Rows of a table whose target is known. */
export function knownRows(data: Table, target: string): Int32Array {
  const column = columnOf(data, target)
  return Int32Array.from({ length: data.rows }, (_, row) => row).filter((row) => !isMissing(column, row))
}

/** Fits a model to some rows of a table. */
export async function fitQuestion(
  { target, predictors, weight, learner }: Question,
  data: Table,
  rows: Int32Array,
  purpose: string,
  context: Context,
): Promise<Model> {
  throwIfAborted(context.signal)
  if (rows.length === 0) throw new NotApplicable(`the target "${target}" is missing in all records of ${data.name}`)
  const features = featuresOf(data, predictors, rows)
  const response = responseOf(data, target, rows)
  const weightColumn = weight === null ? undefined : findColumn(data, weight)
  const weights = weightColumn?.kind === 'numeric' ? Float64Array.from(rows, (row) => weightColumn.values[row]) : null
  const own = fitContext(
    { seed: context.seed, tasks: context.tasks, progress: undefined, signal: context.signal },
    `predictive/${target}/${purpose}`,
    weights,
  )
  if (learner === 'cart') return cart.fit(features, response, cart.options.parse(TREE), own)
  const id = learner === 'linear' ? (response.kind === 'classes' ? 'logit' : 'lm') : learner === 'forest' ? 'rf' : 'gbm'
  const found = findLearner(id)
  if (found === undefined) throw new Error(`no learner ${id}`)
  return found.fit(features, response, found.options.parse(learner === 'forest' ? { trees: 200 } : {}), own)
}

/** What a model says about some rows of a table. */
export async function predictRows(
  { target, predictors }: Question,
  model: Model,
  data: Table,
  rows: Int32Array,
): Promise<Predictions> {
  return predictFeatures(target, model, featuresOf(data, predictors, rows), data, rows)
}

/** The same for records whose features were changed. */
export async function predictFeatures(
  target: string,
  model: Model,
  features: Table,
  data: Table,
  rows: Int32Array,
): Promise<Predictions> {
  const truth = responseOf(data, target, rows)
  if (truth.kind === 'numbers')
    return { kind: 'numbers', truth: truth.values, predicted: await model.predict(features) }
  const probabilities = await model.predictProbabilities(features)
  return { kind: 'classes', truth: truth.codes, probabilities, levels: truth.levels.length }
}

export function featuresOf(data: Table, predictors: readonly string[], rows: Int32Array): Table {
  const columns = table(
    data.name,
    predictors.map((name) => columnOf(data, name)),
  )
  return columns.columns.length === 0 ? { ...columns, rows: rows.length } : selectRows(columns, rows)
}

function responseOf(data: Table, target: string, rows: Int32Array): Response {
  const column = columnOf(data, target)
  return column.kind === 'categorical'
    ? { kind: 'classes', codes: rows.map((row) => column.codes[row]), levels: column.levels }
    : { kind: 'numbers', values: Float64Array.from(rows, (row) => column.values[row]) }
}

export interface CrossFit {
  /** Records whose target is known, ascending. */
  readonly rows: Int32Array
  /** Of these records, each by a model that was fitted to the other folds. */
  readonly predictions: Predictions
  readonly folds: Int32Array
  /** One model per fold, fitted to the others. */
  readonly models: readonly Model[]
}

const FEW_RECORDS = 500

/**
 * Every record predicted by a model that did not see it: 5 folds, 10 for fewer than 500 records. Folds may be given, one per
 * record whose target is known.
 */
export async function crossFit(
  question: Question,
  data: Table,
  context: Context,
  given: Int32Array | null = null,
): Promise<CrossFit> {
  const rows = knownRows(data, question.target)
  const count = given === null ? Math.min(rows.length, rows.length < FEW_RECORDS ? 10 : 5) : new Set(given).size
  if (count < 2) throw new NotApplicable(`the target "${question.target}" of ${data.name} is known for too few records`)
  const column = columnOf(data, question.target)
  const strata = column.kind === 'categorical' ? rows.map((row) => column.codes[row]) : new Int32Array(rows.length)
  const folds =
    given === null
      ? stratifiedFolds(stream(context.seed, `predictive/${question.target}/folds`), strata, count)
      : numbered(given)
  const models: Model[] = []
  const parts: { places: Int32Array; predictions: Predictions }[] = []
  const places = Int32Array.from(rows.keys())
  for (let fold = 0; fold < count; fold++) {
    const inside = places.filter((place) => folds[place] === fold)
    const others = places.filter((place) => folds[place] !== fold)
    const model = await fitQuestion(
      question,
      data,
      others.map((place) => rows[place]),
      `fold ${fold}`,
      context,
    )
    models.push(model)
    const predictions = await predictRows(
      question,
      model,
      data,
      inside.map((place) => rows[place]),
    )
    parts.push({ places: inside, predictions })
  }
  return { rows, predictions: assembled(parts, rows.length), folds, models }
}

/** The same folds, numbered 0, 1, ... */
function numbered(folds: Int32Array): Int32Array {
  const numbers = new Map([...new Set(folds)].sort((a, b) => a - b).map((fold, k) => [fold, k]))
  return folds.map((fold) => numbers.get(fold) ?? 0)
}

/** Predictions of all parts in the order of the records. */
export function assembled(
  parts: readonly { readonly places: Int32Array; readonly predictions: Predictions }[],
  records: number,
): Predictions {
  const first = parts[0].predictions
  if (first.kind === 'numbers') {
    const truth = new Float64Array(records)
    const predicted = new Float64Array(records)
    for (const { places, predictions } of parts) {
      if (predictions.kind !== 'numbers') continue
      places.forEach((place, k) => {
        truth[place] = predictions.truth[k]
        predicted[place] = predictions.predicted[k]
      })
    }
    return { kind: 'numbers', truth, predicted }
  }
  const { levels } = first
  const truth = new Int32Array(records)
  const probabilities = new Float64Array(records * levels)
  for (const { places, predictions } of parts) {
    if (predictions.kind !== 'classes') continue
    places.forEach((place, k) => {
      truth[place] = predictions.truth[k]
      probabilities.set(predictions.probabilities.subarray(k * levels, (k + 1) * levels), place * levels)
    })
  }
  return { kind: 'classes', truth, probabilities, levels }
}

/** The predictions at some places only. */
export function predictionsAt(of: Predictions, places: Int32Array): Predictions {
  const count = places.length
  if (of.kind === 'numbers') {
    const truth = new Float64Array(count)
    const predicted = new Float64Array(count)
    for (let k = 0; k < count; k++) {
      truth[k] = of.truth[places[k]]
      predicted[k] = of.predicted[places[k]]
    }
    return { kind: 'numbers', truth, predicted }
  }
  const { levels } = of
  const truth = new Int32Array(count)
  const probabilities = new Float64Array(count * levels)
  for (let k = 0; k < count; k++) {
    truth[k] = of.truth[places[k]]
    for (let level = 0; level < levels; level++)
      probabilities[k * levels + level] = of.probabilities[places[k] * levels + level]
  }
  return { kind: 'classes', truth, probabilities, levels }
}

/** Where the records stand that a model may be tested on: all, or those that were not drawn; null when nearly all were. */
export function testedPlaces({ drawn, original }: Pair, rows: Int32Array): Int32Array | null {
  const places = Int32Array.from(rows.keys())
  if (drawn === null) return places
  const isDrawn = new Uint8Array(original.rows)
  for (const row of drawn) isDrawn[row] = 1
  const left = places.filter((place) => isDrawn[rows[place]] === 0)
  return left.length < FEWEST_TESTED ? null : left
}

const FEWEST_TESTED = 10

const fitted = new WeakMap<Table, Map<string, Promise<CrossFit>>>()

/** Cross-fitting of an original, once for all files that are compared with it. */
export function crossFitOnce(question: Question, data: Table, context: Context): Promise<CrossFit> {
  const key = JSON.stringify([question, context.seed])
  const byKey = fitted.get(data) ?? new Map<string, Promise<CrossFit>>()
  fitted.set(data, byKey)
  const before = byKey.get(key)
  if (before !== undefined) return before
  const made = crossFit(question, data, context)
  byKey.set(key, made)
  made.catch(() => byKey.delete(key))
  return made
}
