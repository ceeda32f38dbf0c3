import type { ReleaseFinding, Result } from '../measure.js'

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

export function hasFailed(result: Result): boolean {
  return (
    result.status === 'failed' ||
    releasedFindings(result)
      .flatMap(byTarget)
      .some((finding) => finding.status === 'failed')
  )
}

/** A result as it is published: without one number per person. */
export function withoutRecords(result: Result): Result {
  const strip = ({ records: _, addedByRecord: __, targets, ...finding }: ReleaseFinding): ReleaseFinding => ({
    ...finding,
    ...(targets === undefined ? {} : { targets: targets.map(strip) }),
  })
  return {
    ...result,
    original: result.original === null ? null : strip(result.original),
    releases: result.releases.map(strip),
    pooled: result.pooled === null ? null : strip(result.pooled),
  }
}
