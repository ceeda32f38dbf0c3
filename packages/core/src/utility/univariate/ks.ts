import { panelLines } from '../../chart/comparison.js'
import { count, percent } from '../../print.js'
import { largestGap, mergeSamples } from '../../stats/samples/two-samples.js'
import { everyNumber } from '../counted-columns.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'
import { columnsChart, columnsTable, columnwise, worstColumn } from './columns/by-column.js'
import { smirnovTest } from './columns/column-tests.js'
import { type NumberPair, numberPairs } from './columns/columns.js'
import { percentilePoints, percentilesOf } from './columns/percentiles.js'

/**
 * Kolmogorov and Smirnov's D = max |F_X - F_Y| of each number: the largest share of records that lies on the wrong side of
 * some value. Weighted where there are weights. The headline is the mean over columns. p is exact for few values; where
 * values repeat it comes from draws of a Brownian bridge, Kolmogorov's table being too cautious there. Blind to how far
 * values moved, and to relations between columns.
 */
/** Mean of max |B| over Brownian bridges, √(π / 2) ln 2. */
const MEAN_OF_LARGEST = Math.sqrt(Math.PI / 2) * Math.LN2

export const ks = utilityMeasure({
  id: 'ks',
  title: 'Kolmogorov-Smirnov distance of each number',
  summary: 'the largest gap between the distribution functions of a number',
  orientation: 'distance',
  nothing: 'uniform',
  unit: 'distance',
  blindTo: 'how far values moved, categories, and relations between columns',
  options: plainOptions,
  countedColumns: everyNumber,
  ...columnwise({
    items: numberPairs,
    value: (numbers) => gapOf(numbers).d,
    column: (numbers, _options, context) => {
      const { d, at, n } = gapOf(numbers)
      const p = smirnovTest(numbers, context.random(`chance/${numbers.name}`))
      return { name: numbers.name, value: d, at, expected: n > 0 ? MEAN_OF_LARGEST / Math.sqrt(n) : null, p }
    },
    test: 'D',
    details: (columns, pairs) => ({ columns, percentiles: percentilesOf(pairs, columns) }),
  }),
  sentence: ({ value, details: { columns } }) => {
    const worst = worstColumn(columns)
    return `distribution functions of ${count(columns.length, 'number')} are ${percent(value ?? 0)} apart at most, on average; ${worst.name} ${percent(worst.value)}`
  },
  tables: ({ details: { columns } }) => [columnsTable(columns)],
  charts: ({ details: { columns, percentiles } }, { name }) => [
    columnsChart(
      {
        name: 'ks',
        title: `Kolmogorov-Smirnov distance: ${name}`,
        x: 'largest difference of the distribution functions',
      },
      columns,
    ),
    panelLines(
      { name: 'distribution-functions', title: `Distribution functions: ${name}`, x: 'value', y: 'share at or below' },
      percentilePoints(percentiles),
    ),
  ],
})

function gapOf({ x, y }: NumberPair) {
  const merged = mergeSamples(x, y)
  return merged === null ? { d: 0, at: 0, n: 0 } : { ...largestGap(merged), n: merged.n }
}
