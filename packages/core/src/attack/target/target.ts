import { stream } from '../../random/stream.js'
import { logMeanExp } from '../../stats/log-scale.js'
import type { CellBoxes } from '../engines/engine.js'
import { type Records, type ReleasedSets, recordAt, recordLabel, type Variable } from '../generator/records.js'
import { type CandidateOptions, type CandidateSet, candidateSet, type Prior, priorOf } from './candidates.js'
import { type Posterior, posterior, type RiskSummary, summariseRisk } from './posterior.js'

/** The game about one record (or about several equal ones). */
export interface TargetResult {
  /** From 0; the first of equal ones. */
  readonly row: number
  readonly label: string
  /** Original records that are equal to it, itself included. */
  readonly frequency: number
  /** Its likelihoods come from the screen, which keeps the trees as they are: it may rank the record, not clear it. */
  readonly screened: boolean
  readonly candidates: CandidateSet
  readonly prior: readonly number[]
  /** By release: what the attacker believes after all its sets. A large sweep keeps that of the first release only. */
  readonly posteriors: readonly Posterior[]
  /** Of the first release: what the attacker believes after its first set, its first two, and so on. */
  readonly overSets: readonly Posterior[]
  /** Null when the truth is not among the candidates, or every release contradicts the attacker's model. */
  readonly summary: RiskSummary | null
  /** The same under the prior by frequency among the known records; null where that is the prior or there is none. */
  readonly populationSummary: RiskSummary | null
  /** Counts of simulated sets by candidate, where an engine simulates and cells are few. */
  readonly boxes: CellBoxes | null
}

/** What the game about any record needs besides likelihoods: plain values, for any thread. */
export interface TargetSource {
  readonly variables: readonly Variable[]
  readonly original: Records
  readonly holdout: Records | null
  readonly list: Records | null
  readonly sets: ReleasedSets
  readonly setsPerRelease: number
  readonly releases: number
  readonly seed: number
  readonly candidateOptions: CandidateOptions
  readonly prior: Prior
  /** Whether to keep the posteriors of all releases. */
  readonly keepAll: boolean
}

export function candidatesOf(source: TargetSource, row: number): CandidateSet {
  return candidateSet(source, row, source.candidateOptions, stream(source.seed, 'attack/candidates', row))
}

/** Log likelihoods by candidate under one thing that the attacker takes for possible. */
export interface WeightedLogs {
  readonly weight: number
  readonly logs: readonly Float64Array[]
}

export function targetResult(
  source: TargetSource,
  row: number,
  set: CandidateSet,
  likelihoods: readonly WeightedLogs[],
  screened: boolean,
): TargetResult {
  const { variables, original, setsPerRelease: m, releases } = source
  const prior = priorOf(source.prior, set, original, row)
  const logsOf = (from: number, to: number) => worldLikelihoods(set, likelihoods, from, to)
  const byRelease = Array.from({ length: releases }, (_, r) => logsOf(r * m, (r + 1) * m))
  const posteriors = byRelease.map((logs) => posterior(logs, prior, set.truth))
  return {
    row,
    label: recordLabel(variables, recordAt(original, row)),
    frequency: 1,
    screened,
    candidates: set,
    prior,
    posteriors: source.keepAll ? posteriors : posteriors.slice(0, 1),
    overSets: Array.from({ length: m }, (_, s) => posterior(logsOf(0, s + 1), prior, set.truth)),
    summary: set.truth === null ? null : summariseRisk(posteriors, prior[set.truth]),
    populationSummary: populationSummary(source, row, set, byRelease),
    boxes: null,
  }
}

function populationSummary(
  { prior, original }: TargetSource,
  row: number,
  set: CandidateSet,
  byRelease: readonly (readonly number[])[],
): RiskSummary | null {
  if (prior === 'population' || set.kind === 'membership' || set.truth === null) return null
  const { truth } = set
  const population = priorOf('population', set, original, row)
  return summariseRisk(
    byRelease.map((logs) => posterior(logs, population, truth)),
    population[truth],
  )
}

/**
 * Log likelihood of the sets `from` to `to` - 1 together in each world. What an attacker is unsure of (options, other
 * records, who replaced a member) is the same for all sets of a release, so sets are added up before the mean is taken.
 */
function worldLikelihoods(
  { worlds }: CandidateSet,
  likelihoods: readonly WeightedLogs[],
  from: number,
  to: number,
): number[] {
  const together = (log: Float64Array) => {
    let sum = 0
    for (let s = from; s < to; s++) sum += log[s]
    return sum
  }
  let at = 0
  return worlds.map(({ records }) => {
    const places = records.map((_, k) => at + k)
    at += records.length
    const logs = likelihoods.flatMap(({ logs: all }) => places.map((k) => together(all[k])))
    const weights = likelihoods.flatMap(({ weight }) => places.map(() => weight / records.length))
    return logs.length === 1 ? logs[0] : logMeanExp(logs, weights)
  })
}
