import { z } from 'zod'
import { barChart, lineChart, linesOver } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { peopleOutside, theOriginal } from '../../evidence/controls.js'
import type { Look } from '../../evidence/evidence.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, releaseSpace, toRows } from '../../neighbors/release-space.js'
import { whole } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { DISTANCE_MEASURE, FOOLED_BY_NOISE } from './declaration.js'
import {
  areaOf,
  BINS,
  type BothRatios,
  equalSizes,
  lookedAt,
  MOST_LISTED,
  type Ratios,
  randomLabels,
  SUSPICIOUS,
  suspiciousAt,
  suspiciousShare,
} from './outsiders/distance-ratios.js'
import { listLength, neighbourLists } from './outsiders/neighbour-lists.js'
import { type Compared, effectOf, proportionVariance, tested } from './outsiders/ratio-tests.js'
import { holdoutOf, type RealRecords, realRecords } from './outsiders/real-neighbours.js'

/**
 * Nearest-neighbour distance ratio: is a released record tied to one particular training record? For the two nearest
 * distinct rows at distances d1 <= d2, the ratio is d1 / d2, and 0 when d1 = 0; it is small for a copy and near 1 for a
 * record that lies among others. With more records the ratios change, so the same number n of training (T) and holdout
 * (H) records is compared, B draws of the larger side averaged, by
 *   D = P(r_T < 0.1) - P(r_H < 0.1)   and   A = 2 AUC - 1, AUC = P(r_H > r_T) + P(r_H = r_T) / 2,
 * over released records. A copied training record is in a draw with chance n / n_T only, so both are multiplied by n_T / n.
 * p from dealing out the labels again, of the larger of the two statistics (Westfall and Young 1993).
 * Blind to copies with noise beyond the distance between neighbours, and to everything if H was used for the release.
 */
const options = z.object({
  ...distanceOptions,
  repeats: whole(20, { min: 1 }).describe('draws of equal size from the larger of training and holdout, averaged'),
  permutations: whole(499, { min: 99 }).describe('random labellings that the p-values rest on'),
})

type Options = z.output<typeof options>

export const nndr = measure({
  id: 'nndr',
  title: 'Nearest-neighbour distance ratio (NNDR)',
  summary: 'share of released records that lie at one single training record, far from the next',
  ...DISTANCE_MEASURE,
  threat: 'memorisation-tail',
  role: 'supports',
  needs: ['holdout'],
  blindTo: 'copies with noise beyond the distance between neighbours',
  fooledBy: FOOLED_BY_NOISE,
  stochastic: true,
  options,
  check: distanceProblems,
  compute,
  citations: ['platzer2021'],
  records: {
    suspiciousReleased: { riskier: 'higher', meaning: 'released records that are suspiciously close to this one' },
  },
  sentence: ({ value, details: { equal } }) =>
    `${percent(value ?? 0)} of released records lie at one single training record, ${percent(equal.holdout)} at one single person outside; the ratio is smaller among training records in ${percent(equal.auc)} of comparisons (50 % by chance)`,
  charts: ({ value, interval, details }, { name }) => [
    lineChart(
      {
        name: 'ratios',
        title: `Nearest over second-nearest distance: ${name}`,
        x: 'ratio',
        y: 'share of released records up to it',
      },
      linesOver(details.distribution, 'ratio', { training: 'to training', holdout: 'to holdout' }),
      { step: true, rules: [{ value: SUSPICIOUS, label: 'suspicious below' }] },
    ),
    barChart(
      { name: 'suspicious', title: `Ratios below ${SUSPICIOUS}: ${name}`, x: '', y: 'share of released records' },
      [
        { label: 'training', value: value ?? 0, interval },
        { label: 'people outside', value: details.equal.holdout, series: 'original' },
      ],
    ),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { repeats, permutations, ...distance } = chosen
  const space = releaseSpace(subject, distance)
  const holdout = holdoutOf(space)
  const { training, released } = space
  const size = Math.min(training.ids.length, holdout.ids.length)
  if (size < 2) throw new NotApplicable('it needs two training and two holdout records')
  const realRows = realRecords(space, holdout)
  const real = realRows.points
  const share = size / (training.ids.length + holdout.ids.length)
  const looked = lookedAt(context, space, Math.floor(MOST_LISTED / listLength(real.length, share)))
  const lists = await neighbourLists(context, space, real, looked.points, share)
  const sides = { lists, points: space.count, released: looked, training, holdout, size }
  const observed = equalSizes(context, sides, repeats)
  if (observed.training.total === 0 || observed.holdout.total === 0)
    throw new NotApplicable('no released record has two distinct records to compare it with on both sides')
  const scale = training.ids.length / size
  const random = randomLabels(context, sides, permutations)
  const { excess, advantage } = tested(observed, random, looked.count, scale)
  const equal = {
    training: suspiciousShare(observed.training),
    holdout: suspiciousShare(observed.holdout),
    auc: areaOf(observed),
  }
  const onScale = (of: number) => Math.min(1, Math.max(0, equal.holdout + of))
  return {
    value: onScale(excess.value),
    interval: { ...excess.interval, lower: onScale(excess.interval.lower), upper: onScale(excess.interval.upper) },
    controls: {
      fair: peopleOutside(equal.holdout, Math.sqrt(proportionVariance(equal.holdout, looked.count))),
      everything: theOriginal(1),
    },
    effect: effectOf(excess),
    looks: [advantageLook(advantage, realRows)],
    added: () => toRows(training, suspiciousAt(sides)),
    details: {
      records: { training: training.ids.length, holdout: holdout.ids.length, released: released.ids.length },
      /** Records of each side that are compared. */
      equalSize: size,
      /** At equal sizes: shares of ratios below 0.1, and the chance that a ratio is smaller among training records. */
      equal,
      /** D and A, brought to the size of the training data. */
      excess,
      advantage,
      /** Share of released records with a ratio of at most this, among T and among H, at equal sizes. */
      distribution: distributionOf(observed),
    },
    warnings: [
      ...space.warnings,
      ...(looked.count < released.ids.length
        ? [`a sample of ${count(looked.count, 'released record')} was looked at`]
        : []),
    ],
    records: () => ({ suspiciousReleased: toRows(training, suspiciousAt(sides)) }),
  }
}

/** Of the original itself all ratios to training are 0, and those to the holdout where a record has an equal there. */
function advantageLook(advantage: Compared, { inTraining, inHoldout }: RealRecords): Look {
  let [training, equalled] = [0, 0]
  for (let k = 0; k < inTraining.length; k++) {
    training += inTraining[k]
    if (inHoldout[k] > 0) equalled += inTraining[k]
  }
  return {
    what: 'distance ratios over all released records',
    value: advantage.value,
    controls: {
      fair: peopleOutside(0),
      everything: theOriginal(1 - equalled / training),
    },
    effect: effectOf(advantage),
    people: null,
  }
}

const DISTRIBUTION_STEPS = 50

function distributionOf({ training, holdout }: BothRatios) {
  const upTo = ({ bins, total }: Ratios, last: number) =>
    bins.subarray(0, last + 1).reduce((sum, one) => sum + one, 0) / total
  return Array.from({ length: DISTRIBUTION_STEPS + 1 }, (_, k) => {
    const last = (k * BINS) / DISTRIBUTION_STEPS
    return { ratio: k / DISTRIBUTION_STEPS, training: upTo(training, last), holdout: upTo(holdout, last) }
  })
}
