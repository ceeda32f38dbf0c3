import { math } from '@scrim/kernels'
import { z } from 'zod'
import { panelLines } from '../../chart/comparison.js'
import { count } from '../../print.js'
import { quantileSorted } from '../../stats/quantile.js'
import { momentsOf } from '../../stats/summaries.js'
import { mean } from '../../stats/sums.js'
import { completePair, type Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { type ColumnDistance, columnsChart, meanOver, skippedWarnings, withAdjusted, worstColumn } from './by-column.js'
import { type NumberPair, numberPairs } from './columns.js'
import { densityDivergence } from './density-divergence.js'
import {
  type Exceedance,
  exceedance,
  gridTailDistance,
  type Hill,
  hill,
  riskutilityHill,
  type Tail,
  tailDistance,
  tailScale,
} from './tails.js'

/**
 * Are the extremes kept? The mean distance between the quantile functions over the outer 5 % at each end,
 * ∫ |Q_X(p) - Q_Y(p)| dp / 0.05, divided by the interquartile range of the original, averaged over both ends and then over
 * columns. Exact. The details also say how often the release exceeds the original's 95th percentile (and falls below its
 * 5th) compared with the original, and Hill's index of the upper tail. Blind to the middle of distributions and to
 * extremes of combinations.
 */
const options = z.object({
  ...utilityOptions,
  percentile: z.number().gt(50).lt(100).default(95).describe('where the upper tail begins; the lower one mirrors it'),
  tails: z.enum(['both', 'upper', 'lower']).default('both').describe('which ends are compared'),
  definition: z
    .enum(['scrim', 'riskutility'])
    .default('scrim')
    .describe('riskutility: mean gap of 50 type-7 quantiles per tail, of records complete in all numbers'),
})

type Options = z.output<typeof options>

type TailColumn = ColumnDistance & {
  readonly upper: number | null
  readonly lower: number | null
  readonly exceedances: { readonly upper: Exceedance; readonly lower: Exceedance }
  readonly hill: { readonly original: Hill | null; readonly released: Hill | null }
  /** Jensen-Shannon divergence, in nats, of densities of the records beyond the original's quantiles; null with fewer than 20. */
  readonly jsd: number | null
}

type Details = {
  readonly columns: readonly TailColumn[]
  /** Quantiles in the tails of both files; the very last ones, single people, are left out. */
  readonly quantiles: readonly {
    readonly name: string
    readonly tail: Tail
    readonly p: readonly number[]
    readonly original: readonly number[]
    readonly released: readonly number[]
  }[]
}

const FEWEST_IN_TAILS = 20
const SOURCE = 'riskutility 0.2.0, tail_fidelity: exp(-value)'

export const tailFidelity = utilityMeasure({
  id: 'tail-fidelity',
  version: 1,
  title: 'Distance of the tails',
  summary: 'how far the outermost values moved, in interquartile ranges',
  orientation: 'distance',
  scale: null,
  nothing: 'uniform',
  needs: [],
  unit: 'distance',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'the middle of distributions, and extremes of combinations of columns',
  options,
  statistic: (pair, given) => meanOver(pairsOf(pair, given).pairs.map((one) => tailsOf(one, given))),
  compute: (pair, given) => {
    const { pairs, skipped } = pairsOf(pair, given)
    const columns = withAdjusted(pairs.map((one) => columnOf(one, given)))
    const details: Details = { columns, quantiles: quantilesOf(pairs, columns, given) }
    return { value: meanOver(columns), interval: null, details, warnings: skippedWarnings(skipped) }
  },
  thresholds: {
    literature: [
      { value: -math.log(0.95), meaning: 'below: excellent', source: SOURCE },
      { value: -math.log(0.8), meaning: 'below: good', source: SOURCE },
      { value: -math.log(0.5), meaning: 'below: moderate', source: SOURCE },
    ],
  },
  sentence: ({ value, details: { columns } }) => {
    const worst = worstColumn(columns)
    return `the tails of ${count(columns.length, 'number')} moved by ${digits(value ?? 0)} interquartile ranges on average; ${worst.name} by ${digits(worst.value)}`
  },
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
function tailChart(tail: Tail, quantiles: Details['quantiles'], name: string) {
  return panelLines(
    {
      name: `${tail}-tail`,
      title: `${tail === 'upper' ? 'Upper' : 'Lower'} tail, quantile by quantile: ${name}`,
      x: 'original',
      y: 'release',
    },
    quantiles.flatMap(({ name: panel, original, released }) =>
      original.flatMap((value, k) => [
        { panel, file: 'original' as const, x: value, y: value },
        { panel, file: 'release' as const, x: value, y: released[k] },
      ]),
    ),
  )
}

/** As riskutility does: records that are complete in all numbers that have values. */
function pairsOf(pair: Pair, { definition }: Options) {
  const found = numberPairs(pair)
  if (definition === 'scrim') return found
  const names = found.pairs.map(({ name }) => name)
  return { ...numberPairs({ ...completePair(pair, names), variables: names }), skipped: found.skipped }
}

const digits = (value: number) => Number(value.toPrecision(2)).toString()
const shareOf = ({ percentile }: Options) => 1 - percentile / 100

function tailsOf({ x, y }: NumberPair, given: Options) {
  const unit = tailScale(x, momentsOf(x)?.sd ?? null)
  const share = shareOf(given)
  const distance = (tail: Tail) => {
    if (given.tails !== 'both' && given.tails !== tail) return null
    const found =
      given.definition === 'scrim' ? tailDistance(x, y, share, tail) : gridTailDistance(x.values, y.values, share, tail)
    return found / unit
  }
  const [upper, lower] = [distance('upper'), distance('lower')]
  return { upper, lower, value: mean([upper, lower].filter((one) => one !== null)) ?? 0 }
}

function columnOf(pair: NumberPair, given: Options) {
  const { name, x, y } = pair
  const share = shareOf(given)
  const index = (values: Float64Array) =>
    given.definition === 'scrim' ? hill(values, Math.ceil(share * values.length)) : riskutilityHill(values, share)
  return {
    name,
    ...tailsOf(pair, given),
    expected: null,
    p: null,
    exceedances: { upper: exceedance(x, y, share, 'upper'), lower: exceedance(x, y, share, 'lower') },
    hill: { original: index(x.values), released: index(y.values) },
    jsd: tailDivergence(x.values, y.values, share, given.definition),
  }
}

/** Of the records at or beyond the quantiles of the original; by riskutility's definition, each file's own. */
function tailDivergence(
  x: Float64Array,
  y: Float64Array,
  share: number,
  definition: Options['definition'],
): number | null {
  const inTails = (values: Float64Array) => {
    const limits = definition === 'scrim' ? x : values
    const [low, high] = [quantileSorted(limits, share) ?? 0, quantileSorted(limits, 1 - share) ?? 0]
    return values.filter((value) => value <= low || value >= high)
  }
  const [a, b] = [inTails(x), inTails(y)]
  return Math.min(a.length, b.length) < FEWEST_IN_TAILS ? null : densityDivergence(a, b).jsd
}

const MOST_COLUMNS = 12
const POINTS = 25

function quantilesOf(pairs: readonly NumberPair[], columns: readonly ColumnDistance[], given: Options) {
  const share = shareOf(given)
  const worst = [...columns].sort((a, b) => b.value - a.value).slice(0, MOST_COLUMNS)
  return worst.flatMap(({ name }) => {
    const pair = pairs.find((one) => one.name === name)
    if (pair === undefined) return []
    const least = Math.min(pair.x.values.length, pair.y.values.length)
    // Nothing beyond the fifth value from the end.
    const last = Math.min(share, 5 / least)
    const away = Array.from({ length: POINTS }, (_, k) => share + ((last - share) * k) / (POINTS - 1))
    const tails = given.tails === 'both' ? (['upper', 'lower'] as const) : [given.tails]
    return tails.map((tail) => {
      const p = tail === 'upper' ? away.map((one) => 1 - one) : away.toReversed()
      const at = (values: Float64Array) => p.map((one) => quantileSorted(values, one) ?? 0)
      return { name, tail, p, original: at(pair.x.values), released: at(pair.y.values) }
    })
  })
}
