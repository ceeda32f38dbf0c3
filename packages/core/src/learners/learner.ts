import type { z } from 'zod'
import { type Stream, stream } from '../random/stream.js'
import type { Table } from '../table/table.js'
import type { AbortSignalLike, TaskRunner } from '../tasks/task.js'

/**
 * A learner fits a model of a response on the columns of a table. All learners keep one contract and pass one battery of
 * tests: numeric, date and categorical columns as they are, missing values, levels that training did not see, case weights,
 * constant columns, one row. Tables given to `fit` and to the model have the same columns with the same lists of levels.
 */
export interface Learner<Options extends z.ZodObject> {
  readonly id: string
  readonly title: string
  /** What it can predict. */
  readonly responses: readonly Response['kind'][]
  readonly options: Options
  fit(features: Table, response: Response, options: z.output<Options>, context: FitContext): Promise<Model>
}

/** What is to be predicted: one of some classes (no code is missing), or a number. */
export type Response = Classes | Numbers

export interface Classes {
  readonly kind: 'classes'
  readonly codes: Int32Array
  readonly levels: readonly string[]
}

export interface Numbers {
  readonly kind: 'numbers'
  readonly values: Float64Array
}

export interface FitContext {
  /** Random numbers for a purpose of this fit; the same on any number of threads. */
  readonly random: (purpose: string, index?: number) => Stream
  /** The seed and name behind `random`, for tasks that make their own streams elsewhere. */
  readonly seed: number
  readonly purpose: string
  readonly tasks: TaskRunner
  /** Case weights, one per row; null for equal ones. */
  readonly weights: Float64Array | null
  /** False where nobody asks a forest about rows that it has not drawn, which saves a quarter of the time. */
  readonly outOfBag?: boolean | undefined
  readonly progress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

/** The context of one fit within larger work, such as that of a measure; `purpose` sets its random numbers apart. */
export function fitContext(
  { seed, tasks, progress, signal }: Pick<FitContext, 'seed' | 'tasks' | 'progress' | 'signal'>,
  purpose: string,
  weights: Float64Array | null = null,
): FitContext {
  const random: FitContext['random'] = (what, index) => stream(seed, `${purpose}/${what}`, index)
  return { random, seed, purpose, tasks, weights, progress, signal }
}

export interface Model {
  /** Numbers: the predicted number. Classes: the most probable code, the first of equals. */
  predict(features: Table): Promise<Float64Array>
  /** Classes only: rows x levels, row after row; each row sums to 1. */
  predictProbabilities(features: Table): Promise<Float64Array>
  /** How much each column contributed, as the learner sees it; not comparable between learners. */
  readonly importance: readonly Importance[]
  /** What people may want to know: coefficients, number of leaves, rounds. JSON-safe. */
  readonly notes: readonly string[]
}

/** How a model of numbers predicts. */
export function numberModel(learner: string, predict: Model['predict']) {
  const predictProbabilities = async (): Promise<Float64Array> => {
    throw new Error(`${learner} of numbers has no class probabilities`)
  }
  return { predict, predictProbabilities }
}

/** How a model of classes predicts: the most probable one. */
export function classModel(levels: number, predictProbabilities: Model['predictProbabilities']) {
  const predict = async (features: Table) => mostProbable(await predictProbabilities(features), levels)
  return { predict, predictProbabilities }
}

export type Importance = {
  readonly name: string
  readonly value: number
}

/** The code with the largest probability in each row, the first of equals. */
export function mostProbable(probabilities: Float64Array, levels: number): Float64Array {
  const codes = new Float64Array(levels === 0 ? 0 : probabilities.length / levels)
  for (let row = 0; row < codes.length; row++) {
    let best = 0
    for (let k = 1; k < levels; k++) if (probabilities[row * levels + k] > probabilities[row * levels + best]) best = k
    codes[row] = best
  }
  return codes
}
