import { compute, pmse as own } from '../../../utility/global/pmse.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withUtilityFigures } from '../../figures.js'

/** The same scores under the names of synthpop 1.9-3 and of riskutility, whose PO50 is a percentage of all records. */
export const pmse = withUtilityFigures(own, {
  by: RISKUTILITY,
  literature: [
    { value: 0.01, meaning: 'excellent below', source: 'riskutility vignette, propscore' },
    { value: 0.05, meaning: 'good below', source: 'riskutility vignette, propscore' },
    { value: 0.1, meaning: 'poor above', source: 'riskutility vignette, propscore' },
  ],
  compute: adding(compute, ({ details, workings: { z } }) => {
    const { pmse: pMSE, specks: SPECKS, po50, u: U, df, nulls } = details
    return {
      ...details,
      synthpop: { pMSE, S_pMSE: nulls.conditional.ratio, SPECKS, PO50: po50, U },
      riskutility: {
        pMSE,
        pMSE_ratio: df === null ? nulls.twoSample.ratio : nulls.conditional.ratio,
        S_pMSE: z,
        SPECKS,
        PO50: po50 + 50,
      },
    }
  }),
})
