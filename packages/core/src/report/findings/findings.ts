import type { ThreatAssessment } from '../../assess/assessment.js'
import type { Published, ReleaseFinding, Result } from '../../measure.js'

/** Every finding of a release on its own: one, or one for each target. */
export function byTarget(finding: ReleaseFinding): readonly ReleaseFinding[] {
  return finding.targets ?? [finding]
}

/** All findings about what was released: each release, then all together where the measure does that. */
export function releasedFindings({ releases, pooled }: Pick<Result, 'releases' | 'pooled'>): readonly ReleaseFinding[] {
  return pooled === null ? releases : [...releases, pooled]
}

/** The same figure for the original, where the measure looks at one file; for the same target. */
export function originalFinding({ original }: Result, target: string | null): ReleaseFinding | null {
  if (original === null) return null
  return byTarget(original).find((finding) => finding.target === target) ?? null
}

/** The finding as its measure gave it, or null where there is none. */
export function asPublished({ records: _, details, ...finding }: ReleaseFinding): Published | null {
  return details === null ? null : { ...finding, details }
}

export function hasFailed(result: Result): boolean {
  return (
    result.status === 'failed' ||
    releasedFindings(result)
      .flatMap(byTarget)
      .some((finding) => finding.status === 'failed')
  )
}

/** The look that a verdict rests on: the finding of the release, or of a view of it, and the further look where it is one. */
export function decidingLook(
  { decidedBy, target, view, lookNumber }: Pick<ThreatAssessment, 'decidedBy' | 'target' | 'view' | 'lookNumber'>,
  results: readonly Result[],
  index: number,
) {
  const release = results.find(({ measure }) => measure === decidedBy)?.releases[index]
  if (release === undefined) return null
  const asItIs = byTarget(release).find((finding) => finding.target === target) ?? release
  const finding = view === null ? asItIs : asItIs.views?.find((seen) => seen.view === view)?.finding
  if (finding === undefined) return null
  return { finding, look: lookNumber === 0 ? null : (finding.looks?.[lookNumber - 1] ?? null) }
}

/** Whether the verdict rests on another look than the one that the measure shows as its own. */
export function isFurtherLook({ view, lookNumber }: Pick<ThreatAssessment, 'view' | 'lookNumber'>): boolean {
  return view !== null || lookNumber > 0
}

/** A result as it is published: without one number per person. */
export function withoutRecords(result: Result): Result {
  const strip = ({ records: _, addedByRecord: __, ...finding }: ReleaseFinding): ReleaseFinding => ({
    ...finding,
    ...(finding.targets && { targets: finding.targets.map(strip) }),
    ...(finding.looks && { looks: finding.looks.map(({ addedByRecord: ___, ...look }) => look) }),
    ...(finding.views && { views: finding.views.map((seen) => ({ ...seen, finding: strip(seen.finding) })) }),
  })
  return {
    ...result,
    original: result.original === null ? null : strip(result.original),
    releases: result.releases.map(strip),
    pooled: result.pooled === null ? null : strip(result.pooled),
  }
}
