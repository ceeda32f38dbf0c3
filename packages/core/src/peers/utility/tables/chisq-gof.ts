import { chiSquaredUpper } from '../../../stats/distributions.js'
import { total } from '../../../stats/sums.js'
import { type Coded, completeRows, countCells } from '../../../utility/tables/cells.js'
import { compute, chisqGof as own } from '../../../utility/tables/chisq-gof.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withUtilityFigures } from '../../figures.js'

/**
 * compare_chisq_gof tests the release against the original's shares as if these were known: twice as many alarms as it says
 * for files of equal size, and no number where a category is new.
 */
export const chisqGof = withUtilityFigures(own, {
  by: RISKUTILITY,
  compute: adding(compute, ({ details, workings: { classes } }) => ({
    columns: details.columns.map((column) => ({ ...column, riskutility: goodnessOfFit(classes.get(column.name)) })),
  })),
})

/** Missing values are left out. */
function goodnessOfFit(column: Coded = { columns: [], originals: 0, weights: null }) {
  const { original, released } = countCells(completeRows({ ...column, weights: null }))
  const [n1, n2] = [total(original), total(released)]
  const df = Math.max(0, original.length - 1)
  if (original.some((n) => n === 0) || df === 0 || n2 === 0) return { statistic: null, df, p: null, cramersV: null }
  let statistic = 0
  for (let cell = 0; cell < original.length; cell++) {
    const expected = (original[cell] / n1) * n2
    statistic += (released[cell] - expected) ** 2 / expected
  }
  return { statistic, df, p: chiSquaredUpper(statistic, df), cramersV: Math.sqrt(statistic / (n2 * df)) }
}
