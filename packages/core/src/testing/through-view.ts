import { type AnyMeasure, DEFAULT_SEED, type ReleaseFinding } from '../measure.js'
import type { Release } from '../table/release.js'
import { inline } from '../tasks/task.js'
import type { View } from '../views/view.js'

/** What a measure finds through a view; undefined where there is nothing to undo. */
export async function throughView(
  view: View,
  measure: AnyMeasure,
  release: Release,
): Promise<ReleaseFinding | undefined> {
  const seen = await seenThrough(view, release)
  return seen === undefined ? undefined : (await measure.run(seen)).releases[0]
}

export async function seenThrough(view: View, release: Release): Promise<Release | undefined> {
  const trace = await view.detect(release, { seed: DEFAULT_SEED, signal: undefined, tasks: inline })
  return trace === undefined ? undefined : view.apply(release, trace)
}
