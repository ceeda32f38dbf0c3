import { z } from 'zod'
import { type Bin, histogramChart, lineChart, linesOver } from '../../chart/chart.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, toRows } from '../../neighbors/release-space.js'
import { percent } from '../../print.js'
import { normalCdf } from '../../stats/distributions.js'
import { DISTANCE_MEASURE, FOOLED_BY_NOISE } from './declaration.js'
import { limitsUpTo, quantileTable, sharesWithin, summarise } from './outsiders/distance-summary.js'
import {
  besideOutsiders,
  creditBeyondMean,
  creditOf,
  labelTestOfAll,
  shareOfOriginal,
} from './outsiders/real-neighbours.js'
import { type TrainingShare, trainingShare } from './outsiders/training-share.js'

/**
 * Distance to the closest record: are released records nearer to training records (T) than to people outside (H)?
 *   share* = (1/m) Σ_s #{nearest real records of s that are in T} / #{nearest real records of s}
 * Ties are shared, so that without memorisation E share* = π0 = n_T / (n_T + n_H) for any sizes and any data, and the
 * variance is that of dealing out the labels T and H at random (see `exchangeability`). Park et al. (2018) and Platzer and
 * Reutterer (2021) have the distances and the share. Blind to copying that leaves no training record nearest, to
 * membership and inference attacks (Yao, Krčo, Ganev and de Montjoye 2025, "The DCR delusion"): to find nothing means no more
 * than that no copying on a large scale was seen. And blind to everything if H was used to make the release.
 */
const options = z.object(distanceOptions)

export const dcr = measure({
  id: 'dcr',
  title: 'Distance to the closest record (DCR)',
  summary: 'share of released records whose nearest real record was used to make the release',
  ...DISTANCE_MEASURE,
  threat: 'memorisation',
  role: 'supports',
  needs: ['holdout'],
  blindTo: 'copies that leave no training record nearest, and what membership and inference attacks find',
  fooledBy: FOOLED_BY_NOISE,
  options,
  check: distanceProblems,
  compute,
  citations: ['platzer2021'],
  records: {
    releasedRecordsNearest: { riskier: 'higher', meaning: 'released records whose nearest original this is' },
    releasedDistanceToTraining: { riskier: 'lower', meaning: 'per released record: distance to the nearest original' },
    releasedDistanceToHoldout: { riskier: null, meaning: 'per released record: distance to the nearest outsider' },
  },
  sentence: ({ details: { share, expected, excess, minimalDetectable } }) =>
    `${percent(share)} of released records have a training record as their nearest real one, ${percent(expected)} by chance: an excess of ${percent(excess)} (one below about ${percent(minimalDetectable)} would go unnoticed)`,
  tables: ({ details: { toTraining, toHoldout } }) => [
    quantileTable({ 'to training': toTraining, 'to holdout': toHoldout }),
  ],
  charts: ({ details }, { name }) => [
    lineChart(
      {
        name: 'distances',
        title: `Distance to the closest record: ${name}`,
        x: 'distance',
        y: 'share of released records within it',
      },
      linesOver(details.distribution, 'distance', { training: 'to training', holdout: 'to holdout' }),
      { step: true },
    ),
    histogramChart(
      {
        name: 'null',
        title: `What random labels would give: ${name}`,
        x: 'share nearest to training',
        y: 'probability',
      },
      nullBins(details),
      [
        { value: details.share, label: 'observed' },
        { value: details.expected, label: 'expected' },
      ],
    ),
  ],
})

export async function compute(subject: Subject, chosen: z.output<typeof options>, context: Context) {
  const { space, holdout, real, nearest, toTraining, toHoldout } = await besideOutsiders(subject, chosen, context)
  const { training, released } = space
  const test = labelTestOfAll(context, real, nearest.credit)
  const nearer = countNearer(nearest.markedShare)
  const { details, ...finding } = trainingShare(test, shareOfOriginal(real))
  const limits = limitsUpTo(DISTRIBUTION_STEPS, toTraining, toHoldout)
  const [ofTraining, ofHoldout] = [sharesWithin(toTraining, limits), sharesWithin(toHoldout, limits)]
  return {
    ...finding,
    added: () => creditBeyondMean(space, real, nearest.credit),
    details: {
      ...details,
      records: { training: training.ids.length, holdout: holdout.ids.length, released: released.ids.length },
      /** Released records nearer to a training record, nearer to a holdout record, equally near to both. */
      nearer,
      toTraining: summarise(toTraining),
      toHoldout: summarise(toHoldout),
      /** Share of released records within a distance of a training and of a holdout record. */
      distribution: limits.map((distance, k) => ({ distance, training: ofTraining[k], holdout: ofHoldout[k] })),
    },
    workings: { toTraining, toHoldout },
    warnings: space.warnings,
    records: () => ({
      releasedRecordsNearest: toRows(training, creditOf(space, training, real, nearest.credit)),
      releasedDistanceToTraining: toRows(released, toTraining),
      releasedDistanceToHoldout: toRows(released, toHoldout),
    }),
  }
}

const DISTRIBUTION_STEPS = 100

function countNearer(shares: Float64Array) {
  const nearer = { training: 0, holdout: 0, tied: 0 }
  for (const share of shares) nearer[share === 1 ? 'training' : share === 0 ? 'holdout' : 'tied']++
  return nearer
}

const NULL_BINS = 40
const NULL_SDS = 4

/** Normal, with the exact mean and standard deviation; one bar where the labels cannot matter. */
function nullBins({ expected, sd }: TrainingShare): Bin[] {
  if (sd === 0) return [{ lower: expected - 0.005, upper: expected + 0.005, count: 1 }]
  const width = (2 * NULL_SDS * sd) / NULL_BINS
  return Array.from({ length: NULL_BINS }, (_, k) => {
    const lower = expected - NULL_SDS * sd + k * width
    const at = (x: number) => normalCdf((x - expected) / sd)
    return { lower, upper: lower + width, count: at(lower + width) - at(lower) }
  })
}
