import { normalQuantile } from '../../../stats/distributions.js'
import {
  type CoefficientEstimate,
  intervalOverlap,
} from '../../../utility/predictive/regression/coefficient-overlap.js'
import { regressionFidelity as own, regressionsBy } from '../../../utility/predictive/regression-fidelity.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'

export const regressionFidelity = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'no allowance for a larger release, lost coefficients left out',
    ...regressionsBy({ asEstimated: true, overlap: intervalOverlap }),
  },
  synthpop: {
    software: 'synthpop',
    version: '1.9-3',
    differs: '1 - |standardised difference| / 2z, may be negative',
    ...regressionsBy({ asEstimated: true, overlap: synthpopOverlap }),
  },
})

export function synthpopOverlap(x: CoefficientEstimate, y: CoefficientEstimate, level: number): number {
  const bias = x.standardError > 0 ? (y.estimate - x.estimate) / x.standardError : 0
  return 1 - Math.abs(bias) / (2 * normalQuantile((1 + level) / 2))
}
