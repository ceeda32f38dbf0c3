import {
  type Audience,
  assessmentMarkdown,
  type Chart,
  type ComparisonView,
  documentMarkdown,
  documentView,
  type FileRow,
  measures,
  type OutputsView,
  type Provenance,
  type RecordsShown,
} from '@scrim/core'
import { comparisonHtml, documentHtml, outputsHtml } from '@scrim/report'
import type { Assessed } from '../commands/assessing.js'
import { version } from '../version.js'
import { chartSvg } from './svg.js'

type Reported = Pick<Assessed, 'assessment' | 'results' | 'files' | 'seconds'>

/** The assessment as one HTML file; pictures are drawn first, because a page is put together in one go. */
export async function reportHtml(
  assessed: Reported,
  audience: Audience,
  command: string,
  shown: RecordsShown | null = null,
): Promise<string> {
  const view = viewOf(assessed, audience, command, shown)
  const charts = view.releases.flatMap(({ overview, map, threats }) => [
    overview,
    map,
    ...threats.flatMap(({ pictures }) => pictures),
  ])
  const drawn = await drawnCharts(charts)
  return documentHtml(view, (chart) => drawn.get(chart) ?? '')
}

/** As Markdown; somebody inside also gets what every measure says in its own words, which is exact. */
export function reportMarkdown(
  assessed: Reported,
  audience: Audience,
  command: string,
  shown: RecordsShown | null = null,
): string {
  return audience === 'publishable'
    ? documentMarkdown(viewOf(assessed, audience, command, null))
    : assessmentMarkdown(assessed.assessment, assessed.results, measures, new Map(), shown)
}

function viewOf(
  { assessment, results, files, seconds }: Reported,
  audience: Audience,
  command: string,
  shown: RecordsShown | null,
) {
  return documentView(assessment, results, measures, provenanceOf(files, seconds, command), audience, shown)
}

/** The comparison likewise. */
export async function comparisonReport(view: ComparisonView): Promise<string> {
  const drawn = await drawnCharts([view.map, ...view.pictures.map(({ chart }) => chart)])
  return comparisonHtml(view, (chart) => drawn.get(chart) ?? '')
}

/** The check of a request likewise. */
export async function outputsReport(view: OutputsView): Promise<string> {
  const drawn = await drawnCharts([
    view.thinnest,
    ...view.outputs.map(({ picture }) => picture),
    ...(view.risk?.pictures ?? []),
  ])
  return outputsHtml(view, (chart) => drawn.get(chart) ?? '')
}

/** Who ran what, when, on which files. */
export function provenanceOf(files: readonly FileRow[], seconds: number, command: string): Provenance {
  return {
    version: version(),
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    command,
    files,
    seconds,
  }
}

async function drawnCharts(charts: readonly (Chart | null)[]): Promise<ReadonlyMap<Chart, string>> {
  const drawn = new Map<Chart, string>()
  for (const chart of charts) if (chart !== null) drawn.set(chart, await chartSvg(chart))
  return drawn
}
