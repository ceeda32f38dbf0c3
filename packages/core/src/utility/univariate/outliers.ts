import { z } from 'zod'
import { choice } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { columnsTable, columnwise, ratesChart, worstColumn } from './columns/by-column.js'
import { numberPairs } from './columns/columns.js'
import { type Outlying, outliersOf, robustOutliers, together } from './columns/robust-outliers.js'

/**
 * Outliers of each number: the share of values beyond limits that are the original's, in both files. Limits are the quartiles
 * ∓ 1.5 interquartile ranges (Tukey 1977), the mean ∓ 3 sd, or the median ∓ 3.5 MADs (Iglewicz and Hoaglin 1993); `robust` looks
 * at all numbers of a record together (`robust-outliers.ts`). The headline is
 * the mean over columns of the difference of the two shares. With limits of each file's own a release that stretches its
 * tails would have no more outliers than before. The details also have the share of values at the released maximum and
 * minimum: top and bottom coding. Blind to how far out outliers lie; see tail-fidelity.
 */
const options = z.object({
  ...utilityOptions,
  method: choice(['iqr', 'zscore', 'mad', 'robust'], 'iqr').describe(
    'what the limits are made from; robust: an ellipsoid of all numbers together',
  ),
})

export type Options = z.output<typeof options>

export const outliers = utilityMeasure({
  id: 'outliers',
  title: 'Share of outliers',
  summary: "how the share of values beyond the original's outlier limits changed",
  orientation: 'distance',
  nothing: 'uniform',
  unit: 'share',
  blindTo: 'how far out outliers lie, and combinations of ordinary values that are rare together',
  options,
  ...outliersBy('original'),
  sentence: ({ value, details }) => {
    const { columns } = details
    const worst = worstColumn(columns)
    if (details.method === 'robust')
      return `${percent(worst.released)} of the released records are outliers by all their numbers together, ${percent(worst.original)} of the original ones`
    return `the share of outliers in ${count(columns.length, 'number')} differs by ${percent(value ?? 0)} on average; ${worst.name} has ${percent(worst.released)} where the original has ${percent(worst.original)}`
  },
  tables: ({ details: { columns } }) => [columnsTable(columns)],
  charts: ({ details: { columns } }, { name }) => [
    ratesChart(
      { name: 'outliers', title: `Share of values beyond the original's limits: ${name}`, x: 'share' },
      columns,
    ),
  ],
})

/** @param limits those of the original for both files, or of each file its own */
export function outliersBy(limits: 'original' | 'each') {
  return columnwise({
    items: (pair, { method }: Options, { seed }) => {
      if (method === 'robust') return { pairs: [together(robustOutliers(pair, limits, seed))] }
      const { pairs, skipped } = numberPairs(pair)
      return { pairs: pairs.map((numbers) => outliersOf(numbers, method, limits)), skipped }
    },
    value: ({ value }) => value,
    column: (outlying) => outlying,
    test: 'the share',
    details: (columns, _, { method }) => ({ method, columns }),
    warnings: (_, columns) => columns.flatMap(codingWarnings),
  })
}

/** More of a column at one end than this, and several times more than in the original, looks like top or bottom coding. */
const CODED_SHARE = 0.01
const CODED_TIMES = 3

function codingWarnings({ name, atMaximum, atMinimum }: Outlying): string[] {
  const isCoded = ([original, released]: readonly [number, number]) =>
    released > CODED_SHARE && released > CODED_TIMES * original
  return [
    ...(isCoded(atMaximum) ? [`${percent(atMaximum[1])} of "${name}" is at its maximum: it looks top-coded`] : []),
    ...(isCoded(atMinimum) ? [`${percent(atMinimum[1])} of "${name}" is at its minimum: it looks bottom-coded`] : []),
  ]
}
