import { NotApplicable } from '../../errors.js'
import { chiSquaredUpper } from '../../stats/distributions.js'
import type { Table } from '../../table/table.js'
import { separation } from '../separation.js'
import { logisticPropensity, type Propensity, type PropensityOrder } from './propensity.js'

/**
 * Can a model tell released records from original ones? With c the share of released records among all N,
 *
 *   pMSE = 1/N Σ (p_i - c)²,   S_pMSE = pMSE / E[pMSE],   E[pMSE] = df c (1 - c)² / N
 *
 * where the expectation is that of a release drawn from a correct model fitted to the original (Snoke, Raab, Nowok,
 * Dibben and Slavkovic 2018; synthpop's utility.gen). Two independent samples of one population have 1 / (1 - c) times
 * as much, hence the second ratio. 1 is ideal. Blind to what the propensity model cannot express.
 */
export interface Pmse {
  readonly pmse: number
  readonly df: number
  /** Against a release drawn from a correct model of the original: synthpop's S_pMSE. */
  readonly ratio: number
  readonly pValue: number
  /** Against an independent sample of the same population. */
  readonly twoSampleRatio: number
  readonly twoSamplePValue: number
  readonly specks: number
  /** Percent of records on the right side of 0.5, less 50. */
  readonly po50: number
  readonly u: number
  readonly auc: number
  readonly converged: boolean
}

export interface PmseOptions {
  readonly variables: readonly string[]
  readonly order: PropensityOrder
}

/** The tables must have been reconciled by `release`. */
export function logisticPmse(original: Table, released: Table, options: PmseOptions): Pmse {
  const fit = logisticPropensity(original, released, options)
  if (fit.df === 0) throw new NotApplicable('every variable is constant, so nothing could tell the files apart')
  return pmseOf(fit)
}

/** Holds for the scores of any model with a fixed number of coefficients. */
function pmseOf({ scores, originals, df, converged }: Propensity): Pmse {
  const n = scores.length
  const c = (n - originals) / n
  let squares = 0
  let right = 0
  for (let i = 0; i < n; i++) {
    squares += (scores[i] - c) ** 2
    if (scores[i] > 0.5 === i >= originals) right++
  }
  // X² of the two-sample comparison, χ² with df degrees of freedom; 1/(1 - c) times as large for a fitted release.
  const chi = squares / (c * (1 - c))
  const membership = scores.map((_, i) => (i < originals ? 1 : 0))
  const { ks, u } = separation(
    scores,
    membership,
    membership.map((one) => 1 - one),
  )
  return {
    pmse: squares / n,
    df,
    ratio: chi / (1 - c) / df,
    pValue: chiSquaredUpper(chi / (1 - c), df),
    twoSampleRatio: chi / df,
    twoSamplePValue: chiSquaredUpper(chi, df),
    specks: ks,
    po50: (100 * right) / n - 50,
    u,
    auc: u / (originals * (n - originals)),
    converged,
  }
}
