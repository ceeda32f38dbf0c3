import type { Look } from '../../evidence/evidence.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { selectRecords } from '../embedding/records/coded-records.js'
import { countUp, type Setup } from '../embedding/setup.js'
import {
  type KeyScore,
  type Matching,
  type MeanRates,
  marginBaselines,
  matchColumns,
  meanRates,
  ratesOf,
} from './attribution.js'
import { type PersonGroup, personGroups } from './groups.js'
import {
  type Extrapolation,
  effectOf,
  extrapolated,
  type Limits,
  type MarginalRisk,
  type MarginalVerdict,
  marginalRisk,
  normalisedRisk,
  verdictOf,
} from './marginal.js'
import type { PlannedScenario } from './scenario.js'
import type { Consensus, ScenarioScores } from './scoring.js'
import type { Split } from './splits.js'

/** One target: how often it is found out, of whom, and what of that is due to the outputs. */
export type TargetRisk = {
  readonly target: string
  readonly keys: readonly string[]
  readonly keySets: number
  readonly possibleKeySets: number
  /** Right by a guess from the margin of the target, and by its most frequent value. */
  readonly guess: { readonly drawn: number; readonly best: number }
  /** All records, by embedded data: means over embedded sets. */
  readonly embedded: MeanRates
  /** All keys at once. */
  readonly fullKeys: MeanRates
  /** The same attack with what was known before. */
  readonly knowledge: MeanRates
  /** What the outputs add to that. */
  readonly gain: { readonly success: number; readonly zero: number | null; readonly undefined: number | null }
  /** Over embedded sets of the same outputs. */
  readonly spread: { readonly sd: number | null; readonly least: number; readonly most: number }
  /** Share of people, mean over sets of keys, of whom all embedded sets say the same; and of whom that is right. */
  readonly agreed: { readonly share: number; readonly right: number; readonly precision: number | null }
  readonly splits: readonly ReturnType<typeof splitRow>[]
  readonly success: MarginalRisk
  readonly tcapUndefined: MarginalRisk
  readonly tcapZero: MarginalRisk
  readonly verdict: MarginalVerdict
  /** Marginal risk in success as a part of what outsiders are safe from. */
  readonly normalised: number | null
  /** For the one judge; null without people outside. */
  readonly look: Look | null
  /** With parts of several sizes: at all records. */
  readonly extrapolation: Extrapolation | null
  /** Mean over splits by number of keys. */
  readonly bySize: ReturnType<typeof sizeRows>
  /** Difference in success by set of keys. */
  readonly bySet: readonly { readonly keys: readonly string[]; readonly difference: number }[]
  /** Who is found out, as member and as outsider. */
  readonly groups: readonly PersonGroup[]
}

/** A split with what was found on both sides, by scenario. */
export interface ScoredSplit extends Split {
  readonly scores: readonly ScenarioScores[]
  readonly reproduced: boolean
  readonly mae: number
}

interface Evidence {
  readonly setup: Setup
  readonly options: Limits & { readonly design: string }
  readonly scenario: PlannedScenario
  /** The number of the scenario. */
  readonly at: number
  readonly consensus: readonly Consensus[]
  readonly baseline: readonly Consensus[]
  readonly splits: readonly ScoredSplit[]
  readonly isEmbedded: boolean
  readonly matching: Matching
}

