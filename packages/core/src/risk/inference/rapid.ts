import { z } from 'zod'
import { barChart, histogramChart, lineChart, scatterChart } from '../../chart/chart.js'
import { NotApplicable, unknownName } from '../../errors.js'
import { evidenceOf, lookAtOutsiders, tally } from '../../evidence/looks.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { type Interval, newcombe, wilson } from '../../stats/intervals.js'
import { BOUND_LEVEL } from '../../stats/levels.js'
import { quantile, quantiles } from '../../stats/quantile.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { holm } from '../../stats/tests.js'
import type { Release } from '../../table/release.js'
import { columnNames } from '../../table/table.js'
import {
  type Attack,
  attackOptions,
  attackProblems,
  attackRelease,
  type Scene,
  type Scored,
  unseenShare,
} from './attack.js'
import { classScores, trueClassProbabilities } from './classes.js'
import { crossFitted, crossFittedSize, inSample, lookAtCrossFitted } from './cross-fitting.js'
import { type CurvePoint, thresholdCurve } from './curve.js'
import {
  bootstrapRates,
  type ChanceTest,
  chanceTest,
  type EvaluationOptions,
  effectiveSize,
  evaluationOptions,
  type Flags,
  flagsOf,
  intervalOf,
  rateOf,
  tauProblems,
  toleranceOf,
  worstAttack,
} from './evaluation.js'
import { acceptedPredictions, bestConstant, type ErrorKind, isWithin } from './numbers.js'
import { classRates, type Performance, performanceOf } from './performance.js'
import { attackOfSize, intervalOverReleases, varianceOverReleases } from './refitting.js'
import { type GroupRate, groupRates } from './subgroups.js'

/**
 * RAPID: the share of real people whose target an attacker infers confidently from their keys with a model trained on the
 * release alone (the RAPID paper; riskutility). A person is at risk when the probability of the true class gains more than tau over
 * the margin, r = (g - b) / (1 - b) > tau, or when the predicted number is off by less than epsilon.
 *
 * The raw rate has a floor that is not 0: an attacker who is sure of everything is right by chance, so the exact rate under
 * permuted targets stands beside it. Most of what remains is knowledge about the population, as useful as it is risky. What the
 * release reveals because people were in it is the effect: the rate less that of people outside under the same model, or,
 * without a holdout, less that of the same attacker cross-fitted on the original.
 * Blind to keys that were not given, and a lower bound: a better model may infer more.
 */
const options = z.object({
  ...attackOptions,
  ...evaluationOptions,
  error: z
    .enum(['auto', 'symmetric', 'relative', 'absolute', 'normalised'])
    .default('auto')
    .describe('numbers: how the error is measured; auto: symmetric, or normalised where many values are near 0'),
  crossFit: z
    .number()
    .int()
    .min(2)
    .default(5)
    .describe('without a holdout: folds of the original in which the same attacker learns from other people only'),
  by: z
    .string()
    .nullable()
    .default(null)
    .describe('a column of the original; rates are also given for each of its levels'),
})

type GivenOptions = z.output<typeof options>
type Options = Omit<GivenOptions, 'error'> & { readonly error: ErrorKind }

type Details = {
  readonly target: 'classes' | 'numbers'
  readonly threshold: number
  readonly records: number
  readonly trained: number
  readonly droppedOriginal: number
  readonly droppedReleased: number
  readonly attackers: readonly AttackerFigures[]
  /** Mean and maximum over attackers, and the shares of people flagged by any and by all of them. */
  readonly suite: {
    readonly mean: number
    readonly max: number
    readonly worst: string
    readonly any: number
    readonly all: number
  }
  readonly chance: ChanceTest
  /** What somebody without a model reaches who knows the released margin. */
  readonly floor: number
  readonly bootstrap: { readonly sd: number | null; readonly interval: Interval | null }
  readonly classes: readonly ClassFigures[] | null
  readonly macro: number | null
  readonly curve: readonly CurvePoint[]
  readonly holdout: {
    readonly members: number
    readonly outsiders: number
    readonly gap: number
    readonly interval: Interval | null
  } | null
  readonly groups: readonly GroupRate[]
  readonly acrossTargets: { readonly anyTarget: number; readonly adjustedP: Readonly<Record<string, number>> } | null
  readonly scores: readonly ScoreBin[]
  /** Numbers: between which predictions of a true value its record is at risk. */
  readonly wedge: readonly { readonly truth: number; readonly lower: number; readonly upper: number }[]
  /** Numbers: how many people have about this truth and this prediction; cells with few people are left out. */
  readonly cells: readonly {
    readonly truth: number
    readonly predicted: number
    readonly records: number
    readonly atRisk: boolean
  }[]
}

