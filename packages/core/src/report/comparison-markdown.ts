import { percent } from '../print.js'
import { INTERVAL_LEVEL } from '../stats/levels.js'
import type { CandidateRow, ComparisonView, TableRow } from './comparison-view.js'
import { bullets, checked, table } from './markdown.js'

/** The comparison as Markdown: the answer, the table of candidates, and what they rest on. */
export function comparisonMarkdown(view: ComparisonView): string {
  return `${[
    `# ${view.title}`,
    view.subject,
    view.headline.join(' '),
    table([...CANDIDATE_HEAD], view.candidates.map(candidateCells)),
    ...bullets(
      'Not tested',
      view.untested.map(({ threats, reason, of }) => `${threats}${of === null ? '' : ` (${of})`}: ${reason}`),
    ),
    '## What are the ends of the scales?',
    table(
      ['anchor', 'leakage', 'utility', 'how it is known'],
      view.anchors.map(({ name, risk, utility, how }) => [name, share(risk), share(utility), how]),
    ),
    '## What does every measure say?',
    table([...TABLE_HEAD], view.table.map(tableCells)),
    ...(view.agreement.length === 0
      ? []
      : [
          '## Do threats flag the same people?',
          table(
            ['candidate', 'threats', 'Spearman over people', 'people'],
            view.agreement.map(({ candidate, threats, spearman, records }) => [candidate, threats, spearman, records]),
          ),
        ]),
    view.overCandidates,
    ...(view.drivers.length === 0
      ? []
      : ['## Who drives it?', table(['candidate', 'threat', 'group', 'people', 'adds, each'], view.drivers)]),
    ...view.exposed.flatMap(({ candidate, keys, rows }) => [
      `## Who is exposed most by ${candidate}?`,
      table(keys, rows),
    ]),
    ...checked({ ...view, notes: [...view.notes, ...view.notDrawn.map((one) => `not drawn: ${one}`)] }),
  ].join('\n\n')}\n`
}

const share = (value: number) => `${Math.round(100 * value)} %`

const INTERVAL = `${percent(INTERVAL_LEVEL, 0)} interval`

const CANDIDATE_HEAD = [
  'candidate',
  'answer',
  'leakage',
  INTERVAL,
  'of',
  'utility',
  INTERVAL,
  'front',
  'dominated',
] as const

function candidateCells(row: CandidateRow): string[] {
  const { name, level, leakage, leakageBounds, threat, utility, utilityBounds, front, dominated } = row
  return [name, level, leakage, leakageBounds, threat, utility, utilityBounds, front, dominated]
}

const TABLE_HEAD = [
  'candidate',
  'threat or measure',
  'value',
  'nothing',
  'fair',
  'everything',
  'place',
  INTERVAL,
  'status',
] as const

function tableCells(row: TableRow): string[] {
  const { candidate, measure, value, nothing, fair, everything, place, bounds, status } = row
  return [candidate, measure, value, nothing, fair, everything, place, bounds, status]
}
