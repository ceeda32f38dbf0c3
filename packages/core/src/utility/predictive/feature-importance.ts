import { z } from 'zod'
import { barChart, barsOver } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import type { Context } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { permutation, sampleWithReplacement } from '../../random/sampling.js'
import { holding, type Interval, percentileInterval } from '../../stats/intervals.js'
import { rankCorrelation } from '../../stats/samples/ranks.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { permutationPValue } from '../../stats/tests/tests.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { learnerOption } from './prediction/prediction.js'
import { importances, type Losses } from './prediction/shuffled-columns.js'

/**
 * Would somebody who explains the target with the release name the same columns? The importance of a column is the skill that
 * a model loses on originals when the column is permuted among them (Breiman 2001; Fisher, Rudin and Dominici 2019), for models
 * learnt from the release (vY) and, cross-fitted, from the original (vX), with the same permutations. With losses below 0 set to 0,
 *
 *   value = 1 - Σ |vX - vY| / (Σ vX + Σ vY):  1 the same importance in the same units, 0 nothing in common
 *
 * Also the rank correlation with its permutation p-value, which for few columns tells little. Without a value where the model
 * of the original rests on no column (total importance not above 0 by two standard errors). Columns that can stand in for each
 * other share their importance in any way.
 */
const options = z.object({
  ...utilityOptions,
  learner: learnerOption,
  shuffles: whole(5, { min: 2, max: 1000 }).describe('permutations of each column'),
})

export type Options = z.output<typeof options>

type FeatureImportance = {
  readonly column: string
  readonly original: number
  readonly release: number
  readonly difference: number
}

export const featureImportance = utilityMeasure({
  id: 'feature-importance',
  title: 'Agreement of feature importance',
  summary: 'whether models learnt from the release rest on the columns that models of the original rest on',
  orientation: 'utility',
  scale: null,
  nothing: 'independent',
  mostRows: 1000,
  needs: ['target'],
  unit: 'share',
  profile: 'full',
  stochastic: true,
  varies: ['attacker'],
  blindTo: 'how columns matter, and columns that stand in for each other',
  options,
  statistic: async (pair, chosen, context) => {
    const { x, y } = await importances(pair, chosen, context)
    return agreement(meansOf(x), meansOf(y))
  },
  compute,
  sentence: ({ details: { agreement: found, columns } }) =>
    `importance of columns agrees by ${percent(found ?? 0)}; most important in the original is ${columns[0].column}, in the release ${mostImportant(columns)}`,
  tables: ({ details }) => [
    findingTable('columns', 'Importance of the columns', details.columns, [
      [column.text('column'), (one) => one.column],
      [column.number('original'), ({ original }) => original],
      [column.number('release'), ({ release }) => release],
      [column.number('difference'), ({ difference }) => difference],
    ]),
  ],
  charts: ({ details }, { name }) => [
    barChart(
      {
        name: 'importance',
        title: `Skill on originals that a model loses without a column: ${name}`,
        grey: 'models of the original',
        blue: 'models of the release',
        x: '',
        y: 'skill lost',
      },
      barsOver(details.columns.slice(0, MOST_SHOWN), 'column', { original: 'original', release: 'release' }),
    ),
  ],
})

const MOST_SHOWN = 15
const INTERVAL_DRAWS = 200
const RANK_PERMUTATIONS = 999

function mostImportant(columns: readonly FeatureImportance[]): string {
  return columns.reduce((most, one) => (one.release > most.release ? one : most)).column
}

async function compute(pair: Pair, chosen: Options, context: Context) {
  const { x, y, question } = await importances(pair, chosen, context)
  const [ofX, ofY] = [meansOf(x), meansOf(y)]
  const totals = Array.from({ length: chosen.shuffles }, (_, k) => x.reduce((sum, one) => sum + one[k], 0))
  const error = (standardDeviation(totals) ?? 0) / Math.sqrt(totals.length)
  const isFounded = (mean(totals) ?? 0) > 2 * error
  const found = isFounded ? agreement(ofX, ofY) : null
  const columns = question.predictors
    .map((column, j) => ({ column, original: ofX[j], release: ofY[j], difference: ofY[j] - ofX[j] }))
    .sort((a, b) => b.original - a.original)
  const rank = spearman(ofX, ofY)
  return {
    value: found,
    ...(found === null
      ? { reason: `models of the original do not rest on any column to predict "${pair.target}"` }
      : {}),
    interval: found === null ? null : shuffleInterval(x, y, found, context),
    details: {
      agreement: found,
      spearman: rank,
      spearmanP: rank === null ? null : rankP(ofX, ofY, rank, context),
      learner: chosen.learner,
      /** Most important in the original first. */
      columns,
    },
  }
}

function meansOf(all: Losses): number[] {
  return all.map((one) => mean(one) ?? 0)
}

/** Null where neither model rests on anything. */
export function agreement(x: readonly number[], y: readonly number[]): number | null {
  const clipped = (values: readonly number[]) => values.map((value) => Math.max(0, value))
  const [a, b] = [clipped(x), clipped(y)]
  const total = a.reduce((sum, value, j) => sum + value + b[j], 0)
  if (total === 0) return null
  return 1 - a.reduce((sum, value, j) => sum + Math.abs(value - b[j]), 0) / total
}

/** Over the shuffles, drawn with replacement. */
function shuffleInterval(x: Losses, y: Losses, value: number, context: Context): Interval | null {
  const found: number[] = []
  for (let draw = 0; draw < INTERVAL_DRAWS; draw++) {
    const chosen = sampleWithReplacement(context.random('shuffles', draw), x[0].length, x[0].length)
    const means = (of: Losses) => of.map((one) => chosen.reduce((sum, k) => sum + one[k], 0) / chosen.length)
    const one = agreement(means(x), means(y))
    if (one !== null) found.push(one)
  }
  return holding(percentileInterval(found), value)
}

/** Rank correlation; null with fewer than three columns or where all are equal. */
export function spearman(x: readonly number[], y: readonly number[]): number | null {
  return rankCorrelation(Float64Array.from(x), Float64Array.from(y))
}

function rankP(x: readonly number[], y: readonly number[], observed: number, context: Context): number {
  const permuted = Array.from({ length: RANK_PERMUTATIONS }, (_, k) => {
    const order = permutation(context.random('ranks', k), y.length)
    const moved = Array.from(order, (j) => y[j])
    return spearman(x, moved) ?? 0
  })
  return permutationPValue(observed, permuted)
}
