import { NotApplicable } from '../../../errors.js'
import { fitContext, type Model, type Response } from '../../../learners/learner.js'
import { findLearner } from '../../../learners/learners.js'
import type { Context } from '../../../measure.js'
import { takeRows } from '../../../table/column.js'
import type { JointColumn } from '../../../table/joint.js'
import { columnOf, selectRows, type Table, table } from '../../../table/table.js'
import { isClose, type Tolerance } from './correct-guesses.js'

/**
 * Guesses of a secret by a model of it on the known columns, learned from the release alone: the most probable class, or
 * for numbers the prediction. Classes that are equally probable share the guess. Missing is a class; among numbers it is
 * never guessed.
 */
/** Rows of a table and their secrets: codes plus one, 0 is missing. */
export interface People {
  readonly from: Table
  readonly rows: Int32Array
  readonly secrets: Int32Array
}

export interface Guessed {
  /** Chance that the guess is right. */
  readonly right: Float64Array
  /** Whose guess is shared between classes. */
  readonly tied: number
}

/** The attack on each of some groups of people; `tolerance` is null when a guess must be equal. */
export async function modelGuesses(
  context: Context,
  learnerId: string,
  secret: JointColumn,
  aux: readonly string[],
  tolerance: Tolerance | null,
  released: People,
  groups: readonly People[],
): Promise<Guessed[]> {
  const numberOf = (code: number) => secret.numbers[code - 1]
  const classes = Int32Array.from(new Set(released.secrets)).sort()
  const known = tolerance === null ? released : withSecret(released)
  const response: Response =
    tolerance === null
      ? classResponse(secret.name, released.secrets, classes)
      : { kind: 'numbers', values: Float64Array.from(known.secrets, numberOf) }
  const { learner, options } = learnerOf(learnerId, response)
  const model = await learner.fit(
    features(known, aux),
    response,
    options,
    fitContext(context, `inference/model of ${secret.name}`),
  )
  const guessed: Guessed[] = []
  for (const people of groups) {
    const columns = features(people, aux)
    guessed.push(
      tolerance === null
        ? await mostProbable(model, columns, people.secrets, classes)
        : { right: closeTo(await model.predict(columns), people.secrets, tolerance, numberOf), tied: 0 },
    )
  }
  return guessed
}

function withSecret({ from, rows, secrets }: People): People {
  const known = Int32Array.from(secrets.keys()).filter((person) => secrets[person] > 0)
  if (known.length === 0) throw new NotApplicable(`the secret is missing in every record of ${from.name}`)
  return { from, rows: known.map((person) => rows[person]), secrets: known.map((person) => secrets[person]) }
}

/** Beyond so many classes no model of them is any good, and its probabilities fill the memory. */
const MOST_CLASSES = 1000

function classResponse(secret: string, secrets: Int32Array, classes: Int32Array): Response {
  if (classes.length > MOST_CLASSES)
    throw new NotApplicable(`a model cannot guess which of ${classes.length} values "${secret}" has (see regression)`)
  const place = new Map(Array.from(classes, (code, k) => [code, k]))
  return {
    kind: 'classes',
    codes: secrets.map((code) => place.get(code) ?? 0),
    levels: Array.from(classes, String),
  }
}

/** Whether the learner can predict such a response has been checked; logit stands for its own kind with several classes. */
function learnerOf(id: string, response: Response) {
  const several = response.kind === 'classes' && response.levels.length > 2
  const learner = findLearner(id === 'logit' && several ? 'multinomial' : id)
  if (learner === undefined) throw new Error(`there is no learner "${id}"`)
  return { learner, options: learner.options.parse({}) }
}

function features({ from, rows }: People, names: readonly string[]): Table {
  return table(
    from.name,
    names.map((name) => takeRows(columnOf(from, name), rows)),
  )
}

/** Probabilities held at once: 80 MB. */
const CELLS_AT_ONCE = 1e7

async function mostProbable(model: Model, people: Table, secrets: Int32Array, classes: Int32Array): Promise<Guessed> {
  const right = new Float64Array(secrets.length)
  let tied = 0
  const step = Math.max(1, Math.floor(CELLS_AT_ONCE / classes.length))
  for (let from = 0; from < people.rows; from += step) {
    const rows = Int32Array.from({ length: Math.min(step, people.rows - from) }, (_, k) => from + k)
    const probabilities = await model.predictProbabilities(
      rows.length === people.rows ? people : selectRows(people, rows),
    )
    for (const [k, person] of rows.entries()) {
      const own = probabilities.subarray(k * classes.length, (k + 1) * classes.length)
      const most = own.reduce((a, b) => Math.max(a, b))
      const guesses = classes.filter((_, at) => own[at] === most)
      right[person] = guesses.includes(secrets[person]) ? 1 / guesses.length : 0
      if (guesses.length > 1) tied++
    }
  }
  return { right, tied }
}

function closeTo(
  predicted: Float64Array,
  secrets: Int32Array,
  tolerance: Tolerance,
  numberOf: (secret: number) => number,
): Float64Array {
  return predicted.map((guess, person) =>
    secrets[person] > 0 && isClose(guess, numberOf(secrets[person]), tolerance) ? 1 : 0,
  )
}
