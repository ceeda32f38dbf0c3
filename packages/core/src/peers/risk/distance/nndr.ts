import { column, findingTable } from '../../../evidence/finding-table.js'
import { releaseSpace, type Side } from '../../../neighbors/release-space.js'
import { nearestDistances } from '../../../neighbors/tasks.js'
import { nndr as own } from '../../../risk/distance/nndr.js'
import { SUSPICIOUS } from '../../../risk/distance/outsiders/distance-ratios.js'
import { holdoutOf } from '../../../risk/distance/outsiders/real-neighbours.js'
import { median, quantiles } from '../../../stats/quantile.js'
import { mean } from '../../../stats/sums.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'

const RATIO_FROM = 0.8
const SUSPICIOUS_UP_TO = 0.05

const besideRatios = adding(own.compute, async ({ details }, subject, chosen, context) => {
  const space = releaseSpace(subject, chosen)
  const ratiosTo = async (side: Side) =>
    ratiosOf(await nearestDistances(context, space, side, space.released.ids, { k: 2 }))
  const [toTraining, toHoldout] = [await ratiosTo(space.training), await ratiosTo(holdoutOf(space))]
  const [training, holdout] = [summaryOf(toTraining), summaryOf(toHoldout)]
  const suspicious = toTraining.reduce((count, ratio) => count + (ratio < SUSPICIOUS ? 1 : 0), 0)
  const suspiciousShare = toTraining.length > 0 ? suspicious / toTraining.length : 0
  const ratio = training.p5 === null || holdout.p5 === null || holdout.p5 === 0 ? null : training.p5 / holdout.p5
  return {
    ...details,
    riskutility: {
      training,
      holdout,
      /** 5 % quantile for training over that for holdout; null when the latter is 0. */
      ratio,
      suspicious,
      suspiciousShare,
      pass: ratio !== null && ratio >= RATIO_FROM && suspiciousShare <= SUSPICIOUS_UP_TO,
    },
  }
})

/** All records, equal ones counted one by one, whatever the sizes of the sides. */
export const nndr = withFigures(own, {
  by: RISKUTILITY,
  literature: [
    { value: SUSPICIOUS_UP_TO, meaning: 'share of ratios below 0.1 that passes, uncalibrated', source: 'riskutility' },
  ],
  compute: besideRatios,
  tables: ({ details: { riskutility } }) => [
    findingTable(
      'quantiles',
      'Ratio of the nearest to the second nearest distance',
      Object.entries({ training: riskutility.training, holdout: riskutility.holdout }),
      [
        [column.text(''), ([who]) => who],
        [column.number('mean'), ([, { mean }]) => mean],
        [column.number('median'), ([, { median }]) => median],
        [column.number('5 %'), ([, { p5 }]) => p5],
        [column.number('10 %'), ([, { p10 }]) => p10],
      ],
    ),
  ],
})

/** 0 at an equal record, else the nearest over the second-nearest distance; records without two are left out. */
function ratiosOf(pairs: Float64Array): Float64Array {
  const ratios = new Float64Array(pairs.length / 2)
  for (let k = 0; k < ratios.length; k++) ratios[k] = pairs[2 * k] === 0 ? 0 : pairs[2 * k] / pairs[2 * k + 1]
  return ratios.filter((ratio) => !Number.isNaN(ratio))
}

function summaryOf(ratios: Float64Array) {
  const [p5, p10] = quantiles(ratios, [0.05, 0.1]) ?? [null, null]
  return { mean: mean(ratios), median: median(ratios), p5, p10 }
}
