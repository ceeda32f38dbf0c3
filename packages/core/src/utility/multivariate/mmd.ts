import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import type { Context } from '../../measure.js'
import { inUnit } from '../../print.js'
import { stream } from '../../random/stream.js'
import { normalInterval } from '../../stats/intervals.js'
import { completePair, type Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { comparedColumns, effectiveSizes, pairRecords } from './compared.js'
import { chanceBins } from './energy-distance.js'
import type { MixedRecords } from './mixed-records.js'
import { type PairMeans, pairMeans, pairMeansNow } from './pair-means.js'
import { medianDistance, pairNull, pairTest } from './pair-null.js'
import { featureMeans } from './random-features.js'

/**
 * Maximum mean discrepancy (Gretton et al. 2012): MMD² = E k(X, X') + E k(Y, Y') - 2 E k(X, Y) over all pairs of records, k Gaussian,
 * exp(-r² / 2σ²), or rational quadratic, 1 / (1 + r² / 2σ²), with σ the median distance. 0 only where the joint distributions are
 * the same; for an honest sample of m records (1 - E k(X, X')) / m. Numbers are divided by their sd in both files together,
 * a category that differs counts 1. Exact up to 4,000 records of both files together (or when asked), then also at σ/2 and
 * 2σ; otherwise by random features, with their standard error. p from random labels. Looks at 20,000
 * random records of each file. Blind to detail far below σ.
 */
const options = z.object({
  ...utilityOptions,
  columns: z.enum(['all', 'numbers']).default('all').describe('numbers: categories are left out, as riskutility does'),
  kernel: z.enum(['gaussian', 'rational quadratic']).default('gaussian').describe('how likeness falls with distance'),
  method: z
    .enum(['auto', 'exact', 'features'])
    .default('auto')
    .describe('exact: all pairs of records, O(N²) time, little memory; features: random features, O(N)'),
  features: z.int().min(16).max(100_000).default(256).describe('random features, each a sine and a cosine'),
  sigma: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('scale of the kernel; the median distance when not given'),
  standardise: z.boolean().default(true).describe('divide numbers by their sd'),
  definition: z
    .enum(['scrim', 'riskutility'])
    .default('scrim')
    .describe('riskutility: over pairs of different complete records, unbiased, may be negative'),
})

type Options = z.output<typeof options>

type Details = {
  readonly columns: readonly string[]
  readonly method: 'exact' | 'features'
  readonly sigma: number
  /** Over all pairs, never negative. */
  readonly v: number
  /** Over pairs of different records: unbiased. */
  readonly u: number
  readonly se: number | null
  /** At σ/2, σ and 2σ, where exact. */
  readonly scales: readonly { readonly sigma: number; readonly v: number; readonly u: number }[]
  readonly chance: readonly { readonly lower: number; readonly upper: number; readonly count: number }[]
}

const MOST_EXACT = 4000
const FEW_FEATURES = 48
const FEW_FOR_SIGMA = 300

export const mmd = utilityMeasure({
  id: 'mmd',
  version: 1,
  title: 'Maximum mean discrepancy',
  summary: 'how far the joint distributions lie apart, by a kernel of likeness',
  orientation: 'distance',
  scale: null,
  nothing: 'independent',
  mostRows: 20_000,
  stochastic: true,
  needs: [],
  varies: ['attacker'],
  unit: 'distance',
  range: [-2, 2],
  blindTo: 'detail far below the scale of the kernel, and what a few records do',
  options,
  statistic: async (pair, given, context) => {
    const records = recordsOf(pair, given)
    const sigma = given.sigma ?? medianDistance(records, context.random('sigma'), FEW_FOR_SIGMA)
    if (records.rows <= MOST_EXACT / 4) return headline(pairMeansNow(records, given.kernel, sigma)[1], given)
    const few = { kernel: given.kernel, sigma, features: FEW_FEATURES, random: frequenciesOf(context) }
    return headline(await featureMeans(context, records, few), given)
  },
  compute: async (pair, given, context) => {
    const records = recordsOf(pair, given)
    const sigma = given.sigma ?? medianDistance(records, context.random('sigma'))
    const { means, scales, se, method } = await meansOf(records, sigma, given, context)
    const { n1, n2 } = effectiveSizes(records)
    const v = discrepancy(means)
    const kernel = kernelOf(given.kernel, sigma)
    const chance = pairNull(records, kernel, context.random('labels'))
    const value = headline(means, given)
    const interval = se === null || given.definition !== 'scrim' ? null : normalInterval(value, se)
    const details: Details = {
      columns: comparedColumns(pair, given.columns),
      method,
      sigma,
      v,
      u: unbiased(means),
      se,
      scales: scales.map((one, k) => ({ sigma: sigma * 2 ** (k - 1), v: discrepancy(one), u: unbiased(one) })),
      chance: chanceBins(chance.draws, 1 / n1 + 1 / n2, v),
    }
    return {
      value,
      interval: interval === null ? null : { ...interval, lower: Math.max(0, interval.lower) },
      test: { p: pairTest(chance, v, n1, n2), what: 'MMD² beside random labels' },
      expected:
        given.definition === 'scrim'
          ? {
              value: (1 - means.withinAll[0]) / n2,
              power: 1,
              cv: chance.cv,
              what: 'an honest sample of the same size',
            }
          : null,
      details,
    }
  },
  citations: ['gretton2012'],
  thresholds: { literature: [] },
  sentence: ({ value, details: { sigma } }) =>
    `the joint distributions lie MMD² = ${inUnit(value ?? 0, 'distance')} apart, at a scale of ${inUnit(sigma, 'distance')}`,
  charts: ({ details }, { name }) => [
    histogramChart(
      { name: 'chance', title: `MMD² beside random labels: ${name}`, x: 'MMD²', y: 'random labellings' },
      details.chance,
      [{ value: details.v, label: 'this release' }],
    ),
    ...(details.scales.length === 0
      ? []
      : [
          barChart(
            { name: 'scales', title: `MMD² at three scales: ${name}`, x: 'scale σ of the kernel', y: 'MMD²' },
            details.scales.map(({ sigma, v }) => ({ label: inUnit(sigma, 'distance'), value: v })),
          ),
        ]),
  ],
})

/** The same for the release and for what it is compared with, so that their noise is the same. */
const frequenciesOf = (context: Context) => stream(context.seed, 'mmd/frequencies')

function recordsOf(pair: Pair, { columns, standardise, definition }: Options): MixedRecords {
  const names = comparedColumns(pair, columns)
  if (names.length === 0) throw new NotApplicable('there is no numeric column to compare')
  return pairRecords(definition === 'riskutility' ? completePair(pair, names) : pair, names, standardise)
}

async function meansOf(records: MixedRecords, sigma: number, given: Options, context: Context) {
  const { kernel, method, features } = given
  if (method === 'exact' || (method === 'auto' && records.rows <= MOST_EXACT)) {
    const scales = await pairMeans(context, records, kernel, sigma)
    return { means: scales[1], scales, se: null, method: 'exact' as const }
  }
  const means = await featureMeans(context, records, { kernel, sigma, features, random: frequenciesOf(context) })
  return { means, scales: [], se: means.se, method: 'features' as const }
}

function headline(means: PairMeans, { definition }: Options): number {
  return definition === 'scrim' ? discrepancy(means) : unbiased(means)
}

const discrepancy = ({ across, withinAll: [x, y] }: PairMeans) => Math.max(0, x + y - 2 * across)
const unbiased = ({ across, within: [x, y] }: PairMeans) => x + y - 2 * across

function kernelOf(kernel: Options['kernel'], sigma: number): (square: number) => number {
  const scale = 1 / (2 * sigma * sigma)
  return kernel === 'gaussian' ? (square) => math.exp(-square * scale) : (square) => 1 / (1 + square * scale)
}
