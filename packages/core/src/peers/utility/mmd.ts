import { mmdBy, mmd as own, unbiased } from '../../utility/multivariate/mmd.js'
import { completePair } from '../../utility/pair.js'
import { RISKUTILITY, withUtilityDefinitions } from '../definition.js'

export const mmd = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'over pairs of different complete records, unbiased, may be negative',
    ...mmdBy({ files: completePair, headline: unbiased, isKnown: false }),
  },
})
