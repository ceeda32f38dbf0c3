import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import type { Context } from '../../measure.js'
import { choice, flag, real, whole } from '../../option-kinds.js'
import { count, inUnit } from '../../print.js'
import { stream } from '../../random/stream.js'
import type { Pair } from '../pair.js'
import { utilityMeasure, utilityOptions } from '../utility-measure.js'
import { comparedColumns } from './pairs/compared.js'
import { besideChance, comparedRecords, type Discrepancy } from './pairs/discrepancy.js'
import type { MixedRecords } from './pairs/mixed-records.js'
import { overAll, pairMeans, pairMeansNow, unbiased } from './pairs/pair-means.js'
import { MOST_FOR_MEDIAN, medianDistance } from './pairs/pair-null.js'
import { featureMeans } from './pairs/random-features.js'

/**
 * Maximum mean discrepancy (Gretton et al. 2012): MMD² = E k(X, X') + E k(Y, Y') - 2 E k(X, Y) over all pairs of records, k Gaussian,
 * exp(-r² / 2σ²), or rational quadratic, 1 / (1 + r² / 2σ²), with σ the median distance
 * (of 2,000 random records, where there are more; honest samples: of 300). 0 only where the joint distributions are
 * the same; for an honest sample of m records (1 - E k(X, X')) / m. Numbers are divided by their sd in both files together,
 * a category that differs counts 1. Exact up to 4,000 records of both files together (or when asked), then also at σ/2 and
 * 2σ; otherwise by random features, with their standard error. p from random labels. Looks at 20,000
 * random records of each file. Blind to detail far below σ.
 */
const options = z.object({
  ...utilityOptions,
  columns: choice(['all', 'numbers'], 'all').describe('numbers: categories are left out, as riskutility does'),
  kernel: choice(['gaussian', 'rational quadratic'], 'gaussian').describe('how likeness falls with distance'),
  method: choice(['auto', 'exact', 'features'], 'auto').describe(
    'exact: all pairs of records, O(N²) time, little memory; features: random features, O(N)',
  ),
  features: whole(256, { min: 16, max: 100_000 }).describe('random features, each a sine and a cosine'),
  sigma: real(null, { above: 0 }).describe('scale of the kernel; the median distance when not given'),
  standardise: flag(true).describe('divide numbers by their sd'),
})

type Options = z.output<typeof options>

const MOST_EXACT = 4000
const FEW_FEATURES = 48
const FEW_FOR_SIGMA = 300

export const mmd = utilityMeasure({
  id: 'mmd',
  title: 'Maximum mean discrepancy',
  summary: 'how far the joint distributions lie apart, by a kernel of likeness',
  orientation: 'distance',
  nothing: 'independent',
  mostRows: 20_000,
  stochastic: true,
  varies: ['attacker'],
  unit: 'distance',
  range: [-2, 2],
  blindTo: 'detail far below the scale of the kernel, and what a few records do',
  options,
  ...mmdBy({ files: (pair) => pair, headline: overAll, isKnown: true }),
  citations: ['gretton2012'],
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

export function mmdBy(discrepancy: Discrepancy) {
  return {
    statistic: async (pair: Pair, options: Options, context: Context) => {
      const records = comparedRecords(discrepancy, pair, options)
      const sigma = options.sigma ?? medianDistance(records, context.random('sigma'), FEW_FOR_SIGMA)
      if (records.rows <= MOST_EXACT / 4) return discrepancy.headline(pairMeansNow(records, options.kernel, sigma)[1])
      const few = { kernel: options.kernel, sigma, features: FEW_FEATURES, random: frequenciesOf(context) }
      return discrepancy.headline(await featureMeans(context, records, few))
    },
    compute: async (pair: Pair, options: Options, context: Context) => {
      const records = comparedRecords(discrepancy, pair, options)
      const sigma = options.sigma ?? medianDistance(records, context.random('sigma'))
      const sigmaFrom = options.sigma === null ? Math.min(records.rows, MOST_FOR_MEDIAN) : null
      const { means, scales, se, method } = await meansOf(records, sigma, options, context)
      const value = discrepancy.headline(means)
      const v = overAll(means)
      const { bins, ...finding } = besideChance(
        discrepancy,
        {
          records,
          kernel: kernelOf(options.kernel, sigma),
          value,
          v,
          se,
          what: 'MMD²',
          expected: (n) => (1 - means.withinAll[0]) / n,
        },
        context,
      )
      const details = {
        columns: comparedColumns(pair, options.columns),
        method,
        sigma,
        /** Records whose distances σ is the median of; null where σ was given. */
        sigmaFrom,
        /** Over all pairs, never negative. */
        v,
        /** Over pairs of different records: unbiased. */
        u: unbiased(means),
        se,
        /** At σ/2, σ and 2σ, where exact. */
        scales: scales.map((scale, k) => ({ sigma: sigma * 2 ** (k - 1), v: overAll(scale), u: unbiased(scale) })),
        chance: bins,
      }
      const warnings =
        sigmaFrom !== null && sigmaFrom < records.rows
          ? [
              `the scale of the kernel is the median distance of ${count(sigmaFrom, 'record')} drawn at random from ${records.rows}`,
            ]
          : []
      return { value, ...finding, details, warnings }
    },
  }
}

async function meansOf(records: MixedRecords, sigma: number, { kernel, method, features }: Options, context: Context) {
  if (method === 'exact' || (method === 'auto' && records.rows <= MOST_EXACT)) {
    const scales = await pairMeans(context, records, kernel, sigma)
    return { means: scales[1], scales, se: null, method: 'exact' as const }
  }
  const means = await featureMeans(context, records, { kernel, sigma, features, random: frequenciesOf(context) })
  return { means, scales: [], se: means.se, method: 'features' as const }
}

function kernelOf(kernel: Options['kernel'], sigma: number): (square: number) => number {
  const scale = 1 / (2 * sigma * sigma)
  return kernel === 'gaussian' ? (square) => math.exp(-square * scale) : (square) => 1 / (1 + square * scale)
}
