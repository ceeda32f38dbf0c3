import { math } from '@scrim/kernels'
import { z } from 'zod'
import { choice, real, whole } from '../../../option-kinds.js'
import { quantileSorted } from '../../../stats/quantile.js'
import { standardDeviation } from '../../../stats/sums.js'

/**
 * Whom the attacker names: from the costs of one query the guess set C, and the weight of every record in it, which sum to 1.
 * The risk of a person is the weight of the records that are theirs: the chance of naming one of them.
 *   nearest    all records at the least cost, ties kept
 *   threshold  all up to a cost; `nearest threshold` the nearest if they are, `topk threshold` the k nearest of them
 *   topk       the k nearest and every tie with the k-th
 *   posterior  everybody, by exp(-cost): for costs that are minus log likelihoods
 * Weights are equal, or fall with the cost: softmax exp(-κ d) with κ = 2 / range, a kernel, or one over the rank. A kernel is one
 * of d where its bandwidth is given, by the user or by what the method knows of its error, and otherwise of d - least.
 */
export const guessOptions = {
  strategy: choice(['nearest', 'threshold', 'topk', 'topk-threshold', 'nearest-threshold'], 'nearest').describe(
    'all methods but probabilistic and pram: whom the intruder names, the nearest, all up to a cost, the k nearest, or those that are both',
  ),
  k: whole(5, { min: 1 }).describe('how many nearest, for topk'),
  threshold: z
    .union([z.number(), z.object({ quantile: z.number().gt(0).lt(1) })])
    .default(0.1)
    .describe('cost up to which records are named, or the quantile of a person’s costs that it is'),
}

export const weightingOptions = {
  weighting: choice(['uniform', 'softmax', 'kernel', 'harmonic'], 'uniform').describe(
    'all methods but pram: how the intruder chooses among those named',
  ),
  kappa: real(null, { above: 0 }).describe('softmax: weights are exp(-kappa d); 2 / range if null'),
  bandwidth: real(null, { above: 0 }).describe(
    'kernel: its width; if null the standard error of the person’s propensity (predictive by logit), or by Silverman’s rule',
  ),
  kernel: choice(['gaussian', 'epanechnikov', 'tricube'], 'gaussian').describe('kernel: its shape'),
}

const ruleSchema = z.object({ ...guessOptions, ...weightingOptions })

export type GuessRule = Readonly<Omit<z.output<typeof ruleSchema>, 'strategy'>> & {
  readonly strategy: z.output<typeof guessOptions.strategy> | 'posterior'
}

export const NEAREST: GuessRule = ruleSchema.parse({ k: 1, threshold: 0 })

/** The rule for a query whose costs are uncertain by a width of its own. */
export function ruleWith(rule: GuessRule, width: number | undefined): GuessRule {
  return width === undefined || rule.bandwidth !== null ? rule : { ...rule, bandwidth: width }
}

/** Costs closer than this are equal: 0.3 - 0.1 and 0.5 - 0.3 tie. */
export const tieAt = (cost: number): number => cost + 1e-9 * (1 + Math.abs(cost))

/** Costs below this do not tie with `cost`: the inverse of `tieAt`. */
export function belowTie(cost: number): number {
  const gap = cost - 1e-9
  return gap / (gap >= 0 ? 1 + 1e-9 : 1 - 1e-9)
}

export interface Guess {
  /** Classes in the guess set, and the weight of one record of each. */
  readonly members: number[]
  readonly weights: number[]
  /** Records in the guess set. */
  readonly records: number
}

/** `counts` are the records of each class. */
export function guess(costs: Float64Array, counts: Int32Array, size: number, least: number, rule: GuessRule): Guess {
  if (least === Number.POSITIVE_INFINITY) return { members: [], weights: [], records: 0 }
  if (rule.strategy === 'posterior') return posterior(costs, counts, size, least)
  const members = membersOf(costs, counts, size, least, rule)
  let records = 0
  for (const member of members) records += counts[member]
  if (members.length === 0) return { members, weights: [], records: 0 }
  const raw = rawWeights(
    members.map((member) => costs[member]),
    members.map((member) => counts[member]),
    rule,
  )
  let total = 0
  for (const [k, member] of members.entries()) total += counts[member] * raw[k]
  const weights = total > 1e-300 ? raw.map((weight) => weight / total) : raw.map(() => 1 / records)
  return { members, weights, records }
}

