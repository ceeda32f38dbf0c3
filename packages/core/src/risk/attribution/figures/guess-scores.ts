import { estimatedEffect } from '../../../evidence/effects.js'
import type { Effect, FairControl, Look } from '../../../evidence/evidence.js'
import type { Context, Finding } from '../../../measure.js'
import { type Cells, classSums, meanOver, perCell } from '../counts/cells.js'
import { clusteredVariance, leaveOneOut, levelCounts } from './baselines.js'
import { dealtVariance } from './dealt-anew.js'
import { type KeptShares, keptOfOriginal, keptShares, largestOf, seenOf } from './kept-shares.js'
import { changeOfGuesses, intervalWithin01, varianceOverFiles } from './variance-over-files.js'

/** Per cell of key class and target value: how often a guess in proportion to what is known hits that value. */
export interface GuessScores {
  /** From the release: s_tq / s_q, or s_t / N_s where the class is not in it. */
  readonly release: Float64Array
  /** From everybody else in the original. */
  readonly others: Float64Array
  /** From the original itself. */
  readonly original: Float64Array
  /** The same three without the keys: from the margin of the target alone. */
  readonly margin: { readonly release: Float64Array; readonly others: Float64Array; readonly original: Float64Array }
}

export function scoresOf(cells: Cells): GuessScores {
  const { level, sLevel, ns, dCount, dClassCount, classOf } = cells
  const count = levelCounts(cells)
  const n = cells.n
  const inOriginal = perCell(cells, (cell) => count[level[cell]] / n)
  return {
    release: releaseScores(cells),
    others: leaveOneOut(cells),
    original: perCell(cells, (cell) => (dCount[cell] === 0 ? 0 : dCount[cell] / dClassCount[classOf[cell]])),
    margin: {
      release: perCell(cells, (cell) => sLevel[level[cell]] / ns),
      // Classes cut at the original's quantiles hold the same share whoever is left out.
      others:
        cells.target.grouping !== 'none' || n < 2
          ? inOriginal
          : perCell(cells, (cell) => Math.max(0, count[level[cell]] - 1) / (n - 1)),
      original: inOriginal,
    },
  }
}

function releaseScores(cells: Cells): Float64Array {
  const { s, sClass, sLevel, ns, classOf, level } = cells
  return perCell(cells, (cell) => {
    const inClass = sClass[classOf[cell]]
    return inClass > 0 ? s[cell] / inClass : sLevel[level[cell]] / ns
  })
}

type Evidence = Pick<Finding, 'value' | 'interval' | 'controls' | 'effect' | 'people'>

/**
 * The release against everybody else's records, by what the keys add to the margin: a release with a constant target, or
 * one of the usual values only, wins guesses without telling anything about anybody.
 */
export async function againstOthers(cells: Cells, scores: GuessScores, context: Context): Promise<Evidence> {
  const kept = keptShares(cells)
  // Dealt by other threads meanwhile.
  const dealt = dealtVariance(cells, kept, context)
  const value = meanOver(cells, scores.release)
  const added = addedOf(cells, scores, 'release', kept)
  const effect = meanOver(cells, added)
  const ofValue = varianceOverFiles(
    cells,
    scores.release,
    changeOfGuesses(cells, (cell) => scores.margin.release[cell]),
  )
  const ceiling = meanOver(cells, addedOf(cells, scores, 'original', keptOfOriginal(cells)))
  return {
    value,
    interval: intervalWithin01(value, ofValue),
    controls: {
      nothing: { ...marginAlone(cells, scores), what: "the release's margin alone" },
      fair: { value: value - effect, se: null, what: "other people's records", basis: 'leave-one-out' },
      everything: { value: meanOver(cells, scores.original), se: null, what: 'the original itself' },
    },
    effect: {
      ...effectOf(cells, added, await dealt),
      ceiling,
    },
  }
}

/**
 * Per cell, what the keys add to the margin in the release (or the original itself) less what they add among others. In a
 * random part that keeps each record with chance f, a class of s records adds as before unless none of it is left:
 * its gain is multiplied by 1 - (1 - f)^s. Nobody has to use keys that would mislead: where they take away from the margin
 * in all, others do without them.
 */
