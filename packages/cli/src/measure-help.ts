import { type AnyMeasure, optionsOf } from '@scrim/core'
import { literatureText } from './findings.js'
import { textTable } from './text-table.js'

const WIDTH = 100

/** What a measure is, and its options with their defaults. */
export function measureHelp(measure: AnyMeasure): string {
  const { id, title, summary, family, threat, needs, thresholds } = measure
  const options = optionsOf(measure).map((option) => [option.name, JSON.stringify(option.default), option.description])
  const columns = [{ title: 'option' }, { title: 'default' }, { title: 'meaning', fold: true }]
  return [
    `${title} (${id}): ${summary}`,
    '',
    `family ${family}, threat ${threat}, needs ${needs.join(', ') || 'nothing'}`,
    ...thresholds.literature.map((cut) => `literature, ${literatureText(cut)}`),
    '',
    options.length === 0 ? 'It has no options.\n' : textTable(columns, options, WIDTH),
    `usage: scrim measure ${id} ORIGINAL RELEASED... ${needs.map((need) => NEED_FLAGS[need]).join(' ')}${options.length === 0 ? '' : ' [--set option=value]...'}`,
    '',
  ].join('\n')
}

const NEED_FLAGS: Readonly<Record<AnyMeasure['needs'][number], string>> = {
  keys: '--keys a,b',
  target: '--target t',
  holdout: '--holdout FILE',
  weight: '--weight w',
  household: '--household h',
}