function posterior(costs: Float64Array, counts: Int32Array, size: number, least: number): Guess {
  const members: number[] = []
  const weights: number[] = []
  let total = 0
  let records = 0
  for (let j = 0; j < size; j++) {
    if (costs[j] === Number.POSITIVE_INFINITY) continue
    const weight = math.exp(least - costs[j])
    members.push(j)
    weights.push(weight)
    total += counts[j] * weight
    records += counts[j]
  }
  return { members, weights: weights.map((weight) => weight / total), records }
}

function membersOf(
  costs: Float64Array,
  counts: Int32Array,
  size: number,
  least: number,
  { strategy, k, threshold }: GuessRule,
): number[] {
  const upTo = (limit: number) => {
    const members: number[] = []
    for (let j = 0; j < size; j++) if (costs[j] <= limit) members.push(j)
    return members
  }
  if (strategy === 'nearest') return upTo(tieAt(least))
  if (strategy === 'topk') return upTo(tieAt(kthCost(costs, counts, upTo(Number.MAX_VALUE), k)))
  const limit = tieAt(
    typeof threshold === 'number'
      ? threshold
      : (quantileSorted(expanded(costs, counts, size), threshold.quantile) ?? 0),
  )
  if (strategy === 'nearest-threshold') return least <= limit ? upTo(tieAt(least)) : []
  const within = upTo(limit)
  if (strategy === 'threshold' || within.length === 0) return within
  const last = tieAt(kthCost(costs, counts, within, k))
  return within.filter((j) => costs[j] <= last)
}

function kthCost(costs: Float64Array, counts: Int32Array, among: readonly number[], k: number): number {
  const order = [...among].sort((a, b) => costs[a] - costs[b])
  let records = 0
  for (const j of order) {
    records += counts[j]
    if (records >= k) return costs[j]
  }
  return costs[order[order.length - 1]]
}

/** Sorted costs of all records. */
function expanded(costs: ArrayLike<number>, counts: ArrayLike<number>, size: number): Float64Array {
  let records = 0
  for (let j = 0; j < size; j++) records += counts[j]
  const all = new Float64Array(records)
  let at = 0
  for (let j = 0; j < size; j++) for (let c = 0; c < counts[j]; c++) all[at++] = costs[j]
  return all.sort()
}

function rawWeights(d: readonly number[], counts: readonly number[], rule: GuessRule): number[] {
  const least = Math.min(...d)
  const range = Math.max(...d) - least
  if (rule.weighting === 'uniform' || range <= tieAt(least) - least) return d.map(() => 1)
  if (rule.weighting === 'softmax') {
    const kappa = rule.kappa ?? 2 / range
    return d.map((cost) => math.exp(-kappa * (cost - least)))
  }
  if (rule.weighting === 'harmonic') return d.map((cost) => 1 / rankOf(cost, d, counts))
  const h = rule.bandwidth ?? autoBandwidth(expanded(d, counts, d.length))
  const at = rule.bandwidth === null ? least : 0
  const { kernel } = rule
  // Divided by the largest weight, so that it does not vanish where all records are far.
  if (kernel === 'gaussian') return d.map((cost) => math.exp(((least - at) ** 2 - (cost - at) ** 2) / (2 * h * h)))
  return d.map((cost) => kernelAt(kernel, (cost - at) / h))
}

/** 1 + the records that are nearer. */
function rankOf(cost: number, d: readonly number[], counts: readonly number[]): number {
  let nearer = 0
  for (const [k, other] of d.entries()) if (tieAt(other) < cost) nearer += counts[k]
  return 1 + nearer
}

/** Silverman's rule (1986): 0.9 · min(sd, IQR / 1.34) · n^(-1/5). */
export function autoBandwidth(sorted: Float64Array): number {
  const sd = standardDeviation(sorted) || 1
  const iqr = (quantileSorted(sorted, 0.75) ?? 0) - (quantileSorted(sorted, 0.25) ?? 0) || 1.34 * sd
  return 0.9 * Math.min(sd, iqr / 1.34) * math.pow(sorted.length, -0.2)
}

function kernelAt(kernel: 'epanechnikov' | 'tricube', u: number): number {
  if (kernel === 'epanechnikov') return 0.75 * Math.max(0, 1 - u * u)
  return (70 / 81) * math.pow(Math.max(0, 1 - math.pow(Math.abs(u), 3)), 3)
}
