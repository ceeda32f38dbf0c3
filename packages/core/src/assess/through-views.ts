import { type AnyMeasure, DEFAULT_SEED, type ReleaseFinding, type Result, type RunOptions } from '../measure.js'
import { resultOf } from '../measure-task.js'
import type { Where } from '../neighbors/tasks.js'
import { rememberUsedHoldout, usedHoldout } from '../neighbors/used-holdout.js'
import { remember } from '../table/classes.js'
import type { Release } from '../table/release.js'
import { inline, throwIfAborted } from '../tasks/task.js'
import { hasIndependentColumns } from '../views/related-columns.js'
import { type Seen, seenThroughViews } from '../views/views.js'

/**
 * The result of a measure on a release as it is, and, where it decides a threat, on each view whose detector fired: the same
 * question about the release with something undone. What a view shows stands beside the finding of the release, as `views`.
 */
export async function throughViews(
  result: Result,
  measure: AnyMeasure,
  release: Release,
  options: object,
  run: RunOptions,
): Promise<Result> {
  if (!isSeenThroughViews(measure) || result.status !== 'ok') return result
  const context = { seed: run.seed ?? DEFAULT_SEED, signal: run.signal, tasks: run.tasks ?? inline }
  const releases: ReleaseFinding[] = []
  for (const [part, finding] of result.releases.entries()) {
    const seen = await seenThroughViews(release, part, context)
    const findings: { readonly seen: Seen; readonly finding: ReleaseFinding }[] = []
    for (const one of seen) {
      throwIfAborted(run.signal)
      asBefore(release, part, one.release, context)
      const { progress: _, added: __, ...plain } = run
      const { releases: [found] = [], status } = await resultOf(measure, one.release, options, plain)
      if (status === 'ok' && found !== undefined) findings.push({ seen: one, finding: found })
    }
    releases.push(withViews(finding, findings))
  }
  return { ...result, releases }
}

export const isSeenThroughViews = ({ role, asItIs }: AnyMeasure): boolean => role === 'decides' && asItIs !== true

/** Whether people outside were used for it, and whether its columns are independent, are questions about the release as it is. */
function asBefore(release: Release, part: number, viewed: Release, where: Where): void {
  if (viewed.holdout !== null) rememberUsedHoldout(viewed, 0, usedHoldout(release, part, where))
  remember(viewed, 'independent columns 0', () => hasIndependentColumns(release, part))
}

/** With several targets each has its own views. */
function withViews(
  finding: ReleaseFinding,
  seen: readonly { readonly seen: Seen; readonly finding: ReleaseFinding }[],
): ReleaseFinding {
  if (seen.length === 0) return finding
  const targets = finding.targets?.map((one) => withViews(one, seen))
  const views = seen.flatMap(({ seen: { view }, finding: whole }) =>
    (whole.targets ?? [whole])
      .filter((one) => one.target === finding.target && one.status === 'ok')
      .map((one) => ({ view: view.id, what: view.what, finding: one })),
  )
  return { ...finding, views, ...(targets === undefined ? {} : { targets }) }
}
