import { math } from '@scrim/kernels'
import { type Interval, wilson } from '../../stats/intervals.js'
import { logSumExp } from '../../stats/log-scale.js'
import { quantiles } from '../../stats/quantile.js'
import { mean, standardDeviation, sum } from '../../stats/sums.js'

/**
 * What the attacker believes after seeing a release: p_k ∝ π_k exp(ℓ_k), the Bayesian disclosure risk of Reiter, Wang and
 * Zhang (2014). ℓ_k is known up to a constant that all worlds share; minus infinity excludes a world with certainty.
 */
export interface Posterior {
  /** No world could have made this release: the attacker's model is wrong. Then there are no probabilities. */
  readonly modelRejected: boolean
  readonly probabilities: readonly number[]
  readonly logLikelihoods: readonly number[]
  /** The most probable worlds; several if they tie. */
  readonly map: readonly number[]
  /** Worlds excluded with certainty. */
  readonly impossibleWorlds: number
  readonly entropyBits: number
  /** Kullback-Leibler divergence from the prior: what the release taught. */
  readonly informationGainBits: number
  /** max ℓ - min ℓ: a lower bound of the pure, replace-one epsilon of the generator if ℓ is exact; may be infinite. */
  readonly empiricalEpsilon: number
  /** About the true world; null where it is not among the candidates. */
  readonly truth: TruthOutcome | null
}

interface TruthOutcome {
  readonly posterior: number
  /** 1 is the most probable; ties share the mean of their ranks. */
  readonly rank: number
  /** One over the number of tied most probable worlds if the truth is one of them, else 0. */
  readonly success: number
  readonly lift: number
  /** ℓ of the truth less the log of the mean likelihood of all others; may be infinite. */
  readonly logBayesFactor: number
}

/** Probabilities this close, relatively, are tied. */
const TIE = 1e-9

export function posterior(
  logLikelihoods: ArrayLike<number>,
  prior: ArrayLike<number>,
  truth: number | null,
): Posterior {
  const logs = Array.from(logLikelihoods)
  const possible = logs.filter((log, k) => log > Number.NEGATIVE_INFINITY && prior[k] > 0)
  const impossibleWorlds = logs.filter((log) => log === Number.NEGATIVE_INFINITY).length
  if (possible.length === 0) return rejected(logs, impossibleWorlds)
  const most = Math.max(...possible)
  const weights = logs.map((log, k) => (prior[k] > 0 ? prior[k] * math.exp(log - most) : 0))
  const total = sum(weights)
  const probabilities = weights.map((weight) => weight / total)
  const best = Math.max(...probabilities)
  const map = probabilities.flatMap((p, k) => (p >= best * (1 - TIE) ? [k] : []))
  return {
    modelRejected: false,
    probabilities,
    logLikelihoods: logs,
    map,
    impossibleWorlds,
    entropyBits: sum(probabilities.map((p) => (p > 0 ? -p * math.log2(p) : 0))),
    informationGainBits: Math.max(0, sum(probabilities.map((p, k) => (p > 0 ? p * math.log2(p / prior[k]) : 0)))),
    empiricalEpsilon: Math.max(...logs) - Math.min(...logs),
    truth: truth === null ? null : truthOutcome(probabilities, logs, prior, map, truth),
  }
}

function rejected(logLikelihoods: readonly number[], impossibleWorlds: number): Posterior {
  return {
    modelRejected: true,
    probabilities: [],
    logLikelihoods,
    map: [],
    impossibleWorlds,
    entropyBits: 0,
    informationGainBits: 0,
    empiricalEpsilon: 0,
    truth: null,
  }
}

function truthOutcome(
  probabilities: readonly number[],
  logs: readonly number[],
  prior: ArrayLike<number>,
  map: readonly number[],
  truth: number,
): TruthOutcome {
  const ofTruth = probabilities[truth]
  const tied = probabilities.filter((p) => Math.abs(p - ofTruth) <= TIE * ofTruth).length
  const above = probabilities.filter((p) => p - ofTruth > TIE * ofTruth).length
  return {
    posterior: ofTruth,
    rank: above + (tied + 1) / 2,
    success: map.includes(truth) ? 1 / map.length : 0,
    lift: ofTruth / prior[truth],
    logBayesFactor: logs[truth] - logOfMean(logs, prior, truth),
  }
}