type ScoreBin = {
  readonly lower: number
  readonly upper: number
  readonly count: number
  readonly atRisk: number
}

type AttackerFigures = {
  readonly attacker: string
  readonly rate: number
  readonly interval: Interval | null
  readonly chance: number
  readonly corrected: number | null
  readonly confidentAndCorrect: number | null
  readonly performance: Performance
}

type ClassFigures = {
  readonly level: string
  readonly records: number
  readonly share: number
  readonly releasedShare: number
  /** The least probability that puts a record of this class at risk. */
  readonly cut: number
  readonly rate: number | null
  readonly interval: Interval | null
  readonly meanProbability: number | null
  readonly meanScore: number | null
}

export const rapid = measure({
  id: 'rapid',
  version: 1,
  title: 'RAPID: model-based inference',
  summary: 'share of people whose target a model trained on the release infers confidently from their keys',
  family: 'inference',
  threat: 'attribute',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  unit: 'share',
  varies: ['people', 'release', 'attacker'],
  blindTo: 'keys that were not given and better models than the ones tried',
  stochastic: true,
  pools: true,
  options,
  check: (release, chosen) => [
    ...attackProblems(release, chosen),
    ...tauProblems(chosen),
    ...byProblems(release, chosen),
  ],
  compute,
  citations: ['templ2026'],
  records: {
    score: { riskier: 'higher', meaning: 'gain of the attacker over the margin, for classes' },
    error: { riskier: 'lower', meaning: 'error of the prediction, for numbers' },
    atRisk: { riskier: 'higher', meaning: '1: at risk by the measure’s own rule' },
    probability: { riskier: 'higher', meaning: 'probability that the attacker gives to the true class' },
    predicted: { riskier: null, meaning: 'number that the attacker predicts' },
  },
  thresholds: {
    literature: [
      { value: 0.05, meaning: 'low below 5 %', source: 'riskutility' },
      { value: 0.15, meaning: 'moderate below 15 %, elevated below 30 %, high above', source: 'riskutility vignette' },
    ],
  },
  sentence: ({ controls, details: { suite, chance, holdout } }) =>
    `the model infers the target of ${percent(suite.max)} of people confidently, ${percent(chance.expected)} by chance${holdout !== null ? `; of people who are not in the data ${percent(holdout.outsiders)}` : controls?.fair === undefined ? '' : `; trained on other people instead of the release, ${percent(controls.fair.value)}`}`,
  charts: ({ details }, { name }) => [
    histogramChart(
      {
        name: 'scores',
        title: `Scores of the attacker: ${name}`,
        x: details.target === 'classes' ? 'gain over the margin' : 'error',
        y: 'records',
      },
      details.scores.flatMap(({ lower, upper, count, atRisk }) => [
        { lower, upper, count: count - atRisk },
        { lower, upper, count: atRisk, alarm: true },
      ]),
      [{ value: details.threshold, label: `${percent(details.suite.max)} at risk` }],
    ),
    ...(details.chance.permuted.length === 0
      ? []
      : [
          histogramChart(
            {
              name: 'chance',
              title: `Share at risk with permuted targets: ${name}`,
              x: 'share of records',
              y: 'permutations',
            },
            details.chance.permuted,
            [{ value: details.chance.observed, label: 'observed' }],
          ),
        ]),
    lineChart(
      { name: 'thresholds', title: `At risk by threshold: ${name}`, x: 'threshold', y: 'share of records' },
      details.curve.flatMap(({ threshold, rate, chance, chanceUpper }) => [
        { x: threshold, y: rate, series: 'observed' },
        { x: threshold, y: chance, series: 'by chance' },
        { x: threshold, y: chanceUpper, series: `by chance, ${percent(BOUND_LEVEL, 0)}` },
      ]),
      { rules: [{ value: details.threshold, label: 'threshold' }] },
    ),
    barChart(
      { name: 'attackers', title: `Attackers: ${name}`, x: '', y: 'share of records' },
      details.attackers.flatMap(({ attacker, rate, chance }) => [
        { label: attacker, value: rate, series: 'release' as const },
        { label: attacker, value: chance, series: 'original' as const },
      ]),
    ),
    ...(details.classes === null
      ? [
          scatterChart(
            { name: 'predictions', title: `True and predicted: ${name}`, x: 'true', y: 'predicted' },
            details.cells.map(({ truth, predicted, records, atRisk }) => ({
              x: truth,
              y: predicted,
              size: records,
              alarm: atRisk,
            })),
            [],
            details.wedge.map(({ truth, lower, upper }) => ({ x: truth, lower, upper })),
          ),
        ]
      : [
          barChart(
            { name: 'classes', title: `At risk by true class: ${name}`, x: '', y: 'share of the class' },
            details.classes.flatMap(({ level, rate }) => (rate === null ? [] : [{ label: level, value: rate }])),
          ),
        ]),
  ],
})

