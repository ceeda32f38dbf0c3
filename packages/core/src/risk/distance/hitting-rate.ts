import { z } from 'zod'
import { histogramChart, lineChart, type Rule } from '../../chart/chart.js'
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

const RISKUTILITY_THRESHOLDS = [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3]
const RISKUTILITY_PASSES_UP_TO = 0.1
const RISKUTILITY_REPORT_PASSES_BELOW = 0.05
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
  literature: [
    {
      value: RISKUTILITY_PASSES_UP_TO,
      meaning: 'rate at distance 0.05 up to which a release passes, uncalibrated',
      source: 'riskutility',
    },
    {
      value: RISKUTILITY_REPORT_PASSES_BELOW,
      meaning: 'rate at distance 0.05 below which the report passes, uncalibrated',
      source: 'riskutility',
    },
  ],
  sentence: ({ details: { calibrated, riskutility } }) =>
    calibrated.length === 0
      ? `${percent(riskutility.rate)} of released records lie within ${riskutility.threshold} of an original one; whether that is close only a holdout can tell`
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
  charts: ({ details }, { name }) => [
    lineChart(
      {
        name: 'curve',
        title: `Records within a distance of an original: ${name}`,
        x: 'distance',
        y: 'share',
      },
      details.curve.flatMap(({ threshold, released, holdout }) => [
        { x: threshold, y: released, series: 'released' },
        ...(holdout === null ? [] : [{ x: threshold, y: holdout, series: 'people outside' }]),
      ]),
      { step: true, rules: thresholdRules(details) },
    ),
    histogramChart(
      {
        name: 'distances',
        title: `Distance to the nearest original: ${name}`,
        x: 'distance',
        y: 'released records',
      },
      details.histogram,
      thresholdRules(details),
    ),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context) {
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
  const riskutility = asRiskutility(toTraining, outside, threshold)
  const headline = calibrated.at(0)
  const value = headline?.released ?? riskutility.rate
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
      riskutility,
    },
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

function asRiskutility(toTraining: Float64Array, outside: Float64Array | null, threshold: number) {
  const [{ released: rate }, { released: rateAtZero }] = ratesAt([threshold, 0], toTraining, null)
  return {
    threshold,
    rate,
    rateAtZero,
    rates: ratesAt(RISKUTILITY_THRESHOLDS, toTraining, outside),
    pass: rate <= RISKUTILITY_PASSES_UP_TO,
    passInReport: rate < RISKUTILITY_REPORT_PASSES_BELOW,
  }
}

function ratesAt(thresholds: readonly number[], toTraining: Float64Array, outside: Float64Array | null) {
  const released = sharesWithin(toTraining, thresholds)
  const holdout = outside === null ? null : sharesWithin(outside, thresholds)
  return thresholds.map((threshold, k) => ({ threshold, released: released[k], holdout: holdout?.[k] ?? null }))
}

type Details = Awaited<ReturnType<typeof compute>>['details']

function thresholdRules({ calibrated, riskutility }: Details): Rule[] {
  return calibrated.length === 0
    ? [{ value: riskutility.threshold, label: `threshold ${riskutility.threshold}` }]
    : [{ value: calibrated[0].threshold, label: `${percent(calibrated[0].quantile, 0)} of people outside` }]
}
