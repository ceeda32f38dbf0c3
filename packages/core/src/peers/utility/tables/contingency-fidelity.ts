import {
  type Classes,
  type Coded,
  type Crossable,
  classesOf,
  completeRows,
  isConstant,
  pairWeights,
} from '../../../utility/tables/cells.js'
import { categoricalNames } from '../../../utility/tables/columns-to-cross.js'
import { contingencyFidelity as own, tablesOf } from '../../../utility/tables/contingency-fidelity.js'
import { RISKUTILITY, withUtilityDefinitions } from '../../definition.js'
import { codedFor, MOSTLYAI_QA, SDMETRICS } from './report-classes.js'

export const contingencyFidelity = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'categorical columns only, and only records without missing values in them',
    ...tablesOf((pair, { groups }) => {
      const complete = completeRows({
        columns: categoricalNames(pair).map((name) => classesOf(pair.release, 0, name, groups)),
        originals: pair.original.rows,
        weights: pairWeights(pair),
      })
      return recordsOf({
        ...complete,
        columns: complete.columns.filter((column) => !isConstantInEach(column, complete.originals)),
      })
    }),
  },
  sdmetrics: {
    software: 'SDMetrics',
    version: '0.32.0',
    differs:
      'numbers in ten classes of equal width over the range of the original; 1 less this is its ContingencySimilarity',
    ...tablesOf((pair) => recordsOf(codedFor(SDMETRICS, pair))),
  },
  'mostlyai-qa': {
    software: 'mostlyai-qa',
    version: '1.10.11',
    differs:
      'original and holdout together are compared with, numbers at ten of their quantiles, ten levels and the rest; 1 less this is its bivariate accuracy, with ways=3 its trivariate one',
    ...tablesOf((pair) => recordsOf(codedFor(MOSTLYAI_QA, pair))),
  },
})

/** All columns of the same records. */
function recordsOf(coded: Coded): Crossable {
  return { columns: coded.columns, together: (columns) => ({ ...coded, columns }) }
}

/** riskutility also leaves out a column with one level in the original and another one in the release. */
function isConstantInEach({ codes }: Classes, originals: number): boolean {
  return [codes.subarray(0, originals), codes.subarray(originals)].every((file) => isConstant({ codes: file }))
}
