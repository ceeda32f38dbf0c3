import { SIGNIFICANCE } from '../stats/levels.js'
/**
 * Which candidates are worth having. Candidate i dominates j in a draw when it is no riskier and no less useful, up to
 * ε = 0.01, and better by more than ε in one:
 *   R_i ≤ R_j + ε,  U_i ≥ U_j - ε,  R_j - R_i > ε or U_i - U_j > ε.
 * P(i > j) is the share of draws in which it does; a candidate is on the front with the share of draws in which nobody
 * dominates it. Equal candidates do not dominate each other. The same in the space of all threats and measures of utility
 * says what no weighting can change.
 */
export const EPSILON = 0.01

export type FrontLabel = 'on the front' | 'undecided' | 'dominated'

/** Per axis of one candidate its draws, higher being better. */
export type Axes = readonly Float64Array[]

export interface Fronts {
  /** P(i > j) at i, j. */
  readonly dominance: readonly (readonly number[])[]
  readonly front: readonly number[]
}

export function frontsOf(candidates: readonly Axes[], draws: number): Fronts {
  const wins = candidates.map(() => candidates.map(() => 0))
  const undominated = candidates.map(() => 0)
  for (let b = 0; b < draws; b++)
    for (const [j, loser] of candidates.entries()) {
      let isDominated = false
      for (const [i, winner] of candidates.entries()) {
        if (i === j || !dominates(winner, loser, b)) continue
        wins[i][j]++
        isDominated = true
      }
      if (!isDominated) undominated[j]++
    }
  const share = (times: number) => times / draws
  return { dominance: wins.map((row) => row.map(share)), front: undominated.map(share) }
}

function dominates(winner: Axes, loser: Axes, b: number): boolean {
  let isBetter = false
  for (let axis = 0; axis < winner.length; axis++) {
    const gap = winner[axis][b] - loser[axis][b]
    if (gap < -EPSILON) return false
    if (gap > EPSILON) isBetter = true
  }
  return isBetter
}

export function frontLabel(probability: number): FrontLabel {
  if (probability >= 1 - SIGNIFICANCE) return 'on the front'
  return probability < SIGNIFICANCE ? 'dominated' : 'undecided'
}
