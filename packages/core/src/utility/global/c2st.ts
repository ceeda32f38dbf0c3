import { z } from 'zod'
import { lineChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { choice, whole } from '../../option-kinds.js'
import { fixed, precise } from '../../print.js'
import { normalQuantile, normalUpper } from '../../stats/distributions.js'
import { INTERVAL_ENDS, INTERVAL_LEVEL } from '../../stats/levels.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { givenAwayChart } from './propensity/column-shares.js'
import { crossFitted, EVEN } from './propensity/cross-fitted-scores.js'

/**
 * Classifier two-sample test (Lopez-Paz and Oquab 2017): can a flexible learner that has never seen a record tell
 * whether it is a released or an original one? Records of both files are dealt into folds; each fold is scored by a model
 * of the others. The area under the curve, averaged over folds, is ½ when nothing tells them apart, 1 when everything does.
 * For records that no model has seen its variance would be (N + 1) / (12 n₁ n₂); folds are not independent, since a record
 * that tests one model trains the others, and with K folds the variance is taken (1 + K / (K - 1)) times as large (Nadeau
 * and Bengio 2003).
 * Less than ½ is no utility but a warning: released records that repeat original ones mislead the learner.
 * Blind to what the learner does not find in so many records.
 */
const options = z.object({
  ...utilityOptions,
  learner: choice(['boosting', 'forest'], 'boosting').describe('gradient boosting or a random forest'),
  folds: whole(5, { min: 2, max: 50 }).describe('parts that records are dealt into'),
})
export type Options = z.output<typeof options>

export const c2st = utilityMeasure({
  id: 'c2st',
  title: 'Classifier two-sample test',
  summary: 'how well a learner tells released records from original ones that it has not seen',
  orientation: 'distance',
  nothing: 'independent',
  mostRows: 3000,
  nothingDraws: 2,
  unit: 'AUC',
  varies: ['people', 'release'],
  blindTo: 'what the learner does not find in so many records',
  stochastic: true,
  options,
  statistic: async (pair, chosen, context) => (await crossFitted(pair, chosen, context))?.auc ?? null,
  compute,
  citations: ['lopezpaz2017'],
  sentence: ({ value, utility }) =>
    `a learner tells released from original records with an AUC of ${fixed(value ?? EVEN, 3)}; ${EVEN} would be guessing${utility?.test ? ` (p = ${precise(utility.test.p, 2)})` : ''}`,
  tables: ({ details }) => [
    findingTable('columns', 'What the files are told apart by', details.columns, [
      [column.text('column'), ({ name }) => name],
      [column.number('importance'), ({ value }) => value],
    ]),
  ],
  charts: ({ details }, { name }) => [
    lineChart(
      {
        name: 'roc',
        title: `Telling released from original records: ${name}`,
        x: 'share of original records taken for released ones',
        y: 'share of released records found',
      },
      [
        ...details.roc.map(({ falseAlarms, found }) => ({ x: falseAlarms, y: found, series: 'this release' })),
        { x: 0, y: 0, series: 'guessing' },
        { x: 1, y: 1, series: 'guessing' },
      ],
    ),
    givenAwayChart(details.columns, 'share of what the learner finds', name),
  ],
})

async function compute(pair: Pair, chosen: Options, context: Context) {
  const found = await crossFitted(pair, chosen, context)
  const details = { learner: chosen.learner, perFold: [], standardError: 0, columns: [], roc: [] }
  if (found === null) return { value: null, reason: 'there are too few records to keep some unseen', details }
  const { original, released } = pair
  const folds = found.perFold.length
  const unseen = (original.rows + released.rows + 1) / (12 * original.rows * released.rows)
  const standardError = Math.sqrt(unseen * (1 + folds / (folds - 1)))
  const half = normalQuantile(INTERVAL_ENDS[1]) * standardError
  return {
    value: found.auc,
    interval: {
      lower: Math.max(0, found.auc - half),
      upper: Math.min(1, found.auc + half),
      level: INTERVAL_LEVEL,
      method: 'normal, standard error of no difference',
    },
    test: { p: normalUpper((found.auc - EVEN) / standardError), what: 'area under the curve of unseen records' },
    expected: {
      value: EVEN,
      power: null,
      cv: standardError / EVEN,
      perfect: EVEN,
      what: 'another sample of the same population',
    },
    details: {
      ...details,
      perFold: found.perFold,
      standardError,
      columns: found.columns,
      roc: rocOf(found.scores, original.rows),
    },
  }
}

const ROC_POINTS = 50

/** At equal steps of the share of original records that are taken for released ones. */
function rocOf(scores: Float64Array, originals: number) {
  const [own, released] = [scores.slice(0, originals).sort(), scores.slice(originals).sort()]
  return Array.from({ length: ROC_POINTS + 1 }, (_, k) => {
    const falseAlarms = k / ROC_POINTS
    if (k === ROC_POINTS) return { falseAlarms, found: 1 }
    const cut = own[Math.min(originals - 1, Math.floor((1 - falseAlarms) * originals))]
    let found = 0
    for (const score of released) if (score > cut) found++
    return { falseAlarms, found: k === 0 ? 0 : found / released.length }
  })
}