async function compute(subject: Subject, given: GivenOptions, context: Context): Promise<Finding<Details>> {
  const { release } = subject
  const { scene, found } = await attackRelease(subject, given, context)
  const chosen = withError(given, found[0].members)
  const { attack: worst, flags, all } = worstAttack(found, chosen)
  const { members, outsiders } = worst
  const replicates = bootstrapRates(members, flags, chosen, (draw) => context.random('bootstrap', draw))
  const test = chanceTest(members, flags, chosen, context.random('permutation'))
  const holdout = outsiders === null ? null : compareWithOutsiders(members, flags, outsiders, chosen)
  const classes = classFigures(members, flags, scene, chosen)
  const isNeeded = chosen.interval === 'refit' || outsiders === null
  const overReleases = isNeeded ? await varianceOverReleases(scene, subject, worst, chosen, context) : null
  const interval =
    chosen.interval === 'refit' && overReleases !== null
      ? intervalOverReleases(flags.rate, effectiveSize(members.rows.length, members.weights), overReleases)
      : intervalOf(flags, members.weights, overPeople(chosen.interval), replicates)
  const evidence = await evidenceFor(subject, worst, flags, test, scene, overReleases, chosen, context)
  return {
    value: flags.rate,
    interval,
    ...evidence,
    details: {
      target: scene.response.kind,
      threshold: scene.response.kind === 'classes' ? chosen.tau : chosen.epsilon,
      records: members.rows.length,
      trained: scene.trained,
      droppedOriginal: scene.droppedOriginal,
      droppedReleased: scene.droppedReleased,
      attackers: found.map((attack, k) => attackerFigures(attack, all[k], chosen, context)),
      suite: { ...envelope(all, members.weights), worst: worst.attacker },
      chance: test,
      floor: floorOf(scene, members, chosen),
      bootstrap: {
        sd: standardDeviation(replicates),
        interval: intervalOf(flags, members.weights, 'bootstrap', replicates),
      },
      classes,
      macro: classes === null ? null : mean(classes.flatMap(({ rate }) => (rate === null ? [] : [rate]))),
      curve: thresholdCurve(members, chosen),
      holdout,
      groups: groupRates(
        release,
        members.rows,
        flags.atRisk,
        chosen.by === null ? scene.keys : [chosen.by, ...scene.keys],
      ),
      acrossTargets: await acrossTargets(subject, given, context),
      scores: scoreHistogram(members, flags),
      wedge: wedgeOf(members, chosen),
      cells: predictionCells(members, chosen),
    },
    warnings: [...scene.warnings, ...unseenWarning(scene), ...errorWarning(members, given, chosen)],
    records: () => recordScores(release, members, flags),
  }
}

function attackerFigures(
  { attacker, members }: Attack,
  flags: Flags,
  chosen: Options,
  context: Context,
): AttackerFigures {
  const { expected, corrected } = chanceTest(members, flags, { ...chosen, permutations: 0 }, context.random('unused'))
  const { predictions } = members
  return {
    attacker,
    rate: flags.rate,
    interval: intervalOf(
      flags,
      members.weights,
      chosen.interval === 'bootstrap' ? 'wilson' : overPeople(chosen.interval),
      new Float64Array(),
    ),
    chance: expected,
    corrected,
    confidentAndCorrect:
      predictions.kind === 'classes'
        ? rateOf(confidentAndCorrect(predictions.probabilities, predictions.truth, flags.atRisk), members.weights)
        : null,
    performance: performanceOf(predictions),
  }
}

