import { type Interval, newcombe, normalInterval } from '../../../stats/intervals.js'
import { total } from '../../../stats/sums.js'
import { type Cells, isWholeClassInRelease, meanOver } from '../counts/cells.js'
import { clusteredVariance } from './baselines.js'

/**
 * Marginal risk: what the release says about the people in it (R_O) less what it says about people of the same population
 * who are not (R_H). Around 0 it says no more about participants than about anyone.
 */
export type MarginalRisk = {
  readonly original: number
  readonly holdout: number
  readonly difference: number
  /** (R_O - R_H) / (1 - R_H). */
  readonly normalised: number | null
  readonly interval: Interval | null
}

/** Any share of records, of `n` in the original and `m` in the holdout: Newcombe's hybrid score interval. */
export function marginalShare(original: number, n: number, holdout: number, m: number): MarginalRisk {
  return { ...contrast(original, holdout), interval: newcombe(original * n, n, holdout * m, m) }
}

export function marginalDisco(original: Cells, holdout: Cells): MarginalRisk {
  return marginalShare(discoShare(original), original.n, discoShare(holdout), holdout.n)
}

/** The mean over records of anything, given its sums over the classes: normal, both variances clustered by key class. */
export function marginalMean(
  original: Cells,
  originalSums: Float64Array,
  holdout: Cells,
  holdoutSums: Float64Array,
): MarginalRisk {
  const o = total(originalSums) / original.nd
  const h = total(holdoutSums) / holdout.nd
  const variances = [clusteredVariance(original, originalSums), clusteredVariance(holdout, holdoutSums)]
  const known = variances[0] !== null && variances[1] !== null
  const interval = known ? normalInterval(o - h, Math.sqrt(Number(variances[0]) + Number(variances[1]))) : null
  return { ...contrast(o, h), interval }
}

function contrast(original: number, holdout: number) {
  const difference = original - holdout
  return { original, holdout, difference, normalised: holdout < 1 ? difference / (1 - holdout) : null }
}

/** Share of people whose class shows one target value in the release, and it is theirs. */
function discoShare(cells: Cells): number {
  return meanOver(
    cells,
    Uint8Array.from(cells.d, (_, cell) => Number(isWholeClassInRelease(cells, cell))),
  )
}

/** Sum of CAP over the truth's records of each class. */
export function capByClass(cells: Cells): Float64Array {
  const sums = new Float64Array(cells.classes)
  for (let cell = 0; cell < cells.d.length; cell++) {
    const q = cells.classOf[cell]
    if (cells.s[cell] > 0) sums[q] += (cells.d[cell] * cells.s[cell]) / cells.sClass[q]
  }
  return sums
}
