import type { AssessOptions } from '../assess/assess.js'
import type { Assessment, ReleaseAssessment, ThreatAssessment } from '../assess/assessment.js'
import { type Answer, answerOf } from '../assess/run.js'
import type { UtilityRow } from '../assess/usefulness.js'
import { THREATS } from '../evidence/threats.js'
import { type AddedTo, type AnyMeasure, DEFAULT_SEED, type Result } from '../measure.js'
import { measures as allMeasures } from '../measures.js'
import { INTERVAL_ENDS, SIGNIFICANCE } from '../stats/levels.js'
import { quantiles } from '../stats/quantile.js'
import { rankCorrelation } from '../stats/samples/ranks.js'
import type { Release } from '../table/release.js'
import { cronbachAlpha, FEWEST_CANDIDATES, recordAgreement } from './agreement.js'
import { bootstrapRelease, fairRelease, KNOWN_ANCHORS } from './anchors.js'
import type { Agreement, Anchors, Candidate, Comparison, Placed, Score } from './comparison.js'
import { EPSILON, frontLabel, frontsOf } from './dominance.js'
import { exposedRecords } from './exposed-records.js'
import { type CellDraws, cellDraws, leakageDraws } from './risk-draws.js'
import { isUtility, type UtilityDraws, utilityDraws } from './utility-draws.js'

/**
 * Several candidates of the same original on one map. Risk is R = max over threats of the leakage, cut off at 0 and 1: no
 * threat makes up for another. Utility is U of `assess/usefulness.ts`. Both are absolute, and every candidate is assessed
 * alone, as if no other were there: a further one moves nothing but who is on the front.
 */
export interface CompareOptions
  extends Pick<AssessOptions, 'measures' | 'options' | 'seed' | 'signal' | 'tasks' | 'registry'> {
  /** Draws behind the intervals and the dominance probabilities. */
  readonly draws?: number | undefined
  /** Name the records that are exposed most. */
  readonly records?: boolean | undefined
  readonly progress?: ((at: CompareProgress) => void) | undefined
}

interface CompareProgress {
  /** What is being looked at: a candidate, or an anchor. */
  readonly name: string
  readonly index: number
  readonly of: number
  readonly share: number
}

const DEFAULT_DRAWS = 300

/** A comparison with the results behind each candidate, in the same order. */
export interface Compared {
  readonly comparison: Comparison
  readonly results: readonly (readonly Result[])[]
}

/** `base` is the original released as itself, `releases` have one candidate each. */
export async function compare(
  base: Release,
  releases: readonly Release[],
  options: CompareOptions = {},
): Promise<Compared> {
  const run = runOf(base, releases.length, options)
  const measured: Measured[] = []
  for (const [index, release] of releases.entries())
    measured.push(await measuredAlone(release, run, run.at(release.released[0].name, index)))
  const anchors = await anchorsOf(base, run, releases.length)
  return { comparison: comparisonOf(base, measured, anchors, run), results: measured.map(({ results }) => results) }
}

interface Run {
  readonly how: CompareOptions
  readonly seed: number
  readonly draws: number
  readonly cells: CellDraws
  readonly registry: readonly AnyMeasure[]
  readonly risks: readonly string[]
  readonly utilities: readonly string[]
  readonly others: readonly string[]
  at(name: string, index: number): (share: number) => void
}

/** Two anchors are looked at besides the candidates. */
const ANCHORS = 2

function runOf(base: Release, candidates: number, options: CompareOptions): Run {
  const { seed = DEFAULT_SEED, draws = DEFAULT_DRAWS, registry = allMeasures, measures, progress } = options
  return {
    how: options,
    seed,
    draws,
    registry,
    cells: cellDraws(base, draws, seed),
    risks: registry.filter(({ role }) => role === 'decides').map(({ id }) => id),
    utilities: registry.flatMap((measure) => (isUtility(measure) && measure.scale !== null ? [measure.id] : [])),
    others: measures ?? [],
    at: (name, index) => (share) => progress?.({ name, index, of: candidates + ANCHORS, share }),
  }
}

interface Measured {
  readonly assessment: Assessment
  readonly release: ReleaseAssessment
  readonly results: readonly Result[]
  readonly candidate: Omit<Candidate, 'front'>
  readonly risk: Float64Array | null
  readonly utility: UtilityDraws
  readonly threatDraws: readonly (Float64Array | null)[]
}