const overPeople = (interval: Options['interval']) => (interval === 'refit' ? 'wilson' : interval)

/** At risk, and the most probable class is the true one: the flag alone does not require that. */
function confidentAndCorrect(probabilities: Float64Array, truth: Int32Array, atRisk: Uint8Array): Uint8Array {
  const levels = probabilities.length / truth.length
  return atRisk.map((flag, row) => {
    const own = probabilities[row * levels + truth[row]]
    for (let k = 0; k < levels; k++) if (probabilities[row * levels + k] > own) return 0
    return flag
  })
}

function envelope(flags: readonly Flags[], weights: Float64Array | null) {
  const times = new Int32Array(flags[0].atRisk.length)
  for (const { atRisk } of flags) for (let row = 0; row < times.length; row++) times[row] += atRisk[row]
  return {
    mean: mean(flags.map(({ rate }) => rate)) ?? 0,
    max: Math.max(...flags.map(({ rate }) => rate)),
    any: rateOf(
      Uint8Array.from(times, (count) => (count > 0 ? 1 : 0)),
      weights,
    ),
    all: rateOf(
      Uint8Array.from(times, (count) => (count === flags.length ? 1 : 0)),
      weights,
    ),
  }
}

/** Classes: everybody gets the released shares. Numbers: everybody gets the constant that covers most released values. */
function floorOf(scene: Scene, { predictions, weights }: Scored, chosen: EvaluationOptions): number {
  if (predictions.kind === 'numbers' && scene.response.kind === 'numbers') {
    const tolerance = toleranceOf(predictions.truth, chosen)
    const guess = bestConstant(scene.response.values, tolerance)
    return rateOf(
      Uint8Array.from(predictions.truth, (y) => (guess !== null && isWithin(y, guess, tolerance) ? 1 : 0)),
      weights,
    )
  }
  if (predictions.kind === 'numbers') return 0
  const shares = releasedShares(scene)
  const probabilities = Float64Array.from(predictions.probabilities, (_, cell) => shares[cell % shares.length])
  return flagsOf({ rows: new Int32Array(), weights, predictions: { ...predictions, probabilities } }, chosen).rate
}

function releasedShares({ response, known, levels }: Scene): Float64Array {
  const shares = new Float64Array(levels.length)
  if (response.kind === 'classes') for (const code of response.codes) shares[known[code]] += 1 / response.codes.length
  return shares
}

function classFigures(
  { predictions }: Scored,
  { scores, atRisk }: Flags,
  scene: Scene,
  chosen: EvaluationOptions,
): ClassFigures[] | null {
  if (predictions.kind !== 'classes') return null
  const { truth, levels, shares } = predictions
  const released = releasedShares(scene)
  const cuts = classScores(predictions, chosen.score).cut(chosen.tau)
  const rates = classRates(atRisk, truth, levels.length)
  const probabilities = classRates(trueClassProbabilities(predictions), truth, levels.length)
  const means = classRates(scores, truth, levels.length)
  const counts = new Int32Array(levels.length)
  for (const code of truth) counts[code]++
  return levels.map((level, k) => ({
    level,
    records: counts[k],
    share: shares[k],
    releasedShare: released[k],
    cut: cuts[k],
    rate: rates[k],
    interval: wilson((rates[k] ?? 0) * counts[k], counts[k]),
    meanProbability: probabilities[k],
    meanScore: means[k],
  }))
}

/** Members against people who are not in the data, under the same model: what the release reveals because people were in it. */
function compareWithOutsiders(
  members: Scored,
  { rate, atRisk }: Flags,
  outsiders: Scored,
  chosen: EvaluationOptions,
): Details['holdout'] {
  const others = flagsOf(outsiders, chosen)
  const n = atRisk.length
  const m = others.atRisk.length
  if (m === 0) return null
  const gap = rate - others.rate
  const interval = newcombe(rateOf(atRisk, members.weights) * n, n, others.rate * m, m)
  return { members: rate, outsiders: others.rate, gap, interval }
}

const NO_FOLDS = 'there are too few people to cut into folds, and there is no holdout'

