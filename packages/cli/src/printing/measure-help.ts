import { type AnyMeasure, allowedValues, citationsOf, literatureText, measures, optionsOf } from '@scrim/core'
import { givenBy } from '../faces.js'
import { textTable, wrap } from './text-table.js'

/** Undefined where there is no such measure. */
export function helpOnMeasure(topic: string, width: number): string | undefined {
  const measure = measures.find(({ id }) => id === topic)
  return measure === undefined ? undefined : measureHelp(measure, width)
}

/** What a measure is, and its options with their defaults. */
function measureHelp(measure: AnyMeasure, width: number): string {
  const { id, title, summary, family, threat, role, needs, blindTo } = measure
  const allowed = allowedValues(measure.options)
  const options = optionsOf(measure).map(({ name, description, default: preset }) => [
    name,
    JSON.stringify(preset),
    `${description} (${allowed[name]})`,
  ])
  const columns = [{ title: 'option' }, { title: 'default' }, { title: 'meaning and allowed values', fold: true }]
  const about = [
    `family ${family}${threat === undefined ? '' : `, threat ${threat}`}, ${role}, needs ${needs.join(', ') || 'nothing'}`,
    ...(blindTo === undefined ? [] : [`blind to ${blindTo}`]),
    ...literatureText(measure).map((cut) => `literature, ${cut}`),
    ...citationsOf(measure).map(({ text }) => `cite ${text}`),
  ]
  return [
    ...wrap(`${title} (${id}): ${summary}`, width),
    '',
    ...about.flatMap((line) => wrap(line, width)),
    '',
    options.length === 0 ? 'It has no options.\n' : textTable(columns, options, width),
    wrap(
      `usage: scrim measure ${id} ORIGINAL RELEASED... ${needs.map((need) => givenBy(need, 'shell')).join(' ')}${options.length === 0 ? '' : ' [--set option=value]...'}`,
      width - 4,
    ).join('\n    '),
    '',
  ].join('\n')
}
