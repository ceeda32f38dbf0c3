import { z } from 'zod'
import { lineChart, linesOver } from '../../chart/chart.js'
import { figureTable } from '../../evidence/finding-table.js'
import { choice, real, whole } from '../../option-kinds.js'
import { fixed } from '../../print.js'
import { countUpTo } from '../../stats/sorted.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { missingOption, withoutMissing } from './propensity/missing-values.js'
import { propensityScores } from './propensity/propensity-scores.js'
import { scoreStatistics } from './propensity/propensity-statistics.js'

/**
 * SPECKS (Bowen, Liu and Su 2021): the Kolmogorov-Smirnov distance between the propensity scores of released and of original
 * records, 0 when nothing tells them apart, 1 when everything does. On the records that a model was fitted to it is
 * never 0, which is why the value for an honest sample stands beside it; a p-value of the Kolmogorov-Smirnov test would
 * reject always, and there is none. riskutility's `specks` grows a tree with rpart's defaults (cp 0.01, leaves of 7, splits of 20),
 * which is then decided by cp: the default here is logistic regression.
 * Blind to what the model cannot express.
 */
const options = z.object({
  ...utilityOptions,
  model: choice(['logit', 'cart', 'forest'], 'logit').describe(
    'logit: logistic regression; cart: a tree, in-sample, as riskutility; forest: out-of-bag scores of a random forest',
  ),
  order: z
    .union([z.literal('auto'), z.literal(1), z.literal(2)])
    .default('auto')
    .describe('logit: 1 for main effects, 2 for products of two variables as well; auto: as for pmse'),
  missing: missingOption,
  cp: real(0.01, { min: 0 }).describe('cart: complexity'),
  minbucket: whole(7, { min: 1 }).describe('cart: fewest records of a leaf'),
  minsplit: whole(20, { min: 2 }).describe('cart: fewest records of a node that is split'),
  trees: whole(100, { min: 10, max: 100_000 }).describe('forest: how many trees'),
})

export const specks = utilityMeasure({
  id: 'specks',
  title: 'SPECKS',
  summary: 'largest distance between the propensity scores of released and original records',
  orientation: 'distance',
  nothing: 'independent',
  mostRows: 3000,
  nothingDraws: 4,
  subsampleSize: 'release',
  unit: 'distance',
  blindTo: 'what the propensity model cannot express',
  options,
  statistic: async (pair, chosen, context) => {
    const { scores, originals } = await propensityScores(withoutMissing(pair, chosen.missing), chosen, context)
    return scoreStatistics(scores, originals).specks
  },
  compute: async (pair, chosen, context) => {
    const fitted = await propensityScores(withoutMissing(pair, chosen.missing), chosen, context)
    const { scores, originals, warnings } = fitted
    const statistics = scoreStatistics(scores, originals)
    return {
      value: statistics.specks,
      details: { ...statistics, model: chosen.model, curves: curvesOf(scores, originals) },
      warnings,
    }
  },
  citations: ['bowen2021'],
  literature: [
    { value: 0.05, meaning: 'excellent below', source: 'riskutility 0.1.0, specks' },
    { value: 0.1, meaning: 'good below', source: 'riskutility 0.1.0, specks' },
    { value: 0.3, meaning: 'poor above', source: 'riskutility 0.1.0, specks' },
  ],
  sentence: ({ value, controls }) =>
    `the scores of released and original records are at most ${fixed(value ?? 0, 3)} apart${controls?.honest === undefined ? '' : `, those of an honest sample ${fixed(controls.honest.value, 3)}`}`,
  tables: ({ details: { specks, po50, u, auc, pmse, standardised } }) => [
    figureTable('figures', 'What tells the files apart, by the same scores', {
      SPECKS: specks,
      PO50: po50,
      U: u,
      AUC: auc,
      pMSE: pmse,
      'standardised pMSE': standardised,
    }),
  ],
  charts: ({ details }, { name }) => [
    lineChart(
      {
        name: 'scores',
        title: `Scores of released and original records: ${name}`,
        x: 'probability of being a released record',
        y: 'share of records at or below',
      },
      linesOver(details.curves, 'score', { original: 'original', released: 'release' }),
      { step: true },
    ),
  ],
})

const POINTS = 100

function curvesOf(scores: Float64Array, originals: number) {
  const parts = [scores.slice(0, originals).sort(), scores.slice(originals).sort()]
  const at = (of: Float64Array, score: number) => countUpTo(of, score) / of.length
  const least = Math.min(parts[0][0], parts[1][0])
  const most = Math.max(parts[0][parts[0].length - 1], parts[1][parts[1].length - 1])
  return Array.from({ length: POINTS + 1 }, (_, k) => {
    const score = least + ((most - least) * k) / POINTS
    return { score, original: at(parts[0], score), released: at(parts[1], score) }
  })
}
