import { type Case, measureOptionsIn } from '../case/case.js'
import type { OpenedCase } from '../case/open-case.js'
import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import type { Release } from '../table/release.js'
import { throwIfAborted } from '../tasks/task.js'
import { type AssessOptions, assess } from './assess.js'
import { type Assessment, conclude } from './assessment.js'
import { withCoarserScale } from './on-coarser-scale.js'
import { claimIn, type PrivacyClaim, withClaim } from './privacy-claim.js'
import { withColumnShares } from './why.js'
import { withoutNumbers } from './without-numbers.js'

/** What is not part of the question, but of how it is answered here and now. */
export interface AnswerHow extends AssessOptions {
  /** Is told each result as soon as it is there; the next measure waits. */
  readonly finish?: ((result: Result) => void | Promise<void>) | undefined
  /** Find the columns that carry each alarm, and tell how far that is. */
  readonly why?: ((threat: string, done: number, of: number) => void) | undefined
  /** The differential privacy that was stated for the releases. */
  readonly claim?: PrivacyClaim | undefined
}

export interface Answer {
  readonly assessment: Assessment
  readonly results: readonly Result[]
}

/** The answer to a Case: what it says runs, on its release. Throws when it is cancelled; `finish` has heard what was done by then. */
export function assessCase(opened: OpenedCase, run: AnswerHow = {}): Promise<Answer> {
  return answerOf(opened.release, { ...runOf(opened.case), claim: claimIn(opened.case), ...run })
}

/** What runs, by a Case. */
export function runOf(asked: Case): AssessOptions {
  const { profile, measures: ids, side, seed } = asked
  return { profile, measures: ids, side, seed, options: measureOptionsIn(asked) }
}

/** The answer for a release that is there already. */
export async function answerOf(release: Release, { finish, why, claim, ...how }: AnswerHow): Promise<Answer> {
  const registry = how.registry ?? measures
  const results: Result[] = []
  for await (const result of assess(release, how)) {
    results.push(result)
    await finish?.(result)
  }
  throwIfAborted(how.signal)
  const concluded = conclude(release, results, registry)
  const scaled = await withCoarserScale(concluded, release, results, how)
  const told = await withoutNumbers(scaled, release, results, how)
  const assessment = claim === undefined ? told : await withClaim(told, release, claim, how)
  if (why === undefined) return { assessment, results }
  const { tasks, signal, options } = how
  return {
    assessment: await withColumnShares(assessment, release, results, registry, {
      tasks,
      signal,
      options,
      progress: why,
    }),
    results,
  }
}
