import type { Assessment, ThreatAssessment } from '../../assess/assessment.js'
import { isAlarm } from '../../assess/judge.js'
import { type Chart, withoutAlarm, withSubtitle } from '../../chart/chart.js'
import { leakageText } from '../../discretion.js'
import { THREAT_TEXT } from '../../evidence/threats.js'
import type { AnyMeasure, ReleaseFinding, Result } from '../../measure.js'
import { inUnit } from '../../print.js'
import { asPublished, byTarget, isFurtherLook, originalFinding, releasedFindings } from '../findings/findings.js'

export interface Picture {
  /** Unique within a result, fit for a file name. */
  readonly name: string
  readonly chart: Chart
}

/**
 * Every chart of a result: `measure-chart`, with the place of the release and the name of the target where there are
 * several; a picture of all targets has no name of one. Below each title stands what the value has to be compared with, and
 * nothing is red where the threat is no alarm.
 */
export function picturesOf(
  measure: AnyMeasure,
  result: Result,
  /** Where the pictures are part of an assessment: what it says of the threat goes below each title. */
  assessment?: Pick<Assessment, 'releases'>,
  /** Without those lines, where they stand beside the pictures. */
  hasLines = true,
): readonly Picture[] {
  const single = releasedFindings(result).flatMap((release, index) => {
    const number = result.releases.length === 1 ? '' : release === result.pooled ? '-all' : `-${index + 1}`
    const threatOfEach = (finding: ReleaseFinding) =>
      assessment === undefined ? undefined : threatOf(measure, assessment.releases, finding)
    const areCalm = byTarget(release).every((finding) => isCalm(threatOfEach(finding)))
    const ofAll = chartsOfAll(measure, result, release).map((chart) => ({
      name: `${measure.id}-${chart.name}${number}`,
      chart: areCalm ? withoutAlarm(chart) : chart,
    }))
    const ofEach = byTarget(release).flatMap((finding) => {
      const target = release.targets === undefined ? '' : `-${fileName(finding.target ?? '')}`
      const named = release.targets === undefined ? finding.name : `${finding.name}, ${finding.target}`
      const charts = chartsOf(measure, result, finding, named)
      const threat = threatOfEach(finding)
      const lines = hasLines
        ? [...(threat === undefined ? [] : [verdictText(measure, threat)]), ...fairText(measure, finding)]
        : []
      return charts.map((chart) => ({
        name: `${measure.id}-${chart.name}${number}${target}`,
        chart: lines.reduceRight(withSubtitle, isCalm(threat) ? withoutAlarm(chart) : chart),
      }))
    })
    return [...ofEach, ...ofAll]
  })
  return [...single, ...picturesOver(measure, result)]
}

function isCalm(threat: ThreatAssessment | undefined): boolean {
  return threat !== undefined && !isAlarm(threat.level)
}

/** The charts that are others where they may show all targets. */
function chartsOfAll(measure: AnyMeasure, result: Result, release: ReleaseFinding): readonly Chart[] {
  const { targets = [] } = release
  const [first] = targets
  if (targets.length < 2) return []
  const own = chartsOf(measure, result, first, release.name).map(({ spec }) => JSON.stringify(spec))
  return chartsOf(measure, result, first, release.name, targets).filter(
    ({ spec }) => !own.includes(JSON.stringify(spec)),
  )
}

/** What is drawn of all releases together, for each target; the attack on them all at once is none of them. */
function picturesOver(measure: AnyMeasure, { releases }: Result): readonly Picture[] {
  if (measure.chartsOver === undefined || releases.length < 2) return []
  const findings = releases.flatMap(byTarget)
  return [...new Set(findings.map(({ target }) => target))].flatMap((target) => {
    const shown = findings.flatMap((finding) => {
      const published = finding.target === target ? asPublished(finding) : null
      return published === null || published.value === null ? [] : [published]
    })
    if (shown.length < 2) return []
    const ending = releases[0].targets === undefined ? '' : `-${fileName(target ?? '')}`
    return (measure.chartsOver?.(shown) ?? []).map((chart) => ({ name: `${measure.id}-${chart.name}${ending}`, chart }))
  })
}

function threatOf(
  { threat }: AnyMeasure,
  releases: Assessment['releases'],
  { name, target }: ReleaseFinding,
): ThreatAssessment | undefined {
  return releases
    .find((release) => release.name === name)
    ?.threats.find((one) => one.threat === threat && (one.target === null || one.target === target))
}

/** "62.2 %; fair 61.8 %, other people's records": a published figure says nothing without it. */
function fairText({ unit }: AnyMeasure, { value, controls }: ReleaseFinding): readonly string[] {
  const fair = controls?.fair
  return value === null || fair === undefined
    ? []
    : [`${inUnit(value, unit)}; fair ${inUnit(fair.value, unit)}, ${fair.what}`]
}

/** "HIGH: attribute inference, leakage 27 %", and by which measure, or which other look of this one, it was decided. */
function verdictText({ id }: AnyMeasure, verdict: ThreatAssessment): string {
  const { threat, level, leakage, decidedBy, look } = verdict
  const isThis = decidedBy === id
  const by = isThis ? (isFurtherLook(verdict) ? ` (${look})` : '') : decidedBy === null ? '' : ` (by ${decidedBy})`
  return `${level}: ${THREAT_TEXT[threat].title}${leakage === null ? '' : `, leakage ${leakageText(leakage)}`}${by}`
}

function chartsOf(
  measure: AnyMeasure,
  result: Result,
  finding: ReleaseFinding,
  name: string,
  targets: readonly ReleaseFinding[] = [],
): readonly Chart[] {
  const pictured = asPublished(finding)
  if (pictured === null || pictured.value === null) return []
  const original = originalFinding(result, finding.target)
  const subject = { name, original: original && asPublished(original), targets }
  return measure.charts(pictured, subject).filter(({ isBlank }) => isBlank !== true)
}

function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, '_')
}