/** Between permuted targets and the original itself; against people outside or, without any, against the cross-fitted attacker. */
async function evidenceFor(
  subject: Subject,
  { members, outsiders, ...attacker }: Attack,
  flags: Flags,
  test: ChanceTest,
  scene: Scene,
  overReleases: number | null,
  chosen: Options,
  context: Context,
): Promise<Pick<Finding, 'controls' | 'effect' | 'people' | 'looks' | 'notAssessed' | 'added'>> {
  const { release, target } = subject
  const itself = flagsOf(await inSample(release, target, attacker, chosen, context), chosen)
  const rest = {
    nothing: { value: test.expected, se: test.sd, what: 'true targets dealt out at random' },
    everything: { value: itself.rate, se: null, what: 'trained on the original itself' },
  }
  const added = (own: Flags, fair: (k: number) => number) => () =>
    onRows(
      release,
      members,
      Float64Array.from(own.atRisk, (flag, k) => flag - fair(k)),
    )
  if (outsiders !== null && outsiders.rows.length > 0) {
    const { rate } = flagsOf(outsiders, chosen)
    const look = lookAtOutsiders(
      tally(flags.rate, effectiveSize(members.rows.length, members.weights)),
      tally(rate, effectiveSize(outsiders.rows.length, outsiders.weights)),
      rest,
      members.rows.length,
    )
    return { ...evidenceOf([look], rest, NO_FOLDS), added: added(flags, () => rate) }
  }
  const size = crossFittedSize(members.rows.length, chosen.crossFit)
  const smaller = scene.trained < size ? scene.trained : null
  const cross = await crossFitted(release, target, attacker, chosen, context, smaller)
  if (cross === null) return evidenceOf([], rest, NO_FOLDS)
  // Up to a release of the size of the original, one that is larger by a fold is not worth another fit.
  const larger = scene.trained > members.rows.length
  const equal = larger ? await attackOfSize(scene, subject, { ...attacker, members }, size, chosen, context) : members
  const own = larger ? flagsOf(equal, chosen) : flags
  const variance = overReleases !== null && larger ? overReleases * (scene.trained / size) : overReleases
  const others = flagsOf(cross.everybody, chosen).atRisk
  return {
    ...evidenceOf([lookAtCrossFitted(equal, own, variance, cross, chosen, rest)], rest, NO_FOLDS),
    added: added(own, (k) => others[k]),
  }
}

/** With several targets: people at risk on any of them, and the tests adjusted for their number. */
async function acrossTargets(
  subject: Subject,
  given: GivenOptions,
  context: Context,
): Promise<Details['acrossTargets']> {
  const { targets, original } = subject.release
  if (targets.length < 2) return null
  const anywhere = new Uint8Array(original.rows)
  const p: Record<string, number> = {}
  for (const target of targets) {
    const found = await attacksIfApplicable({ ...subject, target }, given, context)
    if (found === null) continue
    const chosen = withError(given, found[0].members)
    const {
      attack: { members },
      flags,
    } = worstAttack(found, chosen)
    for (let k = 0; k < members.rows.length; k++) if (flags.atRisk[k] === 1) anywhere[members.rows[k]] = 1
    p[target] = chanceTest(members, flags, { ...chosen, permutations: 0 }, context.random('unused')).p ?? 1
  }
  const adjusted = holm(Object.values(p))
  return {
    anyTarget: rateOf(anywhere, null),
    adjustedP: Object.fromEntries(Object.keys(p).map((target, k) => [target, adjusted[k]])),
  }
}

/** Null for a target that is constant or missing everywhere; whatever else goes wrong is told. */
async function attacksIfApplicable(
  subject: Subject,
  given: GivenOptions,
  context: Context,
): Promise<readonly Attack[] | null> {
  try {
    return (await attackRelease(subject, given, context)).found
  } catch (error) {
    if (error instanceof NotApplicable) return null
    throw error
  }
}

function byProblems({ original }: Release, { by }: GivenOptions): string[] {
  return by === null || columnNames(original).includes(by)
    ? []
    : [`by: ${unknownName('column', by, columnNames(original))}`]
}

const BINS = 30

function scoreHistogram({ predictions }: Scored, { scores, atRisk }: Flags): ScoreBin[] {
  const finite = scores.filter(Number.isFinite)
  const [lower, upper] =
    predictions.kind === 'classes'
      ? [Math.min(-1, quantile(finite, 0.01) ?? -1), Math.max(1, quantile(finite, 1) ?? 1)]
      : [0, Math.max(quantile(finite, 0.95) ?? 1, 1e-9)]
  const flagged = histogram(
    scores.filter((_, row) => atRisk[row] === 1),
    BINS,
    lower,
    upper,
  )
  return histogram(finite, BINS, lower, upper).map((bin, k) => ({ ...bin, atRisk: flagged[k].count }))
}

