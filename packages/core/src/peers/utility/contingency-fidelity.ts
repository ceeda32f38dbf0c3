import { classesOf, completeRows, pairWeights } from '../../utility/tables/cells.js'
import { categoricalNames } from '../../utility/tables/columns-to-cross.js'
import { contingencyFidelity as own, tablesOf } from '../../utility/tables/contingency-fidelity.js'
import { RISKUTILITY, withUtilityDefinitions } from '../definition.js'

export const contingencyFidelity = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'categorical columns only, and only records without missing values in them',
    ...tablesOf((pair, { groups }) =>
      completeRows({
        columns: categoricalNames(pair).map((name) => classesOf(pair.release, 0, name, groups)),
        originals: pair.original.rows,
        weights: pairWeights(pair),
      }),
    ),
  },
})
