import { checkedParts } from '../document-markdown.js'
import { tableUnlessEmpty, tableView } from '../findings/table-view.js'
import { type Markdown, markdownTable, md, paragraphs, section, titledBullets } from '../markdown.js'
import type { OutputsView, OutputView } from './outputs-view.js'

/** The check of a request as Markdown. */
export function outputsMarkdown(view: OutputsView): string {
  const { risk } = view
  const outputs = tableView(
    'Outputs',
    ['output', 'what', 'verdict', 'alone', 'records', 'fewest behind a number', 'before'],
    view.outputs.map((one) => [one.id, one.what, one.verdict, one.alone, one.records, one.least, one.change]),
  )
  const unread = ['output', 'type', 'verdict', 'why it was not computed again']
  return md`${paragraphs([
    md`# ${view.title}: ${view.verdict}${view.basis === null ? '' : ` ${view.basis}`}`,
    md`> **For the checker: it has exact numbers of small cells and is not for release.**`,
    view.subject,
    view.recommendation,
    view.sentence,
    view.people === null ? null : `People concerned: ${view.people}.`,
    view.todo === null ? null : `What to do: ${view.todo}.`,
    markdownTable(outputs),
    markdownTable(tableUnlessEmpty('Not computed again', unread, view.unread)),
    ...view.outputs.flatMap(outputParts),
    risk === null
      ? null
      : section(
          md`## What do they reveal about people?`,
          risk.sentence,
          markdownTable(tableView('Risk', ['fact', 'value'], risk.facts)),
        ),
    section(md`## How is it decided?`, markdownTable(view.decisions), markdownTable(view.limits)),
    ...checkedParts(view),
  ])}\n`.markdown
}

function outputParts({ id, verdict, why, findings, remarks, values }: OutputView): (Markdown | string | null)[] {
  const rows = findings.map(({ rule, status, sentence }) => [rule, status, sentence])
  return [
    md`## ${id}: ${verdict}`,
    `${why}.`,
    markdownTable(tableUnlessEmpty('What the rules found', ['rule', 'outcome', 'finding'], rows)),
    titledBullets('Notes', remarks),
    markdownTable(values),
  ]
}
