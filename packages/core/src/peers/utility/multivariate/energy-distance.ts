import { energyBy, energyDistance as own, unbiased } from '../../../utility/multivariate/energy-distance.js'
import { completePair } from '../../../utility/pair.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'
import { withoutDates } from '../without-dates.js'

/** It grows with the number of columns, and an honest sample has no expectation that theory tells. */
export const energyDistance = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: '2 m_XY - m_XX - m_YY over pairs of different complete records, at least 0; without dates',
    ...withoutDates(
      energyBy({ files: completePair, headline: (means) => Math.max(0, unbiased(means)), isKnown: false }),
    ),
  },
})
