import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { figureTable } from '../../evidence/finding-table.js'
import { type Predictions, predictionsAt } from '../../learners/predictions.js'
import type { Context } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { fixed } from '../../print.js'
import { holding, type Interval } from '../../stats/intervals.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  crossFit,
  crossFitOnce,
  fitQuestion,
  knownRows,
  learnerOption,
  predictRows,
  questionOf,
} from './prediction/prediction.js'
import { resampleSkills, type SkillOf, skillOf } from './prediction/skill.js'
import { withSources } from './prediction/verbatim.js'

/**
 * The two by two table of what a model learnt from and what it is tested on, as skills of `skill.ts`:
 *
 *                      tested on the original    tested on the release
 *   learnt from it            TRTR                     TRTS
 *   learnt from release       TSTR                     TSTS
 *
 * TRTR and TSTS are cross-fitted: no record is predicted by a model that saw it. The headline is |TSTS - TRTS|: what a model
 * finds in the release that models of the original do not find there is structure that the release made up; how well a
 * release can be predicted within itself says nothing about its use, for nonsense can be perfectly regular. What was kept is
 * told by `tstr`. Repeated records make TSTS too good: that too is made up.
 */
const options = z.object({
  ...utilityOptions,
  learner: learnerOption,
  draws: whole(500, { min: 0, max: 10_000 }).describe('resamples of the released records for the interval'),
})

type Options = z.output<typeof options>

export const modelPerformance = utilityMeasure({
  id: 'model-performance',
  title: 'Model performance within and between files',
  summary: 'structure that models find in the release and that models of the original do not find there',
  orientation: 'distance',
  scale: null,
  nothing: 'independent',
  mostRows: 2000,
  needs: ['target'],
  unit: 'score',
  range: [0, Number.POSITIVE_INFINITY],
  stochastic: true,
  varies: ['release'],
  blindTo: 'structure that was lost, and relations that do not involve the target',
  options,
  statistic: async (pair, chosen, context) => {
    const { trts, tsts } = await withinRelease(pair, chosen, context)
    return trts === null || tsts === null ? null : Math.abs(tsts - trts)
  },
  compute,
  sentence: ({ details: { trtr, tstr, trts, tsts, metric } }) =>
    `within the release models reach ${metric} ${fixed(tsts, 3)}, where models of the original reach ${fixed(trts, 3)}${trtr === null || tstr === null ? '' : `; on the originals ${fixed(tstr, 3)} and ${fixed(trtr, 3)}`}`,
  tables: ({ details: { trtr, tstr, trts, tsts, metric } }) => [
    figureTable('models', `Trained on and tested on (${metric})`, { trtr, tstr, trts, tsts }),
  ],
  charts: ({ details: { trtr, tstr, trts, tsts, metric } }, { name }) => [
    barChart(
      {
        name: 'two-by-two',
        title: `What models reach: ${name}`,
        grey: 'learnt from the original',
        blue: 'learnt from the release',
        x: 'tested on',
        y: metric,
      },
      [
        { label: 'original', value: trtr, series: 'original' },
        { label: 'original', value: tstr, series: 'release' },
        { label: 'release', value: trts, series: 'original' },
        { label: 'release', value: tsts, series: 'release' },
      ],
    ),
  ],
})

async function compute(pair: Pair, chosen: Options, context: Context) {
  const question = questionOf(pair, chosen)
  const { trts, tsts, kind, skills: within, records } = await withinRelease(pair, chosen, context)
  if (trts === null || tsts === null) throw new NotApplicable('the target has the same value in all released records')
  const real = await crossFitOnce(question, pair.original, context)
  const released = knownRows(pair.released, question.target)
  const model = await fitQuestion(question, pair.released, released, 'release', context)
  const value = Math.abs(tsts - trts)
  const { difference } = resampleSkills(within, records, null, chosen.draws, (draw) => context.random('records', draw))
  return {
    value,
    interval: difference === null ? null : ofSize(difference, value),
    details: {
      trtr: skillOf(real.predictions)(null),
      tstr: skillOf(await predictRows(question, model, pair.original, real.rows))(null),
      trts,
      tsts,
      metric: kind === 'numbers' ? 'R²' : '2 AUC - 1',
      learner: chosen.learner,
    },
  }
}

/** The interval of a difference, turned into one of its size. */
function ofSize(difference: Interval, value: number): Interval | null {
  const { lower, upper } = difference
  const [a, b] = [Math.abs(lower), Math.abs(upper)]
  const least = lower <= 0 && upper >= 0 ? 0 : Math.min(a, b)
  return holding({ ...difference, lower: least, upper: Math.max(a, b) }, value)
}

interface WithinRelease {
  /** Learnt from the release, and from the original. */
  readonly skills: readonly SkillOf[]
  readonly records: number
  readonly trts: number | null
  readonly tsts: number | null
  readonly kind: Predictions['kind']
}

/**
 * Records drawn from the original keep the fold of their source, so that no copy of a record is predicted by a model that saw
 * another; models of the original predict them cross-fitted too.
 */
async function withinRelease(files: Pair, chosen: Options, context: Context): Promise<WithinRelease> {
  const pair = withSources(files)
  const question = questionOf(pair, chosen)
  const real = await crossFitOnce(question, pair.original, context)
  const released = knownRows(pair.released, question.target)
  if (pair.drawn === null) {
    const model = await fitQuestion(question, pair.original, real.rows, 'original', context)
    const synthetic = await crossFit(question, pair.released, context)
    return scored(await predictRows(question, model, pair.released, released), synthetic.predictions)
  }
  const { drawn } = pair
  const placeOf = new Int32Array(pair.original.rows).fill(-1)
  real.rows.forEach((row, place) => {
    placeOf[row] = place
  })
  const places = released.map((row) => placeOf[drawn[row]])
  const folds = places.map((place) => real.folds[place])
  const synthetic = await crossFit(question, pair.released, context, folds)
  return scored(predictionsAt(real.predictions, places), synthetic.predictions)
}

function scored(real: Predictions, synthetic: Predictions): WithinRelease {
  const skills = [skillOf(synthetic), skillOf(real)]
  const [tsts, trts] = skills.map((skill) => skill(null))
  return { trts, tsts, kind: real.kind, skills, records: real.truth.length }
}
