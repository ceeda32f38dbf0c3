import { z } from 'zod'
import { panelLines } from '../../chart/comparison.js'
import { count } from '../../print.js'
import { quantileSorted } from '../../stats/quantile.js'
import { momentsOf, sampleQuantile } from '../../stats/summaries.js'
import {
  expectedWasserstein,
  mergeSamples,
  type Sample,
  wasserstein as wassersteinOf,
} from '../../stats/two-samples.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  type ColumnDistance,
  columnsChart,
  meanOver,
  skippedWarnings,
  testOver,
  withAdjusted,
  worstColumn,
} from './by-column.js'
import { wassersteinP } from './column-tests.js'
import { type NumberPair, numberPairs } from './columns.js'
import { type Percentiles, percentilePairs, percentilesOf } from './percentiles.js'

/**
 * Wasserstein's distance of each number, W₁ = ∫ |F_X - F_Y| dx: how far, on average, values would have to be moved to turn the
 * released ones into the original ones, divided by the interquartile range of the original (its sd, then its range, where
 * that is 0). The headline is the mean over columns. Exact for any sizes, ties and weights. The p-value compares it with
 * draws of a Brownian bridge at the shares of the pooled values. Blind to relations between columns.
 */
const options = z.object({
  ...utilityOptions,
  scale: z.enum(['iqr', 'sd']).default('iqr').describe("what the distance is divided by, the original's: iqr or sd"),
  definition: z
    .enum(['scrim', 'riskutility'])
    .default('scrim')
    .describe('riskutility: mean gap of type-7 quantiles at 1,000 equally spaced probabilities'),
})

type WassersteinColumn = ColumnDistance & {
  /** In the unit of the column. */
  readonly distance: number
  readonly scale: number
}

type Details = {
  readonly columns: readonly WassersteinColumn[]
  readonly percentiles: readonly Percentiles[]
}

export const wasserstein = utilityMeasure({
  id: 'wasserstein',
  version: 1,
  title: 'Wasserstein distance of each number',
  summary: 'how far values of the release would have to be moved, in interquartile ranges',
  orientation: 'distance',
  scale: 'marginal',
  nothing: 'uniform',
  needs: [],
  unit: 'distance',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'categories and all relations between columns',
  options,
  statistic: (pair, given) => meanOver(numberPairs(pair).pairs.map((one) => distanceOf(one, given))),
  compute: (pair, given, context) => {
    const { pairs, skipped } = numberPairs(pair)
    const columns = withAdjusted(
      pairs.map((one) => {
        const merged = mergeSamples(one.x, one.y)
        const found = distanceOf(one, given)
        // Two samples both vary; an honest sample is compared with a fixed original.
        const fixed = merged === null ? 0 : Math.sqrt(merged.m / (merged.m + merged.n))
        return {
          name: one.name,
          ...found,
          expected: merged === null ? null : (fixed * expectedWasserstein(merged)) / found.scale,
          p: wassersteinP(one, context.random(`chance/${one.name}`)),
        }
      }),
    )
    const details: Details = { columns, percentiles: percentilesOf(pairs, columns) }
    return {
      value: meanOver(columns),
      interval: null,
      test: testOver(columns, 'W₁'),
      details,
      warnings: skippedWarnings(skipped),
    }
  },
  thresholds: { literature: [] },
  sentence: ({ value, details: { columns } }) => {
    const worst = worstColumn(columns)
    return `on average over ${count(columns.length, 'number')} values would move by ${digits(value ?? 0)} interquartile ranges; most in ${worst.name}: ${digits(worst.value)}`
  },
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

const digits = (value: number) => Number(value.toPrecision(2)).toString()

function distanceOf({ x, y }: NumberPair, { scale, definition }: z.output<typeof options>) {
  const unit = unitOf(x, scale)
  const merged = mergeSamples(x, y)
  const exact = merged === null ? 0 : wassersteinOf(merged)
  const distance = definition === 'scrim' ? exact : quantileGrid(x.values, y.values)
  return { value: distance / unit, distance, scale: unit }
}

/** The interquartile range of the original; where that is 0 its sd, then its range, then 1. */
function unitOf(x: Sample, scale: 'iqr' | 'sd'): number {
  const iqr = sampleQuantile(x, 0.75) - sampleQuantile(x, 0.25)
  const range = x.values[x.values.length - 1] - x.values[0]
  return (scale === 'iqr' && iqr > 0 ? iqr : momentsOf(x)?.sd) || range || 1
}

const GRID = 1000

function quantileGrid(x: Float64Array, y: Float64Array): number {
  let total = 0
  for (let k = 0; k < GRID; k++) {
    const p = k / (GRID - 1)
    total += Math.abs((quantileSorted(x, p) ?? 0) - (quantileSorted(y, p) ?? 0))
  }
  return total / GRID
}
