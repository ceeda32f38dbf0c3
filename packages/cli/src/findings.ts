import { type AnyMeasure, measures, percent, type ReleaseFinding, type Result, type Verdict } from '@scrim/core'

/** Findings as rows for people: fractions in percent, worst first. */

type Level = Verdict['level']

const WORST_FIRST: readonly (Level | undefined)[] = [
  'HIGH',
  'ELEVATED',
  'MODERATE',
  'INCONCLUSIVE',
  'LOW',
  'NOT ASSESSED',
  undefined,
]

export const NO_VALUE = '-'

export function valueText(value: number | null): string {
  return value === null ? NO_VALUE : percent(value)
}

export function intervalText({ interval }: Pick<Result, 'interval'>): string {
  return interval === null ? NO_VALUE : `${percent(interval.lower)} to ${percent(interval.upper)}`
}

/** Every finding of a release on its own: one, or one for each target. */
export function byTarget(finding: ReleaseFinding): readonly ReleaseFinding[] {
  return finding.targets ?? [finding]
}

/** What a measure says about one target (null where it has none): per release, and for all releases together. */
export interface Topic {
  readonly result: Result
  readonly target: string | null
  readonly findings: readonly ReleaseFinding[]
  readonly pooled: ReleaseFinding | null
  /** The worst of all of them. */
  readonly level: Level | undefined
  /** Mean over the releases. */
  readonly value: number | null
}

export function topicsOf(result: Result): readonly Topic[] {
  const targets = new Set(result.releases.flatMap(byTarget).map((finding) => finding.target))
  return [...targets].map((target) => {
    const ofTarget = (finding: ReleaseFinding) => byTarget(finding).filter((each) => each.target === target)
    const findings = result.releases.flatMap(ofTarget)
    const pooled = result.pooled === null ? null : (ofTarget(result.pooled)[0] ?? null)
    const levels = [...findings, pooled].map((finding) => finding?.verdict?.level)
    const level = WORST_FIRST.find((each) => levels.includes(each))
    return { result, target, findings, pooled, level, value: mean(findings.flatMap(({ value }) => value ?? [])) }
  })
}

/** Topics in the order in which a custodian should read them: by verdict, then by how bad the value is. */
export function worstFirst(topics: readonly Topic[]): readonly Topic[] {
  const badness = ({ value, result }: Topic) =>
    value === null ? Number.NEGATIVE_INFINITY : result.orientation === 'risk' ? value : -value
  const rank = ({ level }: Topic) => WORST_FIRST.indexOf(level)
  return [...topics].sort((a, b) => rank(a) - rank(b) || badness(b) - badness(a) || 0)
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The same figure for the original, where the measure looks at one file; for the same target. */
export function originalFinding({ original }: Result, target: string | null): ReleaseFinding | null {
  if (original === null) return null
  return byTarget(original).find((finding) => finding.target === target) ?? null
}

/** What a value is to be compared with: the same figure for the original, or what it would be by chance. */
export function referenceText(result: Result, target: string | null): string {
  const original = originalFinding(result, target)
  if (original !== null) return `${valueText(original.value)} original`
  const references = result.releases.flatMap(byTarget).filter((finding) => finding.target === target)
  const known = references.flatMap(({ reference }) => reference ?? [])
  return known.length === 0 ? NO_VALUE : `${valueText(mean(known.map(({ value }) => value)))} ${known[0].what}`
}

/** "10 %: residual risk up to which a release passes (riskutility)": cuts are on the scale of the measure, fractions mostly. */
export function literatureText({ value, meaning, source }: AnyMeasure['thresholds']['literature'][number]): string {
  const cut = value < 1 ? `${Number((100 * value).toPrecision(3))} %` : String(value)
  return `${cut}: ${meaning} (${source})`
}

/** All findings about what was released: each release, then all together where the measure does that. */
export function releasedFindings({ releases, pooled }: Pick<Result, 'releases' | 'pooled'>): readonly ReleaseFinding[] {
  return pooled === null ? releases : [...releases, pooled]
}

export function hasFailed(result: Result): boolean {
  return (
    result.status === 'failed' ||
    releasedFindings(result)
      .flatMap(byTarget)
      .some((finding) => finding.status === 'failed')
  )
}

export function measureOf(id: string): AnyMeasure {
  const found = measures.find((measure) => measure.id === id)
  if (found === undefined) throw new Error(`no measure ${id}`)
  return found
}
