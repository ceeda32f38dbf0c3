import { percent } from '../../../print.js'
import { compute, hitCharts, hittingRate as own, ratesAt } from '../../../risk/distance/hitting-rate.js'
import { RISKUTILITY } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'

const THRESHOLDS = [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3]
const PASSES_UP_TO = 0.1
const REPORT_PASSES_BELOW = 0.05

const besideRates = adding(compute, ({ details, workings: { toTraining, outside } }, _subject, { threshold }) => {
  const [{ released: rate }, { released: rateAtZero }] = ratesAt([threshold, 0], toTraining, null)
  return {
    ...details,
    riskutility: {
      threshold,
      rate,
      rateAtZero,
      rates: ratesAt(THRESHOLDS, toTraining, outside),
      pass: rate <= PASSES_UP_TO,
      passInReport: rate < REPORT_PASSES_BELOW,
    },
  }
})

/** Rates at fixed distances, which are all there is without a holdout. */
export const hittingRate = withFigures(own, {
  by: RISKUTILITY,
  literature: [
    {
      value: PASSES_UP_TO,
      meaning: 'rate at distance 0.05 up to which a release passes, uncalibrated',
      source: 'riskutility',
    },
    {
      value: REPORT_PASSES_BELOW,
      meaning: 'rate at distance 0.05 below which the report passes, uncalibrated',
      source: 'riskutility',
    },
  ],
  compute: besideRates,
  sentence: (finding) => {
    const { calibrated, riskutility } = finding.details
    return calibrated.length > 0
      ? own.sentence(finding)
      : `${percent(riskutility.rate)} of released records lie within ${riskutility.threshold} of an original one; whether that is close only a holdout can tell`
  },
  charts: (finding, about) => {
    const { calibrated, riskutility } = finding.details
    const { threshold } = riskutility
    return calibrated.length > 0
      ? own.charts(finding, about)
      : hitCharts(finding.details, about.name, [{ value: threshold, label: `threshold ${threshold}` }])
  },
})
