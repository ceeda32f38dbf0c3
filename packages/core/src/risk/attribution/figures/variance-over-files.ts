import { type Interval, normalInterval } from '../../../stats/intervals.js'
import { deletions } from '../../../stats/jackknife.js'
import { type Cells, classSums } from '../counts/cells.js'
import { clusteredVariance } from './baselines.js'

/** Fewer classes are too few to tell a variance from. */
const FEWEST_CLASSES = 30

/**
 * How much the mean of a score over people varies, with people and with releases: one released record speaks of all who have
 * its keys, which the variance over people alone leaves out. Two estimates, neither of which errs downwards on average:
 *   clustered by key class   what happens in one class has nothing to do with another; too large for few large classes
 *   file by file             over people Σ d (score - mean)² / N², and over released records, left out one at a time
 *                            (`jackknife.ts`); too large where most classes have one record, which both parts count
 * so the smaller one is taken. `change` is by how much the sum of the scores of a class changes without one released record of
 * a cell. Blind to the part of the generator: a model fitted to other people would be another model.
 */
export function varianceOverFiles(cells: Cells, scores: Float64Array, change: (cell: number) => number): number {
  const { d, s, nd, ns } = cells
  const mean = scores.reduce((sum, score, cell) => sum + d[cell] * score, 0) / nd
  const released = deletions(ns)
  let people = 0
  for (let cell = 0; cell < d.length; cell++) {
    // Σ w² over the records of the cell, each with the mean weight.
    if (d[cell] > 0) people += ((scores[cell] - mean) ** 2 * d[cell] ** 2) / cells.dCount[cell]
    if (s[cell] > 0) released.leave(change(cell) / nd, s[cell])
  }
  const byFile = people / nd ** 2 + released.variance()
  const occupied = cells.dClassCount.reduce((count, records) => count + (records > 0 ? 1 : 0), 0)
  const byClass = occupied < FEWEST_CLASSES ? null : clusteredVariance(cells, classSums(cells, scores))
  return byClass === null ? byFile : Math.min(byClass, byFile)
}

/** DiSCO: a class of one record tells nothing without it, one with a single dissenting record begins to tell. */
export function changeOfClaims({ start, s, sClass, d, classOf }: Cells): (cell: number) => number {
  return (cell) => {
    const q = classOf[cell]
    if (s[cell] > 1) return 0
    if (sClass[q] === 1) return -d[cell]
    for (let other = start[q]; other < start[q + 1]; other++)
      if (other !== cell && s[other] === sClass[q] - 1) return d[other]
    return 0
  }
}

/** Guesses in proportion: Σ_t d_t s_t / s_q, or the score that the class has without any record. */
export function changeOfGuesses(
  { start, s, sClass, d, classOf }: Cells,
  otherwise: (cell: number) => number,
): (cell: number) => number {
  const agreeing = new Float64Array(sClass.length)
  for (let cell = 0; cell < s.length; cell++) agreeing[classOf[cell]] += d[cell] * s[cell]
  return (cell) => {
    const q = classOf[cell]
    const now = agreeing[q] / sClass[q]
    if (sClass[q] > 1) return (agreeing[q] - d[cell]) / (sClass[q] - 1) - now
    let without = 0
    for (let other = start[q]; other < start[q + 1]; other++) without += d[other] * otherwise(other)
    return without - now
  }
}

/** A normal interval for a mean of probabilities. */
export function intervalWithin01(mean: number, variance: number, method = 'over both files'): Interval {
  const { lower, upper, ...rest } = normalInterval(mean, Math.sqrt(variance))
  return { ...rest, lower: Math.max(0, lower), upper: Math.min(1, upper), method }
}
