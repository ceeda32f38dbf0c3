import type { OutputsView, OutputView } from '@scrim/core'
import { everythingIn, type Face } from '../faces.js'
import { list } from './answer.js'
import { textTable, wrap } from './text-table.js'

const MOST_FINDINGS = 5

/** The check of a request on a terminal: the verdicts, then what the rules found for each output. */
export function checkedText(view: OutputsView, face: Face, width: number): string {
  const columns = [
    { title: 'output', fold: true },
    { title: 'verdict' },
    { title: 'alone' },
    { title: 'records', align: 'right' as const },
    { title: 'fewest', align: 'right' as const },
    { title: 'before', fold: true },
  ]
  const rows = view.outputs.map(({ id, verdict, alone, records, least, change }) => [
    id,
    verdict,
    alone,
    records,
    least,
    change,
  ])
  const parts = [
    wrap(`${view.title}: ${view.verdict}${view.basis === null ? '' : ` ${view.basis}`}`, width).join('\n'),
    wrap(view.subject.replaceAll(' · ', '; '), width).join('\n'),
    wrap(view.sentence, width).join('\n'),
    textTable(columns, rows, width).trimEnd(),
    wrap(
      'fewest: records behind its smallest number; alone: without the others and what was released before.',
      width,
    ).join('\n'),
    list(
      'Not computed again',
      view.unread.map(([id, type, verdict, reason]) => `${id} (${type}): ${verdict}, ${reason}`),
      width,
    ),
    ...view.outputs.map((output) =>
      list(`${output.id}: ${output.what}`, [`${output.why}.`, ...findings(output, face)], width),
    ),
    ...(view.risk === null
      ? []
      : [
          list(
            'Risk',
            view.risk.facts.map(([name, value]) => `${name}: ${value}`),
            width,
          ),
        ]),
    list('Notes', view.notes, width),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function findings({ findings: all }: OutputView, face: Face): string[] {
  const left = all.length - MOST_FINDINGS
  return [
    ...all.slice(0, MOST_FINDINGS).map(({ rule, status, sentence }) => `${rule} (${status}): ${sentence}`),
    ...(left > 0 ? [`${left} more; ${everythingIn(face)} has all`] : []),
  ]
}
