import type { Subject } from '../../../measure.js'
import {
  attackerFinding,
  type Options,
  attackerRisk as own,
  type Risks,
} from '../../../risk/frequency/attacker-risk.js'
import { RISKUTILITY, withDefinitions } from '../../definition.js'

export const attackerRisk = withDefinitions(
  own,
  {
    riskutility: {
      ...RISKUTILITY,
      differs: 'the formulas of riskutility 0.2.0',
      compute: (subject: Subject, chosen: Options) => {
        const finding = attackerFinding(subject, chosen, (counted) => riskutilityRisks(counted, chosen))
        const { prosecutor, journalist, marketer } = finding.details
        return { ...finding, value: Math.max(prosecutor.average, journalist.average, marketer) }
      },
    },
    sdcmicro: {
      software: 'sdcMicro',
      version: '5.8.2',
      differs: "all-missing records counted as sdcMicro's freqCalc does",
      compute: (subject: Subject, chosen: Options) => attackerFinding(subject, chosen, undefined, 'sdcmicro'),
    },
  },
  { name: 'standard' },
)

/** What riskutility assumes without being told. */
const ASSUMED_FRACTION = 0.01

/** riskutility: the journalist's risk is the prosecutor's times the sampling fraction, the marketer's is the prosecutor's. */
function riskutilityRisks(counted: Float64Array, { samplingFraction }: Options): Risks {
  const fraction = samplingFraction ?? ASSUMED_FRACTION
  const prosecutor = counted.map((size) => 1 / size)
  const journalist = counted.map((size) => fraction / size)
  const notes =
    samplingFraction === null
      ? [`no samplingFraction was given; riskutility would assume ${ASSUMED_FRACTION}, and so does this definition`]
      : []
  return { prosecutor, journalist, marketer: prosecutor, plugIn: journalist, leastAverage: 0, notes }
}
