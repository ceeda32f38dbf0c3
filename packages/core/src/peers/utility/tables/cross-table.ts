import { math } from '@scrim/kernels'
import { chiSquaredUpper } from '../../../stats/distributions.js'
import { total } from '../../../stats/sums.js'
import { type Coded, completeRows, countCells } from '../../../utility/tables/cells.js'
import { compute, crossTable as own } from '../../../utility/tables/cross-table.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withUtilityFigures } from '../../figures.js'

/** chisq_utility: one record in a cell that the original lacks adds 1e10 to chi2. */
export const crossTable = withUtilityFigures(own, {
  by: RISKUTILITY,
  compute: adding(compute, ({ details: { worst, shares, ...details }, workings }) => ({
    ...details,
    riskutility: chisqUtility(completeRows(workings)),
    worst,
    shares,
  })),
})

const FLOOR = 1e-10

/** Of records without missing values; expectations are the original's shares, at least 1e-10. */
function chisqUtility(table: Coded) {
  const { original, released } = countCells(table)
  const [n1, n2] = [total(original), total(released)]
  if (n1 === 0 || n2 === 0) return null
  const sum = 1 + original.length * FLOOR
  let [chi2, FT, G, JSD, known] = [0, 0, 0, 0, 0]
  for (let cell = 0; cell < original.length; cell++) {
    const observed = released[cell]
    const expected = Math.max((original[cell] / n1) * n2, FLOOR)
    if (original[cell] > 0) known++
    chi2 += (observed - expected) ** 2 / expected
    FT += 4 * (Math.sqrt(observed) - Math.sqrt(expected)) ** 2
    if (observed > 0) G += 2 * observed * math.log(observed / expected)
    const [p, q] = [(original[cell] / n1 + FLOOR) / sum, (observed / n2 + FLOOR) / sum]
    const middle = (p + q) / 2
    JSD += (p * math.log(p / middle) + q * math.log(q / middle)) / 2
  }
  const df = known - 1
  const VW = (chi2 - df) / n2
  const p = df > 0 ? chiSquaredUpper(chi2, df) : 1
  return { chi2, df, p, VW, FT, G, JSD, pct_utility: 100 * math.exp(-10 * Math.abs(VW)) }
}
