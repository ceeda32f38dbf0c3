import { z } from 'zod'
import { histogramChart, lineChart, linesOver, type Rule } from '../../chart/chart.js'
import { peopleOutside, theOriginal } from '../../evidence/controls.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, releaseSpace, toRows } from '../../neighbors/release-space.js'
import { nearestDistances } from '../../neighbors/tasks.js'
import { real } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { wilson, wilsonWithVariance } from '../../stats/intervals.js'
import { DISTANCE_MEASURE, FOOLED_BY_NOISE } from './declaration.js'
import { limitsUpTo, quantileTable, sharesWithin, summarise } from './outsiders/distance-summary.js'
import { type Calibrated, CURVE_STEPS, calibrate, HISTOGRAM_BINS, varianceOfHits } from './outsiders/hits.js'
import { besideOutsiders } from './outsiders/real-neighbours.js'

/**
 * Hitting rate: the share of released records within a distance τ of an original record,
 *   rate(τ) = #{s in S: min over x in T of d(s, x) <= τ} / m.
 * What counts as close depends on the data, so τ is the q-quantile of the distances of people outside (H) to T: of them
 * about q hit by chance. Both searches are against the same T, so sizes do not matter. A release of typical people hits
 * more often than q without having copied anybody; the effect is therefore the share of released records that come this close
 * to a real one because it was in training: among those that are close to any real record, training records must not get
 * more than their part (see `exchangeability`). Blind to copies that are farther than τ.
 */
const options = z.object({
  ...distanceOptions,
  quantile: real(0.05, { above: 0, below: 1 }).describe(
    'share of people outside that hit by chance: the distance that it takes is the threshold',
  ),
  threshold: z
    .number()
    .nonnegative()
    .default(0.05)
    .describe('fixed distance of the uncalibrated rate, which is all there is without a holdout'),
})

type Options = z.output<typeof options>

const ALSO_AT = [0.05, 0.01]

export const hittingRate = measure({
  id: 'hitting-rate',
  title: 'Hitting rate',
  summary: 'share of released records closer to an original record than all but few people outside are',
  ...DISTANCE_MEASURE,
  threat: 'memorisation',
  role: 'supports',
  needs: [],
  blindTo: 'copies that are farther away than few people outside are',
  fooledBy: FOOLED_BY_NOISE,
  options,
  check: distanceProblems,
  compute,
  records: {
    releasedDistanceToTraining: { riskier: 'lower', meaning: 'per released record: distance to the nearest original' },
  },
  sentence: ({ value, details: { calibrated } }) =>
    calibrated.length === 0
      ? `${percent(value ?? 0)} of released records lie within the fixed distance of an original one; whether that is close only a holdout can tell`
      : `${percent(calibrated[0].released)} of released records come as close to an original one as ${percent(calibrated[0].holdout)} of people outside do`,
  tables: ({ details }) => [
    findingTable('thresholds', 'Hits within the distance that so many people outside have', details.calibrated, [
      [column.share('of outsiders', 0), ({ quantile }) => quantile],
      [column.number('distance'), ({ threshold }) => threshold],
      [column.share('released'), ({ released }) => released],
      [column.share('holdout'), ({ holdout }) => holdout],
    ]),
    quantileTable({ 'released to training': details.toTraining, 'holdout to training': details.holdoutToTraining }),
  ],
  charts: ({ details }, { name }) => hitCharts(details, name, details.calibrated.slice(0, 1).map(calibratedRule)),
})

/** Both with the distance that counts as close, where there is one. */
export function hitCharts({ curve, histogram: bins }: Details, name: string, rules: readonly Rule[]) {
  return [
    lineChart(
      {
        name: 'curve',
        title: `Records within a distance of an original: ${name}`,
        x: 'distance',
        y: 'share',
      },
      linesOver(curve, 'threshold', { released: 'released', holdout: 'people outside' }),
      { step: true, rules },
    ),
    histogramChart(
      {
        name: 'distances',
        title: `Distance to the nearest original: ${name}`,
        x: 'distance',
        y: 'released records',
      },
      bins,
      rules,
    ),
  ]
}

export async function compute(subject: Subject, chosen: Options, context: Context) {
  const { quantile: q, threshold, ...distance } = chosen
  const space = releaseSpace(subject, distance)
  const { training, released, holdout } = space
  const found =
    holdout === null
      ? {
          toTraining: await nearestDistances(context, space, training, released.ids),
          outside: null,
          calibrated: [],
          ofOriginal: 1,
          added: null,
        }
      : await calibrate(context, await besideOutsiders(subject, distance, context), [
          q,
          ...ALSO_AT.filter((other) => other !== q),
        ])
  const { toTraining, outside, calibrated } = found
  const headline = calibrated.at(0)
  const value = headline?.released ?? sharesWithin(toTraining, [threshold])[0]
  const m = toTraining.length
  const limits = limitsUpTo(CURVE_STEPS, toTraining)
  return {
    value,
    interval:
      outside === null
        ? wilson(Math.round(value * m), m)
        : wilsonWithVariance(value, varianceOfHits(toTraining, outside, value, q), m),
    ...(headline === undefined
      ? { notAssessed: { code: 'no-outsiders' as const } }
      : evidenceOf(headline, found.ofOriginal)),
    ...(found.added === null ? {} : { added: found.added }),
    details: {
      records: { training: training.ids.length, holdout: holdout?.ids.length ?? null, released: m },
      /** At the quantile asked for, then at others. */
      calibrated,
      toTraining: summarise(toTraining),
      holdoutToTraining: outside === null ? null : summarise(outside),
      curve: ratesAt(limits, toTraining, outside),
      histogram: histogram(toTraining, HISTOGRAM_BINS, 0, limits[limits.length - 1] || 1),
    },
    workings: { toTraining, outside },
    warnings: space.warnings,
    records: () => ({ releasedDistanceToTraining: toRows(released, toTraining) }),
  }
}

/**
 * The effect is the share owing to training; without it the rate would be that much lower. Of the original itself every
 * record is close to one, and the excess among these is that of `ofOriginal`, the share of training records among equals.
 */
function evidenceOf({ released, owingToTraining: { share, bounds }, labels, close }: Calibrated, ofOriginal: number) {
  const expected = labels?.expected ?? 1
  return {
    controls: {
      fair: peopleOutside(Math.min(1, Math.max(0, released - share))),
      everything: theOriginal(1),
    },
    effect: {
      value: share,
      se: labels === null ? null : (labels.sd / (1 - expected)) * close,
      ...bounds,
      p: labels?.p ?? 1,
      ...(labels === null ? {} : { ceiling: (ofOriginal - expected) / (1 - expected) }),
    },
  }
}

/** Shares of released records, and of people outside, within each distance of an original record. */
export function ratesAt(thresholds: readonly number[], toTraining: Float64Array, outside: Float64Array | null) {
  const released = sharesWithin(toTraining, thresholds)
  const holdout = outside === null ? null : sharesWithin(outside, thresholds)
  return thresholds.map((threshold, k) => ({ threshold, released: released[k], holdout: holdout?.[k] ?? null }))
}

type Details = Awaited<ReturnType<typeof compute>>['details']

function calibratedRule({ threshold, quantile }: Calibrated): Rule {
  return { value: threshold, label: `${percent(quantile, 0)} of people outside` }
}
