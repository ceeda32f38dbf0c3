import { math } from '@scrim/kernels'
import { type Chart, lineChart, linesOver } from '../../../chart/chart.js'
import { type FindingTable, figureTable } from '../../../evidence/finding-table.js'
import { bandwidth, densityCurve } from '../../../stats/samples/density.js'
import { sampleOf } from '../../../stats/samples/two-samples.js'
import { mean, standardDeviation, sum } from '../../../stats/sums.js'

/**
 * Densities f of the scores of original and g of released records, as riskutility's `propscore` compares them: Gaussian kernels with
 * Silverman's bandwidth at 1,000 places between the least and the largest score, each scaled to an integral of 1 there, and with one
 * record more that is spread evenly over the range: a ratio to nothing has no number, and one far score would be all of its mean.
 *
 *   KL = ∫ f ln(f/g),   Bayes KL = L/2 ln(mean(f/g) mean(g/f)),   L the length of the range
 *
 * riskutility adds up over the places without their distance, so that its KL is about 1,000 times as large and grows with the
 * number of places; and it adds no record, so that its ratios have no limit.
 * Blind to everything that the scores do not show; KL depends on the bandwidth, and is not 0 for two honest samples.
 */
export type ScoreDensities = NonNullable<ReturnType<typeof scoreDensities>>

const POINTS = 1000
const DRAWN = 10

/** Null where all scores are the same: there is nothing to tell apart. */
export function scoreDensities(scores: Float64Array, originals: number) {
  const parts = [scores.slice(0, originals), scores.slice(originals)]
  const sorted = parts.map((part) => part.slice().sort())
  const from = Math.min(...sorted.map((part) => part[0]))
  const to = Math.max(...sorted.map((part) => part[part.length - 1]))
  if (!(to > from)) return null
  const step = (to - from) / (POINTS - 1)
  const [f, g] = sorted.map((part, k) => {
    const sample = sampleOf(part)
    const width = bandwidth(sample, parts[k][0])
    return scaled(densityCurve(sample, { from, to, width, points: POINTS }).heights, step, part.length)
  })
  const logs = f.map((height, k) => math.log(height / g[k]))
  const ratios = f.map((height, k) => height / g[k])
  const inverse = ratios.map((ratio) => 1 / ratio)
  const c = (scores.length - originals) / scores.length
  const above = scores.reduce((count, score) => count + (score >= c ? 1 : 0), 0)
  return {
    /** Of f from g, in nats. */
    kl: step * sum(logs.map((log, k) => f[k] * log)),
    /** Of g from f. */
    klReverse: step * sum(logs.map((log, k) => -g[k] * log)),
    klBayes: ((to - from) / 2) * math.log((mean(ratios) ?? 1) * (mean(inverse) ?? 1)),
    /** Of f/g over the places. */
    ratioMean: mean(ratios) ?? 1,
    ratioSd: standardDeviation(ratios) ?? 0,
    /** Of ln(f/g), which is that of the difference of centred log ratios. */
    logRatioSd: standardDeviation(logs) ?? 0,
    meanOriginal: mean(parts[0]) ?? 0,
    meanReleased: mean(parts[1]) ?? 0,
    /** Records that score c or more, the share of released records, to those that score less; null where there are none of these. */
    aboveToBelow: above === scores.length ? null : above / (scores.length - above),
    curve: Array.from({ length: POINTS / DRAWN }, (_, k) => {
      const at = Math.round((k * (POINTS - 1)) / (POINTS / DRAWN - 1))
      return { score: from + at * step, original: f[at], released: g[at], ratio: ratios[at] }
    }),
  }
}

/** With an integral of 1 and, by one record that is spread evenly, nowhere 0. */
function scaled(heights: Float64Array, step: number, records: number): Float64Array {
  const area = step * sum(heights)
  const even = 1 / (step * heights.length)
  return heights.map((height) => ((records * height) / area + even) / (records + 1))
}

export function densityTable(densities: ScoreDensities): FindingTable {
  return figureTable('densities', 'Densities of the scores', {
    'KL, original from release': densities.kl,
    'KL, release from original': densities.klReverse,
    'Bayes KL': densities.klBayes,
    'density ratio, mean': densities.ratioMean,
    'density ratio, SD': densities.ratioSd,
    'log ratio, SD': densities.logRatioSd,
    'mean score, original': densities.meanOriginal,
    'mean score, release': densities.meanReleased,
    'scores above to below': densities.aboveToBelow,
  })
}

export function densityCharts({ curve }: ScoreDensities, name: string): Chart[] {
  const x = 'probability of being a released record'
  return [
    lineChart(
      { name: 'densities', title: `Densities of the scores: ${name}`, x, y: 'density' },
      linesOver(curve, 'score', { original: 'original', released: 'release' }),
      { step: true },
    ),
    lineChart(
      { name: 'density-ratio', title: `Density ratio, original to release: ${name}`, x, y: 'ratio' },
      curve.flatMap(({ score, ratio }) => [
        { x: score, y: ratio, series: 'density ratio' },
        { x: score, y: 1, series: 'no difference' },
      ]),
      { step: true },
    ),
  ]
}
