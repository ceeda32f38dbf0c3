import { math } from '@scrim/kernels'
import { panelHistograms, panelLines } from '../../chart/comparison.js'
import { count, percent } from '../../print.js'
import { recordsOf } from '../../stats/repeated.js'
import { sampleQuantile } from '../../stats/samples/summaries.js'
import type { Sample } from '../../stats/samples/two-samples.js'
import { largestFirst } from '../../stats/sorted.js'
import { everyNumber } from '../counted-columns.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'
import { columnsChart, columnsTable, columnwise, worstColumn } from './columns/by-column.js'
import { type NumberPair, numberPairs } from './columns/columns.js'
import { divergenceOf } from './columns/density-divergence.js'

/**
 * Densities of each number, estimated with a Gaussian kernel of Silverman's bandwidth in each file, and what of one lies
 * outside the other, ½ ∫ |f - g| dx, in [0, 1]; the headline is the mean over columns. The details have the Jensen-Shannon
 * divergence in nats too. Densities are integrated and are 0 beyond the values of their file, where riskutility 0.2.0 sums
 * without the width of a step and drops such places. Blind to heaps narrower than the bandwidth, and to relations.
 */
type Curve = {
  readonly name: string
  readonly x: readonly number[]
  readonly original: readonly number[]
  readonly released: readonly number[]
  readonly bins: readonly {
    readonly lower: number
    readonly upper: number
    readonly original: number
    readonly released: number
  }[]
}

const MOST_COLUMNS = 12
/** Of the 512 places of a density every fourth is drawn. */
const THIN = 4

export const densityDifference = utilityMeasure({
  id: 'density-difference',
  title: 'Difference of densities',
  summary: 'the part of the density of a number that lies outside that of the original',
  orientation: 'distance',
  nothing: 'uniform',
  unit: 'share',
  blindTo: 'heaps narrower than the bandwidth, categories, and relations between columns',
  options: plainOptions,
  countedColumns: everyNumber,
  ...columnwise({
    items: (pair) => {
      const { pairs, skipped } = numberPairs(pair)
      return { pairs: pairs.map((numbers) => ({ ...numbers, ...divergenceOf(numbers.x, numbers.y) })), skipped }
    },
    value: ({ outside }) => outside,
    column: ({ name, jsd, outside }) => ({ name, value: outside, jsd, expected: null, p: null }),
    details: (columns, pairs) => ({
      columns,
      curves: largestFirst(pairs, ({ outside }) => outside)
        .slice(0, MOST_COLUMNS)
        .map((numbers) => {
          const [f, g] = numbers.curves
          const drawn = (heights: Float64Array) => Array.from(heights).filter((_, k) => k % THIN === 0)
          const x = drawn(f.heights.map((_, k) => f.from + k * f.step))
          return {
            name: numbers.name,
            x,
            original: drawn(f.heights),
            released: drawn(g.heights),
            bins: binsOf(numbers),
          }
        }),
    }),
  }),
  sentence: ({ value, details: { columns } }) => {
    const worst = worstColumn(columns)
    return `${percent(value ?? 0)} of the density of ${count(columns.length, 'number')} lies elsewhere, on average; of ${worst.name} ${percent(worst.value)}`
  },
  tables: ({ details: { columns } }) => [columnsTable(columns)],
  charts: ({ details: { columns, curves } }, { name }) => [
    columnsChart(
      { name: 'density-difference', title: `Difference of densities: ${name}`, x: 'share elsewhere' },
      columns,
    ),
    panelLines(
      { name: 'densities', title: `Densities: ${name}`, x: 'value', y: 'density' },
      curves.flatMap(({ name: panel, x, original, released }) =>
        x.flatMap((place, k) => [
          { panel, file: 'original' as const, x: place, y: original[k] },
          { panel, file: 'release' as const, x: place, y: released[k] },
        ]),
      ),
    ),
    panelHistograms(
      { name: 'histograms', title: `Histograms: ${name}`, x: 'value', y: 'share' },
      curves.flatMap(({ name: panel, bins }) =>
        bins.flatMap(({ lower, upper, original, released }) => [
          { panel, file: 'original' as const, lower, upper, share: original },
          { panel, file: 'release' as const, lower, upper, share: released },
        ]),
      ),
    ),
  ],
})

const MOST_BINS = 40

/** Common bins of Freedman and Diaconis's (1981) width for both files together, between the 1st and 99th percentile. */
function binsOf({ x, y }: NumberPair): Curve['bins'] {
  const ends = [x, y].flatMap((sample) => [sampleQuantile(sample, 0.01), sampleQuantile(sample, 0.99)])
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  if (!(to > from)) return []
  const iqr =
    (sampleQuantile(x, 0.75) - sampleQuantile(x, 0.25) + sampleQuantile(y, 0.75) - sampleQuantile(y, 0.25)) / 2
  const usual = (2 * iqr) / math.cbrt(recordsOf(x) + recordsOf(y))
  const bins = Math.max(5, Math.min(MOST_BINS, usual > 0 ? Math.ceil((to - from) / usual) : MOST_BINS))
  const width = (to - from) / bins
  const [original, released] = [x, y].map((sample) => sharesIn(sample, bins, from, width))
  return Array.from(original, (share, k) => ({
    lower: from + k * width,
    upper: from + (k + 1) * width,
    original: share,
    released: released[k],
  }))
}

/** Shares of the weight in bins of equal width; what lies beyond is in none. */
function sharesIn({ values, mass, total }: Sample, bins: number, from: number, width: number): Float64Array {
  const shares = new Float64Array(bins)
  for (let i = 0; i < values.length; i++) {
    const place = (values[i] - from) / width
    if (place >= 0 && place <= bins)
      shares[Math.min(bins - 1, Math.floor(place))] += (mass === null ? 1 : mass[i]) / total
  }
  return shares
}
