import { z } from 'zod'
import { NotApplicable, unknownName } from '../../errors.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { toRows } from '../../neighbors/release-space.js'
import { choice, openText, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { newcombe } from '../../stats/intervals.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { holm } from '../../stats/tests/tests.js'
import type { Release } from '../../table/release.js'
import { columnNames } from '../../table/table.js'
import { attackRelease, type Scored } from './attack/attack.js'
import { attackOptions, attackProblems } from './attack/attackers.js'
import { trueClassProbabilities } from './attack/classes.js'
import type { ErrorKind } from './attack/numbers.js'
import { type Scene, unseenShare } from './attack/scene.js'
import { rapidCharts, rapidChartsOver } from './charts.js'
import { groupRates } from './effects/subgroups.js'
import { chanceTest } from './rates/chance-test.js'
import { thresholdCurve } from './rates/curve.js'
import { errorWarning, withError } from './rates/error-kind.js'
import { evaluationOptions, type Flags, flagsOf, RAPID, rateOf, tauProblems, worstAttack } from './rates/evaluation.js'
import {
  attackerFigures,
  classFigures,
  envelope,
  floorOf,
  predictionCells,
  scoreHistogram,
  wedgeOf,
} from './rates/figures.js'
import { bootstrapRates, effectiveSize, intervalOf } from './rates/rate-intervals.js'
import { evidenceFor } from './refits/rapid-evidence.js'
import { intervalOverReleases, varianceOverReleases } from './refits/refitting.js'
import { rapidTables } from './tables.js'

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
  error: choice(['auto', 'symmetric', 'relative', 'absolute', 'normalised'], 'auto').describe(
    'numbers: how the error is measured; auto: symmetric, or normalised where many values are near 0',
  ),
  crossFit: whole(5, { min: 2 }).describe(
    'without a holdout: folds of the original in which the same attacker learns from other people only',
  ),
  publicRecords: whole(0, { min: 0 }).describe(
    'records of the holdout that the attacker has and adds to the release, drawn at random; the others are the people outside',
  ),
  by: openText().describe('a column of the original; rates are also given for each of its levels'),
})

export type GivenOptions = z.output<typeof options>
export type Options = Omit<GivenOptions, 'error'> & { readonly error: ErrorKind }

export const rapid = measure({
  id: 'rapid',
  title: 'RAPID: model-based inference',
  summary: 'share of people whose target a model trained on the release infers confidently from their keys',
  ...RAPID,
  role: 'supports',
  unit: 'share',
  varies: ['people', 'release', 'attacker'],
  blindTo: 'keys that were not given and better models than the ones tried',
  pools: true,
  options,
  check: (release, chosen) => [
    ...attackProblems(release, chosen),
    ...tauProblems(chosen),
    ...byProblems(release, chosen),
    ...publicProblems(release, chosen),
  ],
  compute,
  records: {
    score: { riskier: 'higher', meaning: 'gain of the attacker over the margin, for classes' },
    error: { riskier: 'lower', meaning: 'error of the prediction, for numbers' },
    atRisk: { riskier: 'higher', meaning: '1: at risk by the measure’s own rule' },
    probability: { riskier: 'higher', meaning: 'probability that the attacker gives to the true class' },
    predicted: { riskier: null, meaning: 'number that the attacker predicts' },
  },
  literature: [
    { value: 0.05, meaning: 'low below 5 %', source: 'riskutility' },
    { value: 0.15, meaning: 'moderate below 15 %, elevated below 30 %, high above', source: 'riskutility vignette' },
  ],
  sentence: ({ controls, details: { suite, chance, holdout } }) =>
    `the model infers the target of ${percent(suite.max)} of people confidently, ${percent(chance.expected)} by chance${holdout !== null ? `; of people who are not in the data ${percent(holdout.outsiders)}` : controls?.fair === undefined ? '' : `; trained on other people instead of the release, ${percent(controls.fair.value)}`}`,
  tables: ({ details }) => rapidTables(details),
  charts: ({ details }, { name }) => rapidCharts(details, name),
  chartsOver: (findings) => rapidChartsOver(findings.map(({ details }) => details)),
})

