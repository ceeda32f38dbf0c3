import { math } from '@scrim/kernels'
import { z } from 'zod'
import { panelLines } from '../../chart/comparison.js'
import { choice, real } from '../../option-kinds.js'
import { count, significant } from '../../print.js'
import { quantileSorted } from '../../stats/quantile.js'
import { recordsOf } from '../../stats/repeated.js'
import { momentsOf } from '../../stats/samples/summaries.js'
import { type Sample, samplePart } from '../../stats/samples/two-samples.js'
import { mean } from '../../stats/sums.js'
import { everyNumber } from '../counted-columns.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import {
  type ColumnDistance,
  columnsChart,
  columnsTable,
  columnwise,
  furthest,
  worstColumn,
} from './columns/by-column.js'
import { type NumberPair, numberPairs } from './columns/columns.js'
import { divergenceOf } from './columns/density-divergence.js'
import { type Percentiles, percentilePairs } from './columns/percentiles.js'
import { exceedance, type Hill, hill, type Tail, tailDistance, tailScale } from './columns/tails.js'

/**
 * Are the extremes kept? The mean distance between the quantile functions over the outer 5 % at each end,
 * ∫ |Q_X(p) - Q_Y(p)| dp / 0.05, divided by the interquartile range of the original, averaged over both ends and then over
 * columns. Exact. The details also say how often the release exceeds the original's 95th percentile (and falls below its
 * 5th) compared with the original, and Hill's index of the upper tail. Blind to the middle of distributions and to
 * extremes of combinations.
 */
const options = z.object({
  ...utilityOptions,
  percentile: real(95, { above: 50, below: 100 }).describe('where the upper tail begins; the lower one mirrors it'),
  tails: choice(['both', 'upper', 'lower'], 'both').describe('which ends are compared'),
})

type Options = z.output<typeof options>

const FEWEST_IN_TAILS = 20
const SOURCE = 'riskutility 0.2.0, tail_fidelity: exp(-value)'

export const tailFidelity = utilityMeasure({
  id: 'tail-fidelity',
  title: 'Distance of the tails',
  summary: 'how far the outermost values moved, in interquartile ranges',
  orientation: 'distance',
  nothing: 'uniform',
  unit: 'distance',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'the middle of distributions, and extremes of combinations of columns',
  options,
  countedColumns: everyNumber,
  ...tailsBy({
    numbers: numberPairs,
    distance: tailDistance,
    hill: (sample, share) => hill(sample, Math.ceil(share * recordsOf(sample))),
    limitsOf: (_, original) => original,
  }),
  literature: [
    { value: -math.log(0.95), meaning: 'below: excellent', source: SOURCE },
    { value: -math.log(0.8), meaning: 'below: good', source: SOURCE },
    { value: -math.log(0.5), meaning: 'below: moderate', source: SOURCE },
  ],
  sentence: ({ value, details: { columns } }) => {
    const worst = worstColumn(columns)
    return `the tails of ${count(columns.length, 'number')} moved by ${significant(value ?? 0, 2)} interquartile ranges on average; ${worst.name} by ${significant(worst.value, 2)}`
  },
  tables: ({ details: { columns } }) => [columnsTable(columns)],
  charts: ({ details: { columns, quantiles } }, { name }) => [
    columnsChart({ name: 'tails', title: `Distance of the tails: ${name}`, x: 'interquartile ranges' }, columns),
    ...(['upper', 'lower'] as const).flatMap((tail) => {
      // A tail of one value in both files has no picture.
      const own = quantiles.filter((one) => one.tail === tail && new Set([...one.original, ...one.released]).size > 1)
      return own.length === 0 ? [] : [tailChart(tail, own, name)]
    }),
  ],
})

/** Quantiles of the release against those of the original; on the grey line where they agree. */
function tailChart(tail: Tail, quantiles: readonly Percentiles[], name: string) {
  return panelLines(
    {
      name: `${tail}-tail`,
      title: `${tail === 'upper' ? 'Upper' : 'Lower'} tail, quantile by quantile: ${name}`,
      x: 'original',
      y: 'release',
    },
    percentilePairs(quantiles),
  )
}

const shareOf = ({ percentile }: Options) => 1 - percentile / 100

/** What a tail is, and how far two lie apart. */
export interface Tails {
  numbers(pair: Pair): ReturnType<typeof numberPairs>
  distance(x: Sample, y: Sample, share: number, tail: Tail): number
  hill(sample: Sample, share: number): Hill | null
  /** The values whose quantiles say where the tails of a file begin. */
  limitsOf(sample: Sample, original: Sample): Sample
}

export function tailsBy(tails: Tails) {
  return columnwise({
    items: tails.numbers,
    value: (numbers, options: Options) => distancesOf(numbers, tails, options).value,
    column: (numbers, options) => columnOf(numbers, tails, options),
    details: (columns, pairs, options) => ({ columns, quantiles: quantilesOf(pairs, columns, options) }),
  })
}

function distancesOf({ x, y }: NumberPair, tails: Tails, options: Options) {
  const unit = tailScale(x, momentsOf(x)?.sd ?? null)
  const [upper, lower] = (['upper', 'lower'] as const).map((tail) =>
    options.tails === 'both' || options.tails === tail ? tails.distance(x, y, shareOf(options), tail) / unit : null,
  )
  return { upper, lower, value: mean([upper, lower].filter((distance) => distance !== null)) ?? 0 }
}

function columnOf(pair: NumberPair, tails: Tails, options: Options) {
  const { name, x, y } = pair
  const share = shareOf(options)
  return {
    name,
    ...distancesOf(pair, tails, options),
    expected: null,
    p: null,
    exceedances: { upper: exceedance(x, y, share, 'upper'), lower: exceedance(x, y, share, 'lower') },
    hill: { original: tails.hill(x, share), released: tails.hill(y, share) },
    /** Jensen-Shannon divergence, in nats, of densities of the records beyond the original's quantiles; null with fewer than 20. */
    jsd: tailDivergence(x, y, share, tails),
  }
}

/** Of the records at or beyond the quantiles that the tails begin at. */
function tailDivergence(x: Sample, y: Sample, share: number, { limitsOf }: Tails): number | null {
  const inTails = (sample: Sample) => {
    const limits = limitsOf(sample, x)
    const [low, high] = [share, 1 - share].map((p) => quantileSorted(limits.values, p, limits.times) ?? 0)
    return samplePart({ ...sample, weights: null }, (value) => value <= low || value >= high)
  }
  const [a, b] = [inTails(x), inTails(y)]
  return Math.min(recordsOf(a), recordsOf(b)) < FEWEST_IN_TAILS ? null : divergenceOf(a, b).jsd
}

const POINTS = 25

/** Quantiles in the tails of both files; the very last ones, single people, are left out. */
function quantilesOf(pairs: readonly NumberPair[], columns: readonly ColumnDistance[], options: Options) {
  const share = shareOf(options)
  return furthest(pairs, columns).flatMap(({ name, x, y }) => {
    const least = Math.min(recordsOf(x), recordsOf(y))
    // Nothing beyond the fifth value from the end.
    const last = Math.min(share, 5 / least)
    const away = Array.from({ length: POINTS }, (_, k) => share + ((last - share) * k) / (POINTS - 1))
    const tails = options.tails === 'both' ? (['upper', 'lower'] as const) : [options.tails]
    return tails.map((tail) => {
      const p = tail === 'upper' ? away.map((one) => 1 - one) : away.toReversed()
      const at = ({ values, times }: Sample) => p.map((one) => quantileSorted(values, one, times) ?? 0)
      return { name, tail, p, original: at(x), released: at(y) }
    })
  })
}
