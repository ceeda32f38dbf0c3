import { math } from '@scrim/kernels'
import { estimatedEffect } from '../../../evidence/effects.js'
import type { Effect, FairControl, Look } from '../../../evidence/evidence.js'
import type { Finding } from '../../../measure.js'
import type { Stream } from '../../../random/stream.js'
import { drawHypergeometric } from '../../../stats/draws.js'
import { variance } from '../../../stats/sums.js'
import { type Cells, classSums, meanOver } from '../counts/cells.js'
import { clusteredVariance, leaveOneOut } from './baselines.js'
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
  const { level, sLevel, ns } = cells
  const count = new Int32Array(sLevel.length)
  for (let cell = 0; cell < level.length; cell++) count[level[cell]] += cells.dCount[cell]
  const n = cells.n
  const inOriginal = Float64Array.from(level, (t) => count[t] / n)
  return {
    release: releaseScores(cells),
    others: leaveOneOut(cells),
    original: Float64Array.from(cells.dCount, (records, cell) =>
      records === 0 ? 0 : records / cells.dClassCount[cells.classOf[cell]],
    ),
    margin: {
      release: Float64Array.from(level, (t) => sLevel[t] / ns),
      // Classes cut at the original's quantiles hold the same share whoever is left out.
      others:
        cells.target.grouping !== 'none' || n < 2
          ? inOriginal
          : Float64Array.from(level, (t) => Math.max(0, count[t] - 1) / (n - 1)),
      original: inOriginal,
    },
  }
}

function releaseScores({ s, sClass, sLevel, ns, classOf, level }: Cells): Float64Array {
  return Float64Array.from(s, (count, cell) => {
    const inClass = sClass[classOf[cell]]
    return inClass > 0 ? count / inClass : sLevel[level[cell]] / ns
  })
}

type Evidence = Pick<Finding, 'value' | 'interval' | 'controls' | 'effect' | 'people'>

/**
 * The release against everybody else's records, by what the keys add to the margin: a release with a constant target, or
 * one of the usual values only, wins guesses without telling anything about anybody.
 */
export function againstOthers(cells: Cells, scores: GuessScores, random: (deal: number) => Stream): Evidence {
  const value = meanOver(cells, scores.release)
  const kept = keptShares(cells)
  const added = addedOf(cells, scores, 'release', kept)
  const effect = meanOver(cells, added)
  const ofValue = varianceOverFiles(
    cells,
    scores.release,
    changeOfGuesses(cells, (cell) => scores.margin.release[cell]),
  )
  return {
    value,
    interval: intervalWithin01(value, ofValue),
    controls: {
      nothing: { ...marginAlone(cells, scores), what: "the release's margin alone" },
      fair: { value: value - effect, se: null, what: "other people's records", basis: 'leave-one-out' },
      everything: { value: meanOver(cells, scores.original), se: null, what: 'the original itself' },
    },
    effect: {
      ...effectOf(cells, added, kept, random),
      ceiling: meanOver(cells, addedOf(cells, scores, 'original', ofOriginal(cells))),
    },
  }
}

/** Shares of released records and of others that are looked at. */
export interface KeptShares {
  readonly released: number
  readonly others: number
}

/**
 * A larger release has records with the keys of more people, and so tells more about everybody without leaking anything:
 * both sides are compared at the size of the smaller one.
 */
export function keptShares(cells: Cells): KeptShares {
  const others = cells.n - 1
  return { released: Math.min(1, others / cells.ns), others: Math.min(1, cells.ns / Math.max(1, others)) }
}

/** As `keptShares` when the original itself is released. */
function ofOriginal(cells: Cells): KeptShares {
  const n = cells.n
  return { released: (n - 1) / n, others: 1 }
}

/**
 * Per cell, what the keys add to the margin in the release (or the original itself) less what they add among others. In a
 * random part that keeps each record with chance f, a class of s records adds as before unless none of it is left:
 * its gain is multiplied by 1 - (1 - f)^s. Nobody has to use keys that would mislead: where they take away from the margin
 * in all, others do without them.
 */
export function addedOf(cells: Cells, scores: GuessScores, by: 'release' | 'original', kept: KeptShares): Float64Array {
  const { others, margin } = scores
  const amongOthers = others.map(
    (score, cell) => (score - margin.others[cell]) * seen(kept.others, cells.dClassCount[cells.classOf[cell]] - 1),
  )
  const useful = meanOver(cells, amongOthers) > 0 ? 1 : 0
  const records = (q: number) => (by === 'release' ? cells.sClass[q] : cells.dClassCount[q])
  return scores[by].map(
    (score, cell) =>
      (score - margin[by][cell]) * seen(kept.released, records(cells.classOf[cell])) - useful * amongOthers[cell],
  )
}

