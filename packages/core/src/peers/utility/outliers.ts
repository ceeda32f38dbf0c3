import { outliersBy, outliers as own } from '../../utility/univariate/outliers.js'
import { withUtilityDefinitions } from '../definition.js'

/** A release that stretches its tails stretches its limits too, and has no more outliers than before. */
export const outliers = withUtilityDefinitions(own, {
  riskutility: {
    software: 'riskutility',
    version: '0.2.0',
    differs: 'each file has limits of its own',
    ...outliersBy('each'),
  },
})
