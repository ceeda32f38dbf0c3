import { percent } from '../../print.js'
import { INTERVAL_LEVEL } from '../../stats/levels.js'
import { checkedParts } from '../document-markdown.js'
import { tableView } from '../findings/table-view.js'
import { markdownTable, md, paragraphs, section, titledBullets } from '../markdown.js'
import type { ComparisonView } from './comparison-view.js'

/** The comparison as Markdown: the answer, the table of candidates, and what they rest on. */
export function comparisonMarkdown(view: ComparisonView): string {
  const untested = view.untested.map(
    ({ threats, reason, of }) => `${threats}${of === null ? '' : ` (${of})`}: ${reason}`,
  )
  return md`${paragraphs([
    md`# ${view.title}`,
    view.subject,
    view.headline.join(' '),
    markdownTable(candidateTable(view)),
    titledBullets('Not tested', untested),
    section(md`## What are the ends of the scales?`, markdownTable(view.anchorTable)),
    section(
      md`## What does every measure say?`,
      ...view.every.map((table) => section(md`### ${table.caption}`, markdownTable(table))),
    ),
    section(md`## Do threats flag the same people?`, markdownTable(view.agreement)),
    view.overCandidates,
    section(md`## Who drives it?`, markdownTable(view.drivers)),
    ...view.exposed.map(({ candidate, table }) =>
      section(md`## Who is exposed most by ${candidate}?`, markdownTable(table)),
    ),
    ...checkedParts({ ...view, notes: [...view.notes, ...view.notDrawn.map((text) => `not drawn: ${text}`)] }),
  ])}\n`.markdown
}

function candidateTable({ candidates }: ComparisonView) {
  const interval = `${percent(INTERVAL_LEVEL, 0)} interval`
  return tableView(
    'Candidates',
    ['candidate', 'answer', 'leakage', interval, 'of', 'utility', interval, 'front', 'dominated'],
    candidates.map((row) => [
      row.name,
      row.level,
      row.leakage,
      row.leakageBounds,
      row.threat,
      row.utility,
      row.utilityBounds,
      row.front,
      row.dominated,
    ]),
  )
}
