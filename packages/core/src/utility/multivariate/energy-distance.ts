import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import type { Context } from '../../measure.js'
import { choice, flag, whole } from '../../option-kinds.js'
import { inUnit, percent } from '../../print.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { comparedColumns } from './pairs/compared.js'
import { besideChance, comparedRecords, type Discrepancy } from './pairs/discrepancy.js'
import type { MixedRecords } from './pairs/mixed-records.js'
import { type PairMeans, pairMeans, pairMeansNow } from './pairs/pair-means.js'
import { slicedMeans } from './pairs/slices.js'

/**
 * Energy distance of the joint distributions (Székely and Rizzo 2004): V = 2 E|X - Y| - E|X - X'| - E|Y - Y'| over all pairs of
 * records, 0 only where the distributions are the same. The headline is V / 2 E|X - Y|, in [0, 1], which does not grow with
 * the number of columns; for an honest sample of m records it is 1 / (2 m). Numbers are divided by their sd in both files
 * together, a category that differs counts 1. Exact up to 4,000 records of both files together (or when asked), otherwise by
 * projections on random directions, with their standard error. p from random labels. Looks at 20,000 random records of
 * each file. Blind to what few records do, and to relations of columns that hardly move distances.
 */
const options = z.object({
  ...utilityOptions,
  columns: choice(['all', 'numbers'], 'all').describe('numbers: categories are left out, as riskutility does'),
  method: choice(['auto', 'exact', 'slices'], 'auto').describe(
    'exact: all pairs of records, O(N²) time, little memory; slices: random directions, O(N log N)',
  ),
  directions: whole(96, { min: 8, max: 100_000 }).describe('random directions of the slices'),
  standardise: flag(true).describe('divide numbers by their sd'),
})

type Options = z.output<typeof options>

const MOST_EXACT = 4000
/** The same for resamples, of which there are many. */
const MOST_EXACT_AGAIN = 500
/** Resamples are compared along fewer directions. */
const FEW_DIRECTIONS = 16
const SOURCE = 'riskutility 0.2.0, energy_distance'

export const energyDistance = utilityMeasure({
  id: 'energy-distance',
  title: 'Energy distance',
  summary: 'how far the joint distributions lie apart, by mean distances between records',
  orientation: 'distance',
  nothing: 'independent',
  mostRows: 20_000,
  stochastic: true,
  varies: ['attacker'],
  unit: 'distance',
  range: [0, Number.POSITIVE_INFINITY],
  blindTo: 'what a few records do, and relations that hardly move distances',
  options,
  ...energyBy({ files: (pair) => pair, headline: normalised, isKnown: true }),
  citations: ['szekely2013'],
  literature: [
    { value: 0.1, meaning: 'of 2 m_XY - m_XX - m_YY below: excellent', source: SOURCE },
    { value: 0.3, meaning: 'below: good', source: SOURCE },
    { value: 0.5, meaning: 'below: moderate', source: SOURCE },
  ],
  sentence: ({ details: { across, withinOriginal, normalised } }) =>
    `a released and an original record are ${inUnit(across, 'distance')} apart on average, two originals ${inUnit(withinOriginal, 'distance')}: an energy distance of ${percent(normalised, 2)} of the largest`,
  charts: ({ details }, { name }) => [
    barChart({ name: 'mean-distances', title: `Mean distances between records: ${name}`, x: '', y: 'mean distance' }, [
      { label: 'two originals', value: details.withinOriginal, series: 'original' },
      { label: 'one of each', value: details.across },
      { label: 'two released', value: details.withinReleased },
    ]),
    histogramChart(
      {
        name: 'chance',
        title: `Energy distance beside random labels: ${name}`,
        x: 'energy distance',
        y: 'random labellings',
      },
      details.chance,
      [{ value: details.v, label: 'this release' }],
    ),
  ],
})

export function energyBy(discrepancy: Discrepancy) {
  return {
    statistic: async (pair: Pair, options: Options, context: Context) => {
      const records = comparedRecords(discrepancy, pair, options)
      const means =
        records.rows <= MOST_EXACT_AGAIN
          ? pairMeansNow(records, 'distance')[0]
          : await slicedMeans(context, records, FEW_DIRECTIONS, context.seed)
      return discrepancy.headline(means)
    },
    compute: async (pair: Pair, options: Options, context: Context) => {
      const records = comparedRecords(discrepancy, pair, options)
      const { means, se, method } = await meansOf(records, options, context)
      const value = discrepancy.headline(means)
      const v = overAll(means)
      const largest = 2 * means.across || 1
      const { bins, ...finding } = besideChance(
        discrepancy,
        {
          records,
          kernel: (square) => -Math.sqrt(square),
          value,
          v,
          se: se === null ? null : se / largest,
          what: 'energy distance',
          expected: (n) => 1 / (2 * n),
        },
        context,
      )
      const details = {
        columns: comparedColumns(pair, options.columns),
        method,
        /** Over all pairs, never negative. */
        v,
        /** Over pairs of different records: unbiased, may be negative. */
        u: unbiased(means),
        normalised: v / largest,
        /** Standard error of v, from the directions; null when exact. */
        se,
        across: means.across,
        withinOriginal: means.within[0],
        withinReleased: means.within[1],
        chance: bins,
      }
      return { value, ...finding, details }
    },
  }
}

async function meansOf(records: MixedRecords, { method, directions }: Options, context: Context) {
  const isExact = method === 'exact' || (method === 'auto' && records.rows <= MOST_EXACT)
  if (isExact) {
    const [means] = await pairMeans(context, records, 'distance')
    return { means, se: null, method: 'exact' as const }
  }
  const means = await slicedMeans(context, records, directions, context.seed)
  return { means, se: means.se, method: 'slices' as const }
}

function normalised(means: PairMeans): number {
  return means.across > 0 ? overAll(means) / (2 * means.across) : 0
}

const overAll = ({ across, withinAll: [x, y] }: PairMeans) => Math.max(0, 2 * across - x - y)
/** Over pairs of different records. */
export const unbiased = ({ across, within: [x, y] }: PairMeans) => 2 * across - x - y