/** log Σ_{j≠truth} π_j / (1 - π_truth) exp(ℓ_j). */
function logOfMean(logs: readonly number[], prior: ArrayLike<number>, truth: number): number {
  const others = logs.map((log, k) => (k === truth ? Number.NEGATIVE_INFINITY : log + math.log(prior[k])))
  return logSumExp(others) - math.log1p(-prior[truth])
}

/** Prior of each world from weights. */
export function normalised(weights: readonly number[]): number[] {
  const total = sum(weights)
  return weights.map((weight) => weight / total)
}

/** A share of releases with its Wilson interval. */
export interface ShareOfReleases {
  readonly share: number
  readonly interval: Interval | null
}

/** The risk averaged over releases, with its Monte Carlo error. */
export interface RiskSummary {
  readonly releases: number
  readonly prior: number
  readonly meanPosterior: number
  readonly standardError: number | null
  readonly quantile5: number
  readonly median: number
  readonly quantile95: number
  readonly atLeastHalf: ShareOfReleases
  readonly atLeast90: ShareOfReleases
  readonly atLeast99: ShareOfReleases
  readonly mapIsTruth: ShareOfReleases
  readonly meanInformationGainBits: number
  readonly meanLogBayesFactor: number | null
  /** (mean posterior - prior) / (1 - prior), cut at 0. */
  readonly risk: number
  readonly modelRejected: number
  readonly verdict: AttackVerdict
}

export type AttackVerdict = 'none' | 'low' | 'moderate' | 'high' | 'certain'

/** Sums of the last bit must not turn a share of exactly one into less. */
const LAST_BITS = 1e-12

/** Null when the truth is not among the candidates or every release rejects the model. */
export function summariseRisk(posteriors: readonly Posterior[], prior: number): RiskSummary | null {
  const outcomes = posteriors.flatMap(({ truth }) => truth ?? [])
  if (outcomes.length === 0) return null
  const values = outcomes.map(({ posterior: value }) => value)
  const meanPosterior = mean(values) ?? 0
  const [quantile5, median, quantile95] = quantiles(values, [0.05, 0.5, 0.95]) ?? [0, 0, 0]
  const spread = standardDeviation(values)
  const share = (count: number) => ({ share: count / values.length, interval: wilson(count, values.length) })
  const from = (least: number) => share(values.filter((value) => value >= least - LAST_BITS).length)
  const factors = outcomes.map(({ logBayesFactor }) => logBayesFactor)
  const [atLeastHalf, atLeast90, atLeast99] = [from(0.5), from(0.9), from(0.99)]
  return {
    releases: values.length,
    prior,
    meanPosterior,
    standardError: spread === null ? null : spread / Math.sqrt(values.length),
    quantile5,
    median,
    quantile95,
    atLeastHalf,
    atLeast90,
    atLeast99,
    mapIsTruth: share(sum(outcomes.map(({ success }) => success))),
    meanInformationGainBits: mean(posteriors.map(({ informationGainBits }) => informationGainBits)) ?? 0,
    meanLogBayesFactor: factors.every(Number.isFinite) ? mean(factors) : null,
    risk: prior < 1 ? Math.min(1, Math.max(0, (meanPosterior - prior) / (1 - prior))) : 0,
    modelRejected: posteriors.filter(({ modelRejected }) => modelRejected).length,
    verdict: verdictOf(meanPosterior, prior, from(prior < 0.5 ? 0.5 : (1 + prior) / 2).share, atLeast99.share),
  }
}

const NO_LIFT = 1.1
const LOW_LIFT = 2
const RARELY = 0.05

/**
 * In words of its own, not by the one judge (`assess/judge.ts`), which decides about one release from a sample of people: here one
 * record is attacked in many simulated releases of a generator. A posterior is computed, not estimated from people, so what
 * varies is the release alone, and the words say how often a release gives the record away, not whether the mean exceeds the
 * prior by more than chance. The measure `strong-attack` gives the same game as evidence beside what decides.
 *
 * `likely`: share of releases after which the truth has one half or more; half way from the prior to 1 if that is more.
 */
function verdictOf(meanPosterior: number, prior: number, likely: number, atLeast99: number): AttackVerdict {
  if (atLeast99 >= 0.5) return 'certain'
  if (likely > RARELY) return 'high'
  if (likely === 0 && meanPosterior <= NO_LIFT * prior) return 'none'
  if (likely === 0 && meanPosterior <= LOW_LIFT * prior) return 'low'
  return 'moderate'
}
