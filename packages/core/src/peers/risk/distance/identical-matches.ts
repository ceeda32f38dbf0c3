import { identicalMatches as own } from '../../../risk/distance/identical-matches.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'

const PASSES_BELOW = 0.01
const SERIOUS_FROM = 0.05

/** Its level is that of the identical match share; repu, the share that equal a unique original, has a pass of its own. */
export const identicalMatches = withFigures(own, {
  by: RISKUTILITY,
  literature: [
    { value: PASSES_BELOW, meaning: 'share from which risk is called elevated', source: 'riskutility' },
    { value: SERIOUS_FROM, meaning: 'share from which risk is called serious', source: 'riskutility' },
  ],
  compute: adding(own.compute, ({ details }) => {
    const [ims, repu] = [details.identical.share, details.identicalToUnique.share]
    return {
      ...details,
      riskutility: {
        imsPass: ims < PASSES_BELOW,
        level: ims < PASSES_BELOW ? 'PASS' : ims < SERIOUS_FROM ? 'ELEVATED' : 'SERIOUS',
        repuPass: repu < PASSES_BELOW,
      },
    }
  }),
})
