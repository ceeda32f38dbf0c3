import { normalCdf, normalUpper } from '../distributions.js'
import { midRanks } from '../samples/ranks.js'
import { total } from '../sums.js'

/**
 * Wilcoxon's signed-rank test (1945) for pairs: V = sum of the ranks of |d| over positive differences d. Zeros are
 * dropped and ties get mid-ranks. As `wilcox.test(x, y, paired = TRUE)` in R: exact below 50 differences without ties
 * or zeros, else normal with variance n (n + 1)(2n + 1) / 24 - Σ (t³ - t) / 48 and continuity correction.
 * Blind to dependence between pairs: pairs that share a nearest record are not independent.
 */
export type SignedRank = {
  readonly v: number
  readonly p: number
  /** Pairs that differ. */
  readonly n: number
  readonly exact: boolean
}

export type Alternative = 'two-sided' | 'less' | 'greater'

const EXACT_BELOW = 50

/** `less` says that the differences first - second are negative. Null when no pair differs. */
export function signedRank(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  alternative: Alternative = 'two-sided',
): SignedRank | null {
  const all = Float64Array.from(first, (value, i) => value - second[i])
  const differences = all.filter((difference) => difference !== 0)
  const n = differences.length
  if (n === 0) return null
  const { v, tieTerm } = rankSum(differences)
  const exact = n < EXACT_BELOW && tieTerm === 0 && n === all.length
  const p = exact ? exactP(v, n, alternative) : normalP(v, n, tieTerm, alternative)
  return { v, p, n, exact }
}

function rankSum(differences: Float64Array): { v: number; tieTerm: number } {
  const { ranks, tieTerm } = midRanks(differences.map(Math.abs))
  return { v: total(ranks.filter((_, i) => differences[i] > 0)), tieTerm }
}

function normalP(v: number, n: number, tieTerm: number, alternative: Alternative): number {
  const centred = v - (n * (n + 1)) / 4
  const sd = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24 - tieTerm / 48)
  if (alternative === 'less') return normalCdf((centred + 0.5) / sd)
  if (alternative === 'greater') return normalUpper((centred - 0.5) / sd)
  return Math.min(1, 2 * normalUpper(Math.max(0, Math.abs(centred) - 0.5) / sd))
}

function exactP(v: number, n: number, alternative: Alternative): number {
  const atMost = (limit: number) => shareOfSubsets(n, limit)
  if (alternative === 'less') return atMost(v)
  // The ranks not in V sum to n (n + 1) / 2 - V and have the same distribution.
  const mirrored = (n * (n + 1)) / 2 - v
  if (alternative === 'greater') return atMost(mirrored)
  return Math.min(1, 2 * atMost(Math.min(v, mirrored)))
}

/** Of all subsets of the ranks 1 to n, the share with a sum of at most `limit`. */
function shareOfSubsets(n: number, limit: number): number {
  const share = new Float64Array(limit + 1)
  share[0] = 1
  for (let rank = 1; rank <= n; rank++)
    for (let total = limit; total >= 0; total--)
      share[total] = (share[total] + (total >= rank ? share[total - rank] : 0)) / 2
  return share.reduce((sum, one) => sum + one, 0)
}
