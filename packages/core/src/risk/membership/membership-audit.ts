import { z } from 'zod'
import { barChart, type Chart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { distanceOptions, toRows } from '../../neighbors/release-space.js'
import { count, percent } from '../../print.js'
import { jointAucTest } from '../../stats/auc.js'
import type { ControlStatus, ControlVerdict } from '../control-verdict.js'
import { lowFalsePositivesChart, rocChart, scoresChart } from './charts.js'
import { classifierScores } from './classifier-scores.js'
import {
  type MembershipScore,
  mapScore,
  membershipScore,
  membershipVerdict,
  percentilesAmongOthers,
} from './membership-score.js'
import {
  kth,
  logRatios,
  type Neighbourhood,
  neighbourhood,
  type RealRecords,
  radiusRatios,
  realRecords,
  usualRadius,
} from './real-records.js'

/**
 * Several membership attacks on every real record x at once: closeness -d(x, S); how much closer the release is than other
 * people, log(d(x, R \ x) / d(x, S)); released over real records within a radius; and the score of a cross-fitted
 * classifier. Each is judged by AUC and by how many training records it finds while accusing few others; labels are
 * permuted once for all scores, and the largest z decides (max-T, Westfall and Young 1993). The same again among the most
 * isolated records, because an average hides outliers. Headline: the AUC of the score with the largest z.
 * Blind to leaks that none of the scores can see; an attacker who knows the generator can do better (see `scrim attack`).
 */
const options = z.object({
  classifier: z.boolean().default(true).describe('include the cross-fitted classifier, by far the slowest score'),
  trees: z.number().int().min(1).default(300).describe('trees of each forest of the classifier'),
  folds: z.number().int().min(2).max(50).default(5).describe('folds of the classifier'),
  isolated: z.number().gt(0).max(1).default(0.1).describe('share of real records that count as isolated'),
  permutations: z.number().int().min(199).default(1999).describe('random exchanges of the labels training and holdout'),
  ...distanceOptions,
})

type Options = z.output<typeof options>

/** All scores on one set of records. */
type Battery = {
  readonly training: number
  readonly others: number
  /** That the largest z of all scores is as large as found. */
  readonly p: number
  /** Name of the score with the largest z. */
  readonly best: string
  readonly scores: readonly (MembershipScore & { readonly jointP: number })[]
}

type Details = {
  readonly status: ControlStatus
  /** 2 AUC - 1 within [0, 1] of the headline, for maps. */
  readonly score: number
  readonly radius: number
  readonly everybody: Battery
  /** Null when the isolated records are all of one kind, or have twins. */
  readonly isolated: Battery | null
  /** Training records that look more like members than 99 % and 99.9 % of others, and how many would by chance. */
  readonly standingOut: readonly { readonly above: number; readonly records: number; readonly byChance: number }[]
}

export const membershipAudit = measure({
  id: 'membership-audit',
  version: 1,
  title: 'Membership audit',
  summary: 'how well the best of several attacks tells training records from other people, as an AUC',
  family: 'membership',
  threat: 'membership',
  orientation: 'risk',
  scope: 'pair',
  needs: ['holdout'],
  stochastic: true,
  options,
  compute,
  thresholds: {
    literature: [
      { value: 0.6, meaning: 'AUC above which there is a membership risk (of DOMIAS)', source: 'riskutility' },
    ],
  },
  sentence: ({ details: { everybody, isolated } }) =>
    `of ${count(everybody.scores.length, 'attack')} the best (${everybody.best}) ranks a training record above somebody else in ${percent(bestOf(everybody).auc)} of pairs (50 % by chance)${isolated === null ? '' : `, among isolated records ${percent(bestOf(isolated).auc)}`}`,
  charts: ({ details: { everybody, isolated } }, { name }) => [
    rocChart(bestOf(everybody), name),
    scoresChart(bestOf(everybody), name),
    lowFalsePositivesChart(bestOf(everybody), name),
    attacksChart('attacks', `AUC of each attack: ${name}`, everybody, tested(isolated)),
    ...(isolated === null
      ? []
      : [attacksChart('isolated', `AUC of each attack on isolated records: ${name}`, isolated, tested(isolated))]),
  ],
})

function attacksChart(name: string, title: string, { scores }: Battery, batteries: number): Chart {
  return barChart(
    { name, title, x: '', y: 'AUC' },
    scores.map((one) => ({
      label: one.name,
      value: one.auc,
      interval: one.interval,
      alarm: batteries * one.jointP < ALARM,
    })),
    [{ value: 0.5, label: 'a coin' }],
  )
}

const ALARM = 0.01

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const records = realRecords(subject, chosen)
  const { training, members } = records
  const near = await neighbourhood(context, records, 1)
  const radius = await usualRadius(context, records)
  const quick: NamedScores[] = [
    { name: 'closeness', column: 'closeness', scores: kth(near.toRelease, near, 1).map((distance) => -distance) },
    { name: 'log-ratio', column: 'logRatio', scores: logRatios(near, 1) },
    { name: 'radius', column: 'radius', scores: await radiusRatios(context, records, radius) },
  ]
  const classifier = chosen.classifier ? await classifierScore(subject, records, chosen, context) : null
  const scores = classifier === null || typeof classifier === 'string' ? quick : [...quick, classifier]
  const everybody = battery(scores, members, chosen, context, 'everybody')
  const isolated = amongIsolated(scores, near, members, chosen, context)
  const best = bestOf(everybody)
  const { status, verdict } = worseOf(everybody, isolated)
  const bestScores = scores.find(({ name }) => name === best.name)?.scores ?? scores[0].scores
  const percentiles = percentilesAmongOthers(bestScores, members)
  return {
    value: best.auc,
    interval: best.interval,
    reference: { value: 0.5, what: 'chance' },
    verdict,
    details: {
      status,
      score: mapScore(best),
      radius,
      everybody,
      isolated,
      standingOut: [0.99, 0.999].map((above) => ({
        above,
        records: percentiles.filter((percentile) => percentile > above).length,
        byChance: (1 - above) * members,
      })),
    },
    warnings: [...records.space.warnings, ...(typeof classifier === 'string' ? [`left out: ${classifier}`] : [])],
    records: () => ({
      membershipPercentile: toRows(training, percentiles),
      ...Object.fromEntries(
        scores.map((one) => [`${one.column}Percentile`, toRows(training, percentilesAmongOthers(one.scores, members))]),
      ),
    }),
  }
}