export function targetRisk(evidence: Evidence): TargetRisk {
  const { setup, options, scenario, at, consensus, baseline, splits, isEmbedded, matching } = evidence
  const { variables } = setup.whole
  const names = variables.map(({ name }) => name)
  // By embedded set, over the sets of keys.
  const ratesBySet = (rates: readonly Consensus[]) =>
    (consensus[0]?.scores ?? []).map((_, k) => meanRates(rates.map(({ scores }) => scores[k])))
  const perSet = ratesBySet(consensus)
  const embedded = averaged(perSet)
  const knowledge = averaged(ratesBySet(baseline))
  const all = fullSet(scenario)
  const fullKeys = all < 0 ? embedded : averaged(perSet.map((_, k) => meanRates([consensus[all].scores[k]])))
  const successes = perSet.map((rates) => rates.success)
  const success = successDifferences(splits, at)
  const outside = mean(splits.map(({ scores }) => meanRates(scores[at].outsiders.scores).success)) ?? 0
  const effect = effectOf(success)
  const people = matchColumns(selectRecords(setup.whole, countUp(setup.rows)).codes, variables, matching)
  return {
    target: names[scenario.target],
    keys: scenario.keys.map((j) => names[j]),
    keySets: scenario.sets.length,
    possibleKeySets: scenario.possible,
    guess: marginBaselines(people[scenario.target], matching.bins[scenario.target]),
    embedded,
    fullKeys,
    knowledge,
    gain: {
      success: embedded.success - knowledge.success,
      zero: difference(embedded.zero, knowledge.zero),
      undefined: difference(embedded.undefined, knowledge.undefined),
    },
    spread: { sd: standardDeviation(successes), least: Math.min(...successes), most: Math.max(...successes) },
    agreed: agreement(consensus),
    splits: splits.map((split) => splitRow(split, at, scenario)),
    success,
    tcapUndefined: tcapDifferences(splits, at, 'undefined'),
    tcapZero: tcapDifferences(splits, at, 'zero'),
    verdict: verdictOf(success, options, isEmbedded),
    normalised: success.value === null ? null : normalisedRisk(success.value, outside),
    look:
      effect === null
        ? null
        : {
            what: 'members against people whose records the outputs were not computed from',
            value: outside + effect.value,
            controls: {
              nothing: { value: knowledge.success, se: null, what: 'what was known before' },
              fair: { value: outside, se: null, what: 'people outside', basis: 'outsiders' },
              everything: { value: 1, se: null, what: 'the data themselves' },
            },
            effect,
            people: Math.round(Math.max(0, effect.value) * setup.rows),
          },
    extrapolation: extrapolated(bySplitSize(splits, at), setup.rows),
    bySize: sizeRows(splits, at, scenario),
    bySet: scenario.sets.map((keys, set) => ({
      keys: keys.map((j) => names[j]),
      difference: mean(splits.map(({ scores }) => setDifference(scores[at], set))) ?? 0,
    })),
    groups: personGroups(setup, splits, at, scenario),
  }
}

function averaged(rates: readonly MeanRates[]): MeanRates {
  const all = (pick: (one: MeanRates) => number) => mean(rates.map(pick)) ?? 0
  const known = (pick: (one: MeanRates) => number | null) => mean(rates.flatMap((one) => pick(one) ?? []))
  return {
    sets: rates[0]?.sets ?? 0,
    defined: all(({ defined }) => defined),
    undefined: known((one) => one.undefined),
    zero: known(({ zero }) => zero),
    undefinedOrZero: all(({ undefinedOrZero }) => undefinedOrZero),
    zeroOrZero: all(({ zeroOrZero }) => zeroOrZero),
    coverage: all(({ coverage }) => coverage),
    success: all(({ success }) => success),
    precision: known(({ precision }) => precision),
  }
}

/** The place of the set of all keys; below 0 where it is not attacked. */
function fullSet({ sets, keys }: PlannedScenario): number {
  return sets.findIndex(({ length }) => length === keys.length)
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}

function agreement(consensus: readonly Consensus[]): TargetRisk['agreed'] {
  const share = mean(consensus.map(({ agreed, records }) => agreed / Math.max(1, records))) ?? 0
  const right = mean(consensus.map(({ agreedRight, records }) => agreedRight / Math.max(1, records))) ?? 0
  return { share, right, precision: share > 0 ? right / share : null }
}

/** What members suffer more than people outside, by split. */
function successDifference({ scores }: ScoredSplit, scenario: number): number {
  const { members, outsiders } = scores[scenario]
  return meanRates(members.scores).success - meanRates(outsiders.scores).success
}

/** Marginal risk in success: splits of the largest parts only, both directions of a split averaged. */
export function successDifferences(splits: readonly ScoredSplit[], scenario: number): MarginalRisk {
  const [only] = splits
  const differences = pairedDifferences(largest(splits), (split) => successDifference(split, scenario))
  const ratio = only === undefined ? 1 : only.outsiders.length / only.members.length
  const marginal = marginalRisk(differences, ratio)
  // A single split into the data and people who were never in them: people are drawn, by classes of equal keys.
  const errors = splits.flatMap(({ scores }) => scores[scenario].clusterError ?? [])
  const isHoldout = new Set(splits.map(({ split }) => split)).size === 1 && only !== undefined && !hasBothWays(splits)
  if (!isHoldout || marginal.value === null || errors.length === 0) return marginal
  const se = mean(errors) ?? 0
  const interval = { lower: marginal.value - NORMAL_95 * se, upper: marginal.value + NORMAL_95 * se }
  const { reason: _none, ...rest } = marginal
  return { ...rest, splits: LARGE_SAMPLE, se, interval, population: interval }
}

