import { type Classes, classesOf, completeRows, pairWeights } from '../../utility/tables/cells.js'
import { categoricalNames } from '../../utility/tables/columns-to-cross.js'
import { isConstant, contingencyFidelity as own, tablesOf } from '../../utility/tables/contingency-fidelity.js'
import { RISKUTILITY, withUtilityDefinitions } from '../definition.js'

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
      return {
        ...complete,
        columns: complete.columns.filter((column) => !isConstantInEach(column, complete.originals)),
      }
    }),
  },
})

/** riskutility also leaves out a column with one level in the original and another one in the release. */
function isConstantInEach({ codes }: Classes, originals: number): boolean {
  return [codes.subarray(0, originals), codes.subarray(originals)].every((file) => isConstant({ codes: file }))
}
