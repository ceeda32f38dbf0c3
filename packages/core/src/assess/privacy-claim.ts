import { auditRelease, canBeAudited } from '../attack/release-audit.js'
import type { Case } from '../case/case.js'
import { UserError } from '../errors.js'
import { DEFAULT_SEED } from '../measure.js'
import type { Release } from '../table/release.js'
import { inline } from '../tasks/task.js'
import type { Assessment } from './assessment.js'
import type { AnswerHow } from './run.js'
import { withClaimText } from './sentences.js'

/** A release stated to be (ε, δ)-differentially private, and what it shows of that itself (`attack/release-audit.ts`). */
export interface PrivacyClaim {
  readonly epsilon: number
  readonly delta: number
}

export function claimIn({ epsilon, delta }: Pick<Case, 'epsilon' | 'delta'>): PrivacyClaim | undefined {
  if (epsilon !== undefined) return { epsilon, delta: delta ?? 0 }
  if (delta !== undefined) throw new UserError('delta is stated without epsilon: say both, or neither')
  return undefined
}

/** With the claim and what was shown of it beside each release; above it the sentence says that the claim is broken. */
export async function withClaim(
  assessment: Assessment,
  release: Release,
  { epsilon, delta }: PrivacyClaim,
  { seed = DEFAULT_SEED, tasks = inline, signal }: Pick<AnswerHow, 'seed' | 'tasks' | 'signal'>,
): Promise<Assessment> {
  const { original, holdout, variables } = release
  const releases: Assessment['releases'] = []
  for (const [index, assessed] of assessment.releases.entries()) {
    const released = release.released[index]
    const audit = canBeAudited(original, holdout)
      ? await auditRelease({ original, released, holdout, variables }, delta, seed, { tasks, signal })
      : null
    const verdict = audit === null ? 'not checked' : audit.bound > epsilon ? 'broken' : 'not contradicted'
    const claim = { epsilon, delta, verdict, audit } as const
    const sentence = withClaimText(assessed.verdict.sentence, claim)
    releases.push({ ...assessed, claim, verdict: { ...assessed.verdict, sentence } })
  }
  return { ...assessment, releases }
}
