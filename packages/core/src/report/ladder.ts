import type { ThreatAssessment } from '../assess/assessment.js'
import { type Chart, placesChart } from '../chart/chart.js'
import { THREAT_TEXT } from '../evidence/threats.js'

/** All threats that were tested on the one scale they share: from what other people give away to the original itself. */
export function ladderChart(
  name: string,
  tested: readonly ThreatAssessment[],
  shown: (share: number) => number,
  named: boolean,
): Chart | null {
  const rows = tested.flatMap(({ threat, target, level, leakage, interval, limits }) =>
    leakage === null || interval === null
      ? []
      : [
          {
            label: named && target !== null ? `${THREAT_TEXT[threat].title} (${target})` : THREAT_TEXT[threat].title,
            level,
            value: shown(leakage),
            lower: shown(interval.lower),
            upper: shown(interval.upper),
            limit: limits.high,
          },
        ],
  )
  return rows.length === 0 ? null : placesChart({ name: 'overview', title: `Leakage by threat: ${name}` }, rows)
}
