import { recordLinkage as own } from '../../../risk/linkage/record-linkage.js'
import { adding, withFigures } from '../../figures.js'

const PASSES_UP_TO = 0.1

/** Null where nobody has a record in the release. */
export const recordLinkage = withFigures(own, {
  by: { software: 'riskutility', version: '0.1.0' },
  literature: [
    { value: PASSES_UP_TO, meaning: 'mean linkage risk up to which a release passes', source: 'riskutility 0.1.0' },
  ],
  compute: adding(own.compute, ({ value, details }) => ({
    ...details,
    riskutility: value === null || details.claims !== null ? null : { pass: value <= PASSES_UP_TO },
  })),
})
