import type { z } from 'zod'
import { NotApplicable } from '../../../errors.js'
import { boosting } from '../../../learners/boosting.js'
import { cart } from '../../../learners/cart.js'
import { forest } from '../../../learners/forest.js'
import { fitContext, type Learner, type Model, type Response } from '../../../learners/learner.js'
import { linear } from '../../../learners/linear.js'
import { logistic } from '../../../learners/logistic.js'
import { assembled, type Predictions } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { choice } from '../../../option-kinds.js'
import { stratifiedFolds } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { remember } from '../../../table/classes.js'
import { columnOf, completeRows, selectRows, type Table } from '../../../table/table.js'
import { throwIfAborted } from '../../../tasks/task.js'
import { type Pair, weightsOf } from '../../pair.js'

/** What is predicted from what, and how. The same question is put to models of the original and of the release. */
export interface Question {
  readonly target: string
  readonly predictors: readonly string[]
  readonly weight: string | null
  readonly learner: LearnerName
}

export function questionOf({ variables, target, weight }: Pair, { learner }: Pick<Question, 'learner'>): Question {
  const predictors = variables.filter((name) => name !== target)
  if (predictors.length === 0) throw new NotApplicable('there is no column to predict the target from')
  return { target, predictors, weight, learner }
}

export const LEARNERS = ['cart', 'linear', 'forest', 'boosting'] as const
type LearnerName = (typeof LEARNERS)[number]

export const learnerOption = choice(LEARNERS, 'cart').describe(
  'what predicts: a tree; linear (logistic, multinomial) regression; a forest of 200 trees; or gradient boosting. All but the first two are slow, for some eighty models are fitted',
)

/** A tree whose leaves are probabilities, not votes: splits that change no vote are kept. */
const TREE = { cp: 0.003, minbucket: 10, collapse: 'gain' } as const

/** Rows of a table whose target is known. */
export function knownRows(data: Table, target: string): Int32Array {
  return completeRows(data, [target])
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
  const { seed, tasks, signal } = context
  const fitting = { seed, tasks, progress: undefined, signal }
  const how = fitContext(fitting, `predictive/${target}/${purpose}`, weightsOf(data, weight, rows))
  const fit = <Options extends z.ZodObject>({ fit, options }: Learner<Options>, chosen: object = {}) =>
    fit(features, response, options.parse(chosen), how)
  if (learner === 'cart') return fit(cart, TREE)
  if (learner === 'forest') return fit(forest, { trees: 200 })
  if (learner === 'boosting') return fit(boosting)
  return response.kind === 'classes' ? fit(logistic) : fit(linear)
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
  return { kind: 'classes', truth: truth.codes, probabilities, levels: truth.levels }
}

export function featuresOf(data: Table, predictors: readonly string[], rows: Int32Array): Table {
  const columns = predictors.map((name) => columnOf(data, name))
  return selectRows({ ...data, columns }, rows)
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
  assigned: Int32Array | null = null,
): Promise<CrossFit> {
  const rows = knownRows(data, question.target)
  const count = assigned === null ? Math.min(rows.length, rows.length < FEW_RECORDS ? 10 : 5) : new Set(assigned).size
  if (count < 2) throw new NotApplicable(`the target "${question.target}" of ${data.name} is known for too few records`)
  const column = columnOf(data, question.target)
  const strata = column.kind === 'categorical' ? rows.map((row) => column.codes[row]) : new Int32Array(rows.length)
  const folds =
    assigned === null
      ? stratifiedFolds(stream(context.seed, `predictive/${question.target}/folds`), strata, count)
      : numbered(assigned)
  const models: Model[] = []
  const parts: { places: Int32Array; predictions: Predictions }[] = []
  const places = Int32Array.from(rows.keys())
  for (let fold = 0; fold < count; fold++) {
    const inside = places.filter((place) => folds[place] === fold)
    const others = rows.filter((_, place) => folds[place] !== fold)
    const model = await fitQuestion(question, data, others, `fold ${fold}`, context)
    models.push(model)
    const tested = inside.map((place) => rows[place])
    parts.push({ places: inside, predictions: await predictRows(question, model, data, tested) })
  }
  return { rows, predictions: assembled(parts), folds, models }
}

/** The same folds, numbered 0, 1, ... */
function numbered(folds: Int32Array): Int32Array {
  const numbers = new Map([...new Set(folds)].sort((a, b) => a - b).map((fold, k) => [fold, k]))
  return folds.map((fold) => numbers.get(fold) ?? 0)
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

/** Cross-fitting of an original, once for all files that are compared with it. */
export function crossFitOnce(question: Question, data: Table, context: Context): Promise<CrossFit> {
  return remember(data, `cross-fit ${JSON.stringify([question, context.seed])}`, () =>
    crossFit(question, data, context),
  )
}