async function compute(subject: Subject, asked: GivenOptions, context: Context) {
  const { release } = subject
  const { scene, attacks } = await attackRelease(subject, asked, context)
  const chosen = withError(asked, attacks[0].members)
  const { attack: worst, flags, all } = worstAttack(attacks, chosen)
  const { members, outsiders } = worst
  const replicates = bootstrapRates(members, flags, chosen, (draw) => context.random('bootstrap', draw))
  const test = chanceTest(members, flags, chosen, context.random('permutation'))
  const classes = classFigures(members, flags, scene, chosen)
  const isNeeded = !worst.isFixed && (chosen.interval === 'refit' || outsiders === null)
  const overReleases = isNeeded ? await varianceOverReleases(scene, worst, chosen) : null
  const people = effectiveSize(members.rows.length, members.weights)
  const kind = chosen.interval === 'refit' ? 'wilson' : chosen.interval
  return {
    value: flags.rate,
    interval:
      chosen.interval === 'refit' && overReleases !== null
        ? intervalOverReleases(flags.rate, people, overReleases)
        : intervalOf(flags, members.weights, kind, replicates),
    ...(await evidenceFor(scene, worst, flags, test, overReleases, chosen)),
    details: {
      target: scene.response.kind,
      threshold: scene.response.kind === 'classes' ? chosen.tau : chosen.epsilon,
      records: members.rows.length,
      trained: scene.features.rows,
      droppedOriginal: scene.droppedOriginal,
      droppedReleased: scene.droppedReleased,
      attackers: attacks.map((attack, k) => attackerFigures(attack, all[k], chosen)),
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
      holdout: outsiders === null ? null : compareWithOutsiders(flags, flagsOf(outsiders, chosen)),
      groups: groupRates(
        release,
        members.rows,
        flags.atRisk,
        chosen.by === null ? scene.keys : [chosen.by, ...scene.keys],
      ),
      acrossTargets: await acrossTargets(subject, asked, context),
      scores: scoreHistogram(members, flags),
      wedge: wedgeOf(members, chosen),
      cells: predictionCells(members, chosen),
    },
    warnings: [...scene.warnings, ...unseenWarning(scene), ...errorWarning(members, asked, chosen)],
    records: () => recordScores(release, members, flags),
  }
}

export type Details = Awaited<ReturnType<typeof compute>>['details']

/** Members against people who are not in the data, under the same model: what the release reveals because people were in it. */
function compareWithOutsiders({ rate, atRisk }: Flags, others: Flags) {
  const [n, m] = [atRisk.length, others.atRisk.length]
  if (m === 0) return null
  const interval = newcombe(rate * n, n, others.rate * m, m)
  return { members: rate, outsiders: others.rate, gap: rate - others.rate, interval }
}

/** With several targets: people at risk on any of them, and the tests adjusted for their number. */
async function acrossTargets(subject: Subject, asked: GivenOptions, context: Context) {
  const { targets, original } = subject.release
  if (targets.length < 2) return null
  const anywhere = new Uint8Array(original.rows)
  const p: Record<string, number> = {}
  for (const target of targets) {
    const attacks = await attacksIfApplicable({ ...subject, target }, asked, context)
    if (attacks === null) continue
    const chosen = withError(asked, attacks[0].members)
    const { attack, flags } = worstAttack(attacks, chosen)
    attack.members.rows.forEach((row, k) => {
      if (flags.atRisk[k] === 1) anywhere[row] = 1
    })
    p[target] = chanceTest(attack.members, flags, chosen, null).p ?? 1
  }
  const adjusted = holm(Object.values(p))
  return {
    anyTarget: rateOf(anywhere, null),
    adjustedP: Object.fromEntries(Object.keys(p).map((target, k) => [target, adjusted[k]])),
  }
}

/** Null for a target that is constant or missing everywhere; whatever else goes wrong is told. */
async function attacksIfApplicable(subject: Subject, asked: GivenOptions, context: Context) {
  try {
    return (await attackRelease(subject, asked, context)).attacks
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

/** Somebody must be left to compare with. */
function publicProblems({ holdout }: Release, { publicRecords }: GivenOptions): string[] {
  if (publicRecords === 0) return []
  if (holdout === null)
    return ['publicRecords: the records that the attacker has besides are taken from a holdout, and there is none']
  return publicRecords < holdout.rows
    ? []
    : [`publicRecords is ${publicRecords}, but the holdout has ${holdout.rows} records, and some must stay outside`]
}

function unseenWarning(scene: Scene): string[] {
  const share = unseenShare(scene)
  return share > 0.01 ? [`${percent(share)} of people have a key value that no released record has`] : []
}

function recordScores({ original }: Release, { rows, predictions }: Scored, { scores, atRisk }: Flags) {
  const along = (values: ArrayLike<number>) => toRows({ rows, fileRows: original.rows }, values)
  return predictions.kind === 'classes'
    ? { score: along(scores), atRisk: along(atRisk), probability: along(trueClassProbabilities(predictions)) }
    : { error: along(scores), atRisk: along(atRisk), predicted: along(predictions.predicted) }
}
