import { bullets, checked, table } from './markdown.js'
import type { OutputsView, OutputView } from './outputs-view.js'

/** The check of a request as Markdown. */
export function outputsMarkdown(view: OutputsView): string {
  return `${[
    `# ${view.title}: ${view.verdict}${view.basis === null ? '' : ` ${view.basis}`}`,
    '> **For the checker: it has exact numbers of small cells and is not for release.**',
    view.subject,
    view.sentence,
    table(
      ['output', 'what', 'verdict', 'alone', 'records', 'fewest behind a number', 'before'],
      view.outputs.map((one) => [one.id, one.what, one.verdict, one.alone, one.records, one.least, one.change]),
    ),
    ...(view.unread.length === 0
      ? []
      : [table(['output', 'type', 'verdict', 'why it was not computed again'], view.unread)]),
    ...view.outputs.flatMap(outputSection),
    ...(view.risk === null
      ? []
      : ['## What do the outputs tell about people?', view.risk.sentence, table(['fact', 'value'], view.risk.facts)]),
    '## How is it decided?',
    table(['rules', 'marginal risk', 'verdict'], view.decisions),
    table(['limit', 'value'], view.limits),
    ...checked(view),
  ].join('\n\n')}\n`
}

function outputSection(one: OutputView): string[] {
  return [
    `## ${one.id}: ${one.verdict}`,
    `${one.why}.`,
    ...(one.findings.length === 0
      ? []
      : [
          table(
            ['rule', 'outcome', 'finding'],
            one.findings.map(({ rule, status, sentence }) => [rule, status, sentence]),
          ),
        ]),
    ...bullets('Notes', one.remarks),
    table(['element', 'statistic', 'value'], one.values),
  ]
}
