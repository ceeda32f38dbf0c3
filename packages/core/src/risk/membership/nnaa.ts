import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import {
  distanceOptions,
  distanceProblems,
  type ReleaseSpace,
  releaseSpace,
  type Side,
  toRows,
} from '../../neighbors/release-space.js'
import { TIE } from '../../neighbors/space.js'
import { nearestDistances, onlyPoints } from '../../neighbors/tasks.js'
import { whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { compareSamples } from './scores/adversarial-accuracy.js'
import {
  lossOfOriginal,
  meanAccuracies,
  type PairDistances,
  permutationTest,
  strictAccuracy,
  TWO_SIDED,
  withLoss,
} from './scores/label-permutations.js'
import { MEMBERSHIP } from './scores/membership-score.js'

/**
 * Nearest-neighbour adversarial accuracy (Yale et al. 2020). How often does a nearest neighbour tell real from released?
 *   AA(A, S) = ½ [P_a(d(a, S) > d(a, A \ a)) + P_s(d(s, A) > d(s, S \ s))], ties ½
 * is ½ when both are alike, less when S copies A. The loss AA(H, S) - AA(T, S) is what the release copies of the training
 * records beyond other people; its null value is 0 only for equal numbers of records, so the files are cut to the smallest
 * size several times. Blind to copies of a few records, and to copies farther away than the next real record.
 */
const options = z.object({
  repeats: whole(10, { min: 1, max: 1000 }).describe(
    'how often the larger files are cut to the size of the smallest; once when all are equally long',
  ),
  permutations: whole(999, { min: 99 }).describe(
    'random exchanges of the labels training and holdout, over all repeats',
  ),
  ...distanceOptions,
})

type Options = z.output<typeof options>

export const nnaa = measure({
  id: 'nnaa',
  title: 'Nearest-neighbour adversarial accuracy',
  summary: 'how much closer the release is to the training records than to other people, in adversarial accuracy',
  ...MEMBERSHIP,
  role: 'supports',
  profile: 'full',
  unit: 'difference',
  range: [-1, 1],
  blindTo: 'copies of a few records, and copies farther away than the next real record',
  fooledBy: {
    'pad with noise': 'it draws as many released records as there are people, and most of them are noise',
  },
  stochastic: true,
  options,
  check: distanceProblems,
  compute,
  citations: ['yale2020'],
  records: {
    distanceToRelease: { riskier: 'lower', meaning: 'distance to the nearest released record' },
    distanceToOthers: { riskier: null, meaning: 'distance to the nearest other original record' },
  },
  sentence: ({ details: { training, holdout, loss, nullSd } }) =>
    `adversarial accuracy is ${percent(training.accuracy)} for training records and ${percent(holdout.accuracy)} for others (50 % if alike): a loss of ${percent(loss)}, by chance within ± ${percent(TWO_SIDED * nullSd)}`,
  tables: ({ details: { training, holdout } }) => [
    findingTable('accuracy', 'Accuracy of telling by the nearest record', Object.entries({ training, holdout }), [
      [column.text(''), ([who]) => who],
      [column.number('original'), ([, { left }]) => left],
      [column.number('released'), ([, { right }]) => right],
      [column.number('both'), ([, { accuracy }]) => accuracy],
    ]),
  ],
  charts: ({ details }, { name }) => [
    barChart(
      { name: 'accuracy', title: `Adversarial accuracy: ${name}`, x: '', y: 'share told apart' },
      [
        { label: 'training', value: details.training.accuracy },
        { label: 'others', value: details.holdout.accuracy, series: 'original' },
      ],
      [{ value: 0.5, label: 'alike' }],
    ),
    histogramChart(
      {
        name: 'permutations',
        title: `Loss when training and holdout are exchanged at random: ${name}`,
        x: 'loss',
        y: 'permutations',
      },
      details.nullLosses,
      [{ value: details.loss, label: 'found' }],
    ),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context) {
  const found = releaseSpace(subject, chosen)
  const { training, holdout, released } = found
  if (holdout === null) throw new NotApplicable({ code: 'needs', needs: ['holdout'] })
  const lengths = [training, holdout, released].map(({ ids }) => ids.length)
  const size = Math.min(...lengths)
  if (size < 2)
    throw new NotApplicable('a nearest neighbour of its own kind needs two records of original, holdout and release')
  const repeats = lengths.every((length) => length === size) ? 1 : chosen.repeats
  const comparisons = await context.tasks.map(
    compareSamples,
    {
      points: onlyPoints(found),
      training: training.ids,
      holdout: holdout.ids,
      released: released.ids,
      size,
      permutations: Math.ceil(chosen.permutations / repeats),
      seed: context.seed,
    },
    Array.from({ length: repeats }, (_, repeat) => repeat),
    context,
  )
  const accuracies = meanAccuracies(comparisons)
  const test = permutationTest(accuracies.loss, comparisons)
  const all = await unequalSizes(context, found, holdout)
  return {
    value: accuracies.loss,
    interval: test.interval,
    controls: {
      fair: { value: 0, se: null, what: 'people outside the release', basis: 'outsiders' as const },
      everything: { value: lossOfOriginal(lengths[0], lengths[1]), se: null, what: 'the original itself' },
    },
    effect: test.effect,
    ...(test.nullSd === 0 ? { notAssessed: 'no exchange of people in and outside the release changes anything' } : {}),
    details: {
      ...accuracies,
      /** Records of each kind that are compared, and how often. */
      size,
      repeats,
      /** Of the mean over repeats, from the choice of records alone; null for one repeat. */
      standardError: test.standardError,
      p: test.p,
      z: test.z,
      /** Of the loss of one repeat under random labels. */
      nullSd: test.nullSd,
      minimalDetectable: test.minimalDetectable,
      nullLosses: test.histogram,
      /** All records as the files are, strict: the sizes shift it, so it is for comparison only. */
      unequalSizes: all.accuracies,
    },
    warnings: found.warnings,
    records: () => ({
      distanceToRelease: toRows(training, all.toReleased),
      distanceToOthers: toRows(training, all.toOwn),
    }),
  }
}

async function unequalSizes(context: Context, space: ReleaseSpace, holdout: Side) {
  const { training, released } = space
  const tie = TIE / space.weight
  const withinReleased = await nearestDistances(context, space, released, released.ids, { leaveOneOut: true })
  const distancesOf = async (real: Side): Promise<PairDistances> => ({
    toReleased: await nearestDistances(context, space, released, real.ids),
    toOwn: await nearestDistances(context, space, real, real.ids, { leaveOneOut: true }),
    fromReleased: await nearestDistances(context, space, real, released.ids),
    withinReleased,
    tie,
  })
  const ofTraining = await distancesOf(training)
  return {
    accuracies: withLoss(strictAccuracy(ofTraining), strictAccuracy(await distancesOf(holdout))),
    toReleased: ofTraining.toReleased,
    toOwn: ofTraining.toOwn,
  }
}
