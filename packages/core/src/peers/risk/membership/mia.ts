import { barChart } from '../../../chart/chart.js'
import { percent } from '../../../print.js'
import { classifiedBy, mia as measured } from '../../../risk/membership/mia.js'
import { type FoldScores, UNDECIDED } from '../../../risk/membership/scores/fold-scores.js'
import { mean, standardDeviation } from '../../../stats/sums.js'
import { RISKUTILITY, withDefinitions } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'

const LOW_RECALL = 0.55
const HIGH_RECALL = 0.6

const besideRates = (learnsFrom: Parameters<typeof classifiedBy>[0]) =>
  adding(classifiedBy(learnsFrom), ({ details, workings: { perFold } }) => ({
    ...details,
    riskutility: ratesOf(perFold),
  }))

/** What it reports of such a classifier, and its verdict, which takes recall without the false positives. */
const own = withFigures(measured, {
  by: RISKUTILITY,
  literature: [
    {
      value: LOW_RECALL,
      meaning: 'recall up to which risk is low, without regard to false positives',
      source: 'riskutility',
    },
    {
      value: HIGH_RECALL,
      meaning: 'recall above which risk is high, without regard to false positives',
      source: 'riskutility',
    },
  ],
  compute: besideRates('everybody'),
  sentence: (finding) => {
    const { recall, falsePositiveRate } = finding.details.riskutility
    return `${measured.sentence(finding)}; it takes ${percent(recall.mean)} of training records and ${percent(falsePositiveRate.mean)} of others for released ones`
  },
  charts: (finding, about) => {
    const { recall, falsePositiveRate } = finding.details.riskutility
    return [
      ...measured.charts(finding, about),
      barChart(
        {
          name: 'taken-for-released',
          title: `Taken for released records: ${about.name}`,
          x: '',
          y: 'share of records',
        },
        [
          { label: 'training (recall)', value: recall.mean },
          { label: 'others (false positives)', value: falsePositiveRate.mean, series: 'original' },
        ],
      ),
    ]
  },
})

/** Folds that learn from the same holdout are tied to each other: it alarms a little too often. */
export const mia = withDefinitions(
  own,
  {
    riskutility: {
      ...RISKUTILITY,
      differs:
        'from the holdout records of other folds and as many released ones (alarms a little too often), and cuts levels in the order of the file',
      compute: besideRates('holdout'),
    },
  },
  { what: 'the forest learns from all released records and the real ones of other folds' },
)

/** Precision and macro-averaged F1 are those for equally many training and holdout records. */
function ratesOf(folds: readonly FoldScores[]) {
  const taken = (scores: Float64Array) => scores.filter((score) => score >= UNDECIDED).length / scores.length
  const rates = folds.map(({ training, others }) => ({ recall: taken(training), falsePositives: taken(others) }))
  const recall = figure(rates.map((rate) => rate.recall))
  return {
    recall,
    falsePositiveRate: figure(rates.map((rate) => rate.falsePositives)),
    precision: figure(rates.map((rate) => precisionOf(rate.recall, rate.falsePositives))),
    f1: figure(
      rates.map(
        (rate) => (f1Of(rate.recall, rate.falsePositives) + f1Of(1 - rate.falsePositives, 1 - rate.recall)) / 2,
      ),
    ),
    verdict: recall.mean <= LOW_RECALL ? 'LOW' : recall.mean <= HIGH_RECALL ? 'MODERATE' : 'HIGH',
  }
}

function precisionOf(right: number, wrong: number): number {
  return right + wrong === 0 ? 0 : right / (right + wrong)
}

function f1Of(recall: number, wrong: number): number {
  const precision = precisionOf(recall, wrong)
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}

/** Mean and its standard error over folds. */
function figure(values: readonly number[]) {
  const sd = standardDeviation(values)
  return { mean: mean(values) ?? 0, standardError: sd === null ? null : sd / Math.sqrt(values.length) }
}
