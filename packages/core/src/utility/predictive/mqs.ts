import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, barsOver } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { valuesAt } from '../../learners/predictions.js'
import type { Context } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { count, fixed, percent, precise } from '../../print.js'
import { sampleWithReplacement } from '../../random/sampling.js'
import { holding, type Interval, percentileInterval } from '../../stats/intervals.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type Qualities, qualities, qualityOf } from './prediction/model-quality.js'
import { LEARNERS } from './prediction/prediction.js'

/**
 * Model quality score: is the target as predictable within the release as within the original? Cross-fitted models of each file
 * alone; per learner the ratio RMSE_Y / RMSE_X of a number, or accuracy_X / accuracy_Y of a class, as riskutility's mqs; the
 * headline is the mean over learners of |ln ratio|, 0 for equal quality. A ratio above 1 means that the release is harder to
 * predict, below 1 that it is easier, which is as wrong: an invented perfect relation makes it easy. So it says nothing
 * about use on its own; `tstr` asks whether what is learnt from the release holds in the original.
 */
const options = z.object({
  ...utilityOptions,
  learners: z
    .array(z.enum(LEARNERS))
    .min(1)
    .default(['cart'])
    .describe('what predicts; the ratio is averaged over them'),
  draws: whole(200, { min: 0, max: 10_000 }).describe('resamples of the records of both files for the interval'),
})

export type Options = z.output<typeof options>

/** Ratios further from 1 than this are called lower or better quality there. */
const RISKUTILITY_MARGIN = 0.05

export const mqs = utilityMeasure({
  id: 'mqs',
  title: 'Model quality score',
  summary: 'whether the target is as predictable within the release as within the original',
  orientation: 'distance',
  scale: null,
  nothing: 'independent',
  mostRows: 2000,
  profile: 'full',
  stochastic: true,
  needs: ['target'],
  varies: ['people', 'release'],
  unit: 'distance',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'whether the relations in the release are those of the original',
  options,
  statistic: async (pair, chosen, context) => {
    const found = await qualities(pair, chosen, context)
    return found === null ? null : headline(found)
  },
  compute: async (pair, chosen, context) => {
    const found = await qualities(pair, chosen, context)
    const details = {
      target: pair.target,
      metric: found?.metric ?? ('accuracy' as const),
      learners: found?.learners ?? [],
      /** Mean over learners, as riskutility reports it. */
      ratio: found === null ? 1 : found.learners.reduce((sum, { ratio }) => sum + ratio, 0) / found.learners.length,
    }
    return found === null
      ? { value: null, reason: 'models of one of the files are never, or always, right', interval: null, details }
      : { value: headline(found), interval: intervalOf(found, chosen.draws, context), details }
  },
  literature: [
    {
      value: math.log(1 + RISKUTILITY_MARGIN),
      meaning: 'below: comparable quality',
      source: 'riskutility 0.2.0, mqs',
    },
  ],
  sentence: ({ details: { metric, learners, ratio } }) => {
    const [first] = learners
    const shown = (value: number) => (metric === 'accuracy' ? percent(value) : precise(value, 3))
    return `the ${metric} of a model within the release is ${shown(first.released)}, within the original ${shown(first.original)}; over ${count(learners.length, 'learner')} the ratio of errors is ${fixed(ratio, 3)}`
  },
  tables: ({ details: { learners, metric } }) => [
    findingTable('learners', `By learner (${metric})`, learners, [
      [column.text('learner'), ({ learner }) => learner],
      [column.number('original'), ({ original }) => original],
      [column.number('released'), ({ released }) => released],
      [column.number('ratio'), ({ ratio }) => ratio],
    ]),
  ],
  charts: ({ details: { learners, metric, target } }, { name }) => [
    barChart(
      { name: 'qualities', title: `Models of ${target} within each file: ${name}`, x: '', y: metric },
      barsOver(learners, 'learner', { original: 'original', released: 'release' }),
    ),
  ],
})

function headline({ learners }: Pick<Qualities, 'learners'>): number {
  return learners.reduce((sum, { ratio }) => sum + Math.abs(math.log(ratio)), 0) / learners.length
}

/** From resampled records of both files; models are not fitted again, so it is of these models. */
function intervalOf({ metric, losses, learners }: Qualities, draws: number, context: Context): Interval | null {
  const values: number[] = []
  for (let draw = 0; draw < draws; draw++) {
    const random = context.random('records', draw)
    const drawn = losses.map((sides) =>
      sides.map((side) => {
        const rows = sampleWithReplacement(random, side.length, side.length)
        return qualityOf(metric, valuesAt(side, rows))
      }),
    )
    if (drawn.every(([x, y]) => x > 0 && y > 0))
      values.push(drawn.reduce((sum, [x, y]) => sum + Math.abs(math.log(y / x)), 0) / drawn.length)
  }
  return holding(percentileInterval(values), headline({ learners }))
}
