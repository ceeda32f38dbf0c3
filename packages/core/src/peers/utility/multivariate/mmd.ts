import { mmdBy, mmd as own } from '../../../utility/multivariate/mmd.js'
import { unbiased } from '../../../utility/multivariate/pairs/pair-means.js'
import { completePair } from '../../../utility/pair.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'
import { withoutDates } from '../without-dates.js'

export const mmd = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'over pairs of different complete records, unbiased, may be negative; without dates',
    ...withoutDates(mmdBy({ files: completePair, headline: unbiased, isKnown: false })),
  },
})
