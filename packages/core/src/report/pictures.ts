import type { Assessment } from '../assess/assessment.js'
import { type Chart, withSubtitle } from '../chart/chart.js'
import { leakageText } from '../discretion.js'
import { THREAT_TEXT } from '../evidence/threats.js'
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
export function picturesOf(
  measure: AnyMeasure,
  result: Result,
  /** Where the pictures are part of an assessment: what it says of the threat goes below each title. */
  assessment?: Pick<Assessment, 'releases'>,
): readonly Picture[] {
  return releasedFindings(result).flatMap((release, index) =>
    byTarget(release).flatMap((finding, rank) => {
      const number = result.releases.length === 1 ? '' : release === result.pooled ? '-all' : `-${index + 1}`
      const target = release.targets === undefined ? '' : `-${fileName(finding.target ?? '')}`
      const charts = chartsOf(measure, result, finding, rank === 0 ? (release.targets ?? []) : [])
      const verdict = assessment === undefined ? null : verdictOn(measure, assessment.releases, finding)
      return charts.map((chart) => ({
        name: `${measure.id}-${chart.name}${number}${target}`,
        chart: verdict === null ? chart : withSubtitle(chart, verdict),
      }))
    }),
  )
}

/** "HIGH: attribute inference, leakage 27 %", and by which measure where it was another. */
function verdictOn(
  { id, threat }: AnyMeasure,
  releases: Assessment['releases'],
  { name, target }: ReleaseFinding,
): string | null {
  const found = releases
    .find((release) => release.name === name)
    ?.threats.find((one) => one.threat === threat && (one.target === null || one.target === target))
  if (found === undefined) return null
  const { level, leakage, decidedBy } = found
  const by = decidedBy === null || decidedBy === id ? '' : ` (by ${decidedBy})`
  return `${level}: ${THREAT_TEXT[found.threat].title}${leakage === null ? '' : `, leakage ${leakageText(leakage)}`}${by}`
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
