import { outliersBy, outliers as own } from '../../../utility/univariate/outliers.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'

/** A release that stretches its tails stretches its limits too, and has no more outliers than before. */
export const outliers = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'each file has limits of its own',
    ...outliersBy('each'),
  },
})
