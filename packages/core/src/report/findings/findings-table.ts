import type { Assessment, ThreatAssessment } from '../../assess/assessment.js'
import { leakageText } from '../../discretion.js'
import { THREAT_TEXT } from '../../evidence/threats.js'
import type { AnyMeasure, Result } from '../../measure.js'
import { inUnit } from '../../print.js'
import { type EvidenceRow, evidenceRow } from './evidence-table.js'
import { byTarget } from './findings.js'

/** Everything that measures found about one release, threat by threat, worst first: what decides before what supports it. */
export interface ThreatFindings {
  readonly title: string
  readonly findings: readonly ThreatFinding[]
}

interface ThreatFinding extends EvidenceRow {
  /** The verdict, for the measure that decides the threat; else what the finding is to it. */
  readonly standing: string
}

const ORDER = ['decides', 'supports', 'contradicts', 'silent', 'structure', 'diagnoses']

export function findingsByThreat(
  { releases, targets }: Assessment,
  index: number,
  results: readonly Result[],
  measureOf: (id: string) => AnyMeasure,
): readonly ThreatFindings[] {
  const all = results.flatMap((result) => {
    const measure = measureOf(result.measure)
    const release = result.releases[index]
    return release === undefined || measure.threat === undefined
      ? []
      : byTarget(release).map((finding) => ({ threat: measure.threat, row: evidenceRow(measure, result, finding) }))
  })
  return releases[index].threats.flatMap((threat) => {
    const own = all.filter(
      ({ threat: of, row }) => of === threat.threat && (threat.target === null || row.target === threat.target),
    )
    const findings = own.map(({ row }) => standingIn(threat, row))
    const place = ({ standing }: ThreatFinding) => ORDER.indexOf(standing)
    const { title } = THREAT_TEXT[threat.threat]
    const named = targets.length > 1 && threat.target !== null
    return findings.length === 0
      ? []
      : [
          {
            title: named ? `${title} (${threat.target})` : title,
            findings: findings.sort((a, b) => place(a) - place(b)),
          },
        ]
  })
}

/** The measure that decides shows what the verdict rests on, which may be one of several looks. */
function standingIn(threat: ThreatAssessment, row: EvidenceRow): ThreatFinding {
  const { level, decidedBy, leakage, value, unit, controls, look, supports, contradicts } = threat
  const isAmong = (opinions: ThreatAssessment['supports']) => opinions.some(({ measure }) => measure === row.measure)
  if (row.measure === decidedBy && unit !== null) {
    const text = (number: number | undefined | null) =>
      number === undefined || number === null ? '-' : inUnit(number, unit)
    const isOther = look !== null && text(value) !== row.value
    return {
      ...row,
      standing: level,
      interval: isOther ? '-' : row.interval,
      leakage: leakage === null ? '-' : leakageText(leakage, 1),
      value: text(value),
      nothing: text(controls?.nothing?.value),
      fair: text(controls?.fair?.value),
      original: text(controls?.everything?.value),
      itsFair: text(controls?.everything?.fair),
      sentence: isOther ? `rests on another look: ${look}` : row.sentence,
    }
  }
  if (row.notAssessed !== null) return { ...row, standing: 'silent' }
  return { ...row, standing: isAmong(supports) ? 'supports' : isAmong(contradicts) ? 'contradicts' : row.role }
}
