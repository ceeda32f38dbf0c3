import { NotApplicable } from '../../../errors.js'
import { forest } from '../../../learners/forest.js'
import { type Classes, fitContext } from '../../../learners/learner.js'
import type { Context, Subject } from '../../../measure.js'
import type { Side } from '../../../neighbors/release-space.js'
import { permutation, sampleWithoutReplacement, sampleWithReplacement } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { remember, tableOfPart } from '../../../table/classes.js'
import { stackColumns, takeRows } from '../../../table/column.js'
import { columnOf, selectRows, type Table, table } from '../../../table/table.js'
import type { RealRecords } from './real-records.js'

/**
 * How synthetic every real record looks to a forest that tells released from real records. Training and holdout records
 * are dealt into folds; the model of a fold learns from the release and the real records of the other folds, and scores
 * the records of its own fold. So each record gets one score, from a model that has not seen it, and labels play no part:
 * under exchangeable labels the scores of a fold are exchangeable. Learning from the other holdout records only, as
 * riskutility does, ties the folds to each other: what is odd about the holdout as a whole moves all of them together.
 * Trees draw as many released as real records, other ones each, so that a large file does not drown a small one.
 */
export interface ClassifierScores {
  readonly folds: number
  /** Fold and probability of being released, training records first. */
  readonly foldOf: Int32Array
  readonly probability: Float64Array
  /** Probabilities as mid-ranks within their fold, over its size: what can be compared between folds. */
  readonly rank: Float64Array
}

interface ClassifierOptions {
  readonly trees: number
  readonly folds: number
  /**
   * All records, real and released; or the holdout records of other folds and as many released ones, levels cut in the
   * order of the file.
   */
  readonly learnsFrom: 'everybody' | 'holdout'
}

/** A fold without two records of each kind says nothing. */
const LEAST_IN_FOLD = 2

/** Fitted once per release, options and seed, whichever measure asks first. */
export function classifierScores(
  subject: Subject,
  records: RealRecords,
  options: ClassifierOptions,
  context: Context,
): Promise<ClassifierScores> {
  const key = `membership classifier ${JSON.stringify([subject.part, records.chosen, options, context.seed])}`
  return remember(subject.release, key, () => crossFit(subject, records, options, context))
}

async function crossFit(
  { release, part }: Subject,
  { space, training, holdout, members }: RealRecords,
  { trees, folds, learnsFrom }: ClassifierOptions,
  context: Context,
): Promise<ClassifierScores> {
  const count = Math.min(folds, ...[training, holdout].map(({ rows }) => Math.floor(rows.length / LEAST_IN_FOLD)))
  if (count < 2) throw new NotApplicable('a cross-fitted classifier needs four records of original and holdout')
  if (release.holdout === null) throw new NotApplicable({ code: 'needs', needs: ['holdout'] })
  const names = space.columns.map(({ name }) => name)
  const real = stack(features(release.original, names, training), features(release.holdout, names, holdout))
  const all = features(tableOfPart(release, part), names, space.released)
  const foldOf = dealFolds(context.seed, members, real.rows - members, count)
  const probability = new Float64Array(real.rows)
  for (let fold = 0; fold < count; fold++) {
    const known = rowsWhere(foldOf, (row) => foldOf[row] !== fold && (learnsFrom === 'everybody' || row >= members))
    const released = learnsFrom === 'everybody' ? all : sampleOf(all, known.length, context.seed, fold)
    const progress = (done: number, total: number) => context.progress(fold * total + done, count * total)
    const weights = evenWeights(released.rows, known.length)
    const model = await forest.fit(
      stack(released, selectRows(real, known)),
      responseOf(released.rows, known.length),
      forest.options.parse({
        trees,
        sampleFraction: evenShare(released.rows, known.length),
        categorical: learnsFrom === 'everybody' ? 'target' : 'order',
      }),
      fitContext({ ...context, progress }, `membership/classifier ${fold}`, weights),
    )
    const own = rowsWhere(foldOf, (row) => foldOf[row] === fold)
    const found = await model.predictProbabilities(selectRows(real, own))
    for (let k = 0; k < own.length; k++) probability[own[k]] = found[2 * k + RELEASED]
  }
  return { folds: count, foldOf, probability, rank: ranksWithin(foldOf, probability, count) }
}

/** As many records as there are others to tell them from, repeated only where there are fewer. */
function sampleOf(released: Table, size: number, seed: number, fold: number): Table {
  const draw = released.rows < size ? sampleWithReplacement : sampleWithoutReplacement
  return selectRows(released, draw(stream(seed, 'membership/released', fold), released.rows, size))
}

/** The compared columns of the compared rows. */
function features(file: Table, names: readonly string[], { rows }: Side): Table {
  return table(
    file.name,
    names.map((name) => takeRows(columnOf(file, name), rows)),
  )
}

function stack(first: Table, second: Table): Table {
  return table(
    first.name,
    first.columns.map((column, j) => stackColumns([column, second.columns[j]])),
  )
}

const RELEASED = 1

function responseOf(released: number, real: number): Classes {
  const codes = new Int32Array(released + real).fill(RELEASED, 0, released)
  return { kind: 'classes', codes, levels: ['real', 'released'] }
}

/** Both kinds are equally likely to be drawn. */
function evenWeights(released: number, real: number): Float64Array {
  return new Float64Array(released + real).fill(1 / released, 0, released).fill(1 / real, released)
}

/** As many draws as the smaller kind has records, from each. */
function evenShare(released: number, real: number): number {
  return (2 * Math.min(released, real)) / (released + real)
}

/** Folds of training and holdout records alike, sizes within each differing by at most one. */
function dealFolds(seed: number, members: number, others: number, folds: number): Int32Array {
  const foldOf = new Int32Array(members + others)
  const deal = (from: number, count: number, who: string) => {
    const order = permutation(stream(seed, `membership/folds of ${who}`), count)
    for (let k = 0; k < count; k++) foldOf[from + order[k]] = k % folds
  }
  deal(0, members, 'training')
  deal(members, others, 'holdout')
  return foldOf
}

function rowsWhere(foldOf: Int32Array, isWanted: (row: number) => boolean): Int32Array {
  return Int32Array.from(foldOf.keys()).filter(isWanted)
}

function ranksWithin(foldOf: Int32Array, probability: Float64Array, folds: number): Float64Array {
  const ranks = new Float64Array(foldOf.length)
  for (let fold = 0; fold < folds; fold++) {
    const rows = rowsWhere(foldOf, (row) => foldOf[row] === fold).sort((a, b) => probability[a] - probability[b])
    for (let from = 0, to = 0; from < rows.length; from = to) {
      while (to < rows.length && probability[rows[to]] === probability[rows[from]]) to++
      for (let k = from; k < to; k++) ranks[rows[k]] = (from + to) / (2 * rows.length)
    }
  }
  return ranks
}
