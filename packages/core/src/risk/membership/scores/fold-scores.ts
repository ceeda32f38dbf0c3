import { normalCdf } from '../../../stats/distributions.js'
import { joined } from '../../../stats/joined.js'
import { mean } from '../../../stats/sums.js'
import { auc, aucInterval, placements } from '../../../stats/tests/auc.js'
import type { ClassifierScores } from './classifier-scores.js'
import { boundsOf, detectableAuc, type MembershipScore } from './membership-score.js'

/** Scores of a classifier for people it has not seen, fold by fold. */
export interface FoldScores {
  readonly training: Float64Array
  readonly others: Float64Array
}

export function foldScores({ folds, foldOf, probability }: ClassifierScores, members: number): FoldScores[] {
  return Array.from({ length: folds }, (_, fold) => ({
    training: probability.filter((_score, record) => foldOf[record] === fold && record < members),
    others: probability.filter((_score, record) => foldOf[record] === fold && record >= members),
  }))
}

/** Folds have models of their own, so that pairs are compared within folds only; variances of folds add up. */
export function overFolds(pooled: MembershipScore, scored: readonly FoldScores[], pairs: number): MembershipScore {
  const folds = scored.flatMap((fold) => auc(fold.training, fold.others) ?? [])
  const placed = scored.map((fold) => placements(fold.training, fold.others))
  const area = mean(folds.map((fold) => fold.auc)) ?? 0.5
  const rootMeanSquare = (values: readonly number[]) => Math.hypot(...values) / values.length
  const nullSd = rootMeanSquare(folds.map((fold) => fold.nullSd))
  const standardError = rootMeanSquare(folds.map((fold) => fold.standardError ?? fold.nullSd))
  const z = nullSd > 0 ? (area - 0.5) / nullSd : 0
  return {
    ...pooled,
    auc: area,
    nullSd,
    z,
    p: nullSd > 0 ? normalCdf(-z) : 1,
    standardError,
    bounds: boundsOf({
      members: joined(placed.map((fold) => fold.members)),
      others: joined(placed.map((fold) => fold.others)),
    }),
    interval: nullSd > 0 ? aucInterval(area, standardError, pairs) : null,
    minimalDetectable: detectableAuc(nullSd),
  }
}

export const UNDECIDED = 0.5
