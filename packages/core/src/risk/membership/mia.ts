import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, toRows } from '../../neighbors/release-space.js'
import { whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { auc } from '../../stats/tests/auc.js'
import { lowFalsePositivesChart, lowFalsePositivesTable, rocChart, scoresChart } from './charts.js'
import { classifierScores } from './scores/classifier-scores.js'
import { type FoldScores, foldScores, overFolds, UNDECIDED } from './scores/fold-scores.js'
import { MEMBERSHIP, membershipEvidence, membershipScore, percentilesAmongOthers } from './scores/membership-score.js'
import { realRecords } from './scores/real-records.js'

/**
 * Membership inference by a classifier: a forest learns to tell released records from real ones; members are real records
 * that it then takes for released, because something like them is in the release. Scores are cross-fitted (see
 * classifier-scores.ts), and
 *   AUC = mean over folds of P(score of a training record > score of a holdout record) + P(equal) / 2
 * is one half for any release that is no closer to training records than to other people, be it good or bad.
 * Blind to what a forest on these columns cannot learn: copies of a few records drown, see membership-audit.
 */
const options = z.object({
  trees: whole(300, { min: 1 }).describe('trees of each forest'),
  folds: whole(5, { min: 2, max: 50 }).describe('folds of training and holdout records'),
  ...distanceOptions,
})

type Options = z.output<typeof options>

export const mia = measure({
  id: 'mia',
  title: 'Membership inference by a classifier',
  summary: 'how well a classifier of released records tells training records from other people, as an AUC',
  ...MEMBERSHIP,
  role: 'supports',
  profile: 'full',
  unit: 'AUC',
  blindTo: 'what a forest on these columns cannot learn: copies of a few records drown',
  stochastic: true,
  options,
  check: distanceProblems,
  compute: classifiedBy('everybody'),
  records: {
    probabilityReleased: {
      riskier: 'higher',
      meaning: 'probability of the classifier that the record is a released one',
    },
    membershipPercentile: { riskier: 'higher', meaning: 'share of outsiders who look less like members' },
  },
  literature: [
    {
      value: 0.55,
      meaning: 'recall up to which risk is low, without regard to false positives',
      source: 'riskutility',
    },
    {
      value: 0.6,
      meaning: 'recall above which risk is high, without regard to false positives',
      source: 'riskutility',
    },
  ],
  sentence: ({ details: { headline, riskutility } }) =>
    `a classifier ranks a training record above somebody else in ${percent(headline.auc)} of pairs (50 % by chance); it takes ${percent(riskutility.recall.mean)} of training records and ${percent(riskutility.falsePositiveRate.mean)} of others for released ones`,
  tables: ({ details: { folds, headline } }) => [
    findingTable('folds', 'By fold', folds, [
      [column.number('AUC'), ({ auc }) => auc],
      [column.count('training'), ({ training }) => training],
      [column.count('others'), ({ others }) => others],
    ]),
    lowFalsePositivesTable(headline),
  ],
  charts: ({ details: { headline, riskutility } }, { name }) => [
    rocChart(headline, name),
    scoresChart(headline, name),
    lowFalsePositivesChart(headline, name),
    barChart(
      { name: 'taken-for-released', title: `Taken for released records: ${name}`, x: '', y: 'share of records' },
      [
        { label: 'training (recall)', value: riskutility.recall.mean },
        { label: 'others (false positives)', value: riskutility.falsePositiveRate.mean, series: 'original' },
      ],
    ),
  ],
})

export function classifiedBy(learnsFrom: 'everybody' | 'holdout') {
  return async (subject: Subject, chosen: Options, context: Context) => {
    const records = realRecords(subject, chosen)
    const { training, members } = records
    const { trees, folds } = chosen
    const scores = await classifierScores(subject, records, { trees, folds, learnsFrom }, context)
    const perFold = foldScores(scores, members)
    const headline = overFolds(
      membershipScore('rank by classifier', scores.rank, members),
      perFold,
      Math.min(members, scores.rank.length - members),
    )
    const percentiles = percentilesAmongOthers(scores.rank, members)
    return {
      value: headline.auc,
      interval: headline.interval,
      ...membershipEvidence(records, headline),
      added: () =>
        toRows(
          training,
          percentiles.map((percentile) => percentile - 0.5),
        ),
      details: {
        advantage: 2 * headline.auc - 1,
        folds: perFold.map((fold) => ({
          auc: auc(fold.training, fold.others)?.auc ?? 0.5,
          training: fold.training.length,
          others: fold.others.length,
        })),
        /** AUC, z and interval are means over folds; the curve and the rates pool ranks within folds. */
        headline,
        /** What riskutility reports of such a classifier, and its verdict, which takes recall without the false positives. */
        riskutility: asRiskutility(perFold),
      },
      warnings: [
        ...records.space.warnings,
        ...(scores.folds < folds ? [`there are records for ${scores.folds} folds only`] : []),
      ],
      records: () => ({
        probabilityReleased: toRows(training, scores.probability.subarray(0, members)),
        membershipPercentile: toRows(training, percentiles),
      }),
    }
  }
}
/** riskutility's cuts of recall. */
const LOW_RECALL = 0.55
const HIGH_RECALL = 0.6

/** Precision and macro-averaged F1 are those for equally many training and holdout records. */
function asRiskutility(folds: readonly FoldScores[]) {
  const taken = (scores: Float64Array) => scores.filter((score) => score >= UNDECIDED).length / scores.length
  const rates = folds.map(({ training, others }) => ({ recall: taken(training), falsePositives: taken(others) }))
  const recall = figure(rates.map((rate) => rate.recall))
  return {
    recall,
    falsePositiveRate: figure(rates.map((rate) => rate.falsePositives)),
    precision: figure(rates.map((rate) => precisionOf(rate.recall, rate.falsePositives))),
    f1: figure(
      rates.map(
        (rate) => (f1Of(rate.recall, rate.falsePositives) + f1Of(1 - rate.falsePositives, 1 - rate.recall)) / 2,
      ),
    ),
    verdict: recall.mean <= LOW_RECALL ? 'LOW' : recall.mean <= HIGH_RECALL ? 'MODERATE' : 'HIGH',
  }
}

function precisionOf(right: number, wrong: number): number {
  return right + wrong === 0 ? 0 : right / (right + wrong)
}

function f1Of(recall: number, wrong: number): number {
  const precision = precisionOf(recall, wrong)
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}

/** Mean and its standard error over folds. */
function figure(values: readonly number[]) {
  const sd = standardDeviation(values)
  return { mean: mean(values) ?? 0, standardError: sd === null ? null : sd / Math.sqrt(values.length) }
}
