import { percent } from '../../../print.js'
import { attackOn } from '../../../risk/attribution/counts/attack.js'
import { tcap as own, tcapFinding } from '../../../risk/attribution/tcap.js'
import { withDefinitions } from '../../definition.js'
import { RISKUTILITY, riskutilityWording } from './riskutility.js'

const WARNS_ABOVE = 0.1

export const tcap = withDefinitions(own, {
  riskutility: {
    software: 'riskutility',
    version: '0.2.0',
    differs: "that package's missing values, target groups and 0 for an undefined conditional share",
    compute: (subject, chosen) => {
      const { details, ...finding } = tcapFinding(attackOn(subject, chosen, RISKUTILITY), chosen.kind, 0)
      const certain = details.certain.share ?? 0
      return {
        ...finding,
        details: { ...details, riskutility: riskutilityWording(details.ratio) },
        warnings: [
          ...finding.warnings,
          ...(details.conditional.of === 0
            ? ['no key shows one target value in the release: the conditional share is undefined, riskutility prints 0']
            : []),
          ...(certain > WARNS_ABOVE
            ? [`${percent(certain)} of matched records are disclosed for certain (riskutility warns above 10 %)`]
            : []),
        ],
      }
    },
  },
})
