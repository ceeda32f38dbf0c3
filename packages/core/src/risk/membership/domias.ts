import { z } from 'zod'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, toRows } from '../../neighbors/release-space.js'
import { choice, real, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { mean } from '../../stats/sums.js'
import {
  lowFalsePositivesChart,
  lowFalsePositivesTable,
  rocChart,
  scoredChart,
  scoredTable,
  scoresChart,
} from './charts.js'
import { logDensities } from './scores/kernel-density.js'
import { MEMBERSHIP, membershipEvidence, membershipScore, percentilesAmongOthers } from './scores/membership-score.js'
import {
  bestArea,
  logRatios,
  neighbourhood,
  type RealRecords,
  radiusRatios,
  realRecords,
  usualRadius,
} from './scores/real-records.js'

/**
 * DOMIAS, membership by local overfitting (van Breugel, Sun, Qian and van der Schaar 2023): a record where the release is
 * denser than people are is taken for a member, score(x) = p_S(x) / p_R(x). The headline is the AUC of this score between
 * training and holdout records. Here p_R is that of all other real records, training and holdout alike: an auditor's
 * reference, exchangeable in both. Densities come from the k-th neighbour, from counts in a radius, or from kernels.
 * Blind to leaks that do not make the release denser near a member, and to a few leaks among many records.
 */
const options = z.object({
  estimator: choice(['knn', 'radius', 'kde'], 'knn').describe(
    'densities from the distance to the k-th neighbour, counts within a radius, or kernels (slow)',
  ),
  k: whole(1, { min: 1, max: 1000 }).describe('the neighbour that knn goes by'),
  radius: real(null, { above: 0 }).describe(
    'distance within which records are counted; when not given the median to the √N-th other real record',
  ),
  ...distanceOptions,
})

type Options = z.output<typeof options>

export const domias = measure({
  id: 'domias',
  title: 'Membership by local overfitting (DOMIAS)',
  summary: 'how well excess density of the release tells training records from other people, as an AUC',
  ...MEMBERSHIP,
  role: 'supports',
  unit: 'AUC',
  blindTo: 'leaks that do not make the release denser near a member, and a few leaks among many records',
  fooledBy: {
    'append noise': 'noise moves records apart that agree in all other columns',
    'recode missing': 'missing written as a level differs from missing in every record that has it',
  },
  options,
  check: distanceProblems,
  compute,
  citations: ['vanbreugel2023'],
  records: {
    membershipScore: { riskier: 'higher', meaning: 'ratio of densities with and without the release' },
    membershipPercentile: { riskier: 'higher', meaning: 'share of outsiders who look less like members' },
  },
  sentence: ({ details: { headline } }) =>
    `excess density ranks a training record above somebody else in ${percent(headline.auc)} of pairs (50 % by chance), and finds ${percent(headline.lowFalsePositives[1].truePositiveRate)} of them while accusing ${percent(headline.lowFalsePositives[1].falsePositiveRate)} of others`,
  tables: ({ details: { estimators, headline } }) => [
    scoredTable('estimators', 'AUC by estimator of the density', 'estimator', estimators),
    lowFalsePositivesTable(headline),
  ],
  charts: ({ details: { headline, estimators } }, { name }) => [
    rocChart(headline, name),
    scoresChart(headline, name),
    lowFalsePositivesChart(headline, name),
    scoredChart('estimators', `AUC by estimator of density: ${name}`, estimators),
  ],
})

const OTHER_K = [1, 5]

async function compute(subject: Subject, chosen: Options, context: Context) {
  const records = realRecords(subject, chosen)
  const { members } = records
  const near = await neighbourhood(context, records, Math.max(chosen.k, ...OTHER_K))
  const knn = [...new Set([chosen.k, ...OTHER_K].map((k) => Math.min(k, near.most)))].map((k) => ({
    estimator: 'knn',
    name: `knn, k = ${k}`,
    scores: logRatios(near, k),
  }))
  const radius = chosen.estimator === 'radius' ? (chosen.radius ?? (await usualRadius(context, records))) : null
  const ratios = radius === null ? null : await radiusRatios(context, records, radius)
  const all = [
    ...knn,
    ...(ratios === null ? [] : [{ estimator: 'radius', name: 'radius', scores: ratios }]),
    ...(chosen.estimator === 'kde'
      ? [{ estimator: 'kde', name: 'kde', scores: await kernelRatios(context, records) }]
      : []),
  ]
  const found = all.map(({ name, scores }) => membershipScore(name, scores, members, 1, records.households))
  const at = all.findIndex(({ estimator }) => estimator === chosen.estimator)
  const headline = found[at]
  const { scores } = all[at]
  return {
    value: headline.auc,
    interval: headline.interval,
    ...membershipEvidence(bestArea(records), headline),
    added: () =>
      toRows(
        records.training,
        percentilesAmongOthers(scores, members).map((percentile) => percentile - 0.5),
      ),
    details: {
      estimator: headline.name,
      headline,
      /** The same for the chosen estimator and for the first and fifth neighbour. */
      estimators: found.map(({ name, auc, z, p, interval }) => ({ name, auc, z, p, interval })),
      /** Radius and mean ratios within it, when that is the estimator. */
      counted: ratios === null || radius === null ? null : { radius, ...meanRatios(ratios, members) },
    },
    warnings: [
      ...records.space.warnings,
      ...(near.most < chosen.k ? [`there are only ${near.most} neighbours, so k is ${near.most}`] : []),
    ],
    records: () => ({
      membershipScore: toRows(records.training, scores.subarray(0, members)),
      membershipPercentile: toRows(records.training, percentilesAmongOthers(scores, members)),
    }),
  }
}

async function kernelRatios(context: Context, { space: points, ids, real }: RealRecords): Promise<Float64Array> {
  const released = await logDensities(context, points, points.released, ids, ids, false)
  const others = await logDensities(context, points, real, ids, ids, true)
  return released.map((density, record) => density - others[record])
}

/** Of training records, of others, and the one over the other. */
export function meanRatios(ratios: Float64Array, members: number) {
  const training = mean(ratios.subarray(0, members)) ?? 0
  const others = mean(ratios.subarray(members)) ?? 0
  return { training, others, ratio: training / others }
}
