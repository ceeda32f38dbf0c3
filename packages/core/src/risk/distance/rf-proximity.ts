import { z } from 'zod'
import { barChart, lineChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { forest } from '../../learners/forest.js'
import { type Context, measure, type Subject } from '../../measure.js'
import {
  DEFAULT_DISTANCE,
  distanceOptions,
  distanceProblems,
  releaseSpace,
  toRows,
} from '../../neighbors/release-space.js'
import { whole } from '../../option-kinds.js'
import { fixed, percent } from '../../print.js'
import { quantiles } from '../../stats/quantile.js'
import { tableOfPart } from '../../table/classes.js'
import { selectRows } from '../../table/table.js'
import { DISTANCE_MEASURE } from './declaration.js'
import { proximities } from './outsiders/proximity.js'
import {
  creditBeyondMean,
  creditOf,
  holdoutOf,
  labelTestOfAll,
  realRecords,
  shareOfOriginal,
} from './outsiders/real-neighbours.js'
import {
  firstRows,
  type PerReleased,
  separatingForest,
  separation,
  spreadOver,
  stacked,
} from './outsiders/separating-forest.js'
import { trainingShare } from './outsiders/training-share.js'

/**
 * Random-forest proximity: a forest learns to tell real records (training T and holdout H together) from released ones;
 * two records are as near as the share of trees in which they end in the same leaf. Are the real records nearest to the
 * released ones training records more often than the labels T and H dealt out at random would be?
 *   share* = (1/m) Σ_s #{most proximate real records of s that are in T} / #{most proximate real records of s}
 * with mean π0 = n_T / (n_T + n_H) and the variance of `exchangeability`, since the forest never sees the labels. A
 * distance that weighs columns by what matters (Breiman 2001), so it sees copies in a few columns among many. Blind where
 * the forest tells the two apart easily: leaves then hold real or released records, hardly both.
 */
const options = z.object({
  variables: distanceOptions.variables,
  trees: whole(500, { min: 10 }).describe('how many trees'),
  minNode: whole(10, { min: 1 }).describe('a node of at most so many draws is a leaf'),
  categorical: forest.options.shape.categorical,
})

export type Options = z.output<typeof options>

/** From this area under the curve on, leaves hardly mix real and released records. */
const TOLD_APART = 0.9

export const rfProximity = measure({
  id: 'rf-proximity',
  title: 'Random-forest proximity',
  summary: 'share of released records whose most proximate real record in a forest was used to make the release',
  ...DISTANCE_MEASURE,
  threat: 'memorisation',
  role: 'supports',
  profile: 'full',
  needs: ['holdout'],
  blindTo: 'everything where a forest tells real from released records easily',
  fooledBy: {
    'pad with noise': 'it is a share of released records, and most of them are noise',
  },
  stochastic: true,
  options,
  check: distanceProblems,
  compute,
  records: {
    releasedRecordsNearest: { riskier: 'higher', meaning: 'released records whose nearest original this is' },
  },
  sentence: ({ details: { share, expected, excess, outOfBag } }) =>
    `${percent(share)} of released records have a training record as their most proximate real one, ${percent(expected)} by chance: an excess of ${percent(excess)}${outOfBag.auc === null ? '' : ` (the forest tells real from released with AUC ${fixed(outOfBag.auc, 2)}; informative when near 0.5)`}`,
  tables: ({ details }) => [
    findingTable('importance', 'What the forest splits by', details.importance, [
      [column.text('column'), ({ name }) => name],
      [column.number('importance'), ({ value }) => value],
    ]),
  ],
  charts: ({ details, interval }, { name }) => [
    barChart(
      { name: 'share', title: `Most proximate real record is a training one: ${name}`, x: '', y: 'share of released' },
      [
        { label: 'this release', value: details.share, interval },
        { label: 'labels at random', value: details.expected, series: 'original' },
      ],
    ),
    lineChart(
      {
        name: 'proximities',
        title: `Greatest proximity of released records: ${name}`,
        x: 'share of trees with the same leaf',
        y: 'share of released records up to it',
      },
      details.quantiles.flatMap(({ share, training, holdout }) => [
        { x: training, y: share, series: 'to training' },
        { x: holdout, y: share, series: 'to holdout' },
      ]),
      { step: true },
    ),
  ],
})

export async function compute(subject: Subject, chosen: Options, context: Context) {
  const { release, part } = subject
  const space = releaseSpace(subject, { ...DEFAULT_DISTANCE, variables: chosen.variables })
  const { training, released } = space
  const holdout = holdoutOf(space)
  const features = stacked(
    (['original', 'holdout', part] as const).map((of) => tableOfPart(release, of)),
    space,
  )
  const model = await separatingForest(features, released.ids.length, chosen, context)
  const firstRow = firstRows(space, [training, holdout, released])
  const real = realRecords(space, holdout)
  const rowsAt = (points: Int32Array) => points.map((point) => firstRow[point])
  const found = proximities({
    model,
    real: selectRows(features, rowsAt(real.points)),
    records: real.records,
    inTraining: real.inTraining,
    released: selectRows(features, rowsAt(released.points)),
    times: released.records,
    progress: context.progress,
    signal: context.signal,
  })
  const test = labelTestOfAll(context, real, found.credit)
  const { details, ...finding } = trainingShare(test, shareOfOriginal(real))
  const perReleased = spreadOver(space, released, found)
  const outOfBag = separation(model, training.ids.length + holdout.ids.length)
  return {
    ...finding,
    added: () => creditBeyondMean(space, real, found.credit),
    details: {
      ...details,
      records: { training: training.ids.length, holdout: holdout.ids.length, released: released.ids.length },
      trees: chosen.trees,
      /** How well records not drawn for a tree are told apart: mean squared error, by chance, and area under the curve. */
      outOfBag,
      importance: model.importance,
      /** Quantiles over released records of the greatest proximity to a training and to a holdout record. */
      quantiles: proximityQuantiles(perReleased),
    },
    workings: { perReleased },
    warnings: [
      ...space.warnings,
      ...(outOfBag.auc !== null && outOfBag.auc >= TOLD_APART
        ? [`the forest tells real from released records (AUC ${fixed(outOfBag.auc, 2)}): proximity says little then`]
        : []),
    ],
    records: () => ({ releasedRecordsNearest: toRows(training, creditOf(space, training, real, found.credit)) }),
  }
}

const QUANTILES = Array.from({ length: 41 }, (_, k) => k / 40)

function proximityQuantiles({ greatestToTraining, greatestToHoldout }: PerReleased) {
  const training = quantiles(greatestToTraining, QUANTILES) ?? []
  const holdout = quantiles(greatestToHoldout, QUANTILES) ?? []
  return QUANTILES.map((share, k) => ({ share, training: training[k], holdout: holdout[k] }))
}
