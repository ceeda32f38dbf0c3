import type { JsonObject } from '../json.js'
import type { AttackResult, TargetResult } from './game.js'
import type { Posterior, RiskSummary, ShareOfReleases } from './target/posterior.js'

/**
 * An attack as JSON. What may be infinite is null when it is (`empiricalEpsilon`, `logBayesFactor`, log likelihoods of
 * impossible worlds); `impossibleWorlds` tells. It names records of the original: for its owner only.
 */
export function attackReport(result: AttackResult): JsonObject {
  const { synthesizer, engine, attacker, records, variables, given, releases, setsPerRelease, notes } = result
  return {
    private: true,
    attack: 'strong attacker',
    synthesizer,
    engine,
    attacker,
    records,
    variables,
    released: given ? 'given' : 'simulated',
    releases,
    setsPerRelease,
    risk: result.risk,
    meanRisk: result.meanRisk,
    shareAtLeastHalf: result.shareAtLeastHalf,
    screen: { ...result.screen },
    verdict: result.verdict,
    worst: result.worst === null ? null : result.worst.row + 1,
    supportLeak: result.supportLeak,
    ...(result.seedAttack === null ? {} : { reproducedBySeed: result.seedAttack.reproducing.map(labelIn(result)) }),
    targets: result.targets.map((target) => targetReport(target, result.targets.length === 1)),
    notes,
  }
}

function labelIn({ targets }: AttackResult): (world: number) => string {
  return (world) => targets[0].candidates.worlds[world].label
}

/** With all candidates where one record is attacked; a sweep keeps a line per record. */
function targetReport(target: TargetResult, inFull: boolean): JsonObject {
  const { row, label, frequency, screened, candidates, prior, posteriors, overSets, summary, populationSummary } =
    target
  const [first] = posteriors
  return {
    record: row + 1,
    values: label,
    frequency,
    likelihoods: screened ? 'screen' : 'engine',
    candidateKind: candidates.kind,
    candidates: candidates.worlds.length,
    summary: summary === null ? null : summaryReport(summary),
    underPopulationPrior: populationSummary === null ? null : summaryReport(populationSummary),
    ...(inFull
      ? {
          truth: candidates.truth,
          worlds: candidates.worlds.map((world, k) => ({
            label: world.label,
            prior: prior[k],
            posterior: first.probabilities[k] ?? null,
            logLikelihood: finite(first.logLikelihoods[k]),
          })),
          firstRelease: posteriorReport(first),
          overSets: overSets.map(({ truth }) => truth?.posterior ?? null),
        }
      : {}),
  }
}

function summaryReport(summary: RiskSummary): JsonObject {
  const { atLeastHalf, atLeast90, atLeast99, mapIsTruth, ...rest } = summary
  const plain = ({ share, interval }: ShareOfReleases): JsonObject => ({
    share,
    lower: interval?.lower ?? null,
    upper: interval?.upper ?? null,
  })
  return {
    ...rest,
    atLeastHalf: plain(atLeastHalf),
    atLeast90: plain(atLeast90),
    atLeast99: plain(atLeast99),
    mapIsTruth: plain(mapIsTruth),
  }
}

function posteriorReport(posterior: Posterior): JsonObject {
  const { modelRejected, map, impossibleWorlds, entropyBits, informationGainBits, empiricalEpsilon, truth } = posterior
  return {
    modelRejected,
    map,
    impossibleWorlds,
    entropyBits,
    informationGainBits,
    empiricalEpsilon: finite(empiricalEpsilon),
    truth: truth === null ? null : { ...truth, logBayesFactor: finite(truth.logBayesFactor) },
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
