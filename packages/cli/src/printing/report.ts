import {
  type Audience,
  assessmentMarkdown,
  type Chart,
  type ComparisonView,
  type DocumentView,
  documentMarkdown,
  documentView,
  type FileRow,
  measures,
  type OutputsView,
  type Provenance,
  type RecordsShown,
} from '@scrim/core'
import { comparisonHtml, documentCharts, documentHtml, NOT_DRAWN, outputsHtml } from '@scrim/report'
import type { Assessed } from '../commands/releases/assessing.js'
import type { Io } from '../io.js'
import { version } from '../version.js'
import { drawnCharts } from './charts.js'

type Reported = Pick<Assessed, 'assessment' | 'results' | 'files' | 'seconds'>

/** The assessment as its readers may know it. */
export function reportView(
  { assessment, results, files, seconds }: Reported,
  audience: Audience,
  command: Pick<Provenance, 'command' | 'config'>,
  shown: RecordsShown | null = null,
): DocumentView {
  return documentView(assessment, results, measures, provenanceOf(files, seconds, command), audience, shown)
}

/** Every picture of a report; of several releases under names of their own. */
export function viewCharts(view: DocumentView): readonly Chart[] {
  return documentCharts(view).flatMap((charts, index, { length }) =>
    length === 1 ? charts : charts.map((chart) => ({ ...chart, name: `${chart.name}-${index + 1}` })),
  )
}

/** The assessment as one HTML file; pictures are drawn first, because a page is put together in one go. */
export async function reportHtml(view: DocumentView, io: Io): Promise<string> {
  return documentHtml(view, pictureFrom(await drawnCharts(documentCharts(view).flat(), io)))
}

/** As Markdown; somebody inside also gets what every measure says in its own words, which is exact. */
export function reportMarkdown(
  { assessment, results }: Reported,
  view: DocumentView,
  shown: RecordsShown | null = null,
): string {
  return view.audience === 'publishable'
    ? documentMarkdown(view)
    : assessmentMarkdown(assessment, results, measures, new Map(), shown)
}

/** The comparison likewise. */
export async function comparisonReport(view: ComparisonView, io: Io): Promise<string> {
  const drawn = await drawnCharts([view.map, ...view.pictures.map(({ chart }) => chart)], io)
  return comparisonHtml(view, pictureFrom(drawn))
}

/** The check of a request likewise. */
export async function outputsReport(view: OutputsView, io: Io): Promise<string> {
  const charts = [view.thinnest, ...view.outputs.map(({ picture }) => picture), ...(view.risk?.pictures ?? [])]
  return outputsHtml(view, pictureFrom(await drawnCharts(charts, io)))
}

const pictureFrom = (drawn: ReadonlyMap<Chart, string>) => (chart: Chart) => drawn.get(chart) ?? NOT_DRAWN

/** Who ran what, when, on which files. */
export function provenanceOf(
  files: readonly FileRow[],
  seconds: number,
  command: Pick<Provenance, 'command' | 'config'>,
): Provenance {
  return {
    version: version(),
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    ...command,
    files,
    seconds,
  }
}