/** The map needs these measures and no others; what is asked for besides is shown. */
async function measuredAlone(release: Release, run: Run, at: (share: number) => void): Promise<Measured> {
  const { registry, seed, draws, cells, how } = run
  const added: AddedTo[] = []
  const ids = [...new Set([...run.risks, ...run.utilities, ...run.others])]
  const { assessment, results } = await answered(release, run, ids, (share) => at(MEASURING * share), added)
  const [own] = assessment.releases
  const { options, tasks, signal } = how
  const utility = await utilityDraws(release, results, registry, {
    draws,
    seed,
    options,
    tasks,
    signal,
    progress: (share) => at(MEASURING + (1 - MEASURING) * share),
  })
  const threats = inOrder(own.threats)
  const threatDraws = threats.map((threat) => leakageDraws(threat, added, cells))
  const risk = largest(threatDraws, draws)
  const candidate = {
    name: own.name,
    level: own.verdict.level,
    recommendation: own.verdict.recommendation,
    sentence: own.verdict.sentence,
    likeness: own.likeness,
    risk: riskOf(threats, risk),
    utility: usefulnessOf(own, utility.score),
    exposure: worstOf(threats)?.exposure ?? null,
    scores: [
      ...threats.map((threat, k) => riskScore(threat, threatDraws[k])),
      ...(own.utility?.measures ?? []).flatMap((row) => utilityScores(row, utility)),
    ],
    incomplete: [
      ...threats.filter(({ level }) => level === 'NOT ASSESSED').map(({ threat }) => threat),
      ...(own.utility?.incomplete ?? []),
    ],
    agreement: recordAgreement(threats, added),
    drivers: own.threats.flatMap(({ threat, drivers }) => drivers.map((driver) => ({ threat, ...driver }))),
    exposed: how.records === true ? exposedRecords(release, threats, added) : null,
  }
  return { assessment, release: own, results, candidate, risk, utility, threatDraws }
}

/** About so much of the work is the measures themselves; the rest is how they vary. */
const MEASURING = 0.7

function answered(
  release: Release,
  { how, registry, seed }: Run,
  ids: readonly string[],
  at: (share: number) => void,
  added: AddedTo[] = [],
): Promise<Answer> {
  return answerOf(release, {
    measures: ids,
    options: how.options,
    signal: how.signal,
    tasks: how.tasks,
    registry,
    seed,
    added: (about) => added.push(about),
    progress: ({ index, of, share }) => at((index + share) / of),
  })
}

/** As the list of threats has them: which is worst differs between candidates. */
function inOrder(threats: readonly ThreatAssessment[]): readonly ThreatAssessment[] {
  return [...threats].sort((a, b) => THREATS.indexOf(a.threat) - THREATS.indexOf(b.threat))
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))

function worstOf(threats: readonly ThreatAssessment[]): ThreatAssessment | undefined {
  const known = threats.filter(({ leakage }) => leakage !== null)
  return known.sort((a, b) => (b.leakage ?? 0) - (a.leakage ?? 0))[0]
}

function largest(draws: readonly (Float64Array | null)[], count: number): Float64Array | null {
  const known = draws.flatMap((one) => one ?? [])
  if (known.length === 0) return null
  return Float64Array.from({ length: count }, (_, b) => clamp(Math.max(...known.map((one) => one[b]))))
}

function riskOf(threats: readonly ThreatAssessment[], draws: Float64Array | null): Candidate['risk'] {
  const worst = worstOf(threats)
  if (worst === undefined || worst.leakage === null || draws === null) return null
  return { ...placed(clamp(worst.leakage), draws), threat: worst.threat, target: worst.target }
}

function usefulnessOf({ utility }: ReleaseAssessment, draws: Float64Array | null): Candidate['utility'] {
  if (utility === null || utility.score === null || draws === null) return null
  return { ...placed(utility.score, draws), level: utility.level }
}

/** A point with its 95 % percentile interval, which holds the point. */
function placed(value: number, draws: Float64Array): Placed {
  const [lower, upper] = quantiles(draws, INTERVAL_ENDS) ?? [value, value]
  return { value, lower: Math.min(lower, value), upper: Math.max(upper, value) }
}

function riskScore(threat: ThreatAssessment, draws: Float64Array | null): Score {
  const { leakage, level, adjustedP, reason, target } = threat
  return {
    block: 'risk',
    id: threat.threat,
    target,
    place: leakage === null || draws === null ? null : placed(leakage, draws),
    significant: adjustedP === null ? null : adjustedP < SIGNIFICANCE,
    level,
    reason,
  }
}

/** Only what is averaged is on the map; the other measures of utility are in the table. */
function utilityScores({ measure, target, scale, place, p }: UtilityRow, { places }: UtilityDraws): Score[] {
  if (scale === null) return []
  const drawn = places.find((one) => one.measure === measure && one.target === target)
  return [
    {
      block: scale === 'joint' ? 'relations' : 'columns',
      id: measure,
      target,
      place: place === null || drawn === undefined ? null : placed(place, drawn.draws),
      significant: p === null ? null : p < SIGNIFICANCE,
      level: null,
      reason: place === null ? { code: 'no-length' } : null,
    },
  ]
}

