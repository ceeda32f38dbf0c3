import { percent } from '../../../print.js'
import { attackOn } from '../../../risk/attribution/counts/attack.js'
import { weap as own, RISKUTILITY_WARNS_ABOVE, weapFinding } from '../../../risk/attribution/weap.js'
import { RISKUTILITY, withDefinitions } from '../../definition.js'
import { RISKUTILITY_UNGROUPED } from './riskutility.js'

export const weap = withDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'a numeric target is not grouped, records with a missing value are left out',
    compute: (subject, chosen) => {
      const finding = weapFinding(attackOn(subject, chosen, RISKUTILITY_UNGROUPED, subject.part))
      const { disclosiveShare } = finding.details
      const isMuch = disclosiveShare > RISKUTILITY_WARNS_ABOVE
      const warning = `${percent(disclosiveShare)} of records have WEAP 1 (riskutility warns above 10 %)`
      return { ...finding, warnings: [...finding.warnings, ...(isMuch ? [warning] : [])] }
    },
  },
})
