import { compute, rfProximity as own } from '../../../risk/distance/rf-proximity.js'
import { mean } from '../../../stats/sums.js'
import { signedRank } from '../../../stats/tests/wilcoxon.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'
import { PASSES_UP_TO, passes } from './passes.js'

/** Its verdict has no null distribution: a share up to 55 %, ties one half, and no significant difference. */
export const rfProximity = withFigures(own, {
  by: RISKUTILITY,
  literature: [
    {
      value: PASSES_UP_TO,
      meaning:
        'share up to which a release passes without a null distribution, meant for a holdout as large as the original',
      source: 'riskutility',
    },
  ],
  compute: adding(compute, ({ details, workings: { perReleased } }) => {
    const { greatestToTraining, greatestToHoldout, meanToTraining, meanToHoldout } = perReleased
    const maxShare = shareLarger(greatestToTraining, greatestToHoldout)
    const wilcoxonP = signedRank(greatestToTraining, greatestToHoldout, 'greater')?.p ?? null
    return {
      ...details,
      riskutility: {
        maxShare,
        maxRatio: ratioOfMeans(greatestToTraining, greatestToHoldout, 1 / details.trees),
        meanShare: shareLarger(meanToTraining, meanToHoldout),
        meanRatio: ratioOfMeans(meanToTraining, meanToHoldout, 0),
        wilcoxonP,
        pass: passes(maxShare, wilcoxonP),
      },
    }
  }),
})

function shareLarger(first: Float64Array, second: Float64Array): number {
  let sum = 0
  for (let i = 0; i < first.length; i++) sum += first[i] > second[i] ? 1 : first[i] === second[i] ? 0.5 : 0
  return sum / first.length
}

function ratioOfMeans(first: Float64Array, second: Float64Array, least: number): number | null {
  const below = mean(second) ?? 0
  return below > 0 && below >= least ? (mean(first) ?? 0) / below : null
}
