import { type Audience, type Chart, documentView, measures, type RecordsShown } from '@scrim/core'
import { documentHtml } from '@scrim/report'
import type { Assessed } from './assessment.js'
import { chartSvg } from './svg.js'
import { version } from './version.js'

/** The assessment as one HTML file; pictures are drawn first, because a page is put together in one go. */
export async function reportHtml(
  { assessment, results, files, seconds }: Pick<Assessed, 'assessment' | 'results' | 'files' | 'seconds'>,
  audience: Audience,
  command: string,
  shown: RecordsShown | null = null,
): Promise<string> {
  const view = documentView(
    assessment,
    results,
    measures,
    { version: version(), date: new Date().toISOString().slice(0, 16).replace('T', ' '), command, files, seconds },
    audience,
    shown,
  )
  const drawn = new Map<Chart, string>()
  for (const { overview, map, threats } of view.releases)
    for (const chart of [overview, map, ...threats.flatMap(({ pictures }) => pictures)])
      if (chart !== null) drawn.set(chart, await chartSvg(chart))
  return documentHtml(view, (chart) => drawn.get(chart) ?? '')
}
