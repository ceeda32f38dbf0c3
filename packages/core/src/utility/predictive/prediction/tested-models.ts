import { NotApplicable } from '../../../errors.js'
import { predictionsAt } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import type { Table } from '../../../table/table.js'
import type { Pair } from '../../pair.js'
import type { Options } from '../tstr.js'
import {
  crossFitOnce,
  fitQuestion,
  knownRows,
  predictRows,
  type Question,
  questionOf,
  testedPlaces,
} from './prediction.js'
import { withSources } from './verbatim.js'

/** Predictions by models of the release and of the original, for the same people. */
export async function compared(files: Pair, chosen: Options, context: Context) {
  const pair = withSources(files)
  const question = questionOf(pair, chosen)
  if (pair.outside !== null) return comparedOutside(pair, pair.outside, question, context)
  const fit = await crossFitOnce(question, pair.original, context)
  const places = testedPlaces(pair, fit.rows)
  if (places === null)
    return {
      question,
      tested: pair.original,
      rows: fit.rows,
      own: fit.predictions,
      real: fit.predictions,
      all: null,
      trained: fit.rows.length,
    }
  const rows = places.map((place) => fit.rows[place])
  const released = knownRows(pair.released, question.target)
  const some = atMost(released, fit.rows.length, context)
  const predict = async (training: Int32Array, purpose: string) =>
    predictRows(question, await fitQuestion(question, pair.released, training, purpose, context), pair.original, rows)
  return {
    question,
    tested: pair.original,
    rows,
    own: await predict(some, 'release'),
    real: predictionsAt(fit.predictions, places),
    all: some.length === released.length || pair.drawn !== null ? null : await predict(released, 'whole release'),
    trained: some.length,
  }
}

/** Tested on people outside: no record that either model learnt from is predicted. */
async function comparedOutside(pair: Pair, outside: Table, question: Question, context: Context) {
  const rows = knownRows(outside, question.target)
  if (rows.length === 0) throw new NotApplicable(`the target "${question.target}" is missing in all of the holdout`)
  const original = knownRows(pair.original, question.target)
  const released = knownRows(pair.released, question.target)
  const some = atMost(released, original.length, context)
  const predict = async (data: Table, training: Int32Array, purpose: string) =>
    predictRows(question, await fitQuestion(question, data, training, purpose, context), outside, rows)
  return {
    question,
    /** The records that are predicted: originals, or people outside. */
    tested: outside,
    rows,
    own: await predict(pair.released, some, 'release'),
    real: await predict(pair.original, original, 'original'),
    all: some.length === released.length ? null : await predict(pair.released, released, 'whole release'),
    trained: some.length,
  }
}

/** As many of the records, drawn at random. */
function atMost(rows: Int32Array, most: number, context: Context): Int32Array {
  if (rows.length <= most) return rows
  return sampleWithoutReplacement(context.random('training'), rows.length, most)
    .sort()
    .map((k) => rows[k])
}
