import { looksOf } from '../../assess/assessment.js'
import { leakageText } from '../../discretion.js'
import type { Control, Controls } from '../../evidence/evidence.js'
import { THREAT_TEXT } from '../../evidence/threats.js'
import type { UtilityEvidence } from '../../evidence/usefulness.js'
import type { AnyMeasure, ReleaseFinding, Result, Role } from '../../measure.js'
import { fixed, inUnit, percent, sampleText, significant } from '../../print.js'
import { byTarget, originalFinding, releasedFindings } from './findings.js'
import { reasonText } from './reasons.js'
import { type TableView, tableView } from './table-view.js'

/** One finding of one measure with everything it stands beside, as text. */
export interface EvidenceRow {
  readonly measure: string
  readonly title: string
  readonly role: Role
  readonly threat: string
  readonly release: string
  readonly target: string | null
  readonly value: string
  readonly interval: string
  /** "fair 14.4 % (other people's records)", ... */
  readonly beside: readonly string[]
  /** What it stands beside, one by one: nothing, fair, and the original itself or its own figure. */
  readonly nothing: string
  readonly fair: string
  readonly original: string
  /** The fair control of the original, where it has one of its own: leakage = (value - fair) / (original - its fair). */
  readonly itsFair: string
  /** Of utility: what an honest sample gives, and the place between these two. */
  readonly honest: string
  readonly place: string
  /** What each of these is: "fair: other people's records", ... */
  readonly meanings: readonly string[]
  readonly leakage: string
  readonly sentence: string
  /** Why it says nothing, where that is so. */
  readonly notAssessed: string | null
}

const NONE = '-'

export function evidenceRows(measure: AnyMeasure, result: Result): readonly EvidenceRow[] {
  return releasedFindings(result)
    .flatMap(byTarget)
    .map((finding) => evidenceRow(measure, result, finding))
}

export function evidenceRow(measure: AnyMeasure, result: Result, finding: ReleaseFinding): EvidenceRow {
  const { controls = {}, leakage, interval, value } = finding
  const silent = finding.status === 'ok' ? finding.notAssessed : finding.reason
  const { unit } = measure
  const text = (number: number) => inUnit(number, unit)
  const textOf = (number: number | null | undefined) => (number === null || number === undefined ? NONE : text(number))
  const original = originalFinding(result, finding.target)
  const told = (names: readonly (keyof Controls)[], say: (control: Control, name: string) => string) =>
    names.flatMap((name) => {
      const control = controls[name]
      return control === undefined ? [] : [say(control, name)]
    })
  return {
    measure: measure.id,
    title: measure.title,
    role: measure.role,
    threat: measure.threat === undefined ? NONE : THREAT_TEXT[measure.threat].title,
    release: finding.name,
    target: finding.target,
    value: textOf(value),
    interval: interval === null ? NONE : `${text(interval.lower)} to ${text(interval.upper)}`,
    beside: [
      ...(original === null || original.value === null ? [] : [`original ${text(original.value)}`]),
      ...told(['nothing', 'honest', 'fair', 'everything'], ({ value: number, what }) => `${text(number)} ${what}`),
      ...(finding.utility === undefined ? [] : usefulnessTexts(finding.utility)),
    ],
    nothing: textOf(controls.nothing?.value),
    fair: textOf(controls.fair?.value),
    original: textOf(controls.everything?.value ?? original?.value),
    itsFair: leakage === null ? NONE : textOf(controls.everything?.fair),
    honest: textOf(controls.honest?.value),
    place: finding.utility === undefined || finding.utility.place === null ? NONE : percent(finding.utility.place, 0),
    meanings: told(['fair', 'nothing', 'everything'], ({ what }, name) =>
      name === 'everything' ? `original: ${what}` : `${name}: ${what}`,
    ),
    leakage: leakage === null ? NONE : leakageText(leakage.value, 1),
    sentence: finding.sentence,
    notAssessed: silent === undefined ? null : reasonText(silent),
  }
}

/** One look of a measure that decides, with what its leakage is worked out from. */
interface LookRow {
  readonly release: string
  readonly target: string | null
  readonly look: string
  readonly leakage: string
  readonly value: string
  readonly fair: string
  readonly original: string
  /** The fair control of the original; that of the release where it has none of its own. */
  readonly itsFair: string
}

/** Every look among which `assess` finds the one that decides. */
export function lookRows(measure: AnyMeasure, result: Result): readonly LookRow[] {
  if (measure.role !== 'decides') return []
  const text = (number: number | undefined) => (number === undefined ? NONE : inUnit(number, measure.unit))
  return result.releases.flatMap(byTarget).flatMap((finding) =>
    looksOf(measure, finding).map(({ what, leakage, value, controls: { fair, everything } }) => ({
      release: finding.name,
      target: finding.target,
      look: what ?? 'as it is',
      leakage: leakage === null ? NONE : leakageText(leakage.value, 1),
      value: text(value),
      fair: text(fair?.value),
      original: text(everything?.value),
      itsFair: everything === undefined ? NONE : text(everything.fair ?? fair?.value),
    })),
  )
}

export const LOOKS = 'Every look that assess judges, leakage = (value - fair) / (original - its fair)'

/** All looks below each other. */
export function looksTable(rows: readonly LookRow[]): TableView {
  return tableView(
    LOOKS,
    ['look', 'release', 'target', 'leakage', 'value', 'fair', 'original', 'its fair'],
    rows.map((row) => [
      row.look,
      row.release,
      row.target ?? NONE,
      row.leakage,
      row.value,
      row.fair,
      row.original,
      row.itsFair,
    ]),
  )
}

/** What a look without a leakage means; empty where there is none. */
export function noScaleText(rows: readonly LookRow[]): string {
  return rows.some(({ leakage }) => leakage === NONE)
    ? 'Leakage -: the original itself does not surely give more by this look than is fair, or people outside were used for the release, so that it cannot be judged.'
    : ''
}

function usefulnessTexts({ place, ratio, equivalent, test, reasons }: UtilityEvidence): readonly string[] {
  return [
    ...(ratio === null ? [] : [`ratio ${significant(ratio)}`]),
    ...(place === null ? [] : [`place ${percent(place, 0)}`]),
    ...(equivalent === null
      ? []
      : [
          `as far off as a sample of ${sampleText(equivalent.fraction)} (${sampleText(equivalent.interval.lower)} to ${sampleText(equivalent.interval.upper)}) of the original`,
        ]),
    ...(test === null ? [] : [`p ${test.p < 0.001 ? '< 0.001' : fixed(test.p, 3)} (${test.what})`]),
    ...reasons,
  ]
}

/** "10 %: residual risk up to which a release passes (riskutility)". */
export function literatureText(measure: AnyMeasure): readonly string[] {
  return measure.thresholds.literature.map(({ value, meaning, source }) => {
    const cut =
      value < 1 && (measure.unit === 'share' || measure.unit === 'difference')
        ? `${significant(100 * value)} %`
        : String(value)
    return `${cut}: ${meaning} (${source})`
  })
}
