import type { Subject } from '../../../measure.js'
import { fixed, percent } from '../../../print.js'
import { type Attack, type Attacked, attackOn } from '../../../risk/attribution/counts/attack.js'
import { CLUSTERED, dcapFinding, type Options, dcap as own } from '../../../risk/attribution/dcap.js'
import { capCharts, capScores } from '../../../risk/attribution/figures/cap-scores.js'
import { intervalWithin01 } from '../../../risk/attribution/figures/variance-over-files.js'
import { clusterRobustVariance } from '../../../stats/tests/tests.js'
import { withDefinitions } from '../../definition.js'
import { RISKUTILITY, riskutilityWording } from './riskutility.js'

export const dcap = withDefinitions(
  own,
  {
    riskutility: {
      software: 'riskutility',
      version: '0.2.0',
      differs: 'mean over matched records, modal baseline',
      compute: (subject: Subject, chosen: Options) => {
        const attack = attackOn(subject, chosen, RISKUTILITY)
        const { details, ...finding } = dcapFinding(attack, matchedCells)
        return {
          ...finding,
          interval: intervalOf(attack),
          details: { ...details, riskutility: riskutilityWording(details.ratio) },
        }
      },
      sentence: ({ details: { mean, ratio } }) =>
        `a guess is right for ${percent(mean ?? 0)} of the people with a match, ${fixed(ratio ?? 0, 2)} times the most frequent value`,
      charts: ({ details }, { name }) =>
        capCharts(details, name, [
          ...(details.mean === null ? [] : [{ value: details.mean, label: 'mean' }]),
          { value: details.modalBaseline, label: 'baseline' },
        ]),
    },
  },
  { name: 'scrim', what: 'unmatched records count 0' },
)

function matchedCells({ cells, matches }: Attacked): Uint8Array {
  return Uint8Array.from(cells.classOf, (q) => (matches.records[q] > 0 ? 1 : 0))
}

function intervalOf(attack: Attack) {
  const { cells } = attack
  const { cap, summary } = capScores(attack)
  const rows = Int32Array.from(cap.keys()).filter((row) => !Number.isNaN(cap[row]))
  const variance = clusterRobustVariance(
    Float64Array.from(rows, (row) => cap[row]),
    rows.map((row) => cells.classOf[cells.cellOfTruth[row]]),
    cells.classes,
  )
  return summary.mean === null || variance === null ? null : intervalWithin01(summary.mean, variance, CLUSTERED)
}
