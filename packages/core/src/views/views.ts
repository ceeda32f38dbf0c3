import { remember } from '../table/classes.js'
import type { Release } from '../table/release.js'
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
    const seen: Seen[] = []
    for (const view of views) {
      const trace = await view.detect(alone, context)
      if (trace !== undefined) seen.push({ view, release: view.apply(alone, trace) })
    }
    return seen
  })
}
