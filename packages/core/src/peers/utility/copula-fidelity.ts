import { copulasBy, copulaFidelity as own } from '../../utility/multivariate/copula-fidelity.js'
import { withUtilityDefinitions } from '../definition.js'

/** The bare mean squared difference has no scale: between perfect dependence and none it is 0.011. */
export const copulaFidelity = withUtilityDefinitions(own, {
  riskutility: {
    software: 'riskutility',
    version: '0.2.0',
    differs: 'the mean squared difference itself, of records complete in all numbers',
    ...copulasBy((cvm) => cvm, 'complete'),
  },
})