export function addedOf(cells: Cells, scores: GuessScores, by: 'release' | 'original', kept: KeptShares): Float64Array {
  const { others, margin } = scores
  const { classOf, dClassCount } = cells
  const seenAmongOthers = seenOf(kept.others, largestOf(dClassCount))
  const amongOthers = perCell(
    cells,
    (cell) => (others[cell] - margin.others[cell]) * seenAmongOthers(dClassCount[classOf[cell]] - 1),
  )
  const useful = meanOver(cells, amongOthers) > 0 ? 1 : 0
  const records = by === 'release' ? cells.sClass : dClassCount
  const seen = seenOf(kept.released, largestOf(records))
  const [score, alone] = [scores[by], margin[by]]
  return perCell(
    cells,
    (cell) => (score[cell] - alone[cell]) * seen(records[classOf[cell]]) - useful * amongOthers[cell],
  )
}

/** The release on the people in it against the release on people outside it, each clustered by key class. */
export function lookAtOutsiders(
  cells: Cells,
  scores: GuessScores,
  held: Cells,
): Look & { readonly controls: { readonly fair: FairControl } } {
  const value = meanOver(cells, scores.release)
  const ofOutsiders = releaseScores(held)
  const outsiders = meanOver(held, ofOutsiders)
  const variances = [
    clusteredVariance(cells, classSums(cells, scores.release)) ?? 0,
    clusteredVariance(held, classSums(held, ofOutsiders)) ?? 0,
  ]
  return {
    what: 'against people outside the release',
    value,
    controls: {
      fair: { value: outsiders, se: Math.sqrt(variances[1]), what: 'people outside the release', basis: 'outsiders' },
      everything: { value: meanOver(cells, scores.original), se: null, what: 'the original itself' },
    },
    effect: estimatedEffect(
      value - outsiders,
      Math.sqrt(variances[0] + variances[1]),
      Math.max(1, Math.min(classesOf(cells), classesOf(held)) - 1),
    ),
  }
}

/** Classes with people about whom their keys say anything: in the release, or shared. */
function classesOf(cells: Cells): number {
  return cells.dClassCount.reduce(
    (classes, records, q) => classes + (records > 1 || (records === 1 && cells.sClass[q] > 0) ? 1 : 0),
    0,
  )
}

/**
 * What independent marginals give in the mean: a released target is then drawn from the margin p whatever the keys. The
 * variance is that of as many draws per class as the original has records: with a_t = d_tq / N,
 * Σ_q (Σ_t a_t² p_t - (Σ_t a_t p_t)²) / d_q.
 */
function marginAlone(cells: Cells, { margin }: GuessScores): { value: number; se: number } {
  let variance = 0
  for (let q = 0; q < cells.classes; q++) {
    if (cells.dClassCount[q] > 0)
      variance += weightedVariance(cells, q, (cell) => margin.release[cell]) / cells.dClassCount[q]
  }
  return { value: meanOver(cells, margin.release), se: Math.sqrt(variance) }
}

/** Σ_t a_t² p_t - (Σ_t a_t p_t)² over the cells of class q, a_t = d_tq / N. */
function weightedVariance(cells: Cells, q: number, share: (cell: number) => number): number {
  let mean = 0
  let squares = 0
  for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++) {
    const a = cells.d[cell] / cells.nd
    mean += a * share(cell)
    squares += a * a * share(cell)
  }
  return Math.max(0, squares - mean * mean)
}

/**
 * The mean of what is added, with bounds from its variance clustered by key class and Student's t, since few classes are few
 * observations. The test takes the variance when all records are dealt out anew between original and release where that is
 * larger: the clustered one is blind where few people who share their keys carry the result, and smallest just when the
 * effect is largest.
 */
function effectOf(cells: Cells, added: Float64Array, dealt: number): Effect {
  const value = meanOver(cells, added)
  const clustered = clusteredVariance(cells, classSums(cells, added)) ?? 0
  const df = Math.max(1, classesOf(cells) - 1)
  return {
    ...estimatedEffect(value, Math.sqrt(clustered), df),
    p: estimatedEffect(value, Math.sqrt(Math.max(clustered, dealt)), df).p,
  }
}
