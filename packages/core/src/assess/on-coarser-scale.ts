import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import type { Release } from '../table/release.js'
import { throwIfAborted } from '../tasks/task.js'
import { onScaleOf } from '../utility/scale/coarser.js'
import { type AssessOptions, assess } from './assess.js'
import { type Assessment, measureOf, notComparedAt } from './assessment.js'
import { type FoundMeasure, usefulnessOf } from './usefulness.js'

/**
 * Is a release that was rounded or recoded worse than it says? The score counts the detail that is lost, so that it cannot tell an
 * age in classes from an age that is wrong. Where the original can be brought to the same classes, the measures of the
 * score are asked once more on these.
 */
export async function withCoarserScale(
  assessment: Assessment,
  release: Release,
  results: readonly Result[],
  { seed, options, signal, tasks, registry = measures }: AssessOptions,
): Promise<Assessment> {
  const found = results.map((result) => ({ result, measure: measureOf(result, registry) }))
  const releases: Assessment['releases'] = []
  for (const [index, assessed] of assessment.releases.entries()) {
    const { utility } = assessed
    const scale = utility === null || utility.coarser.length === 0 ? null : onScaleOf(release, index)
    const scored = new Set(utility?.measures.flatMap((row) => (row.scale === null ? [] : [row.measure])))
    if (utility === null || scale === null || scored.size === 0) {
      releases.push(assessed)
      continue
    }
    const again: FoundMeasure[] = []
    for await (const result of assess(scale.release, { seed, options, signal, tasks, registry, measures: [...scored] }))
      again.push({ result, measure: measureOf(result, registry) })
    throwIfAborted(signal)
    const score = usefulnessOf(0, again)?.score ?? null
    const onCoarserScale = score === null ? null : { columns: [...scale.columns], score }
    releases.push({
      ...assessed,
      utility: usefulnessOf(index, found, {
        coarser: utility.coarser,
        onCoarserScale,
        inClasses: release.inClasses,
        notCompared: notComparedAt(release, index),
      }),
    })
  }
  return { ...assessment, releases }
}
