import { z } from 'zod'
import { panelLines } from '../../chart/comparison.js'
import { choice } from '../../option-kinds.js'
import { count, significant } from '../../print.js'
import { momentsOf, sampleQuantile } from '../../stats/samples/summaries.js'
import {
  expectedWasserstein,
  mergeSamples,
  type Sample,
  wasserstein as wassersteinOf,
} from '../../stats/samples/two-samples.js'
import { everyNumber } from '../counted-columns.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { columnsChart, columnsTable, columnwise, worstColumn } from './columns/by-column.js'
import { wassersteinP } from './columns/column-tests.js'
import { type NumberPair, numberPairs } from './columns/columns.js'
import { percentilePairs, percentilesOf } from './columns/percentiles.js'

/**
 * Wasserstein's distance of each number, W₁ = ∫ |F_X - F_Y| dx: how far, on average, values would have to be moved to turn the
 * released ones into the original ones, divided by the interquartile range of the original (its sd, then its range, where
 * that is 0). The headline is the mean over columns. Exact for any sizes, ties and weights. The p-value compares it with
 * draws of a Brownian bridge at the shares of the pooled values. Blind to relations between columns.
 */
const options = z.object({
  ...utilityOptions,
  scale: choice(['iqr', 'sd'], 'iqr').describe("what the distance is divided by, the original's: iqr or sd"),
})

type Options = z.output<typeof options>

export const wasserstein = utilityMeasure({
  id: 'wasserstein',
  title: 'Wasserstein distance of each number',
  summary: 'how far values of the release would have to be moved, in interquartile ranges',
  orientation: 'distance',
  scale: 'marginal',
  nothing: 'uniform',
  unit: 'distance',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'categories and all relations between columns',
  options,
  countedColumns: everyNumber,
  ...movedBy(({ x, y }) => exactDistance(x, y)),
  sentence: ({ value, details: { columns } }) => {
    const worst = worstColumn(columns)
    return `on average over ${count(columns.length, 'number')} values would move by ${significant(value ?? 0, 2)} interquartile ranges; most in ${worst.name}: ${significant(worst.value, 2)}`
  },
  tables: ({ details: { columns } }) => [columnsTable(columns)],
  charts: ({ details: { columns, percentiles } }, { name }) => [
    columnsChart(
      { name: 'wasserstein', title: `Wasserstein distance: ${name}`, x: 'W₁ in interquartile ranges' },
      columns,
    ),
    panelLines(
      { name: 'percentiles', title: `Percentile by percentile: ${name}`, x: 'original', y: 'release' },
      percentilePairs(percentiles),
    ),
  ],
})

/** The mean over columns of a distance between samples, in units of the original. */
export function movedBy(distance: (pair: NumberPair) => number) {
  const inUnits = (pair: NumberPair, { scale }: Options) => {
    const unit = unitOf(pair.x, scale)
    const moved = distance(pair)
    return {
      value: moved / unit,
      /** In the unit of the column. */
      distance: moved,
      scale: unit,
    }
  }
  return columnwise({
    items: numberPairs,
    value: (numbers, options: Options) => inUnits(numbers, options).value,
    column: (numbers, options, context) => {
      const merged = mergeSamples(numbers.x, numbers.y)
      const moved = inUnits(numbers, options)
      // Two samples both vary; an honest sample is compared with a fixed original.
      const fixed = merged === null ? 0 : Math.sqrt(merged.m / (merged.m + merged.n))
      return {
        name: numbers.name,
        ...moved,
        expected: merged === null ? null : (fixed * expectedWasserstein(merged)) / moved.scale,
        p: wassersteinP(numbers, context.random(`chance/${numbers.name}`)),
      }
    },
    test: 'W₁',
    details: (columns, pairs) => ({ columns, percentiles: percentilesOf(pairs, columns) }),
  })
}

function exactDistance(x: Sample, y: Sample): number {
  const merged = mergeSamples(x, y)
  return merged === null ? 0 : wassersteinOf(merged)
}

/** The interquartile range of the original; where that is 0 its sd, then its range, then 1. */
function unitOf(x: Sample, scale: 'iqr' | 'sd'): number {
  const iqr = sampleQuantile(x, 0.75) - sampleQuantile(x, 0.25)
  const range = x.values[x.values.length - 1] - x.values[0]
  return (scale === 'iqr' && iqr > 0 ? iqr : momentsOf(x)?.sd) || range || 1
}
