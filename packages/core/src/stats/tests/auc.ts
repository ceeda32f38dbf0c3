import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { normalUpper } from '../distributions.js'
import { type Interval, normalInterval, wilson } from '../intervals.js'
import { joined } from '../joined.js'
import { midRanks } from '../samples/ranks.js'
import { mean, total, variance } from '../sums.js'
import { boundedMean } from './bounded-mean.js'
import { leastP } from './tests.js'

/**
 * How well a score tells members from others. AUC = P(member > other) + P(equal) / 2
 *   = (sum of the members' mid-ranks - n_T (n_T + 1) / 2) / (n_T n_H).
 * Without any difference its mean is 1/2 and its variance [(N + 1) - Σ (t³ - t) / (N (N - 1))] / (12 n_T n_H), t the
 * sizes of ties (Mann and Whitney 1947). Interval: DeLong, DeLong and Clarke-Pearson (1988), from ranks within and
 * across the groups (Sun and Xu 2014), so in O(N log N). An average hides the few records an attacker is sure of, hence
 * the true-positive rates at low false-positive rates (Carlini et al. 2022).
 */
export type Auc = {
  readonly auc: number
  /** Standard deviation when members and others do not differ. */
  readonly nullSd: number
  readonly z: number
  /** One-sided, of members scoring higher; normal. 1 when all scores are equal. */
  readonly p: number
  /** DeLong's; null with fewer than two members or others, 0 when the groups do not overlap. */
  readonly standardError: number | null
  /** Null when all scores are equal: nothing was compared. */
  readonly interval: Interval | null
  readonly lowFalsePositives: readonly LowFalsePositives[]
}

type LowFalsePositives = {
  /** The false-positive rate asked for, and that reached: ties can push it lower. */
  readonly at: number
  readonly falsePositiveRate: number
  readonly truePositiveRate: number
  readonly interval: Interval | null
  /** True-positive less false-positive rate. */
  readonly advantage: number
}

const FALSE_POSITIVE_RATES = [0.001, 0.01, 0.1] as const

/** Null without members or without others. Scores must be numbers, higher meaning more like a member. */
export function auc(members: Float64Array, others: Float64Array): Auc | null {
  const nT = members.length
  const nH = others.length
  if (nT === 0 || nH === 0) return null
  const pooled = midRanks(joined([members, others]))
  const area = areaOf(total(pooled.ranks.subarray(0, nT)), nT, nH)
  const nullSd = Math.sqrt(nullVariance(pooled.tieTerm, nT, nH))
  const z = nullSd > 0 ? (area - 0.5) / nullSd : 0
  const standardError = deLong(placementsOf(members, others, pooled.ranks))
  return {
    auc: area,
    nullSd,
    z,
    p: nullSd > 0 ? Math.max(normalUpper(z), leastP(nT, nH)) : 1,
    standardError,
    interval: nullSd > 0 ? aucInterval(area, standardError, Math.min(nT, nH)) : null,
    lowFalsePositives: FALSE_POSITIVE_RATES.map((at) => atFalsePositiveRate(members, others, at)),
  }
}

/**
 * DeLong's interval. It has no width when no member scores among the others, however few they are: as many pairs as the
 * smaller group has records are independent trials that succeed with probability AUC, so Wilson's for these stands in.
 */
export function aucInterval(area: number, standardError: number | null, pairs: number): Interval | null {
  if (standardError === null || standardError === 0) return wilson(area * pairs, pairs)
  const { lower, upper, level } = normalInterval(area, standardError)
  return { lower: Math.max(0, lower), upper: Math.min(1, upper), level, method: 'delong' }
}

export type JointTest = {
  /** Of each score, observed; p that any of the scores reaches this z by chance (Westfall and Young 1993). */
  readonly scores: readonly { readonly z: number; readonly p: number }[]
  /** Of the largest z. */
  readonly p: number
  readonly permutations: number
}

const DEFAULT_PERMUTATIONS = 999

/**
 * Several scores of the same records at once: labels are permuted, once for all scores, and the largest z of each
 * permutation is kept, so that trying many scores costs no more than their correlation demands. Each of `scores` holds
 * the `members` first, then the others.
 */
