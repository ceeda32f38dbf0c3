import { type Classes, classesOf, pairWeights } from '../../utility/tables/cells.js'
import { categoricalNames } from '../../utility/tables/columns-to-cross.js'
import { contingencyFidelity as own, tablesOf } from '../../utility/tables/contingency-fidelity.js'
import { RISKUTILITY, withUtilityDefinitions } from '../definition.js'

export const contingencyFidelity = withUtilityDefinitions(own, {
  riskutility: {
    ...RISKUTILITY,
    differs: 'categorical columns only, and only records without missing values in them',
    ...tablesOf((pair, { groups }) =>
      completeRows(
        categoricalNames(pair).map((name) => classesOf(pair.release, 0, name, groups)),
        pair.original.rows,
        pairWeights(pair),
      ),
    ),
  },
})

function completeRows(columns: readonly Classes[], originals: number, weights: Float64Array | null) {
  const rows = Int32Array.from((columns[0]?.codes ?? new Int32Array()).keys()).filter((row) =>
    columns.every(({ codes }) => codes[row] >= 0),
  )
  return {
    columns: columns.map((column) => ({ ...column, codes: rows.map((row) => column.codes[row]) })),
    originals: rows.filter((row) => row < originals).length,
    weights: weights === null ? null : Float64Array.from(rows, (row) => weights[row]),
  }
}
