import { classifiedBy, mia as own } from '../../../risk/membership/mia.js'
import { withDefinitions } from '../../definition.js'

/** Folds that learn from the same holdout are tied to each other: it alarms a little too often. */
export const mia = withDefinitions(
  own,
  {
    riskutility: {
      software: 'riskutility',
      version: '0.2.0',
      differs:
        'from the holdout records of other folds and as many released ones (alarms a little too often), and cuts levels in the order of the file',
      compute: classifiedBy('holdout'),
    },
  },
  { what: 'the forest learns from all released records and the real ones of other folds' },
)