export function jointAucTest(
  scores: readonly Float64Array[],
  members: number,
  random: Stream,
  permutations = DEFAULT_PERMUTATIONS,
): JointTest {
  const n = scores[0].length
  const others = n - members
  const ranked = scores.map((score) => {
    const { ranks, tieTerm } = midRanks(score)
    return { ranks, sd: Math.sqrt(nullVariance(tieTerm, members, others)) * members * others }
  })
  const zOf = (rankSum: number, drawn: number, sd: number) => (sd > 0 ? (rankSum - (drawn * (n + 1)) / 2) / sd : 0)
  const observed = ranked.map(({ ranks, sd }) => zOf(total(ranks.subarray(0, members)), members, sd))
  // The smaller group is drawn; a high rank sum of the others is a low one of the members.
  const drawn = Math.min(members, others)
  const sign = drawn === members ? 1 : -1
  const asLarge = new Int32Array(scores.length)
  for (let round = 0; round < permutations; round++) {
    const rows = sampleWithoutReplacement(random, n, drawn)
    let largest = Number.NEGATIVE_INFINITY
    for (const { ranks, sd } of ranked) {
      let rankSum = 0
      for (let i = 0; i < drawn; i++) rankSum += ranks[rows[i]]
      largest = Math.max(largest, sign * zOf(rankSum, drawn, sd))
    }
    for (let k = 0; k < observed.length; k++) if (largest >= observed[k] - ROUNDING) asLarge[k]++
  }
  const tail = (z: number) => Math.max(scores.length * normalUpper(z), leastP(members, others))
  const found = observed.map((z, k) => {
    const p = (1 + asLarge[k]) / (1 + permutations)
    return { z, p: p < TAIL_FROM ? Math.min(p, tail(z)) : p }
  })
  return { scores: found, p: Math.min(...found.map(({ p }) => p)), permutations }
}

/** Below this the permutations run out, and the normal tail goes on, once for each score. */
const TAIL_FROM = 2e-3

/** Equal rank sums added in another order are still equal. */
const ROUNDING = 1e-9

function areaOf(rankSum: number, nT: number, nH: number): number {
  return (rankSum - (nT * (nT + 1)) / 2) / (nT * nH)
}

function nullVariance(tieTerm: number, nT: number, nH: number): number {
  const n = nT + nH
  return (n + 1 - tieTerm / (n * (n - 1))) / (12 * nT * nH)
}

/**
 * Of each member the share of others below it (half for equals), of each other the share of members above it. The mean of
 * either is the AUC.
 */
export interface Placements {
  readonly members: Float64Array
  readonly others: Float64Array
}

export function placements(members: Float64Array, others: Float64Array): Placements {
  return placementsOf(members, others, midRanks(joined([members, others])).ranks)
}

/** Ranks across both groups less ranks within the own one. */
function placementsOf(members: Float64Array, others: Float64Array, pooled: Float64Array): Placements {
  const nT = members.length
  const nH = others.length
  return {
    members: midRanks(members).ranks.map((rank, i) => (pooled[i] - rank) / nH),
    others: midRanks(others).ranks.map((rank, j) => 1 - (pooled[nT + j] - rank) / nT),
  }
}

/** Var = s²(V_T) / n_T + s²(V_H) / n_H over the placements V. */
function deLong({ members, others }: Placements): number | null {
  const [fromT, fromH] = [variance(members), variance(others)]
  return fromT === null || fromH === null ? null : Math.sqrt(fromT / members.length + fromH / others.length)
}

/**
 * Interval that holds for any number of records. DeLong's has no width when the groups do not overlap, yet of ten others
 * below every member the next may be above. Either group's placements are values in [0, 1] whose mean is the AUC, so each
 * gives an interval of its own (`boundedMean`), and their half-widths add up as those of independent parts do (Newcombe
 * 1998): lower A - √((A - l_T)² + (A - l_H)²). With n others below all members the one-sided 95 % lower bound is at most
 * 0.05^(1/n), whatever the number of members; with many records of both kinds it is DeLong's.
 */
export function placementInterval({ members, others }: Placements, level: number): Interval | null {
  const area = mean(others)
  const [ofT, ofH] = [boundedMean(members, level), boundedMean(others, level)]
  if (area === null || ofT === null || ofH === null) return null
  return {
    lower: Math.max(0, area - Math.hypot(area - ofT.lower, area - ofH.lower)),
    upper: Math.min(1, area + Math.hypot(ofT.upper - area, ofH.upper - area)),
    level,
    method: 'placements',
  }
}

/** The cut is the smallest score of an other such that at most this share of the others lies above it. */
function atFalsePositiveRate(members: Float64Array, others: Float64Array, at: number): LowFalsePositives {
  const allowed = Math.floor(at * others.length * (1 + 4 * Number.EPSILON))
  const cut = others.slice().sort()[others.length - 1 - allowed]
  const found = countAbove(members, cut)
  const truePositiveRate = found / members.length
  const falsePositiveRate = countAbove(others, cut) / others.length
  return {
    at,
    falsePositiveRate,
    truePositiveRate,
    interval: wilson(found, members.length),
    advantage: truePositiveRate - falsePositiveRate,
  }
}

function countAbove(values: Float64Array, cut: number): number {
  let above = 0
  for (const value of values) if (value > cut) above++
  return above
}
