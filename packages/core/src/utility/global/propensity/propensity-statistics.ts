import { chiSquaredUpper } from '../../../stats/distributions.js'
import type { Table } from '../../../table/table.js'
import { separation } from '../../separation.js'
import { logisticPropensity, type Propensity, type PropensityOptions } from './propensity.js'

/**
 * What scores tell, whatever model they come from. With c the share of released records among all N,
 *
 *   pMSE      1/N Σ (p_i - c)², from 0 to c (1 - c)
 *   SPECKS    largest distance of the distribution functions of scores (Bowen, Liu and Su 2021)
 *   PO50      percent of records on the right side of one half, less 50
 *   balanced  the same with both files counting equally and c for one half, which other sizes do not change
 *   U, AUC    pairs in which the released record scores higher, ties counting half; and their share
 */
export type ScoreStatistics = ReturnType<typeof scoreStatistics>

/** @param originals how many of the scores are those of original records, which come first */
export function scoreStatistics(scores: Float64Array, originals: number) {
  const n = scores.length
  const released = n - originals
  const c = released / n
  let right = 0
  let rightOriginals = 0
  let rightReleased = 0
  for (let i = 0; i < n; i++) {
    const isReleased = i >= originals
    if (scores[i] > 0.5 === isReleased) right++
    if (scores[i] > c !== isReleased) continue
    if (isReleased) rightReleased++
    else rightOriginals++
  }
  const membership = scores.map((_, i) => (i < originals ? 1 : 0))
  const { ks, u } = separation(
    scores,
    membership,
    membership.map((one) => 1 - one),
  )
  const pmse = meanSquare(scores, c)
  return {
    pmse,
    /** pMSE / (c (1 - c)): 0 to 1. */
    standardised: pmse / (c * (1 - c)),
    specks: ks,
    po50: (100 * right) / n - 50,
    balanced: 50 * (rightReleased / released + rightOriginals / originals) - 50,
    u,
    auc: u / (originals * released),
  }
}

export function meanSquare(scores: Float64Array, c: number): number {
  let squares = 0
  for (const score of scores) squares += (score - c) ** 2
  return squares / scores.length
}

/**
 * What pMSE is expected to be when nothing is wrong, for a model with a fixed number of coefficients. There are three
 * answers, and they must be kept apart (Snoke et al. 2018; Raab, Nowok and Dibben 2021):
 *
 *   conditional  the original is what it is, the release was drawn from a correct model fitted to it: df c (1-c)² / N.
 *                synthpop and riskutility divide by it: S_pMSE of the one, pMSE_ratio of the other
 *   two-sample   both are independent samples of one population: df c (1-c) / N, what permuted labels give as well
 *   pairs        two syntheses of equal size against each other: df / (8 n₂)
 *
 * N pMSE over (1-c)² c, or (1-c) c, has χ² with df degrees of freedom under the first two. riskutility's S_pMSE is
 * (pMSE - E) / √V of the conditional one, V = 2 df (1-c)⁴ c² / N².
 */
type Nulls = ReturnType<typeof nullsOf>

export function nullsOf(pmse: number, df: number, originals: number, released: number) {
  const n = originals + released
  const c = released / n
  const twoSample = (df * c * (1 - c)) / n
  const conditional = twoSample * (1 - c)
  const pairs = df / (8 * released)
  return {
    conditional: {
      expected: conditional,
      ratio: pmse / conditional,
      p: chiSquaredUpper((pmse / conditional) * df, df),
    },
    twoSample: { expected: twoSample, ratio: pmse / twoSample, p: chiSquaredUpper((pmse / twoSample) * df, df) },
    pairs: { expected: pairs, ratio: pmse / pairs },
    z: (pmse / conditional - 1) / Math.sqrt(2 / df),
  }
}

/** All of it for logistic regression. */
export interface Pmse extends ScoreStatistics, Pick<Propensity, 'df' | 'order' | 'converged'> {
  readonly nulls: Nulls
}

/** The tables must have been reconciled by `release`. */
export function logisticPmse(original: Table, released: Table, options: PropensityOptions): Pmse {
  return statisticsOf(logisticPropensity(original, released, options))
}

function statisticsOf({ scores, originals, df, order, converged }: Propensity): Pmse {
  const found = scoreStatistics(scores, originals)
  return { ...found, df, order, converged, nulls: nullsOf(found.pmse, df, originals, scores.length - originals) }
}
