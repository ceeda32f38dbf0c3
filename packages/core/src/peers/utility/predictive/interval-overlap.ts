import { overlapsBy, intervalOverlapMeasure as own } from '../../../utility/predictive/interval-overlap.js'
import { intervalJaccard } from '../../../utility/predictive/regression/coefficient-overlap.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'

export const intervalOverlapMeasure = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'overlap over the hull (Jaccard), each file resampled at its own size',
    ...overlapsBy({ overlap: intervalJaccard, asLargeAs: 'itself' }),
  },
})