/** Chance that at least one of `records` is left when each is kept with chance `share`. */
function seen(share: number, records: number): number {
  return share === 1 ? 1 : 1 - math.pow(1 - share, Math.max(0, records))
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
function effectOf(cells: Cells, added: Float64Array, kept: KeptShares, random: (deal: number) => Stream): Effect {
  const value = meanOver(cells, added)
  const clustered = clusteredVariance(cells, classSums(cells, added)) ?? 0
  const dealt = dealtVariance(cells, kept, random)
  const df = Math.max(1, classesOf(cells) - 1)
  return {
    ...estimatedEffect(value, Math.sqrt(clustered), df),
    p: estimatedEffect(value, Math.sqrt(Math.max(clustered, dealt)), df).p,
  }
}

const MOST_DEALS = 60
const FEWEST_DEALS = 20
const DEALT_RECORDS = 1e7

function dealtVariance(cells: Cells, kept: KeptShares, random: (deal: number) => Stream): number {
  const deals = Math.min(MOST_DEALS, Math.max(FEWEST_DEALS, Math.floor(DEALT_RECORDS / (cells.n + cells.ns))))
  const records = cells.dCount.map((count, cell) => count + cells.s[cell])
  const added = Float64Array.from({ length: deals }, (_, deal) => addedWhenDealt(cells, records, kept, random(deal)))
  return variance(added) ?? 0
}

/**
 * The mean of what is added for the same records, as many of them original and released as before, but others; weights are
 * left aside; `records` are those of each cell, original or released. Hot: as `meanOver(addedOf(scoresOf(...)))` on fresh
 * counts, in three passes over the cells. What is not dealt to the original is the release's, so that only the former is counted.
 */
function addedWhenDealt(cells: Cells, records: Int32Array, kept: KeptShares, random: Stream): number {
  const { classOf, level, n } = cells
  const d = areRecords(cells) ? dealtByRow(cells, random) : dealtByCell(cells, records, random)
  const s = new Int32Array(cells.d.length)
  for (let cell = 0; cell < d.length; cell++) s[cell] = records[cell] - d[cell]
  const dClass = new Int32Array(cells.classes)
  const sClass = new Int32Array(cells.classes)
  const dLevel = new Int32Array(cells.dLevel.length)
  const sLevel = new Int32Array(cells.sLevel.length)
  for (let cell = 0; cell < d.length; cell++) {
    dClass[classOf[cell]] += d[cell]
    sClass[classOf[cell]] += s[cell]
    dLevel[level[cell]] += d[cell]
    sLevel[level[cell]] += s[cell]
  }
  const leaves = cells.target.grouping === 'none' && n > 1 ? 1 : 0
  let byRelease = 0
  let byOthers = 0
  for (let cell = 0; cell < d.length; cell++) {
    if (d[cell] === 0) continue
    const [q, t] = [classOf[cell], level[cell]]
    if (sClass[q] > 0)
      byRelease += d[cell] * (s[cell] / sClass[q] - sLevel[t] / cells.ns) * seen(kept.released, sClass[q])
    const alone = n > 1 ? (dLevel[t] - 1) / (n - 1) : 0
    const told = dClass[q] > 1 ? (d[cell] - 1) / (dClass[q] - 1) : alone
    byOthers += d[cell] * (told - (dLevel[t] - leaves) / (n - leaves)) * seen(kept.others, dClass[q] - 1)
  }
  return (byRelease - Math.max(0, byOthers)) / n
}

/** Whether each row is one record, not several that were counted. */
function areRecords({ n, ns, cellOfTruth, cellOfReleased }: Cells): boolean {
  return n === cellOfTruth.length && ns === cellOfReleased.length
}

/** How many records of each cell are dealt to the original, each of them drawn by itself. */
function dealtByRow({ cellOfTruth, cellOfReleased, d: { length: cells } }: Cells, random: Stream): Int32Array {
  const n = cellOfTruth.length
  const rows = n + cellOfReleased.length
  const all = new Int32Array(rows)
  all.set(cellOfTruth)
  all.set(cellOfReleased, n)
  const d = new Int32Array(cells)
  for (let k = 0; k < n; k++) {
    const other = k + random.below(rows - k)
    d[all[other]]++
    all[other] = all[k]
  }
  return d
}

/** The same where records are known by their number only: other draws of the same distribution, cell after cell. */
function dealtByCell({ n, ns }: Cells, records: Int32Array, random: Stream): Int32Array {
  let [left, wanted] = [n + ns, n]
  return records.map((count) => {
    const dealt = drawHypergeometric(random, left, count, wanted)
    left -= count
    wanted -= dealt
    return dealt
  })
}
