import type { Chart } from '../chart/chart.js'
import type { AnyMeasure, Published, ReleaseFinding, Result } from '../measure.js'
import { byTarget, originalFinding, releasedFindings } from './findings.js'

export interface Picture {
  /** Unique within a result, fit for a file name. */
  readonly name: string
  readonly chart: Chart
}

/**
 * Every chart of a result: `measure-chart`, with the place of the release and the name of the target where there are
 * several. A picture of all targets is drawn once, with the riskiest.
 */
export function picturesOf(measure: AnyMeasure, result: Result): readonly Picture[] {
  return releasedFindings(result).flatMap((release, index) =>
    byTarget(release).flatMap((finding, rank) => {
      const number = result.releases.length === 1 ? '' : release === result.pooled ? '-all' : `-${index + 1}`
      const target = release.targets === undefined ? '' : `-${fileName(finding.target ?? '')}`
      const charts = chartsOf(measure, result, finding, rank === 0 ? (release.targets ?? []) : [])
      return charts.map((chart) => ({ name: `${measure.id}-${chart.name}${number}${target}`, chart }))
    }),
  )
}

function chartsOf(
  measure: AnyMeasure,
  result: Result,
  finding: ReleaseFinding,
  targets: readonly ReleaseFinding[],
): readonly Chart[] {
  const pictured = asFinding(finding)
  if (pictured === null || pictured.value === null) return []
  const original = originalFinding(result, finding.target)
  return measure.charts(pictured, { name: finding.name, original: original && asFinding(original), targets })
}

/** The finding as its measure gave it, or null where there is none. */
function asFinding({ records: _, details, ...finding }: ReleaseFinding): Published | null {
  return details === null ? null : { ...finding, details }
}

function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, '_')
}
