import { z } from 'zod'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, toRows } from '../../neighbors/release-space.js'
import { whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { auc } from '../../stats/tests/auc.js'
import { lowFalsePositivesChart, lowFalsePositivesTable, rocChart, scoresChart } from './charts.js'
import { classifierScores } from './scores/classifier-scores.js'
import { foldScores, overFolds } from './scores/fold-scores.js'
import { MEMBERSHIP, membershipEvidence, membershipScore, percentilesAmongOthers } from './scores/membership-score.js'
import { bestArea, realRecords } from './scores/real-records.js'

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
  sentence: ({ details: { headline } }) =>
    `a classifier ranks a training record above somebody else in ${percent(headline.auc)} of pairs (50 % by chance)`,
  tables: ({ details: { folds, headline } }) => [
    findingTable('folds', 'By fold', folds, [
      [column.number('AUC'), ({ auc }) => auc],
      [column.count('training'), ({ training }) => training],
      [column.count('others'), ({ others }) => others],
    ]),
    lowFalsePositivesTable(headline),
  ],
  charts: ({ details: { headline } }, { name }) => [
    rocChart(headline, name),
    scoresChart(headline, name),
    lowFalsePositivesChart(headline, name),
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
      ...membershipEvidence(bestArea(records), headline),
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
      },
      workings: { perFold },
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