const NORMAL_95 = 1.96
/** So many splits that t is normal: the standard error is that of people. */
const LARGE_SAMPLE = 1000

function hasBothWays(splits: readonly Split[]): boolean {
  return splits.some(({ members }) => members !== splits[0].members)
}

function tcapDifferences(splits: readonly ScoredSplit[], scenario: number, which: 'undefined' | 'zero'): MarginalRisk {
  return marginalRisk(
    pairedDifferences(largest(splits), ({ scores }) => {
      const { members, outsiders } = scores[scenario]
      return difference(meanRates(members.scores)[which], meanRates(outsiders.scores)[which])
    }),
  )
}

function largest(splits: readonly ScoredSplit[]): ScoredSplit[] {
  const most = splits.reduce((size, { members }) => Math.max(size, members.length), 0)
  return splits.filter(({ members }) => members.length >= most - 1)
}

/** One difference per split: the mean over its directions and embedded sets. */
function pairedDifferences(
  splits: readonly ScoredSplit[],
  differenceOf: (split: ScoredSplit) => number | null,
): number[] {
  const bySplit = new Map<number, number[]>()
  for (const split of splits) {
    const difference = differenceOf(split)
    if (difference !== null) bySplit.set(split.split, [...(bySplit.get(split.split) ?? []), difference])
  }
  return [...bySplit.values()].map((values) => mean(values) ?? 0)
}

function bySplitSize(splits: readonly ScoredSplit[], scenario: number) {
  const sizes = [...new Set(splits.map(({ members }) => members.length))]
  if (sizes.length < 2) return []
  return sizes.map((n) => ({
    n,
    differences: pairedDifferences(
      splits.filter(({ members }) => members.length === n),
      (split) => successDifference(split, scenario),
    ),
  }))
}

function setDifference({ members, outsiders }: ScenarioScores, set: number): number {
  return ratesOf(members.scores[set]).success - ratesOf(outsiders.scores[set]).success
}

function splitRow(
  { split, members, outsiders, mae, reproduced, scores }: ScoredSplit,
  at: number,
  scenario: PlannedScenario,
) {
  const sides = [scores[at].members.scores, scores[at].outsiders.scores]
  const rates = sides.map(meanRates)
  const all = fullSet(scenario)
  /** Of members and of people outside. */
  const both = <Value>(values: readonly Value[]) => [values[0], values[1]] as const
  return {
    split,
    members: members.length,
    outsiders: outsiders.length,
    mae,
    reproduced,
    success: both(rates.map(({ success }) => success)),
    undefined: both(rates.map((one) => one.undefined)),
    zero: both(rates.map(({ zero }) => zero)),
    /** TCAP of all keys at once. */
    fullKeys: both(sides.map((side) => (all < 0 ? null : ratesOf(side[all]).undefined))),
    clusterError: scores[at].clusterError,
  }
}

/** TCAP by number of keys, for each split. */
function sizeRows(splits: readonly ScoredSplit[], at: number, { sets }: PlannedScenario) {
  const sizes = [...new Set(sets.map(({ length }) => length))].sort((a, b) => a - b)
  const numbers = [...new Set(splits.map(({ split }) => split))]
  return sizes.flatMap((size) =>
    numbers.map((split) => {
      const parts = splits.filter((one) => one.split === split)
      const ratesAt = (scores: readonly KeyScore[]) =>
        meanRates(scores.filter((_, set) => sets[set].length === size)).undefined ?? []
      return {
        size,
        split,
        members: mean(parts.flatMap(({ scores }) => ratesAt(scores[at].members.scores))),
        outsiders: mean(parts.flatMap(({ scores }) => ratesAt(scores[at].outsiders.scores))),
      }
    }),
  )
}
