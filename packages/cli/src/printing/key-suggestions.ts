import { dirname, relative } from 'node:path'
import { type ColumnSet, count, percent, type Suggestion, suggestedRoles } from '@scrim/core'
import { assessCall, everythingIn, type Face, withArguments } from '../faces.js'
import { shellText } from '../shell.js'
import { textTable, wrap } from './text-table.js'

const SHOWN_COLUMNS = 12
const SHOWN_SETS = 6

/** What `scrim keys` prints: identifiers first, then roles, then how people are singled out, then what to do. */
export function suggestionText(suggestion: Suggestion, file: string, face: Face, width: number): string {
  const { table, rows, targets, weight, household, together, share, minimal } = suggestion
  const lines = (text: string) => wrap(withArguments(text, face), width)
  const roles = [
    ...suggestion.keys.map(({ column, reason }) => ['key?', column, reason]),
    ...targets.map(({ column, reason }) => ['target?', column, reason]),
    ...(weight === null ? [] : [['weight?', weight.column, weight.reason]]),
    ...(household === null ? [] : [['household?', household.column, household.reason]]),
  ]
  return [
    ...lines(
      `${table}: ${count(rows, 'record')}. Everything below is a guess, to be confirmed by somebody who knows the data.`,
    ),
    '',
    identifiersText(suggestion, width),
    ...(roles.length === 0
      ? ['No column suggests itself as key or target.', '']
      : [textTable([{ title: 'role' }, { title: 'column' }, { title: 'why', fold: true }], roles, width)]),
    ...(targets.length === 0
      ? [...lines('No column name suggests anything sensitive: say with --target what an attacker wants to learn.'), '']
      : []),
    ...(together === null ? [] : [...lines(`These keys together: ${setText(together)}.`), '']),
    ...columnsTable(suggestion, width),
    ...setsTable(suggestion, width),
    ...lines(
      minimal.length === 0
        ? `No set of up to ${count(suggestion.largest, 'column')} singles out ${percent(share, 0)} of the people.`
        : `Smallest sets that single out at least ${percent(share, 0)} of the people: ${minimal
            .slice(0, SHOWN_SETS)
            .map(({ columns, unique }) => `${columns.join(' + ')} (${percent(unique)})`)
            .join('; ')}${minimal.length > SHOWN_SETS ? `; more in ${everythingIn(face)}` : ''}.`,
    ),
    ...leftOutText(suggestion).flatMap(lines),
    '',
    ...nextText(suggestion, file, face),
  ].join('\n')
}

function nextText(suggestion: Suggestion, file: string, face: Face): string[] {
  const assess = suggestion.keys.length === 0 ? [] : [`  ${assessCall(file, suggestedRoles(suggestion), face)}`]
  const init =
    face === 'shell'
      ? [`  ${shellText(['scrim', 'init', file])}   to confirm or change them, and write scrim.json`]
      : []
  return init.length + assess.length === 0 ? [] : ['Next:', ...init, ...assess, '']
}

export function identifiersText({ identifiers }: Suggestion, width: number): string {
  if (identifiers.length === 0) return 'No column looks like a direct identifier.\n'
  return `Direct identifiers? They say who a record is about and belong in no release.\n\n${textTable(
    [{ title: 'column' }, { title: 'kind' }, { title: 'why', fold: true }],
    identifiers.map(({ column, kind, reason, advice }) => [column, kind, `${reason}; ${advice}`]),
    width,
  )}`
}

function setText({ unique, separation }: ColumnSet): string {
  return `${percent(unique)} of the people are unique, ${percent(separation, 2)} of all pairs are told apart`
}

function columnsTable({ columns }: Suggestion, width: number): string[] {
  if (columns.length === 0) return []
  const right = { align: 'right' as const }
  const shown = columns.slice(0, SHOWN_COLUMNS)
  return [
    ...wrap('What each column adds (mean growth of the share of unique people, over all sets)', width),
    '',
    textTable(
      [
        { title: 'column' },
        { title: 'adds', ...right },
        { title: 'unique alone', ...right },
        { title: 'distinction', ...right },
        { title: 'separation', ...right },
      ],
      shown.map(({ column, added, unique, distinction, separation }) => [
        column,
        percent(added),
        percent(unique, 2),
        percent(distinction, 2),
        percent(separation),
      ]),
      width,
    ),
  ]
}

function setsTable({ best, largest }: Suggestion, width: number): string[] {
  const rows = Array.from({ length: largest }, (_, k) => best.filter((set) => set.columns.length === k + 1).slice(0, 2))
    .flat()
    .map(({ columns, unique, separation }) => [
      String(columns.length),
      columns.join(' + '),
      percent(unique),
      percent(separation, 2),
    ])
  if (rows.length === 0) return []
  const right = { align: 'right' as const }
  return [
    'Sets that single out most people',
    '',
    textTable(
      [
        { title: 'size', ...right },
        { title: 'columns', fold: true },
        { title: 'unique', ...right },
        { title: 'pairs told apart', ...right },
      ],
      rows,
      width,
    ),
  ]
}

/** Columns that were not combined, those with the same reason together. */
function leftOutText({ leftOut }: Suggestion): string[] {
  const byReason = new Map<string, string[]>()
  for (const { column, reason } of leftOut) byReason.set(reason, [...(byReason.get(reason) ?? []), column])
  if (byReason.size === 0) return []
  return ['', `No keys: ${[...byReason].map(([reason, columns]) => `${columns.join(', ')} (${reason})`).join('; ')}.`]
}

/** A config to start from. */
export function configText(suggestion: Suggestion, original: string, config: string): string {
  return `${JSON.stringify({ original: besideConfig(original, config), ...suggestedRoles(suggestion) }, null, 2)}\n`
}

/** Paths in a config are relative to it. */
export function besideConfig(file: string, config: string): string {
  return relative(dirname(config), file) || file
}
