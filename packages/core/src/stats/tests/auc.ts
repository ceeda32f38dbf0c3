import { rowsByGroup } from '@scrim/kernels'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { normalUpper } from '../distributions.js'
import { type Interval, normalInterval, wilson } from '../intervals.js'
import { joined } from '../joined.js'
import { midRanks } from '../samples/ranks.js'
import { mean, total, variance } from '../sums.js'
import { boundedMean } from './bounded-mean.js'
import { clusterRobustVariance, leastP } from './tests.js'

/**
 * How well a score tells members from others. AUC = P(member > other) + P(equal) / 2
 *   = (sum of the members' mid-ranks - n_T (n_T + 1) / 2) / (n_T n_H).
 * Without any difference its mean is 1/2 and its variance [(N + 1) - Σ (t³ - t) / (N (N - 1))] / (12 n_T n_H), t the
 * sizes of ties (Mann and Whitney 1947). Interval: DeLong, DeLong and Clarke-Pearson (1988), from ranks within and
 * across the groups (Sun and Xu 2014), so in O(N log N). An average hides the few records an attacker is sure of, hence
 * the true-positive rates at low false-positive rates (Carlini et al. 2022).
 * People of one household score alike and are not independent: with `spread` (`spreadOf`) deviations are so many times as wide.
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
export function auc(members: Float64Array, others: Float64Array, spread = 1): Auc | null {
  const nT = members.length
  const nH = others.length
  if (nT === 0 || nH === 0) return null
  const pooled = midRanks(joined([members, others]))
  const area = areaOf(total(pooled.ranks.subarray(0, nT)), nT, nH)
  const nullSd = spread * Math.sqrt(nullVariance(pooled.tieTerm, nT, nH))
  const z = nullSd > 0 ? (area - 0.5) / nullSd : 0
  const independent = deLong(placementsOf(members, others, pooled.ranks))
  const standardError = independent === null ? null : spread * independent
  const [asT, asH] = [nT, nH].map((people) => Math.ceil(people / spread ** 2))
  return {
    auc: area,
    nullSd,
    z,
    p: nullSd > 0 ? Math.max(normalUpper(z), leastP(asT, asH)) : 1,
    standardError,
    interval: nullSd > 0 ? aucInterval(area, standardError, Math.min(asT, asH)) : null,
    lowFalsePositives: FALSE_POSITIVE_RATES.map((at) => atFalsePositiveRate(members, others, at)),
  }
}

/** The area alone, where nothing else is asked; 1/2 without members or others. */
export function aucArea(members: Float64Array, others: Float64Array): number {
  const [nT, nH] = [members.length, others.length]
  if (nT === 0 || nH === 0) return 0.5
  const { ranks } = midRanks(joined([members, others]))
  return areaOf(total(ranks.subarray(0, nT)), nT, nH)
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
 * the `members` first, then the others. People who live together keep one label: with `households`, one number per record,
 * as many households as there are on the smaller side are drawn whole.
 */
export function jointAucTest(
  scores: readonly Float64Array[],
  members: number,
  random: Stream,
  permutations = DEFAULT_PERMUTATIONS,
  households: Int32Array | null = null,
): JointTest {
  const n = scores[0].length
  const { sign, draw, least } = households === null ? peopleDrawn(n, members) : householdsDrawn(households, members)
  const ranked = scores.map(midRanks)
  const zOf = (rankSum: number, drawn: number, tieTerm: number) => {
    const sd = Math.sqrt(nullVariance(tieTerm, drawn, n - drawn)) * drawn * (n - drawn)
    return sd > 0 ? (rankSum - (drawn * (n + 1)) / 2) / sd : 0
  }
  const observed = ranked.map(({ ranks, tieTerm }) => zOf(total(ranks.subarray(0, members)), members, tieTerm))
  const asLarge = new Int32Array(scores.length)
  const squares = new Float64Array(scores.length)
  for (let round = 0; round < permutations; round++) {
    const rows = draw(random)
    let largest = Number.NEGATIVE_INFINITY
    for (let k = 0; k < ranked.length; k++) {
      const { ranks, tieTerm } = ranked[k]
      let rankSum = 0
      for (let i = 0; i < rows.length; i++) rankSum += ranks[rows[i]]
      const z = sign * zOf(rankSum, rows.length, tieTerm)
      squares[k] += z * z
      largest = Math.max(largest, z)
    }
    for (let k = 0; k < observed.length; k++) if (largest >= observed[k] - ROUNDING) asLarge[k]++
  }
  const standardised = observed.map((statistic, k) => {
    // Of people who are drawn alone z has a spread of 1 by its definition.
    const spread = households === null ? 1 : Math.max(1, Math.sqrt(squares[k] / permutations))
    const z = statistic / spread
    const p = (1 + asLarge[k]) / (1 + permutations)
    return { z, p: p < TAIL_FROM ? Math.min(p, Math.max(scores.length * normalUpper(z), least)) : p }
  })
  return { scores: standardised, p: Math.min(...standardised.map(({ p }) => p)), permutations }
}

/** The smaller group is drawn; a high rank sum of the others is a low one of the members, which is the sign. */
interface Drawing {
  readonly sign: number
  readonly draw: (random: Stream) => Int32Array
  readonly least: number
}

function peopleDrawn(n: number, members: number): Drawing {
  const others = n - members
  const drawn = Math.min(members, others)
  return {
    sign: drawn === members ? 1 : -1,
    draw: (random) => sampleWithoutReplacement(random, n, drawn),
    least: leastP(members, others),
  }
}

/** Households are drawn whole, as many as the smaller group has; they differ in size, and so do the groups of people. */
function householdsDrawn(households: Int32Array, members: number): Drawing {
  const { rows, start } = rowsByGroup(households, 1 + largestOf(households))
  const lived = Int32Array.from({ length: start.length - 1 }, (_, k) => k).filter((k) => start[k + 1] > start[k])
  const ofMembers = lived.filter((k) => rows[start[k]] < members).length
  const drawn = Math.min(ofMembers, lived.length - ofMembers)
  const people = new Int32Array(rows.length)
  return {
    sign: drawn === ofMembers ? 1 : -1,
    draw(random) {
      let count = 0
      for (const chosen of sampleWithoutReplacement(random, lived.length, drawn))
        for (let at = start[lived[chosen]]; at < start[lived[chosen] + 1]; at++) people[count++] = rows[at]
      return people.subarray(0, count)
    },
    least: leastP(ofMembers, lived.length - ofMembers),
  }
}

/**
 * How many times as far the AUC strays where households are drawn and not people: √(variance with households as clusters / variance of
 * independent people) over the placements (Obuchowski 1997), at least 1. `households` has the members first, then the others.
 */
export function spreadOf({ members, others }: Placements, households: Int32Array): number {
  const most = 1 + largestOf(households)
  const ofMembers = clusterRobustVariance(members, households.subarray(0, members.length), most)
  const ofOthers = clusterRobustVariance(others, households.subarray(members.length), most)
  const independent = deLong({ members, others })
  // One household on a side says nothing about others: all of its people count as one.
  if (ofMembers === null || ofOthers === null) return Math.sqrt(Math.max(members.length, others.length))
  if (independent === null || independent === 0) return 1
  return Math.max(1, Math.sqrt(ofMembers + ofOthers) / independent)
}

function largestOf(values: Int32Array): number {
  let largest = 0
  for (const value of values) largest = Math.max(largest, value)
  return largest
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
  const truePositives = countAbove(members, cut)
  const truePositiveRate = truePositives / members.length
  const falsePositiveRate = countAbove(others, cut) / others.length
  return {
    at,
    falsePositiveRate,
    truePositiveRate,
    interval: wilson(truePositives, members.length),
    advantage: truePositiveRate - falsePositiveRate,
  }
}

function countAbove(values: Float64Array, cut: number): number {
  let above = 0
  for (const value of values) if (value > cut) above++
  return above
}