interface NamedScores {
  readonly name: string
  /** What its percentiles are called in a file of records. */
  readonly column: string
  /** Training records first. */
  readonly scores: Float64Array
}

/** Or why there is none: too few records for folds leave the other scores to decide. */
async function classifierScore(
  subject: Subject,
  records: RealRecords,
  { trees, folds }: Options,
  context: Context,
): Promise<NamedScores | string> {
  try {
    const { rank } = await classifierScores(subject, records, { trees, folds, definition: 'scrim' }, context)
    return { name: 'classifier', column: 'classifier', scores: rank }
  } catch (error) {
    if (error instanceof NotApplicable) return error.message
    throw error
  }
}

function battery(
  scores: readonly NamedScores[],
  members: number,
  { permutations }: Options,
  context: Context,
  whom: string,
): Battery {
  const found = scores.map((one) => membershipScore(one.name, one.scores, members))
  const joint = jointAucTest(
    scores.map((one) => one.scores),
    members,
    context.random(`labels of ${whom}`),
    permutations,
  )
  const largest = Math.max(...found.map(({ z }) => z))
  return {
    training: members,
    others: scores[0].scores.length - members,
    p: joint.p,
    best: (found.find(({ z }) => z === largest) ?? found[0]).name,
    scores: found.map((one, k) => ({ ...one, jointP: joint.scores[k].p })),
  }
}

function bestOf({ scores, best }: Battery) {
  return scores.find(({ name }) => name === best) ?? scores[0]
}

/** The records farthest from any other real one; as many as asked for, and those that tie with the last. */
function amongIsolated(
  scores: readonly NamedScores[],
  near: Neighbourhood,
  members: number,
  chosen: Options,
  context: Context,
): Battery | null {
  const isolation = kth(near.toOthers, near, 1)
  const sorted = isolation.slice().sort()
  const cut = sorted[sorted.length - Math.max(1, Math.floor(chosen.isolated * sorted.length))]
  if (cut === 0) return null
  const rows = Int32Array.from(isolation.keys()).filter((record) => isolation[record] >= cut)
  const inTraining = rows.filter((record) => record < members).length
  if (inTraining === 0 || inTraining === rows.length) return null
  const restricted = scores.map((one) => ({
    ...one,
    scores: Float64Array.from(rows, (record) => one.scores[record]),
  }))
  return battery(restricted, inTraining, chosen, context, 'isolated')
}

/** How many families of tests are made: every p counts so many times. */
function tested(isolated: Battery | null): number {
  return isolated === null ? 1 : 2
}

/** Isolated records are too few to be cleared; they can only alarm. */
function worseOf(everybody: Battery, isolated: Battery | null): ControlVerdict {
  const verdictOf = (battery: Battery) => membershipVerdict(bestOf(battery), Math.min(1, tested(isolated) * battery.p))
  const all = verdictOf(everybody)
  if (isolated === null || all.verdict.level === 'HIGH') return all
  const few = verdictOf(isolated)
  if (few.status !== 'evidence' || (all.status === 'evidence' && few.verdict.level !== 'HIGH')) return all
  return {
    status: few.status,
    verdict: { ...few.verdict, because: `among the most isolated records: ${few.verdict.because}` },
  }
}
