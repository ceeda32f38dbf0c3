import {
  barChart,
  barsOver,
  type Chart,
  histogramChart,
  lineChart,
  linesOver,
  scatterChart,
} from '../../chart/chart.js'
import { bandChart } from '../../chart/spread.js'
import { percent } from '../../print.js'
import { BOUND_LEVEL } from '../../stats/levels.js'
import { mean } from '../../stats/sums.js'
import type { Details } from './rapid.js'

/** Scores and what chance gives, the rate by threshold and by attacker, and whose target is inferred. */
export function rapidCharts(details: Details, name: string): readonly Chart[] {
  return [
    histogramChart(
      {
        name: 'scores',
        title: `Scores of the attacker: ${name}`,
        x: details.target === 'classes' ? 'gain over the margin' : 'error',
        y: 'records',
      },
      details.scores.flatMap(({ lower, upper, count, atRisk }) => [
        { lower, upper, count: count - atRisk },
        { lower, upper, count: atRisk, alarm: true },
      ]),
      [{ value: details.threshold, label: `${percent(details.suite.max)} at risk` }],
    ),
    ...(details.chance.permuted.length === 0
      ? []
      : [
          histogramChart(
            {
              name: 'chance',
              title: `Share at risk with permuted targets: ${name}`,
              x: 'share of records',
              y: 'permutations',
            },
            details.chance.permuted,
            [{ value: details.chance.observed, label: 'observed' }],
          ),
        ]),
    lineChart(
      { name: 'thresholds', title: `At risk by threshold: ${name}`, x: 'threshold', y: 'share of records' },
      linesOver(details.curve, 'threshold', {
        rate: 'observed',
        chance: 'by chance',
        chanceUpper: `by chance, ${percent(BOUND_LEVEL, 0)}`,
      }),
      { rules: [{ value: details.threshold, label: 'threshold' }] },
    ),
    barChart(
      { name: 'attackers', title: `At risk by attacker: ${name}`, grey: 'by chance', x: '', y: 'share of records' },
      barsOver(details.attackers, 'attacker', { rate: 'release', chance: 'original' }),
    ),
    ...(details.classes === null
      ? [
          scatterChart(
            { name: 'predictions', title: `True and predicted: ${name}`, x: 'true', y: 'predicted' },
            details.cells.map(({ truth, predicted, records, atRisk }) => ({
              x: truth,
              y: predicted,
              size: records,
              alarm: atRisk,
            })),
            [],
            details.wedge.map(({ truth, lower, upper }) => ({ x: truth, lower, upper })),
          ),
        ]
      : [
          barChart(
            { name: 'classes', title: `At risk by true class: ${name}`, x: '', y: 'share of the class' },
            details.classes.map(({ level, rate }) => ({ label: level, value: rate })),
          ),
        ]),
  ]
}

/** The curve over the threshold, its mean over releases between the least and the largest, as over the syntheses of one original. */
export function rapidChartsOver(releases: readonly Pick<Details, 'curve'>[]): readonly Chart[] {
  const [{ curve }] = releases
  // Absolute errors have a range of their own in each release.
  const isSame = releases.every((one) => one.curve.every(({ threshold }, k) => threshold === curve[k].threshold))
  if (!isSame) return []
  const series = (name: string, rateOf: (point: Details['curve'][number]) => number) =>
    curve.map(({ threshold }, k) => {
      const rates = releases.map((release) => rateOf(release.curve[k]))
      return { x: threshold, y: mean(rates) ?? 0, lower: Math.min(...rates), upper: Math.max(...rates), series: name }
    })
  return [
    bandChart(
      {
        name: 'thresholds-over-releases',
        title: `At risk by threshold: mean of ${releases.length} releases, from the least to the largest`,
        x: 'threshold',
        y: 'share of records',
      },
      [...series('observed', ({ rate }) => rate), ...series('by chance', ({ chance }) => chance)],
    ),
  ]
}
