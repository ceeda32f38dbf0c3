import { z } from 'zod'
import { dumbbellChart } from '../../chart/chart.js'
import { choice } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { mad, median } from '../../stats/quantile.js'
import { momentsOf, sampleQuantile } from '../../stats/summaries.js'
import type { Sample } from '../../stats/two-samples.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type ColumnDistance, columnsTable, columnwise, worstColumn } from './by-column.js'
import { homogeneity } from './column-tests.js'
import { type NumberPair, numberPairs } from './columns.js'
import { type RobustOutliers, robustOutliers } from './robust-outliers.js'
import { shareBeyond } from './tails.js'

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

type Options = z.output<typeof options>

type OutlierColumn = ColumnDistance & {
  readonly lower: number
  readonly upper: number
  readonly original: number
  readonly released: number
  /** Values beyond the limits, each counted once. */
  readonly counts: readonly [number, number]
  /** Share of values equal to the greatest and to the least of the release, in both files: [original, release]. */
  readonly atMaximum: readonly [number, number]
  readonly atMinimum: readonly [number, number]
}

type Outlying = Omit<OutlierColumn, 'adjusted'>

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
    dumbbellChart(
      { name: 'outliers', title: `Share of values beyond the original's limits: ${name}`, x: 'share', y: '' },
      [...columns]
        .sort((a, b) => b.value - a.value)
        .slice(0, 40)
        .map((column) => ({ label: column.name, original: column.original, release: column.released })),
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

/** All numbers as one column, by distance from the centre. */
function together({ limit, counts, sizes }: RobustOutliers): Outlying {
  const [original, released] = counts.map((count, k) => count / sizes[k])
  return {
    name: 'all numbers together',
    lower: 0,
    upper: limit,
    counts,
    atMaximum: [0, 0],
    atMinimum: [0, 0],
    ...compared('all numbers together', { original, released }, sizes),
  }
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

function outliersOf({ name, x, y }: NumberPair, method: Options['method'], whose: 'original' | 'each'): Outlying {
  const limits = limitsOf(x, method)
  const limitsOfRelease = whose === 'original' ? limits : limitsOf(y, method)
  const beyond = (sample: Sample, { lower, upper }: Limits) =>
    shareBeyond(sample, upper, 'upper') + shareBeyond(sample, lower, 'lower')
  const [original, released] = [beyond(x, limits), beyond(y, limitsOfRelease)]
  const counted = (sample: Sample, { lower, upper }: Limits) =>
    sample.values.reduce((sum, value) => sum + (value < lower || value > upper ? 1 : 0), 0)
  const counts = [counted(x, limits), counted(y, limitsOfRelease)] as const
  const sizes = [x.values.length, y.values.length] as const
  const end = (value: number) => [shareAt(x, value), shareAt(y, value)] as const
  return {
    name,
    ...limits,
    counts,
    atMaximum: end(y.values[y.values.length - 1]),
    atMinimum: end(y.values[0]),
    ...compared(name, { original, released }, sizes),
  }
}

/** Two shares of files of these sizes. */
function compared(
  name: string,
  { original, released }: { readonly original: number; readonly released: number },
  [n1, n2]: readonly [number, number],
) {
  const test = homogeneity({
    name,
    labels: ['beyond', 'within'],
    original: Float64Array.of(original * n1, (1 - original) * n1),
    released: Float64Array.of(released * n2, (1 - released) * n2),
    n1,
    n2,
  })
  return {
    value: Math.abs(released - original),
    original,
    released,
    expected: Math.sqrt((2 * original * (1 - original)) / (Math.PI * n2)),
    p: test?.p ?? null,
  }
}

type Limits = { readonly lower: number; readonly upper: number }

function limitsOf(sample: Sample, method: Options['method']): Limits {
  if (method === 'iqr') {
    const [q1, q3] = [sampleQuantile(sample, 0.25), sampleQuantile(sample, 0.75)]
    return { lower: q1 - 1.5 * (q3 - q1), upper: q3 + 1.5 * (q3 - q1) }
  }
  const moments = momentsOf(sample)
  const centre = method === 'zscore' ? (moments?.mean ?? 0) : (median(sample.values) ?? 0)
  const reach = method === 'zscore' ? 3 * (moments?.sd ?? 0) : 3.5 * (mad(sample.values) ?? 0)
  return { lower: centre - reach, upper: centre + reach }
}

function shareAt(sample: Sample, value: number): number {
  return Math.max(0, 1 - shareBeyond(sample, value, 'upper') - shareBeyond(sample, value, 'lower'))
}