async function anchorsOf(base: Release, run: Run, from: number): Promise<Anchors> {
  const bootstrap = bootstrapRelease(base, run.seed)
  const fair = fairRelease(base, run.seed)
  const risky = await answered(bootstrap, run, run.risks, run.at('anchor: a bootstrap', from))
  const useful = await answered(fair, run, run.utilities, run.at('anchor: a fair sample', from + 1))
  const risk = worstOf(risky.assessment.releases[0].threats)?.leakage ?? null
  const utility = useful.assessment.releases[0].utility?.score ?? null
  return [
    ...KNOWN_ANCHORS,
    ...(risk === null
      ? []
      : [{ name: 'a bootstrap', utility: 1, risk: clamp(risk), how: 'utility: the one of the scale; risk: measured' }]),
    ...(utility === null
      ? []
      : [
          {
            name: 'a fair sample',
            utility,
            risk: 0,
            how: 'risk: the zero of the scale; utility: one half of the original measured against the other',
          },
        ]),
  ]
}

function comparisonOf(base: Release, measured: readonly Measured[], anchors: Anchors, run: Run): Comparison {
  const onMap = measured.filter(({ risk, utility }) => risk !== null && utility.score !== null)
  const { dominance, front } = frontsOf(
    onMap.map(({ risk, utility }) => [negated(risk), utility.score ?? new Float64Array()]),
    run.draws,
  )
  const whole = frontsOf(axesOfAll(onMap), run.draws).front
  const holdout = base.holdout === null ? null : { name: base.holdout.name, records: base.holdout.rows }
  return {
    schemaVersion: 2,
    seed: run.seed,
    draws: run.draws,
    epsilon: EPSILON,
    original: { name: base.original.name, records: base.original.rows },
    holdout,
    keys: [...base.keys],
    numericKeys: [...base.numericKeys],
    targets: [...base.targets],
    anchors,
    candidates: measured.map((candidate) => {
      const place = onMap.indexOf(candidate)
      return {
        ...candidate.candidate,
        front:
          place < 0 || onMap.length < 2
            ? null
            : { probability: front[place], label: frontLabel(front[place]), inEveryMeasure: whole[place] },
      }
    }),
    dominance: {
      names: onMap.map(({ candidate }) => candidate.name),
      probabilities: dominance.map((row) => [...row]),
    },
    agreement: overCandidates(measured),
    assessments: measured.map(({ assessment }) => assessment),
  }
}

function negated(draws: Float64Array | null): Float64Array {
  return (draws ?? new Float64Array()).map((value) => -value)
}

/** Every threat and every measure of utility that all candidates have, as an axis of its own. */
function axesOfAll(measured: readonly Measured[]): readonly (readonly Float64Array[])[] {
  const named = measured.map(({ candidate, threatDraws, utility }) => {
    const risks = candidate.scores.filter(({ block }) => block === 'risk')
    return new Map([
      ...risks.flatMap(({ id, target }, k) => {
        const draws = threatDraws[k]
        return draws === null ? [] : [[`${id} ${target}`, draws.map((value) => -clamp(value))] as const]
      }),
      ...utility.places.map(({ measure, target, draws }) => [`${measure} ${target}`, draws.map(clamp)] as const),
    ])
  })
  const common = [...(named[0]?.keys() ?? [])].filter((name) => named.every((one) => one.has(name)))
  return named.map((one) => common.flatMap((name) => one.get(name) ?? []))
}

function overCandidates(measured: readonly Measured[]): Agreement {
  if (measured.length < FEWEST_CANDIDATES)
    return {
      measures: null,
      reason: `too few candidates: ${measured.length} of the ${FEWEST_CANDIDATES} from which such a figure means something`,
    }
  const [first] = measured
  const keyOf = ({ id, target }: Score) => (target === null ? id : `${id} (${target})`)
  const values = (key: string) =>
    measured.flatMap(({ candidate }) => candidate.scores.find((score) => keyOf(score) === key)?.place?.value ?? [])
  const known = first.candidate.scores.filter((score) => values(keyOf(score)).length === measured.length)
  const names = known.map(keyOf)
  const block = (of: readonly Score['block'][]) => known.filter((score) => of.includes(score.block)).map(keyOf)
  const alpha = (of: readonly string[]) => cronbachAlpha(measured.map((_, k) => of.map((key) => clamp(values(key)[k]))))
  return {
    measures: names,
    spearman: names.map((a) =>
      names.map((b) => rankCorrelation(Float64Array.from(values(a)), Float64Array.from(values(b)))),
    ),
    alpha: { risk: alpha(block(['risk'])), utility: alpha(block(['relations', 'columns'])) },
  }
}