const WEDGE_POINTS = 41

function wedgeOf({ predictions }: Scored, chosen: EvaluationOptions): Details['wedge'] {
  if (predictions.kind === 'classes') return []
  const [least, most] = quantiles(predictions.truth, [0.01, 0.99]) ?? [0, 0]
  const tolerance = toleranceOf(predictions.truth, chosen)
  return Array.from({ length: WEDGE_POINTS }, (_, k) => {
    const truth = Number((least + (k * (most - least)) / (WEDGE_POINTS - 1)).toPrecision(3))
    return { truth, ...acceptedPredictions(truth, tolerance) }
  }).flatMap(({ truth, lower, upper }) => (lower === null || upper === null ? [] : [{ truth, lower, upper }]))
}

const GRID = 24
const FEWEST_SHOWN = 3

/** A grid over true and predicted values between the 1st and 99th percentile; no cell points at one person. */
function predictionCells({ predictions }: Scored, chosen: EvaluationOptions): Details['cells'] {
  if (predictions.kind === 'classes') return []
  const { truth, predicted } = predictions
  const tolerance = toleranceOf(truth, chosen)
  const [least, most] = quantiles(truth, [0.01, 0.99]) ?? [0, 0]
  const width = most > least ? (most - least) / GRID : 1
  const place = (value: number) => Math.min(GRID - 1, Math.max(0, Math.floor((value - least) / width)))
  const counts = new Int32Array(GRID * GRID)
  for (let row = 0; row < truth.length; row++) counts[place(truth[row]) * GRID + place(predicted[row])]++
  const centre = (k: number) => least + (k + 0.5) * width
  return Array.from(counts.keys())
    .filter((cell) => counts[cell] >= FEWEST_SHOWN)
    .map((cell) => {
      const [y, p] = [centre(Math.floor(cell / GRID)), centre(cell % GRID)]
      return { truth: y, predicted: p, records: counts[cell], atRisk: isWithin(y, p, tolerance) }
    })
}

function unseenWarning(scene: Scene): string[] {
  const share = unseenShare(scene, 'original')
  return share > 0.01 ? [`${percent(share)} of people have a key value that no released record has`] : []
}

/** The error that the data allow, where none is asked for: relative to the truth, or to its spread where many are near 0. */
function withError(given: GivenOptions, { predictions }: Scored): Options {
  if (given.error !== 'auto') return { ...given, error: given.error }
  const isUnstable = predictions.kind === 'numbers' && manyNearZero(predictions.truth)
  return { ...given, error: isUnstable ? 'normalised' : 'symmetric' }
}

/** A relative error of values near 0 jumps: more than one in twenty is 0, or smaller than a tenth of the median. */
function manyNearZero(truth: Float64Array): boolean {
  const sizes = truth.map(Math.abs)
  const limit = 0.1 * (quantile(sizes, 0.5) ?? 0)
  const small = sizes.reduce((count, size) => count + (size === 0 || size < limit ? 1 : 0), 0)
  return small > 0.05 * sizes.length
}

function errorWarning({ predictions }: Scored, given: GivenOptions, { error }: Options): string[] {
  if (predictions.kind === 'classes' || !manyNearZero(predictions.truth)) return []
  if (given.error === 'auto')
    return [`many target values are near 0, so errors are measured in spreads of the target (error=${error})`]
  return error === 'absolute' || error === 'normalised'
    ? []
    : ['many target values are near 0, where a relative error is unstable; error=absolute or normalised is not']
}

function recordScores(release: Release, members: Scored, { scores, atRisk }: Flags) {
  const { predictions } = members
  const along = (values: ArrayLike<number>) => onRows(release, members, values)
  return predictions.kind === 'classes'
    ? { score: along(scores), atRisk: along(atRisk), probability: along(trueClassProbabilities(predictions)) }
    : { error: along(scores), atRisk: along(atRisk), predicted: along(predictions.predicted) }
}

/** Values of the people scored, put to the rows of the original; NaN for people whose target is missing. */
function onRows({ original }: Release, { rows }: Scored, values: ArrayLike<number>): Float64Array {
  const all = new Float64Array(original.rows).fill(Number.NaN)
  for (let k = 0; k < rows.length; k++) all[rows[k]] = values[k]
  return all
}
