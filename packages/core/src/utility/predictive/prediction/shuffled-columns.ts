import { NotApplicable } from '../../../errors.js'
import { assembled, type Predictions, predictionsAt } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { permutation } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { remember } from '../../../table/classes.js'
import { takeRows } from '../../../table/column.js'
import { selectRows, type Table, table } from '../../../table/table.js'
import type { Pair } from '../../pair.js'
import type { Options } from '../feature-importance.js'
import {
  type CrossFit,
  crossFitOnce,
  featuresOf,
  fitQuestion,
  knownRows,
  predictFeatures,
  type Question,
  questionOf,
  testedPlaces,
} from './prediction.js'
import { skillOf } from './skill.js'
import { withSources } from './verbatim.js'

/** Of each column, the skill lost in each shuffle. */
export type Losses = readonly (readonly number[])[]

export async function importances(files: Pair, chosen: Options, context: Context) {
  const pair = withSources(files)
  const question = questionOf(pair, chosen)
  const { rows, shuffled, real } = await shuffledOnce(question, pair.original, chosen.shuffles, context)
  const tested = testedPlaces(pair, rows)
  const places = tested ?? Int32Array.from(rows.keys())
  const x = losses(real, places)
  if (tested === null) return { x, y: x, question }
  const released = knownRows(pair.released, question.target)
  const model = await fitQuestion(question, pair.released, released, 'release', context)
  const predict = (features: Table) => predictFeatures(question.target, model, features, pair.original, rows)
  return { x, y: losses(await predictShuffled(shuffled, predict), places), question }
}

/** Originals as they are, and with each column permuted, several times. */
interface Shuffled {
  readonly features: Table
  readonly permuted: readonly (readonly Table[])[]
}

interface ShuffledPredictions {
  readonly whole: Predictions
  readonly permuted: readonly (readonly Predictions[])[]
}

interface Prepared {
  /** Originals whose target is known. */
  readonly rows: Int32Array
  readonly shuffled: Shuffled
  /** By models that did not see the record. */
  readonly real: ShuffledPredictions
}

/** Once per original: all files that are compared with it are tested on the same permutations. */
function shuffledOnce(question: Question, data: Table, shuffles: number, context: Context): Promise<Prepared> {
  const key = `shuffled ${JSON.stringify([question, shuffles, context.seed])}`
  return remember(data, key, () => prepare(question, data, shuffles, context))
}

async function prepare(question: Question, data: Table, shuffles: number, context: Context): Promise<Prepared> {
  const fit = await crossFitOnce(question, data, context)
  const features = featuresOf(data, question.predictors, fit.rows)
  const permuted = question.predictors.map((name, j) =>
    Array.from({ length: shuffles }, (_, k) => {
      const order = permutation(stream(context.seed, `feature-importance/${name}`, k), fit.rows.length)
      return table(
        features.name,
        features.columns.map((column, at) => (at === j ? takeRows(column, order) : column)),
      )
    }),
  )
  const shuffled = { features, permuted }
  const real = await predictShuffled(shuffled, (of) => predictByFold(question, fit, of, data))
  return { rows: fit.rows, shuffled, real }
}

async function predictShuffled(
  { features, permuted }: Shuffled,
  predict: (features: Table) => Promise<Predictions>,
): Promise<ShuffledPredictions> {
  const found: Predictions[][] = []
  for (const tables of permuted) {
    const own: Predictions[] = []
    for (const one of tables) own.push(await predict(one))
    found.push(own)
  }
  return { whole: await predict(features), permuted: found }
}

/** Skill lost on the records at some places. */
function losses({ whole, permuted }: ShuffledPredictions, places: Int32Array): Losses {
  const skill = (of: Predictions) => skillOf(predictionsAt(of, places))(null)
  const all = skill(whole)
  if (all === null) throw new NotApplicable('the target has the same value in all records that are predicted')
  return permuted.map((own) => own.map((one) => all - (skill(one) ?? all)))
}

/** Each record by the model that did not see it. */
async function predictByFold(
  { target }: Question,
  { rows, folds, models }: CrossFit,
  features: Table,
  data: Table,
): Promise<Predictions> {
  const parts: { places: Int32Array; predictions: Predictions }[] = []
  const all = Int32Array.from(rows.keys())
  for (const [fold, model] of models.entries()) {
    const places = all.filter((place) => folds[place] === fold)
    const own = places.map((place) => rows[place])
    const predictions = await predictFeatures(target, model, selectRows(features, places), data, own)
    parts.push({ places, predictions })
  }
  return assembled(parts)
}
