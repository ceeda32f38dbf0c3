import { codesToSend, keepCodes, remember } from '../table/classes.js'
import type { JointColumn } from '../table/joint.js'
import { type Release, sendable } from '../table/release.js'
import { type AsyncTask, inline } from '../tasks/task.js'
import { familiarColumns } from './familiar-columns.js'
import { matchedRanks } from './matched-ranks.js'
import { readDigests } from './read-digests.js'
import { realLooking } from './real-looking.js'
import { redealtColumn } from './redealt-columns.js'
import { relatedColumns } from './related-columns.js'
import { unrepeated } from './repetition.js'
import { roundedBack } from './rounded-back.js'
import { onePart, type View, type ViewContext } from './view.js'

/** The one list of all views. */
export const VIEWS: readonly View[] = [
  unrepeated,
  redealtColumn,
  roundedBack,
  matchedRanks,
  familiarColumns,
  relatedColumns,
  realLooking,
  readDigests,
]

/** A release as seen through a view whose detector fired. */
export interface Seen {
  readonly view: View
  readonly release: Release
}

/** What there is to undo in one of the releases; looked for once per release and seed. */
export function seenThroughViews(
  release: Release,
  part: number,
  context: ViewContext,
  views: readonly View[] = VIEWS,
): Promise<readonly Seen[]> {
  const key = `views ${part} ${context.seed} ${views.map(({ id }) => id)}`
  return remember(release, key, async () => {
    const alone = onePart(release, part)
    const found = (views === VIEWS ? await foundElsewhere(release, context)?.catch(() => undefined) : undefined)?.[part]
    const traces = found ?? (await tracesOf(alone, context, views))
    return views.flatMap((view, k) =>
      traces[k] === undefined ? [] : [{ view, release: view.apply(alone, traces[k]) }],
    )
  })
}

/** Asks the detectors about all releases on other threads, where there are some; the sooner it is called, the shorter a measure waits. */
export function foundElsewhere(
  release: Release,
  { seed, tasks, signal }: ViewContext,
): Promise<unknown[][]> | undefined {
  if (tasks.threads < 2) return undefined
  return remember(release, `traces ${seed}`, () =>
    tasks.map(
      detectTask,
      { release: sendable(release), codes: codesToSend(release), seed },
      [...release.released.keys()],
      { signal, beside: true },
    ),
  )
}

/** What the detectors find in one of the releases, one trace for each view. */
export const detectTask: AsyncTask<Detected, number, unknown[]> = {
  name: 'views/detect',
  run({ release, codes, seed }, part) {
    keepCodes(release, codes)
    return tracesOf(onePart(release, part), { seed, tasks: inline, signal: undefined }, VIEWS)
  },
}

interface Detected {
  readonly release: Release
  readonly codes: readonly JointColumn[]
  readonly seed: number
}

async function tracesOf(alone: Release, context: ViewContext, views: readonly View[]): Promise<unknown[]> {
  const traces: unknown[] = []
  for (const view of views) traces.push(await view.detect(alone, context))
  return traces
}
