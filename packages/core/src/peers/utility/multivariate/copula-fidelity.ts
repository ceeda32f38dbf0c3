import { copulasBy, copulaFidelity as own } from '../../../utility/multivariate/copula-fidelity.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'
import { withoutDates } from '../without-dates.js'

/** The bare mean squared difference has no scale: between perfect dependence and none it is 0.011. */
export const copulaFidelity = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'the mean squared difference itself, of records complete in all numbers, without dates',
    ...withoutDates(copulasBy((cvm) => cvm, 'complete')),
  },
})
