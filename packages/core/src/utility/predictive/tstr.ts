import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import type { Context } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { fixed } from '../../print.js'
import { holding } from '../../stats/intervals.js'
import { type Pair, weightsOf } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { learnerOption } from './prediction/prediction.js'
import { resampleSkills, skillOf } from './prediction/skill.js'
import { compared } from './prediction/tested-models.js'

/**
 * Train on synthetic, test on real (Esteban, Hyland and Rätsch 2017): a model of the target is learnt from the release and
 * predicts the originals; beside it each original is predicted by the same learner from the other folds of the original
 * (TRTR). With skills S of `skill.ts`, on the same records,
 *
 *   value = S(TSTR) / S(TRTR):  1 as good as the original, 0 nothing was kept, negative: misleading
 *
 * The interval resamples the records that are predicted (500 times); it does not know that another release would give another
 * model. Where the original itself predicts no better than chance there is nothing to keep, and no value.
 *
 * With a holdout both models are tested on it, and the second one learns from all originals. A released file that is larger than the original is used up to its size; what all of it gives is in the details. A
 * release that consists of originals is tested on the others (`verbatim.ts`), as are files that are drawn for comparison; records
 * that are merely close to originals are rewarded here, and found by the measures of memorisation.
 */
const options = z.object({
  ...utilityOptions,
  learner: learnerOption,
  draws: whole(500, { min: 0, max: 10_000 }).describe('resamples of the predicted records for the interval'),
})

export type Options = z.output<typeof options>

export const tstr = utilityMeasure({
  id: 'tstr',
  title: 'Train on synthetic, test on real',
  summary: 'how well models learnt from the release predict the original, beside models learnt from the original',
  orientation: 'utility',
  scale: 'joint',
  nothing: 'independent',
  mostRows: 5000,
  needs: ['target'],
  unit: 'ratio',
  range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  stochastic: true,
  varies: ['people'],
  blindTo: 'relations that do not involve the target, and what the learner cannot express',
  options,
  statistic: async (pair, chosen, context) => {
    const { own, real } = await compared(pair, chosen, context)
    const [s, r] = [skillOf(own)(null), skillOf(real)(null)]
    return s === null || r === null || r <= 0 ? null : s / r
  },
  compute,
  citations: ['esteban2017'],
  literature: [
    { value: 0.95, meaning: 'above: excellent', source: 'riskutility' },
    { value: 0.8, meaning: 'above: good', source: 'riskutility' },
  ],
  sentence: ({ details: { tstr: own, trtr, metric } }) =>
    `models learnt from the release reach ${metric} ${fixed(own, 3)} on the originals, models learnt from other originals ${fixed(trtr, 3)}`,
  charts: ({ details }, { name, targets }) => [
    barChart(
      {
        name: 'skills',
        title: `Skill on originals by what a model learnt from: ${targets[0]?.name ?? name}`,
        subtitle: '0 is chance, 1 perfect',
        grey: 'learnt from other originals',
        blue: 'learnt from the release',
        x: '',
        y: details.metric,
      },
      (targets.length > 0 ? targets.flatMap(({ details: one }) => one ?? []) : [details]).flatMap((target) => [
        { label: target.target, value: target.trtr, series: 'original' as const, interval: target.trtrInterval },
        { label: target.target, value: target.tstr, series: 'release' as const, interval: target.tstrInterval },
      ]),
    ),
  ],
})

async function compute(pair: Pair, chosen: Options, context: Context) {
  const { own, real, all, tested, rows, trained, question } = await compared(pair, chosen, context)
  const skills = [skillOf(own), skillOf(real)]
  const weights = weightsOf(tested, question.weight, rows)
  const [s, r] = skills.map((skill) => skill(weights))
  if (s === null || r === null) throw new NotApplicable('the target has the same value in all originals')
  const { intervals, ratio } = resampleSkills(skills, rows.length, weights, chosen.draws, (draw) =>
    context.random('records', draw),
  )
  const known = intervals[1] === null ? r > 0 : intervals[1].lower > 0
  const value = known ? s / r : null
  return {
    value,
    ...(value === null
      ? { reason: `even the original predicts "${pair.target}" no better than chance, so there is nothing to keep` }
      : {}),
    interval: value === null ? null : holding(ratio, value),
    details: {
      target: pair.target,
      metric: own.kind === 'numbers' ? 'R²' : '2 AUC - 1',
      learner: chosen.learner,
      /** Skills on the same originals. */
      tstr: s,
      tstrInterval: intervals[0],
      trtr: r,
      trtrInterval: intervals[1],
      /** With all records of a release that is larger than the original; null otherwise. */
      tstrAll: all === null ? null : skillOf(all)(weights),
      ratio: value,
      tested: rows.length,
      testedOn: pair.outside === null ? 'originals' : 'holdout',
      trained,
    },
  }
}
